import type { AddressInfo } from "node:net";
import type { ByteBudget } from "@org/admission";
import { createEdge } from "@org/http";
import { createKeyring } from "@org/keyring";
import express from "express";
import { onTestFinished } from "vitest";
import { type Applications, createApplications } from "../src/administration/applications.js";
import { createRegistrationTokens, type RegistrationTokens } from "../src/administration/registration-tokens.js";
import type { AuditEvent } from "../src/audit.js";
import { createOAuthServer, type OAuthServer, type OAuthServerOptions } from "../src/create-oauth-server.js";
import type { OAuthStore } from "../src/ports/oauth-store.js";
import { createMemoryOAuthStore } from "../src/testing/memory-oauth-store.js";

export const noon = new Date("2026-01-15T12:00:00.000Z");
export const TENANT = "018f0000-0000-7000-8000-000000000001";

const defaultKeys = [{ version: 1, key: new Uint8Array(32).fill(7) }];
export const keyring = createKeyring([{ id: "test", key: new Uint8Array(32).fill(9) }]);

/** An authorization server in express on a free port of 127.0.0.1, with a clock that the test advances. */
export interface Installation {
  readonly issuer: string;
  readonly store: OAuthStore;
  readonly server: OAuthServer;
  readonly applications: Applications;
  readonly registrationTokens: RegistrationTokens;
  readonly events: AuditEvent[];
  readonly log: unknown[];
  readonly clock: () => Date;
  advance(seconds: number): void;
  /** Creates an application of the tenant with all scopes, and returns its credentials. */
  application(change?: Partial<Parameters<Applications["create"]>[0]>): Promise<Credentials>;
  /** Another process with the same store, clock and issuer. */
  replica(): Promise<{ url: string; server: OAuthServer }>;
  token(form: Fields, init?: TokenInit): Promise<TokenAnswer>;
  revoke(form: Fields, init?: TokenInit): Promise<TokenAnswer>;
  /** Sends client metadata: text unchanged, anything else as JSON. */
  register(metadata: unknown, init?: TokenInit): Promise<TokenAnswer>;
}

export interface Credentials {
  readonly application_id: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly secret_id: string;
}
export type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];
export interface TokenInit {
  readonly headers?: Readonly<Record<string, string>>;
  /** Address that the request seems to come from. */
  readonly from?: string;
  /** Another replica's URL. */
  readonly at?: string;
}
export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
  readonly body: any;
}

export type Settings = Partial<
  Pick<
    OAuthServerOptions,
    | "accessTokenAlg"
    | "refreshReplaySeconds"
    | "store"
    | "maxBodyBytes"
    | "keyring"
    | "clientDocuments"
    | "issuerDocuments"
    | "registration"
    | "secretHashKeys"
    | "people"
  >
> & { readonly bodies?: ByteBudget };

export async function install({ bodies, ...settings }: Settings = {}): Promise<Installation> {
  const store = settings.store ?? createMemoryOAuthStore();
  const events: AuditEvent[] = [];
  const log: unknown[] = [];
  let now = noon;
  const clock = () => now;
  const audit = (event: AuditEvent) => void events.push(event);
  const options = {
    keyring,
    secretHashKeys: defaultKeys,
    ...settings,
    store,
    clock,
    audit,
    log: { error: (...line: unknown[]) => void log.push(line) },
  };

  const newTraceId = () => "0af7651916cd43dd8448eb211c80319c";
  const edge = createEdge({ trustProxy: true, newTraceId, ...(bodies && { bodies }) });
  const listen = async (issuer?: string) => {
    const app = express();
    const listener = app.listen(0, "127.0.0.1");
    await new Promise((resolve) => listener.once("listening", resolve));
    onTestFinished(async () => {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    });
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const server = createOAuthServer({ ...options, issuer: issuer ?? url });
    app.use((req, res, next) => {
      req.headers["x-forwarded-for"] = String(req.headers["x-test-address"] ?? "203.0.113.7");
      edge.begin(req, res);
      next();
    });
    app.use(server.router);
    return { url, server };
  };
  const { url: issuer, server } = await listen();
  const { secretHashKeys } = options;
  const applications = createApplications({ store, secretHashKeys, clock, audit });
  const registrationTokens = createRegistrationTokens({ store: store.clients, secretHashKeys, clock, audit });
  const send = async (path: string, body: URLSearchParams | string, init: TokenInit): Promise<TokenAnswer> => {
    const { headers = {}, from, at = issuer } = init;
    const response = await fetch(at + path, {
      method: "POST",
      body,
      headers: { ...(from ? { "x-test-address": from } : {}), ...headers },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
  };
  const post =
    (path: string) =>
    (fields: Fields, init: TokenInit = {}): Promise<TokenAnswer> =>
      send(path, new URLSearchParams(fields as Record<string, string>), init);

  return {
    issuer,
    store,
    server,
    applications,
    registrationTokens,
    events,
    log,
    clock,
    advance(seconds) {
      now = new Date(now.getTime() + seconds * 1000);
    },
    async application(change = {}) {
      const { application, client_secret } = await applications.create({ tenant_id: TENANT, name: "Test", ...change });
      const { application_id, client_id, secrets } = application;
      return { application_id, client_id, client_secret, secret_id: secrets[0]?.secret_id ?? "" };
    },
    replica: () => listen(issuer),
    token: post("/token"),
    revoke: post("/revoke"),
    register(metadata, init = {}) {
      const body = typeof metadata === "string" ? metadata : JSON.stringify(metadata);
      return send("/register", body, { ...init, headers: { "content-type": "application/json", ...init.headers } });
    },
  };
}

/** Form fields of a client_credentials request. */
export function machine({ client_id, client_secret }: Credentials, more: Readonly<Record<string, string>> = {}) {
  return { grant_type: "client_credentials", client_id, client_secret, ...more };
}

/** Form fields of a refresh request. */
export function refresh(refresh_token: string, more: Readonly<Record<string, string>> = {}) {
  return { grant_type: "refresh_token", refresh_token, ...more };
}

/** Value of a Basic Authorization header. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** A request that has a header `Authorization`, or none. */
export function bearing(authorization: string | undefined) {
  return { headers: { authorization }, method: "POST", url: "/mcp" };
}

/** A memory store that records which methods are called. */
export function countingStore() {
  const calls: string[] = [];
  const counted = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const method = Reflect.get(target, name, receiver);
        return typeof method !== "function"
          ? method
          : (...args: unknown[]) => {
              calls.push(String(name));
              return method.apply(target, args);
            };
      },
    });
  const { signingKeys, ...ports } = createMemoryOAuthStore();
  const store: OAuthStore = {
    signingKeys,
    applications: counted(ports.applications),
    clients: counted(ports.clients),
    codes: counted(ports.codes),
    remembered: counted(ports.remembered),
    grants: counted(ports.grants),
    guessLimits: counted(ports.guessLimits),
    trustedIssuers: counted(ports.trustedIssuers),
  };
  return { calls, store };
}

/** The JSON document at an address. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
export async function json(url: string): Promise<any> {
  return (await fetch(url)).json();
}
