import { createHash, randomBytes } from "node:crypto";
import { type Browser, createBrowser, type Page } from "@org/pages/testing";
import type { RegisteredClient } from "../src/ports/client-store.js";
import type { Credentials, Installation, TokenAnswer } from "./harness.js";

export const REDIRECT = "https://client.example/callback";

/** A client that uses the authorization page, with the browser of the person. */
export interface Authorization {
  readonly client: RegisteredClient;
  readonly verifier: string;
  /** URL of the authorization request; `change` replaces parameters, and an empty value omits one. */
  url(change?: Readonly<Record<string, string>>): string;
  readonly browser: Browser;
  /** Opens the page and submits step 1. */
  signIn(credentials: Credentials, change?: Readonly<Record<string, string>>): Promise<Page>;
  /** Signs in, approves, and returns the code. */
  approve(credentials: Credentials, change?: Readonly<Record<string, string>>): Promise<string>;
  exchange(code: string, change?: Readonly<Record<string, string>>, at?: string): Promise<TokenAnswer>;
  /** Runs the whole flow, from the first page to the tokens. */
  authorize(credentials: Credentials, change?: Readonly<Record<string, string>>): Promise<TokenAnswer>;
}

/** A public client registered at an installation. */
export async function authorization(
  at: Installation,
  change: Partial<RegisteredClient> = {},
  browser = createBrowser(),
): Promise<Authorization> {
  const client: RegisteredClient = {
    client_id: `wcd_${randomBytes(16).toString("base64url")}`,
    client_name: "Example Assistant",
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: "none",
    secret_hash: null,
    jwks: null,
    jwks_uri: null,
    metadata: {},
    created_at: at.clock(),
    last_used_at: at.clock(),
    ...change,
  };
  await at.store.clients.registerClient(client);
  const verifier = randomBytes(32).toString("base64url");

  const self: Authorization = {
    client,
    verifier,
    browser,
    url(overrides = {}) {
      const query = {
        response_type: "code",
        client_id: client.client_id,
        redirect_uri: client.redirect_uris[0] as string,
        state: "st/4te=?&+",
        code_challenge: challengeOf(verifier),
        code_challenge_method: "S256",
        ...overrides,
      };
      const given = Object.entries(query).filter(([, value]) => value !== "");
      return `${at.issuer}/authorize?${new URLSearchParams(given)}`;
    },
    async signIn({ client_id, client_secret }, overrides) {
      await browser.open(self.url(overrides));
      return browser.submit("sign-in", { client_id, client_secret });
    },
    async approve(credentials, overrides) {
      const page = await self.signIn(credentials, overrides);
      if (!browser.form("decision")) throw new Error(`no step 2: ${page.text}`);
      return codeOf(await browser.submit("decision", {}, "approve"));
    },
    exchange: (code, overrides = {}, replica) =>
      at.token(
        {
          grant_type: "authorization_code",
          code,
          client_id: client.client_id,
          redirect_uri: client.redirect_uris[0] as string,
          code_verifier: verifier,
          ...overrides,
        },
        replica === undefined ? {} : { at: replica },
      ),
    async authorize(credentials, overrides) {
      return self.exchange(await self.approve(credentials, overrides));
    },
  };
  return self;
}

/** The parameters of a redirect to the client. */
export function returned(page: Page): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(page.url).searchParams);
}

/** The code of a redirect. */
export function codeOf(page: Page): string {
  const { code } = returned(page);
  if (code === undefined) throw new Error(`no code: ${page.status} ${page.url} ${page.text}`);
  return code;
}

/** The S256 challenge of a verifier (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
