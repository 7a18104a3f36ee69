import {
  CoreError,
  createConnectors,
  createCredentials,
  createInvestmentData,
  createLetterOperations,
  createLetters,
  createMails,
  createRefreshes,
  createSessions,
  createTenants,
  idField,
  letterDetailsSchema,
  type TenantActor,
} from "@org/core";
import { createMemoryTenantAccess, createTestRuntime, directoryOf, samples } from "@org/core/testing";
import { createDataFeeds, readPart } from "@org/data-feeds";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

type World = Awaited<ReturnType<typeof createWorld>>;

/** Every entry point for an id from outside, and the error it returns. */
const entries: readonly [string, code: string, (world: World, id: string) => Promise<unknown>][] = [
  ["svc-credential-status", "NOT_FOUND", ({ credentials, actor }, id) => credentials.status(actor, id)],
  ["svc-needs-relogin", "NOT_FOUND", ({ credentials, actor }, id) => credentials.needsRelogin(actor, id)],
  ["svc-delete-credential", "NOT_FOUND", ({ credentials, actor }, id) => credentials.remove(actor, id, true)],
  [
    "credentials_token",
    "NOT_FOUND",
    ({ data, actor }, id) => data.portfolios(actor, { ...page, credentials_token: id }),
  ],
  ["portfolio_id", "NOT_FOUND", ({ data, actor }, id) => data.holdings(actor, { ...page, portfolio_id: id })],
  ["investment_id", "NOT_FOUND", ({ data, actor }, id) => data.transactions(actor, { ...page, investment_id: id })],
  ["snapshot", "VALIDATION_ERROR", ({ data, actor }, id) => data.holdings(actor, { ...page, snapshot: id })],
  ["svc-session-status", "NOT_FOUND", ({ sessions, actor }, id) => sessions.status(actor, id)],
  ["svc-create-session", "NOT_FOUND", ({ sessions, actor }, id) => sessions.createFor(actor, { connection_id: id })],
  ["create-session", "VALIDATION_ERROR", ({ sessions, actor }, id) => sessions.create(actor, { connection_id: id })],
  ["search-letters", "VALIDATION_ERROR", ({ letters, actor }, id) => letters.search(actor, { query: { id_in: [id] } })],
  ["discontinue-letter", "VALIDATION_ERROR", ({ letters, actor }, id) => letters.discontinue(actor, { letter_id: id })],
  ["an operator's letter", "NOT_FOUND", ({ operations }, id) => operations.show(idField.parse(id))],
  ["advance", "NOT_FOUND", ({ operations, actor }, id) => operations.advance(actor, idField.parse(id), {})],
  ["details", "NOT_FOUND", ({ operations, actor }, id) => operations.collectDetails(actor, idField.parse(id), details)],
  [
    "a letter's document",
    "NOT_FOUND",
    ({ operations, actor }, id) => operations.document(actor, idField.parse(id), "letter"),
  ],
  ["the signed copy", "NOT_FOUND", ({ operations, actor }, id) => operations.attachSigned(actor, signed(id))],
  ["a mail", "NOT_FOUND", ({ mails, actor }, id) => mails.retry(actor, idField.parse(id), undefined)],
  ["a refresh", "NOT_FOUND", ({ refreshes, actor }, id) => refreshes.refresh(actor, idField.parse(id))],
  ["a refresh's state", "NOT_FOUND", ({ refreshes, actor }, id) => refreshes.state(actor, id)],
  ["a connection's tenant", "NOT_FOUND", ({ refreshes }, id) => refreshes.tenantOf(id)],
  ["a tenant", "NOT_FOUND", ({ tenants, actor }, id) => tenants.setEnabled(actor, idField.parse(id), false)],
  ["a file for a connection", "NOT_FOUND", ({ feeds, actor }, id) => feeds.ingest(actor, { connection_id: id }, file)],
  ["a file for a letter", "NOT_FOUND", ({ feeds, actor }, id) => feeds.ingest(actor, { letter_id: id }, file)],
  [
    "a file in a folder",
    "NOT_FOUND",
    ({ feeds, actor }, id) => feeds.ingest(actor, { connection_or_letter_id: id }, file),
  ],
];

const page = { page: 1, page_size: 50 };
const details = letterDetailsSchema.parse({ full_name: "Ana", address: ["Calle Mayor 1"] });
const file = { name: "file.txt", bytes: Buffer.from("file") };
const signed = (letter_id: string) => ({ letter_id, data: Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64") });

describe.each(testBackends)("[C-9.8] ids that can be none, on $name", ({ create }) => {
  let database: TestDatabase;
  let world: World;
  beforeAll(async () => {
    database = await create();
    world = await createWorld(database);
  });
  afterAll(() => database?.close());

  it.each(entries)("%s: %s, whatever they are, and never an error of the database", async (_, code, call) => {
    for (const id of ["no-uuid", " ", "nul\0", "' or '1' = '1", "{01990000-0000-7000-8000-00000000000f}", "\ud800"]) {
      const error = await call(world, id).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error, JSON.stringify(id)).toBeInstanceOf(CoreError);
      expect((error as CoreError).code, JSON.stringify(id)).toBe(code);
    }
  });

  it("lists leave them out, and a folder is told that nothing is known of them", async () => {
    const { sessions, feeds, actor } = world;
    for (const id of ["no-uuid", "nul\0"]) {
      for (const query of [{ session_id_in: [id] }, { connection_id_in: [id] }])
        expect(await sessions.list(actor, { query })).toEqual({ items: [], next_page_token: null });
      expect(await feeds.delivers(id)).toBe("unknown");
    }
  });
});

async function createWorld({ pool }: TestDatabase) {
  const storage = createPostgresStorage(createTransactions(pool));
  const runtime = createTestRuntime();
  const { tenant_id } = await samples.newTenant(storage);
  const actor: TenantActor = { tenant_id, application_id: runtime.newId(), trace_id: null, address: null };
  const connectors = createConnectors({ catalogue: storage.catalogue, mac: runtime.mac, defaultProvider: null });
  const checks = {
    inspect: async (bytes: Uint8Array) => ({ bytes, signature: "none" as const }),
    scan: null,
    maxBytes: 999,
  };
  const access = createMemoryTenantAccess();
  const kept = { storage, runtime };
  return {
    actor,
    credentials: createCredentials(kept),
    data: createInvestmentData({ reader: storage.reader, runtime }),
    sessions: createSessions({
      ...kept,
      connectors,
      redirectUrls: async () => [],
      publicUrl: "http://localhost",
      ttlSeconds: 60,
    }),
    letters: createLetters({ ...kept, connectors, checks }),
    operations: createLetterOperations({
      ...kept,
      connectors,
      checks,
      template: async () => new Uint8Array(),
      sendsMail: false,
    }),
    mails: createMails(kept),
    refreshes: createRefreshes({ ...kept, connectors, providers: directoryOf(), access }),
    tenants: createTenants({ ...kept, access }),
    feeds: createDataFeeds({
      ...kept,
      bankOf: async () => null,
      readParts: ({ name, bytes }) => [
        readPart(name, bytes, () => ({
          format: "test",
          snapshot: { as_of: runtime.clock(), portfolios: [], holdings: [], transactions: [] },
          warnings: [],
        })),
      ],
    }),
  };
}
