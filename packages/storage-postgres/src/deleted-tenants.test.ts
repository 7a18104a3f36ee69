import { randomUUID } from "node:crypto";
import { type AuditedAction, auditEntry, systemActor, type Uuid } from "@org/core";
import { createTestRuntime, samples } from "@org/core/testing";
import { INSTALLATION } from "@org/people";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPeopleStores } from "./people/people-stores.js";
import { createPostgresStorage } from "./postgres-storage.js";
import { providerCircuits } from "./queries/provider-circuits.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions, type Transactions } from "./transactions.js";
import { createEndpointStore } from "./webhooks/endpoint-store.js";

const runtime = createTestRuntime();
const at = runtime.clock();
const newId = () => randomUUID() as Uuid;
const entryOf = (action: AuditedAction, id: string) => auditEntry(runtime, systemActor, action, "object", id);

/** Rows of a tenant without a foreign key, because the same tables hold people and endpoints of the installation. */
const adding = (transactions: Transactions): Readonly<Record<string, (tenantId: Uuid) => Promise<unknown>>> => ({
  people: (tenant_id) => {
    const person_id = newId();
    const role = tenant_id === INSTALLATION ? ("operator" as const) : ("admin" as const);
    const person = { tenant_id, person_id, email: `${person_id}@example.com`, name: "Ada", role };
    const invitation = { invitation_hash: randomUUID(), expires_at: new Date("2099-01-01") };
    return createPeopleStores(transactions).directory.add(
      { ...person, identity: null, created_at: at, joined_at: null },
      invitation,
      1_000,
      entryOf("person.invite", person_id),
    );
  },
  webhook_endpoints: (tenantId) => {
    const endpoint_id = newId();
    const settings = { url: "https://a.test/", types: ["*"], labels: {}, description: null, is_enabled: true };
    return createEndpointStore(transactions).create(
      tenantId,
      { ...settings, endpoint_id, created_at: at, sealed_secret: "s" },
      1_000,
      entryOf("webhook.create", endpoint_id),
    );
  },
  provider_circuits: (tenant_id) =>
    providerCircuits(transactions).opened({ tenant_id, connector_id: newId(), provider: "sandbox" }, at),
});

describe.each(testBackends)("a tenant that is deleted on $name", ({ create }) => {
  let database: TestDatabase;
  let transactions: Transactions;
  let removed: (tenantId: string) => Promise<boolean>;
  const rowsOf = async (table: string, tenantId: string) =>
    Number(
      (await database.pool.query(`select count(*) as n from ${table} where tenant_id = $1`, [tenantId])).rows[0].n,
    );
  beforeAll(async () => {
    database = await create();
    transactions = createTransactions(database.pool);
    const storage = createPostgresStorage(transactions);
    removed = async (tenantId) => {
      await database.pool.query("insert into disabled_tenants values ($1, now())", [tenantId]);
      return storage.tenants.remove(tenantId, entryOf("tenant.delete", tenantId));
    };
  });
  afterAll(() => database?.close());

  const tables = ["people", "webhook_endpoints", "provider_circuits"];
  it.each(tables)(
    "[C-8.5] leaves no %s behind that were being added meanwhile, and nobody can add any",
    async (table) => {
      const tenantId = (await samples.newTenant(createPostgresStorage(transactions))).tenant_id as Uuid;
      const add = adding(transactions)[table] as (tenantId: Uuid) => Promise<unknown>;
      await add(tenantId);
      let isOver = false;
      const writers = Array.from({ length: 4 }, async () => {
        const failures: unknown[] = [];
        while (!isOver) await add(tenantId).catch((error) => failures.push(error));
        return failures;
      });
      const isRemoved = removed(tenantId).finally(() => (isOver = true));
      expect(await isRemoved).toBe(true);
      const failures = (await Promise.all(writers)).flat();
      expect(await rowsOf(table, tenantId)).toBe(0);
      await expect(add(tenantId)).rejects.toMatchObject({
        name: "StorageError",
        code: "unavailable",
        shown: "the tenant is being deleted",
      });
      // A caller that was cut off retries, and then learns that there is no such tenant.
      expect(failures.filter((error) => (error as { code?: unknown }).code !== "unavailable")).toEqual([]);
      expect(await rowsOf(table, tenantId)).toBe(0);
      if (table === "people") await add(INSTALLATION);
    },
  );
});
