import { randomUUID } from "node:crypto";
import type { Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import { describeOAuthStore } from "@org/oauth-server/testing";
import type { Role } from "@org/people";
import { describe } from "vitest";
import { createPeopleStores } from "../people/people-stores.js";
import { createPostgresStorage } from "../postgres-storage.js";
import {
  createEmbeddedTestDatabase,
  createPostgresTestDatabase,
  type TestDatabase,
  testDatabaseUrl,
} from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createOAuthStore } from "./oauth-store.js";

const at = new Date("2026-01-15T12:00:00.000Z");
const issuer = "https://idp.example";
const entry = samples.auditEntry;

/** People who sign in through an identity provider: the subject is their id. */
function peopleOn({ directory, sessions }: ReturnType<typeof createPeopleStores>) {
  return {
    async add(tenantId: string, role: string) {
      const [tenant_id, person_id, session_id] = [tenantId as Uuid, randomUUID() as Uuid, randomUUID() as Uuid];
      const person = { tenant_id, person_id, email: `${person_id}@example.com`, name: "Ada", role: role as Role };
      const identity = { issuer, subject: person_id };
      await directory.add({ ...person, identity, created_at: at, joined_at: at }, null, 10, entry());
      const session = { session_id, session_hash: session_id, tenant_id, person_id, method: "oidc" as const };
      const times = { created_at: at, seen_at: at, confirmed_at: at, expires_at: new Date(at.getTime() + 3_600_000) };
      await sessions.begin({ ...session, ...times, provider_sid: null, device: "" }, entry());
      return { person_id, session_id, role };
    },
    async setRole(tenantId: string, personId: string, role: string) {
      await directory.change(tenantId as Uuid, personId as Uuid, { role: role as Role }, null, entry());
    },
    async endSession(tenantId: string, person: { person_id: string; session_id: string }) {
      await sessions.end(tenantId as Uuid, person.person_id as Uuid, person.session_id as Uuid, entry());
    },
    async remove(tenantId: string, personId: string, how: "removed" | "let go") {
      if (how === "removed") await directory.end(tenantId as Uuid, personId as Uuid, at, null, entry());
      else await directory.endAccess(tenantId as Uuid, { issuer, subject: personId }, entry());
    },
  };
}

function fixtureOn({ pool, close }: TestDatabase) {
  const transactions = createTransactions(pool);
  const { tenants } = createPostgresStorage(transactions);
  return {
    store: createOAuthStore(transactions),
    close,
    people: peopleOn(createPeopleStores(transactions)),
    async createTenant() {
      const tenant_id = samples.newId();
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
