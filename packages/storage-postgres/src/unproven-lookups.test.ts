import type { Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import { INSTALLATION } from "@org/people";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createConnectionQuota } from "./connections/connection-quota.js";
import { createEmbeddedMonitor } from "./connections/database-monitor.js";
import { createSourceStores } from "./feed-sources/source-stores.js";
import { createOAuthStore } from "./oauth/oauth-store.js";
import { createPeopleStores } from "./people/people-stores.js";
import { createPostgresStorage } from "./postgres-storage.js";
import { keyedRequests } from "./queries/keyed-requests.js";
import { createEmbeddedTestDatabase, type TestDatabase } from "./testing/index.js";
import { createTransactions, defaultQuotaLimits } from "./transactions.js";

const NETWORK = "203.0.113.0/24";
const GUESS = { client_id: "", address_prefix: NETWORK, limit: 1_000, window_seconds: 60 };
const named = samples.newId();

let database: TestDatabase;
/** The workload and key of every connection that was taken. */
const taken: string[] = [];
beforeAll(async () => {
  database = await createEmbeddedTestDatabase();
});
afterAll(() => database?.close());
beforeEach(() => {
  taken.length = 0;
});

function stores() {
  const quota = createConnectionQuota({ ...defaultQuotaLimits(16), connections: 16 });
  const transactions = createTransactions(database.pool, {
    quota: {
      ...quota,
      enter(use, key) {
        taken.push(`${use} ${key}`);
        return quota.enter(use, key);
      },
    },
    monitor: createEmbeddedMonitor(async () => undefined),
    isRemote: false,
    waitMs: 0,
    preparedStatements: true,
  });
  return {
    storage: createPostgresStorage(transactions),
    people: createPeopleStores(transactions),
    oauth: createOAuthStore(transactions),
    sources: createSourceStores(transactions),
    keyed: keyedRequests(transactions),
  };
}

type Stores = ReturnType<typeof stores>;

describe("[C-9.454] what a caller may have made up is looked up in the queue of their network, and of no tenant", () => {
  const lookUps: readonly [what: string, where: string, lookUp: (stores: Stores) => Promise<unknown>][] = [
    [
      "a passkey of a tenant that a user handle names",
      "lookups",
      ({ people }) => people.passkeys.find(named, "key", NETWORK),
    ],
    ["a passkey of an operator", "lookups", ({ people }) => people.passkeys.find(INSTALLATION, "key", NETWORK)],
    [
      "a recovery code",
      "lookups",
      ({ people }) => people.passkeys.spendRecoveryCode("ada@example.com", "hash", NETWORK),
    ],
    [
      "an answer of an identity provider",
      "lookups",
      ({ people }) => people.ceremonies.spend(samples.newId(), samples.later(60), NETWORK),
    ],
    ["a Connect link", "lookups", ({ storage }) => storage.directory.sessionByLink("hash", NETWORK)],
    ["the state of a redirect", "lookups", ({ storage }) => storage.directory.sessionByCallback("hash", NETWORK)],
    ["a logo", "lookups", ({ storage }) => storage.logos.logo("0".repeat(64), NETWORK)],
    ["an upload token", "lookups", ({ sources }) => sources.tokens.find("hash", samples.now, NETWORK)],
    ["an application", "authentication", ({ oauth }) => oauth.applications.findByClientId("wca_none", NETWORK)],
    ["a registered client", "authentication", ({ oauth }) => oauth.clients.findClient("wcd_none", NETWORK)],
    [
      "a registration token",
      "authentication",
      ({ oauth }) => oauth.clients.findRegistrationToken(["hash"], samples.now, NETWORK),
    ],
    [
      "remembered credentials",
      "authentication",
      ({ oauth }) => oauth.remembered.findRemembered("hash", samples.now, NETWORK),
    ],
    [
      "remembered credentials to forget",
      "authentication",
      ({ oauth }) => oauth.remembered.forgetRemembered("hash", NETWORK),
    ],
    ["a wrong guess", "authentication", ({ oauth }) => oauth.guessLimits.count([GUESS], samples.now, NETWORK)],
    [
      "the count of wrong guesses",
      "authentication",
      ({ oauth }) => oauth.guessLimits.full([GUESS], samples.now, NETWORK),
    ],
  ];
  it.each(lookUps)("%s, in %s", async (_what, where, lookUp) => {
    await lookUp(stores());
    expect(taken).toEqual([`${where} ${NETWORK}`]);
  });

  it("and what is proven runs in the tenant's own", async () => {
    const { people, storage } = stores();
    const { tenant_id } = await samples.newTenant(storage);
    taken.length = 0;
    await people.passkeys.find(tenant_id as Uuid, "key");
    await people.sessions.find(tenant_id as Uuid, "hash", samples.now, samples.now);
    expect(taken).toEqual([`tenants ${tenant_id}`, `tenants ${tenant_id}`]);
  });
});

it("[C-14.991] what a tenant's people and programs search across tables takes the tenant's share, what operators search theirs", async () => {
  const { storage } = stores();
  const { letterAdmin, connectionAdmin, workMarks } = storage;
  const { tenant_id } = await samples.newTenant(storage);
  const words = { words: ["meier"], connector_ids: [], limit: 5 };
  const any = {
    connection_id: null,
    client_ref_in: null,
    connector_id_in: null,
    state_in: null,
    order: "newest" as const,
    after: null,
    limit: 5,
  };
  const connections = { ...any, consent_ends_before: null, is_failing: null };
  taken.length = 0;
  await letterAdmin.lookUp({ tenant_id, ...words });
  await connectionAdmin.lookUpClients(tenant_id, words.words, 5);
  await connectionAdmin.list({ ...connections, tenant_id, asked_by: tenant_id });
  await workMarks.find(tenant_id as Uuid, []);
  await workMarks.change(tenant_id as Uuid, [], () => ({ marks: [], entries: [], events: [] }));
  expect(taken).toEqual(Array.from({ length: 5 }, () => `tenants ${tenant_id}`));
  taken.length = 0;
  await letterAdmin.lookUp({ tenant_id: null, ...words });
  await connectionAdmin.list({ ...connections, tenant_id, asked_by: null });
  await workMarks.find(INSTALLATION, []);
  expect(taken).toEqual(Array.from({ length: 3 }, () => "upkeep installation"));
});

it("[C-9.518] look-ups of proven callers wait behind their own, never behind those of another tenant or application", async () => {
  const { keyed, sources, storage } = stores();
  const owner = samples.newId();
  const claim = { owner, key: "key", claim_id: samples.newId() };
  const times = { now: samples.now, leased_until: samples.later(60), expires_at: samples.later(600) };
  await keyed.claim({ ...claim, request_hash: "hash" }, times);
  await keyed.renew(claim, samples.later(90));
  await keyed.answer(claim, "sealed");
  await keyed.release(claim);
  await storage.tenants.find(named);
  await sources.sources.find("ubs");
  await storage.directory.tenantOfMail(samples.newId());
  expect(taken).toEqual([
    ...Array.from({ length: 4 }, () => `lookups ${owner}`),
    ...[`lookups ${named}`, "lookups ubs", "lookups installation"],
  ]);
});
