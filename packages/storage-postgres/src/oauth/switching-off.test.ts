import { randomUUID } from "node:crypto";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "../postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createOAuthStore } from "./oauth-store.js";

/** The races of the conformance suite, paused at their worst moment, which needs several connections. */
describe.skipIf(!testDatabaseUrl)("[security.md] while a tenant is being switched off on PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
  });
  afterAll(() => database?.close());
  const store = () => createOAuthStore(createTransactions(database.pool));

  it("no grant is issued to those who wait for it", async () => {
    const tenant_id = await newTenant();
    const application = await newApplication(tenant_id);
    const disabling = await disableSlowly(tenant_id, application);
    const issuing = Array.from({ length: 5 }, () => store().grants.issueGrant(grantOf(application)));
    await untilWaiting(6);
    await disabling.finish();
    expect(new Set(await Promise.all(issuing))).toEqual(new Set(["not_allowed"]));
  });

  it("no grant is issued to an application that appears meanwhile", async () => {
    const tenant_id = await newTenant();
    const disabling = await disableSlowly(tenant_id, await newApplication(tenant_id));
    let isDone = false;
    const appearing = newApplication(tenant_id)
      .then((application) => store().grants.issueGrant(grantOf(application)))
      .finally(() => {
        isDone = true;
      });
    await untilWaiting(2, () => isDone);
    await disabling.finish();
    await appearing;
    expect(await store().grants.listGrants({ tenant_id, at: samples.now, limit: 10 })).toEqual([]);
  });

  /** Disables a tenant and pauses where it has locked the applications and is about to end their grants. */
  async function disableSlowly(tenantId: string, application: Awaited<ReturnType<typeof newApplication>>) {
    const grant = grantOf(application);
    expect(await store().grants.issueGrant(grant)).toBe("issued");
    const holder = await database.pool.connect();
    await holder.query("begin");
    await holder.query("select from grants where grant_id = $1 for update", [grant.grant_id]);
    const disabled = store().applications.setTenantEnabled(tenantId, false, samples.now);
    await untilWaiting(1);
    return {
      async finish() {
        await holder.query("commit");
        holder.release();
        await disabled;
      },
    };
  }

  /** Waits until this many transactions wait for others. */
  async function untilWaiting(count: number, orElse = () => false): Promise<void> {
    const query =
      "select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    for (;;) {
      const { rows } = await database.pool.query<{ waiting: number }>(query);
      if ((rows[0]?.waiting ?? 0) >= count || orElse()) return;
    }
  }

  async function newTenant(): Promise<string> {
    const storage = createPostgresStorage(createTransactions(database.pool));
    return (await samples.newTenant(storage)).tenant_id;
  }

  async function newApplication(tenant_id: string) {
    const [application_id, secret_id, created_at] = [randomUUID(), samples.newId(), samples.now];
    const client_id = `wca_${application_id}`;
    const secret = { secret_id, secret_hash: "1.hash", created_at };
    const facts = { name: "Case", scopes: ["letters:read"], redirect_urls: [], created_at, secret };
    await store().applications.create({ application_id, tenant_id, client_id, ...facts });
    return { application_id, tenant_id, client_id, secret_id };
  }

  function grantOf(application: Awaited<ReturnType<typeof newApplication>>) {
    return {
      ...application,
      ...({ grant_id: samples.newId(), flow: "machine", scopes: ["letters:read"], audience: [] as string[] } as const),
      created_at: samples.now,
      refresh_seconds: 86_400,
      refresh_token_hash: `1.${randomUUID()}`,
    };
  }
});
