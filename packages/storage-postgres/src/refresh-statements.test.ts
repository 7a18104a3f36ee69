import { createRefreshes } from "@org/core";
import { createMemoryTenantAccess, createTestRuntime, directoryOf, samples } from "@org/core/testing";
import type { BankProvider } from "@org/provider-kit";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

/** Messages that wait for an answer: what is known (3), and what is stored (8), five of them while the tenant's publications are locked. */
const MAX_STATEMENTS = 11;

describe.skipIf(!testDatabaseUrl)("statements of a refresh on PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => database?.close());

  it("[C-9.501] a refresh asks the database eleven times, with new data and with the same", async () => {
    const storage = createPostgresStorage(createTransactions(database.pool));
    const runtime = createTestRuntime(samples.now);
    const as_of = samples.now;
    const provider: BankProvider = {
      name: "scripted",
      login: async () => ({ kind: "rejected" }),
      answer: async () => ({ kind: "rejected" }),
      fetch: async () => ({
        snapshot: {
          as_of,
          portfolios: [{ key: "p", name: "Depot", balance: "1.00", currency: "EUR", ref_account: null, type: "S" }],
          holdings: [],
          transactions: [],
        },
        consent_expires_at: null,
      }),
    };
    const tenant = await samples.newTenant(storage);
    const connection_id = samples.newId();
    const sealed_access = await runtime.vault.seal("{}", { purpose: "connection-access", row: connection_id });
    const { connector_id } = await tenant.connect({ connection_id, provider: provider.name, sealed_access });
    const refreshes = createRefreshes({
      storage,
      runtime,
      access: createMemoryTenantAccess(),
      providers: directoryOf(provider),
      connectors: { find: async () => null },
    });
    await tenant.run((stores) => stores.refreshes.plan(connection_id, samples.plan(samples.now)));

    const statements = vi.spyOn(pg.Client.prototype, "query");
    for (const _ of ["new data", "the same data"]) {
      const lease = samples.newId();
      const held = { lease, now: runtime.clock(), until: samples.later(5) };
      expect(await tenant.run((stores) => stores.refreshes.take(connection_id, held))).toBe(true);
      statements.mockClear();
      expect(await refreshes.run({ tenant_id: tenant.tenant_id, connection_id, connector_id, lease })).toBe(
        "refreshed",
      );
      expect(statements.mock.calls.length).toBeLessThanOrEqual(MAX_STATEMENTS);
    }
  });
});
