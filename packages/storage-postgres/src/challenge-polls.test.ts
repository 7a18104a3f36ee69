import { setTimeout as delay } from "node:timers/promises";
import {
  type CatalogueConnector,
  createConnectors,
  createCredentials,
  createCustomerSessions,
  createSessions,
} from "@org/core";
import { createTestRuntime, directoryOf } from "@org/core/testing";
import type { BankProvider, LookStep } from "@org/provider-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenedStorage, openStorage } from "./open-storage.js";
import { createPostgresTestDatabase, testDatabaseUrl } from "./testing/index.js";

const connector: CatalogueConnector = {
  id: "esp:bank",
  name: "Bank",
  type: "e-banking",
  countries: ["esp"],
  available: true,
  provider: "scripted",
  provider_ref: null,
  metadata: {},
};
const ROUNDS = 20;

describe.skipIf(!testDatabaseUrl)("polls of challenges on two replicas", () => {
  let stage: Awaited<ReturnType<typeof openReplicas>>;
  beforeEach(async () => {
    stage = await openReplicas();
  });
  afterEach(() => stage?.close());

  it("[C-5.15] are made by one of them at a time, however many pages are open", async () => {
    const { challenged, replicas, bank, advance, drained, faults } = stage;
    const { link, owner } = await challenged("ada");
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([...replicas, ...replicas, ...replicas].map((replica) => replica.poll(link, owner)));
      advance(3_000);
    }
    await drained();
    expect(bank).toMatchObject({ polls: 5, mostAtOnce: 1 });
    expect(faults).toEqual([]);
  });

  it.each<[string, (user: string) => LookStep]>([
    ["an approval", (user_key) => ({ kind: "authenticated", user_key, access: {} })],
    [
      "another code",
      (user) => ({ kind: "challenge", challenge: { kind: "qr", message: "Scan", qr: "2" }, state: { user } }),
    ],
  ])("[C-5.6] %s that one finds while the other takes an answer: the customer is connected once", async (_, found) => {
    const { challenged, replicas, bank, status, total, drained, faults } = stage;
    bank.found = found;
    const ends = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { link, owner, session_id } = await challenged(`customer ${round}`);
      const [polling, answering] = round % 2 === 0 ? replicas : replicas.toReversed();
      const answered = delay((round % 5) * 3).then(() => answering?.submitAnswer(link, owner, "123456"));
      // If the approval came first, there is nothing left to answer, and the page shows that.
      const refused = answered.catch((error: { code?: string }) => error.code);
      await Promise.all([polling?.poll(link, owner), refused]);
      await drained();
      if (found("").kind === "challenge") expect(await refused).toBeUndefined();
      else expect([undefined, "CONFLICT"]).toContain(await refused);
      ends.push((await status(session_id)).status);
    }
    expect(ends).toEqual(Array(ROUNDS).fill("Finished:OK"));
    expect(await total()).toBe(ROUNDS);
    expect(faults).toEqual([]);
  });
});

/** Two replicas on one database, in front of one bank that takes a few milliseconds for everything. */
async function openReplicas() {
  const database = await createPostgresTestDatabase();
  const opened = await Promise.all([1, 2].map(() => openStorage({ databaseUrl: database.url }, () => new Date())));
  const [{ storage }] = opened as [OpenedStorage];
  const runtime = createTestRuntime();
  const faults: unknown[] = [];
  const bank = { polls: 0, atOnce: 0, mostAtOnce: 0, found: (_user: string): LookStep => ({ kind: "waiting" }) };
  const provider: BankProvider = {
    name: "scripted",
    login: async ({ fields: { username } }) => ({
      kind: "challenge",
      challenge: { kind: "qr", message: "Scan", qr: "1" },
      state: { user: username },
    }),
    async look({ state }) {
      bank.polls += 1;
      bank.atOnce += 1;
      bank.mostAtOnce = Math.max(bank.mostAtOnce, bank.atOnce);
      await delay(5);
      bank.atOnce -= 1;
      return bank.found((state as { user: string }).user);
    },
    async answer({ state }) {
      await delay(3);
      return { kind: "authenticated", user_key: (state as { user: string }).user, access: {} };
    },
    fetch: async () => ({
      snapshot: { as_of: runtime.clock(), portfolios: [], holdings: [], transactions: [] },
      consent_expires_at: null,
    }),
  };
  const tenant_id = runtime.newId();
  await storage.tenants.create({ tenant_id, name: "Tenant", created_at: runtime.clock() });
  await storage.catalogue.importAll([connector]);
  const actor = { tenant_id, application_id: runtime.newId(), trace_id: null, address: null };
  const connectors = createConnectors({ catalogue: storage.catalogue, mac: runtime.mac, defaultProvider: null });
  const sessions = createSessions({
    storage,
    runtime,
    connectors,
    redirectUrls: async () => [],
    publicUrl: "https://wealth.example",
    ttlSeconds: 1800,
  });
  const replicas = opened.map((each) =>
    createCustomerSessions({
      publicUrl: "https://wealth.example",
      storage: each.storage,
      runtime,
      connectors,
      providers: directoryOf(provider),
      onProviderFault: ({ error }) => faults.push(error),
    }),
  );
  const drained = () => Promise.all(replicas.map((replica) => replica.drain()));
  const everything = { bank: null, ready_only: false, include_status: false, page: 1, page_size: 1 };

  return {
    replicas,
    bank,
    faults,
    drained,
    advance: runtime.advance,
    status: (session_id: string) => sessions.status(actor, session_id),
    total: async () => (await createCredentials({ storage, runtime }).list(actor, everything)).total,
    async challenged(username: string) {
      const { session, widget_url } = await sessions.createFor(actor, { connector_id: connector.id });
      const link = widget_url.slice("https://wealth.example/connect/".length);
      const owner = (await replicas[0]?.claim(link, null))?.owner ?? null;
      await replicas[0]?.submitCredentials(link, owner, { username, password: "x" });
      await drained();
      return { link, owner, session_id: session.session_id };
    },
    async close() {
      for (const each of opened) await each.close();
      await database.close();
    },
  };
}
