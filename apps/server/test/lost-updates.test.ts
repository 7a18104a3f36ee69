import { generateKeyPairSync } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";

let server: TestServer;

beforeAll(async () => {
  const PROVIDERS = fileURLToPath(new URL("providers/odd-bank.mjs", import.meta.url));
  server = await startTestServer({ backend: "embedded", environment: { PROVIDERS } });
}, START_TIMEOUT);
afterAll(() => server?.remove());

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
type Read = any;

/** A resource that several people change: how to read it with its version, and two changes of it. */
interface Changed {
  readonly what: string;
  readonly make?: () => Promise<unknown>;
  readonly read: () => Promise<Read>;
  readonly path: string;
  readonly changes: () => readonly [object, object];
}

const operate = (path: string, body: object) => server.operate(`/operator/v1/${path}`, body);
const FINGERPRINTS: string[] = [];
const ISSUER = "https://login.example.test";
const jwks = {
  keys: [
    {
      ...generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" }),
      kid: "1",
      alg: "ES256",
      use: "sig",
    },
  ],
};
const mapping = (title: string) => ({
  language: 1,
  name: "harbour",
  title,
  recognise: { header: ["Day", "Sum"] },
  delimiter: ";",
  values: { date: { column: "Day" }, cash: { column: "Sum" }, currency: { constant: "CHF" } },
  tables: [{ rows: [{ is: "transaction", kind: "deposit" }] }],
});

const cases: readonly Changed[] = [
  {
    what: "a source",
    make: () => operate("sources/set", { source: "desk", settings: { kind: "push" }, version: 0 }),
    read: async () => (await operate("sources/show", { source: "desk" })).source,
    path: "/operator/v1/sources/set",
    changes: () => [
      { source: "desk", settings: { kind: "push", patterns: ["*.xml"] } },
      { source: "desk", settings: { kind: "push" }, enabled: false },
    ],
  },
  {
    what: "a mapping",
    make: () => operate("datafeed-mappings/set", { ...ofConnector(), mapping: mapping("One"), version: 0 }),
    read: async () => (await operate("datafeed-mappings/show", { ...ofConnector(), name: "harbour" })).mapping,
    path: "/operator/v1/datafeed-mappings/set",
    changes: () => [
      { ...ofConnector(), mapping: mapping("Two") },
      { ...ofConnector(), mapping: mapping("Three") },
    ],
  },
  {
    what: "a PGP key",
    async make() {
      for (const name of ["First", "Second"])
        FINGERPRINTS.push((await operate("feed-keys/generate", { name, days: 0 })).key.fingerprint);
    },
    read: async () => (await operate("feed-keys/show", { fingerprint: FINGERPRINTS[0] })).key,
    path: "/operator/v1/feed-keys/expire",
    changes: () => [
      { fingerprint: FINGERPRINTS[0], at: "2100-01-01" },
      { fingerprint: FINGERPRINTS[0], at: "2100-02-02" },
    ],
  },
  {
    what: "whether files have to be signed",
    make: () => operate("feed-keys/require", { ...ofConnector(), must_be_signed: false, version: 0 }),
    read: async () => (await operate("feed-keys/list", {})).signing[0],
    path: "/operator/v1/feed-keys/require",
    changes: () => [
      { ...ofConnector(), must_be_signed: false },
      { ...ofConnector(), must_be_signed: false },
    ],
  },
  {
    what: "a tenant's profile",
    read: async () => (await operate("tenants/show", { tenant_id: server.demo.tenantId })).tenant,
    path: "/operator/v1/tenants/update",
    changes: () => [
      { tenant_id: server.demo.tenantId, set: { display_name: "One" } },
      { tenant_id: server.demo.tenantId, set: { display_name: "Two" }, reset: ["legal_name"] },
    ],
  },
  ...[
    ["a tenant's limits", () => server.demo.tenantId] as const,
    ["the installation's limits", () => null] as const,
  ].map(([what, tenant]) => ({
    what,
    read: () => operate("tenants/limits", { tenant_id: tenant() }),
    path: "/operator/v1/tenants/change-limits",
    changes: () =>
      [
        { tenant_id: tenant(), set: { letters: 77, grants: 1_000 } },
        { tenant_id: tenant(), set: { letters: 99 }, reset: ["grants"] },
      ] as const,
  })),
  {
    what: "a trusted identity provider",
    make: () => operate("trusted-issuers/trust", { ...trust(600), version: 0 }),
    read: async () => (await operate("trusted-issuers/list", {})).items[0],
    path: "/operator/v1/trusted-issuers/trust",
    changes: () => [trust(300), trust(120)],
  },
  {
    what: "the settings of a provider",
    make: () =>
      operate("providers/set", { name: "odd-bank", settings: { behaviour: "works", key: "first key" }, version: 0 }),
    read: async () => (await operate("providers/show", { name: "odd-bank" })).provider,
    path: "/operator/v1/providers/set",
    // They differ in the key, which is never shown.
    changes: () => [
      { name: "odd-bank", settings: { behaviour: "works", key: "second key" } },
      { name: "odd-bank", settings: { behaviour: "works", key: "third key" } },
    ],
  },
  {
    what: "an endpoint of webhooks",
    make: () => server.demo.post("/events/v1/create-endpoint", { url: "https://crm.invalid/hooks" }),
    read: async () => (await server.demo.post("/events/v1/list-endpoints", {})).body.items[0],
    path: "/events/v1/update-endpoint",
    changes: () => [
      { id: ENDPOINT.id, types: ["letter.*"] },
      { id: ENDPOINT.id, description: "Another", enabled: false },
    ],
  },
];
const ENDPOINT = { id: "" };

it.each(cases)("[C-14.126] $what is not written over what somebody else made of it meanwhile", async (about) => {
  const { make, read, path, changes } = about;
  await make?.();
  const seen = await read();
  ENDPOINT.id = seen.id ?? "";
  const api = path.startsWith("/events/") ? server.demo : server.operator;
  const [ours, theirs] = changes();
  const change = (body: object, version?: number) =>
    api.post(path, version === undefined ? body : { ...body, version });
  expect((await change(theirs, seen.version)).status).toBe(200);
  const now = await read();
  expect(now.version).not.toBe(seen.version);
  for (const version of [seen.version, 0, 1]) {
    const { status, text } = await change(ours, version);
    expect([status, text]).toEqual([409, expect.stringContaining('"version"')]);
  }
  expect(await read()).toEqual(now);
  const { status, text } = await change(ours, -1);
  expect([status, text]).toEqual([400, expect.stringContaining('"version"')]);
  const again = await change(ours, now.version);
  expect([again.status, again.text]).toEqual([200, expect.any(String)]);
  // A caller that sends no version needs none, so existing programs keep working.
  expect((await change(theirs)).status).toBe(200);
});

function ofConnector() {
  return { connector_id: sandboxBanks.datafeed };
}

function trust(token_seconds: number) {
  const rules = [{ claims: {}, client_id: server.demo.clientId, scopes: ["investments:read"] }];
  return { issuer: ISSUER, tenant_id: null, jwks, client_ids: [server.demo.clientId], rules, token_seconds };
}
