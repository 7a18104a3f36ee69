import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { CoreError, type EventView } from "@org/core";
import { createTestRuntime } from "@org/core/testing";
import {
  createIdentityProvider,
  createPeopleOperations,
  createPeopleSessions,
  createProviderSignIn,
  createSavedViews,
  createSigningIn,
  type IdentityProviderSettings,
  INSTALLATION,
  type Role,
} from "@org/people";
import { createAuthenticator, createMemoryPeopleStores } from "@org/people/testing";
import type { RestServices } from "@org/rest-api";
import { callbackOf, createConsoleApi, type SignInOutcome } from "../src/index.js";

export const ORIGIN = "https://wealth.example";
const system = { application_id: "system", trace_id: null, address: null };
/** Number of failed proofs before the limit is reached. */
export const MAX_GUESSES = 5;

/** Result of a request. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** A browser: it keeps cookies, and declares where its requests come from. */
export interface Browser {
  readonly cookies: Map<string, string>;
  /** Posts like a page of the console, with the latest token of its session. */
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string | null>>): Promise<Answer>;
}

/** Starts the console's backend on a port, with memory storage and a clock that tests set. */
export async function startConsole({
  publicUrl = ORIGIN,
  began = new Date("2026-11-23T12:00:00.000Z"),
  providers: named = [],
  hasProviderOnly = false,
}: {
  publicUrl?: string;
  began?: Date;
  providers?: readonly { readonly settings: IdentityProviderSettings; readonly fetch: typeof fetch }[];
  hasProviderOnly?: boolean;
} = {}) {
  const runtime = createTestRuntime(began);
  const stores = createMemoryPeopleStores();
  const sessions = createPeopleSessions({ store: stores.sessions, runtime });
  const people = createPeopleOperations({ store: stores.directory, runtime, publicUrl });
  const closedTenants = new Set<string>();
  const proofs: SignInOutcome[] = [];
  const faults: unknown[] = [];
  const happened: EventView[] = [];
  const guessed = new Map<string | null, number>();
  let streams = 0;
  const providers = named.map((provider) => {
    const redirectUri = publicUrl + callbackOf(provider.settings.tenant_id);
    return createIdentityProvider({ ...provider, redirectUri, clock: runtime.clock });
  });
  /** The REST services that were called; none of them exists here. */
  const asked: string[] = [];
  /** The look-ups of names. */
  const askedNames: unknown[] = [];
  const services = new Proxy({} as RestServices, {
    get(_target, service) {
      asked.push(String(service));
      throw new CoreError("NOT_FOUND", "nothing here");
    },
  });
  const handle = createConsoleApi({
    sessions,
    people,
    views: createSavedViews({ store: stores.views }),
    runtime,
    publicUrl,
    hasProviderOnly,
    providerSignIn: createProviderSignIn({ providers, stores, sessions, runtime }),
    signingIn: createSigningIn({ stores, sessions, runtime, publicUrl }),
    source: {
      events: {
        async list(_log, { wait_seconds }) {
          if (wait_seconds === 0) return { items: [], next_page_token: null };
          await new Promise((resolve) => setTimeout(resolve, 200));
          return { items: happened.splice(0), next_page_token: null };
        },
      },
      heads: async () => new Map(),
    },
    rest: { services, limits: { letterMaxBytes: 10_000 } },
    names: {
      async find(reader, things) {
        askedNames.push({ reader, things });
        return [];
      },
    },
    providerTitleOf: (name) => (name === "open-banking" ? "Open banking" : null),
    tenantNameOf: async (tenantId) => `Tenant ${tenantId.slice(-1)}`,
    isTenantOpen: async (tenantId) => !closedTenants.has(tenantId),
    async countGuess({ of }) {
      const guesses = (guessed.get(of) ?? 0) + 1;
      guessed.set(of, guesses);
      if (guesses > MAX_GUESSES)
        throw new CoreError("RATE_LIMITED", "too many", {
          limit: { name: "guesses", value: 5 },
          retryAfterSeconds: 60,
        });
    },
    onStreams: (count) => {
      streams = count;
    },
    onProof: (proof) => void proofs.push(proof),
    log: { error: ({ err }) => void faults.push(err) },
  });
  const server = createServer((request, response) => handle(request, response));
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    address,
    stores,
    sessions,
    people,
    closedTenants,
    proofs,
    faults,
    asked,
    askedNames,
    happened,
    handle,
    /** The server's sockets. */
    sockets,
    streams: () => streams,
    passes: (seconds: number) => runtime.advance(seconds * 1_000),
    connections: () =>
      new Promise<number>((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    browser: () => createBrowser(address, new URL(publicUrl).origin),
    /** Follows a redirect like a browser, with its cookies; returns the address of the next redirect. */
    async follow({ cookies }: Browser, path: string) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(address + path, { redirect: "manual", headers: { cookie } });
      keepCookies(cookies, response);
      return response.headers.get("location") ?? String(response.status);
    },
    /** Returns a person who has just joined, in their own browser. */
    async joined({ email = "ada@example.com", role = "operator" as Role, tenantId = INSTALLATION } = {}) {
      const { link } = await people.invite(system, tenantId, { email, role });
      const invitation = link.split("#")[1] as string;
      const authenticator = createAuthenticator(new URL(publicUrl).origin);
      const browser = createBrowser(address, new URL(publicUrl).origin);
      const begun = await browser.post("/join/begin", { invitation });
      const answer = authenticator.create(begun.body.options);
      const finished = await browser.post("/join/finish", { invitation, answer, name: "Ada" });
      if (finished.status !== 200) throw new Error(JSON.stringify([begun, finished]));
      return { browser, authenticator, invitation, ...finished.body };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Console = Awaited<ReturnType<typeof startConsole>>;

function createBrowser(address: string, origin: string): Browser {
  const cookies = new Map<string, string>();
  let token: string | undefined;
  return {
    cookies,
    async post(path, body = {}, headers = {}) {
      const all = {
        origin,
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(token !== undefined && { "x-csrf-token": token }),
        ...headers,
      };
      const response = await fetch(`${address}/console/api${path}`, {
        method: "POST",
        headers: Object.entries(all).filter((header): header is [string, string] => header[1] !== null),
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      keepCookies(cookies, response);
      const answer = JSON.parse(await response.text());
      if (typeof answer.csrf_token === "string") token = answer.csrf_token;
      return { status: response.status, headers: response.headers, body: answer };
    },
  };
}

function keepCookies(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  }
}
