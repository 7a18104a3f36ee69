import { randomUUID } from "node:crypto";
import { describeOAuthStore } from "@org/oauth-server/testing";
import { describe } from "vitest";
import { createPostgresStorage } from "../postgres-storage.js";
import {
  createEmbeddedTestDatabase,
  createPostgresTestDatabase,
  type TestDatabase,
  testDatabaseUrl,
} from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createOAuthStore } from "./oauth-store.js";

function fixtureOn({ pool, close }: TestDatabase) {
  const transactions = createTransactions(pool);
  const { tenants } = createPostgresStorage(transactions);
  return {
    store: createOAuthStore(transactions),
    close,
    async createTenant() {
      const tenant_id = randomUUID();
      await tenants.create({ tenant_id, name: tenant_id, created_at: new Date() });
      return tenant_id;
    },
    async removeTenant(tenant_id: string) {
      const who = { actor: "nobody", action: "tenant.delete", object_type: "tenant", object_id: tenant_id };
      const entry = { audit_id: randomUUID(), at: new Date(), ...who, address: null, trace_id: null, facts: {} };
      await tenants.remove(tenant_id, entry);
    },
  };
}

describeOAuthStore("PGlite", async () => fixtureOn(await createEmbeddedTestDatabase()));

describe.skipIf(!testDatabaseUrl)("with TEST_DATABASE_URL", () => {
  describeOAuthStore("PostgreSQL", async () => fixtureOn(await createPostgresTestDatabase()));
});
