import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { obtainCode } from "./authorize.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { post } from "./http-client.js";

/** Promises and timers of the server process, as async hooks see them, and statements sent to PostgreSQL. */
interface Cost {
  readonly promises: number;
  readonly timers: number;
  readonly statements: number;
}

/** What one request may cost. Lower a figure when a request has become cheaper. Each statement has three timers, each answer two. */
const budget = {
  client_credentials: { promises: 30, timers: 5, statements: 1 },
  "refresh_token of an application": { promises: 34, timers: 5, statements: 1 },
  "refresh_token of a public client": { promises: 30, timers: 5, statements: 1 },
  "refresh_token by private_key_jwt": { promises: 90, timers: 11, statements: 3 },
  "authorization_code of a public client": { promises: 40, timers: 8, statements: 2 },
  "authorization_code by private_key_jwt": { promises: 83, timers: 11, statements: 3 },
  "jwt-bearer with an ID-JAG": { promises: 63, timers: 5, statements: 1 },
  "an unknown client": { promises: 38, timers: 8, statements: 2 },
  "a wrong secret": { promises: 38, timers: 8, statements: 2 },
} as const satisfies Readonly<Record<string, Cost>>;

/** Requests in a row, which is fewer than the wrong guesses that a client may make; the first ones fill caches and connections. */
const REQUESTS = 9;
const WARM_UP = 3;
/** Jobs of the server may run during all requests of a row. */
const ROWS = 3;

type Fields = Readonly<Record<string, string>>;

describe.skipIf(!testDatabaseUrl)("[C-9.461] a request for tokens costs no more than its budget", () => {
  const counting = fileURLToPath(new URL("count-async.mjs", import.meta.url));
  let server: TestServer;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  beforeAll(async () => {
    server = await startTestServer({ backend: "postgres", environment: { NODE_OPTIONS: `--import=${counting}` } });
    keys = await generateKeyPair("ES256", { extractable: true });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const token = (fields: Fields, query = "") => post(`${server.url}/token${query}`, new URLSearchParams(fields));

  /** The least cost of a request that is made several times in a row. The query marks the lines that belong to it. */
  async function costOf(status: number, fields: readonly Fields[]): Promise<Cost> {
    const mark = `?${randomBytes(8).toString("hex")}`;
    for (const each of fields) expect(await token(each, mark)).toMatchObject({ status });
    const lines = () =>
      server
        .output()
        .split("\n")
        .filter((line) => line.startsWith('{"cost_of":') && line.includes(mark));
    await expect.poll(() => lines().length).toBe(fields.length);
    return least(
      lines()
        .slice(WARM_UP)
        .map((line) => JSON.parse(line)),
    );
  }

  /** One of each, prepared beforehand one by one. */
  async function times<T>(make: () => Promise<T> | T): Promise<readonly T[]> {
    const made: T[] = [];
    while (made.length < REQUESTS) made.push(await make());
    return made;
  }

  const secret = () => ({ client_id: server.demo.clientId, client_secret: server.demo.clientSecret });
  const refresh = (answer: { readonly body: { readonly refresh_token: string } }) => ({
    grant_type: "refresh_token",
    refresh_token: answer.body.refresh_token,
  });

  function signed(claims: Fields, header: Fields = {}): Promise<string> {
    return new SignJWT({ aud: server.url, jti: randomBytes(8).toString("hex"), ...claims })
      .setProtectedHeader({ alg: "ES256", ...header })
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(keys.privateKey);
  }
  const proof = async (client_id: string) => ({
    client_id,
    client_assertion: await signed({ iss: client_id, sub: client_id }),
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  });
  const codeOf = async (metadata: object) => {
    const { clientId, redemption } = await obtainCode(server.url, server.demo, {
      metadata: { redirect_uris: ["http://127.0.0.1:33418/callback"], ...metadata },
    });
    return { clientId, redemption: Object.fromEntries(redemption) };
  };
  const ofKey = async () => ({
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [await exportJWK(keys.publicKey)] },
  });

  const requests: Readonly<Record<keyof typeof budget, () => Promise<readonly Fields[]>>> = {
    client_credentials: async () => times(() => ({ grant_type: "client_credentials", ...secret() })),
    "refresh_token of an application": () =>
      times(async () => ({
        ...refresh(await token({ grant_type: "client_credentials", ...secret() })),
        ...secret(),
      })),
    "refresh_token of a public client": () =>
      times(async () => {
        const { clientId, redemption } = await codeOf({});
        return { ...refresh(await token(redemption)), client_id: clientId };
      }),
    "refresh_token by private_key_jwt": () =>
      times(async () => {
        const { clientId, redemption } = await codeOf(await ofKey());
        const answer = await token({ ...redemption, ...(await proof(clientId)) });
        return { ...refresh(answer), ...(await proof(clientId)) };
      }),
    "authorization_code of a public client": () => times(async () => (await codeOf({})).redemption),
    "authorization_code by private_key_jwt": () =>
      times(async () => {
        const { clientId, redemption } = await codeOf(await ofKey());
        return { ...redemption, ...(await proof(clientId)) };
      }),
    async "jwt-bearer with an ID-JAG"() {
      const issuer = "https://idp.example";
      const { clientId: client_id, tenantId: tenant_id } = server.demo;
      const rules = [{ claims: {}, client_id, scopes: ["connections:read"] }];
      const jwks = { keys: [await exportJWK(keys.publicKey)] };
      const trust = { issuer, tenant_id, jwks, rules, client_ids: [client_id] };
      await server.operate("/operator/v1/trusted-issuers/trust", trust);
      const ofPerson = async () => ({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: await signed({ iss: issuer, sub: "00u1", client_id }, { typ: "oauth-id-jag+jwt" }),
        ...secret(),
      });
      // Servers reload the trusted issuers every two seconds.
      await expect.poll(async () => (await token(await ofPerson())).status).toBe(200);
      return times(ofPerson);
    },
    "an unknown client": async () =>
      times(() => ({ grant_type: "client_credentials", client_id: "wca_nobody", client_secret: "wcs_wrong" })),
    "a wrong secret": async () =>
      times(() => ({ grant_type: "client_credentials", ...secret(), client_secret: "wcs_wrong" })),
  };

  const measured = new Map<string, Cost>();
  const kinds = Object.keys(budget) as (keyof typeof budget)[];
  it.each(kinds)("%s", async (kind) => {
    const costs: Cost[] = [];
    const isRefused = kind === "an unknown client" || kind === "a wrong secret";
    const isWithin = () => costs.length > 0 && isAtMost(least(costs), budget[kind]);
    while (costs.length < (isRefused ? 1 : ROWS) && !isWithin())
      costs.push(await costOf(isRefused ? 401 : 200, await requests[kind]()));
    measured.set(kind, least(costs));
    if (!isWithin()) expect(least(costs), `${kind} costs more than its budget`).toEqual(budget[kind]);
  });

  it("[security.md] an unknown client costs as much as a wrong secret", () => {
    expect(measured.get("an unknown client")).toMatchObject({
      promises: measured.get("a wrong secret")?.promises,
      statements: measured.get("a wrong secret")?.statements,
    });
  });
});

/** Each figure at its least: whatever else the server did meanwhile can only add to it. */
function least(costs: readonly Cost[]): Cost {
  const leastOf = (kind: keyof Cost) => Math.min(...costs.map((cost) => cost[kind]));
  return { promises: leastOf("promises"), timers: leastOf("timers"), statements: leastOf("statements") };
}

function isAtMost(cost: Cost, most: Cost): boolean {
  return cost.promises <= most.promises && cost.timers <= most.timers && cost.statements <= most.statements;
}
