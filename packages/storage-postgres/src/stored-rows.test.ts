import type { StatedValuations, Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterState } from "./cluster.js";
import { createOAuthStore } from "./oauth/oauth-store.js";
import { createPostgresStorage } from "./postgres-storage.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

describe.each(testBackends)("stored rows on $name", ({ create }) => {
  let database: TestDatabase;
  let filled: Filled;
  let other: Filled;
  let tables: string[];
  /** On a cluster, the tables that are not distributed over it. */
  let secured: string[];
  beforeAll(async () => {
    database = await create();
    filled = await fill(database);
    other = await fill(database);
    tables = await tenantTables(database.pool);
    const { spread } = await clusterState(database.pool);
    secured = tables.filter((table) => !spread.includes(table));
  });
  afterAll(() => database?.close());

  it("are in every table of a tenant, so that the cases below mean all of them", async () => {
    const empty: string[] = [];
    for (const table of tables) {
      const { rowCount } = await database.pool.query(`select from ${table} where tenant_id = $1 limit 1`, [
        filled.tenant_id,
      ]);
      if (rowCount === 0) empty.push(table);
    }
    expect(empty).toEqual([]);
  });

  it("[C-2.1] row-level security hides another tenant's, whatever the statement asks for", async () => {
    await asApplicationOf(other.tenant_id, async (client) => {
      for (const table of secured) {
        const { rowCount } = await client.query(`select from ${table} where tenant_id = $1`, [filled.tenant_id]);
        expect([table, rowCount]).toEqual([table, 0]);
        const own = await client.query(`select from ${table} limit 1`);
        expect([table, own.rowCount]).toEqual([table, 1]);
      }
    });
  });

  it("[C-2.1] row-level security keeps another tenant's as they are", async () => {
    for (const table of secured) {
      for (const statement of [`update ${table} set tenant_id = tenant_id`, `delete from ${table}`]) {
        await asApplicationOf(other.tenant_id, async (client) => {
          const result = await client.query(`${statement} where tenant_id = $1`, [filled.tenant_id]).catch(refusal);
          expect([statement, result]).toSatisfy(([, { rowCount, code }]) => rowCount === 0 || code === "42501");
        });
      }
    }
  });

  it("[C-2.1] row-level security refuses rows for another tenant", async () => {
    for (const table of secured) {
      const columns = await columnsOf(database.pool, table);
      const { rows } = await database.pool.query(
        `select to_jsonb(t) as row from ${table} t where tenant_id = $1 limit 1`,
        [filled.tenant_id],
      );
      await asApplicationOf(other.tenant_id, async (client) => {
        const insert = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1)`;
        const result = await client.query(insert, [rows[0].row]).catch(refusal);
        expect([table, result]).toMatchObject([table, { code: "42501" }]);
      });
    }
  });

  it("are out of reach for the application's role when no tenant was set", async () => {
    const client = await database.pool.connect();
    for (const table of secured) {
      await client.query("begin; set local role wealth_connect_app");
      await expect(client.query(`select from ${table}`)).rejects.toThrow(
        /wealth_connect.tenant|invalid input syntax for type uuid/,
      );
      await client.query("rollback");
    }
    client.release();
  });

  it("[C-4.30] of a removed connection are gone from every table; the audit log keeps its id", async () => {
    const { tenant_id, connection_id, session_id } = filled;
    await createPostgresStorage(createTransactions(database.pool)).inTenant(tenant_id, ({ connections }) =>
      connections.remove(connection_id),
    );
    expect(await tablesHolding(connection_id, session_id)).toEqual(["audit_log"]);
  });

  it("[C-8.5] of a removed tenant are gone from every table; the audit log keeps its ids, other tenants keep everything", async () => {
    const { tenants, upkeep } = createPostgresStorage(createTransactions(database.pool));
    const { tenant_id, application_id, client_id } = filled;
    const names = [`Tenant ${tenant_id}`, `Application of ${tenant_id}`];
    const entry = samples.auditEntry({ action: "tenant.delete", object_id: tenant_id });
    await expect(tenants.remove(tenant_id, entry)).rejects.toThrow("is not switched off");
    expect(await tablesHolding(tenant_id)).toContain("tenants");

    const before = await rowsOf(other);
    await createOAuthStore(createTransactions(database.pool)).applications.setTenantEnabled(
      tenant_id,
      false,
      samples.now,
    );
    expect(await tenants.remove(tenant_id, entry)).toBe(true);
    const found = () => tablesHolding(tenant_id, ...names, application_id, client_id);
    // The keys of its documents in the bucket remain until they are deleted there.
    expect(await found()).toEqual(["audit_log", "orphaned_objects"]);
    const loose = await upkeep.orphanedObjects(samples.now, 10);
    expect(loose).toEqual([{ tenant_id, object_key: `${tenant_id}/annex` }]);
    await upkeep.forgetObjects([...loose, { tenant_id, object_key: `${tenant_id}/expected` }]);
    expect(await found()).toEqual(["audit_log"]);
    const { rows } = await database.pool.query("select action from audit_log where tenant_id = $1 order by 1", [
      tenant_id,
    ]);
    expect(rows.map(({ action }) => action)).toEqual(["connection.delete", "tenant.delete"]);
    expect(await rowsOf(other)).toEqual(before);
    expect(await tenants.remove(tenant_id, samples.auditEntry())).toBe(false);
  });

  it("[C-8.5] of a tenant that is removed while others write for it are gone, too, whoever comes first", async () => {
    const storage = createPostgresStorage(createTransactions(database.pool));
    const oauth = createOAuthStore(createTransactions(database.pool));
    const tenant = await samples.newTenant(storage);
    const { tenant_id } = tenant;
    const { connection_id } = await tenant.connect();
    const at = samples.now;
    const write = (index: number) =>
      tenant.run(async ({ connections, sessions, letters, snapshots }) => {
        const letter = samples.letter({ labels: { a: String(index) } });
        await snapshots.publish({ connection_id, as_of: at, published_at: at, holdings: [samples.holding()] });
        await letters.create(letter, [], samples.move(letter));
        await sessions.create(samples.session({ connection_id }));
        await connections.create(samples.connection());
      });
    await oauth.applications.setTenantEnabled(tenant_id, false, at);
    const before = Array.from({ length: 8 }, (_, index) => write(index));
    const removal = storage.tenants.remove(tenant_id, samples.auditEntry({ action: "tenant.delete" }));
    const after = Array.from({ length: 8 }, (_, index) => write(index));
    const [removed] = await Promise.allSettled([removal, ...before, ...after]);
    expect(removed).toEqual({ status: "fulfilled", value: true });
    await expect(write(16)).rejects.toThrow();
    expect(await tablesHolding(tenant_id, connection_id)).toEqual(["audit_log"]);
  });

  it("[security.md] a grant of a removed tenant stays in the feed of ended ones, and holds nothing else", async () => {
    const { ended } = await createOAuthStore(createTransactions(database.pool)).grants.endedGrants(null, new Date(0));
    expect(ended.map(({ grant_id }) => grant_id)).toEqual([filled.grant_id]);
    const { rows } = await database.pool.query("select * from grants where grant_id = $1", [filled.grant_id]);
    expect(rows[0]).toMatchObject({ tenant_id: null, client_id: "", scopes: [], audience: [], token_hash: "" });
  });

  it("[security.md] the audit log is append-only for every role that anybody takes on", async () => {
    const roles = ["wealth_connect_app", "wealth_connect_upkeep", "wealth_connect_auth"];
    const { rows } = await database.pool.query<{ grantee: string; right: string }>(`
      select distinct coalesce(r.rolname, 'public') as grantee, lower(acl.privilege_type) as right
      from pg_class c cross join aclexplode(c.relacl) acl left join pg_roles r on r.oid = acl.grantee
      where c.oid = 'audit_log'::regclass and acl.grantee <> c.relowner order by 1, 2`);
    expect(rows.map(({ grantee, right }) => `${grantee}: ${right}`)).toEqual([
      "wealth_connect_app: insert",
      "wealth_connect_app: select",
      "wealth_connect_backup: select",
      // The owner of functions, one of which deletes old refusals; only the migrating login is a member.
      ...["delete", "insert", "select", "update"].map((right) => `wealth_connect_cleanup: ${right}`),
      "wealth_connect_upkeep: insert",
      "wealth_connect_upkeep: select",
    ]);
    const members = await database.pool.query(
      "select from unnest($1::text[]) role where pg_has_role(role, 'wealth_connect_cleanup', 'member')",
      [roles],
    );
    expect(members.rowCount).toBe(0);
    for (const role of roles)
      for (const statement of ["update audit_log set actor = ''", "delete from audit_log", "truncate audit_log"])
        expect(await refusedAs(role, statement)).toBe("42501");
  });

  it("[security.md] the functions that reach over tenants are for the upkeep only", async () => {
    for (const role of ["wealth_connect_app", "wealth_connect_auth"])
      for (const call of ["select remove_tenant(gen_random_uuid(), now())", "select count_sealed_values()"])
        expect(await refusedAs(role, call)).toBe("42501");
  });

  async function refusedAs(role: string, statement: string): Promise<string | undefined> {
    const client = await database.pool.connect();
    try {
      await client.query(`begin; set local role ${role}; set local wealth_connect.tenant = '${other.tenant_id}'`);
      return await client.query(statement).then(
        () => undefined,
        (error: { code?: string }) => error.code,
      );
    } finally {
      await client.query("rollback");
      client.release();
    }
  }

  /** Tables with a row that contains one of these texts in any column. */
  async function tablesHolding(...texts: readonly string[]): Promise<string[]> {
    const holding: string[] = [];
    for (const name of await allTables(database.pool)) {
      const { rowCount } = await database.pool.query(`select from ${name} t where t::text like any ($1) limit 1`, [
        texts.map((text) => `%${text}%`),
      ]);
      if (rowCount) holding.push(name);
    }
    return holding;
  }

  /** Every row that names the tenant, by table. */
  async function rowsOf({ tenant_id }: Filled): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const name of await allTables(database.pool)) {
      const { rows } = await database.pool.query(
        `select t::text as row from ${name} t where t::text like $1 order by 1`,
        [`%${tenant_id}%`],
      );
      if (rows.length > 0) found[name] = rows.map(({ row }) => row);
    }
    return found;
  }

  async function asApplicationOf(tenantId: string, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await database.pool.connect();
    try {
      await client.query(`begin; set local role wealth_connect_app; set local wealth_connect.tenant = '${tenantId}'`);
      await work(client);
    } finally {
      await client.query("rollback");
      client.release();
    }
  }
});

interface Filled {
  readonly tenant_id: string;
  readonly connection_id: Uuid;
  readonly session_id: string;
  readonly application_id: string;
  readonly client_id: string;
  readonly grant_id: string;
}

/** A tenant with a row of everything. */
async function fill({ pool }: TestDatabase): Promise<Filled> {
  const storage = createPostgresStorage(createTransactions(pool));
  const tenant = await samples.newTenant(storage);
  const { connection_id } = await tenant.connect({ identity_hash: "who" });
  const session = samples.session({ connection_id });
  const letter = samples.letter({ connection_id, labels: { a: "b" } });
  const now = samples.now;
  const document = {
    kind: "letter",
    sha256: "ab",
    size: 1,
    signature: "none",
    sealed_key: "k",
    ciphertext: new Uint8Array([1]),
    object_key: null,
  } as const;
  const page = { statement: "one", title: "one", number: 1, is_last: false, text: ":28E:1/MORE", place: "" };
  const image = { media_type: "image/png", content: new Uint8Array([1]), width: 1, height: 1 } as const;
  await tenant.run(async (stores) => {
    await stores.clients.note("M-17", samples.now);
    const {
      snapshots,
      refreshes,
      sessions,
      letters,
      mails,
      audit,
      letterDocuments,
      feedPages,
      feedAccounts,
      feedDifferences,
      movements,
      profile,
      events,
    } = stores;
    const account = samples.portfolio();
    const { portfolio_id } = account;
    const rows = {
      portfolios: [account],
      holdings: [samples.holding({ portfolio_id })],
      transactions: [samples.transaction()],
    };
    const valuations: StatedValuations = {
      ...{ read_at: now, arrival: 0, complete_on: null },
      accounts: ["2026-01-02", "2026-02-02"].map((day) => ({
        ...{ ...account, is_cash: false, day, as_of: now, holdings: rows.holdings },
        source: { kind: "provider", provider: "sandbox" },
      })),
    };
    await snapshots.publish({ connection_id, as_of: now, published_at: now, ...rows, valuations });
    const corrected = { ...valuations, read_at: new Date(now.getTime() + 1) };
    await snapshots.publish({
      ...{ connection_id, as_of: now, published_at: now, ...rows },
      valuations: { ...corrected, accounts: valuations.accounts.map((one) => ({ ...one, balance: "1.00" })) },
    });
    await snapshots.publish({ connection_id, as_of: now, published_at: now, ...rows });
    await refreshes.plan(connection_id, samples.plan(now));
    await snapshots.noteFile({ connection_id, sha256: "ab", name: "a", format: "csv", taken_at: now });
    const fed = samples.feedAccount({ portfolio_id: rows.portfolios[0]?.portfolio_id as string });
    const held = samples.holding({ portfolio_id: fed.portfolio_id });
    const next = new Date(fed.as_of.getTime() + 24 * 60 * 60 * 1000);
    await feedAccounts.claim(connection_id, [fed], 1);
    await snapshots.publish({
      connection_id,
      as_of: now,
      published_at: now,
      partial: true,
      portfolios: rows.portfolios,
      holdings: [held],
    });
    await feedAccounts.claim(connection_id, [{ ...fed, as_of: next }], 2);
    const difference = samples.feedDifference();
    await feedDifferences.keep(connection_id, [difference], [difference], { now, limit: 9 });
    await feedDifferences.storeGaps(connection_id, [{ ...difference, days: ["2026-02-02"] }], now);
    await feedAccounts.storeLinks(connection_id, [{ account: "1", portfolio: "2", origin: "rule" }]);
    await snapshots.noteArrival(connection_id, "ab");
    await sessions.create(session);
    for (const name of ["annex", "expected"])
      await letterDocuments.expectObject(`${tenant.tenant_id}/${name}`, samples.later(60));
    const annex = { ...document, kind: "annex", ciphertext: null, object_key: `${tenant.tenant_id}/annex` } as const;
    await letters.create(letter, [document, annex], samples.move(letter));
    await letterDocuments.storeDetails(letter.letter_id, "sealed");
    await mails.queue(samples.mail(letter));
    const key = { application_id: "app", key: "k", request_hash: "h", letter_id: letter.letter_id };
    await letters.claimKey({ ...key, expires_at: samples.later(60) }, now);
    await audit.append(samples.auditEntry({ object_id: connection_id }));
    await feedPages.keep(connection_id, [page], { now, arrival: 1, finish_at: now });
    const withdrawn = rows.transactions.map(({ transaction_id }) => transaction_id);
    const again = (async function* () {
      yield { transactions: rows.transactions, withdrawn };
    })();
    await snapshots.publish({ connection_id, as_of: now, published_at: now, ...rows, transactions: again });
    await movements.keep(connection_id, [samples.movement()]);
    const grant_id = samples.newId();
    await events.append([
      { type: "grant.ended", object_id: grant_id, data: { grant_id, client_id: "c", reason: "revoked" } },
    ]);
    await profile.change({ logo: { ...image, sha256: tenant.tenant_id.replaceAll("-", "").repeat(2) } });
  });
  await storage.upkeep.keepMonths("2026-02-03", 100);
  await pool.query("insert into connection_feed_mappings values ($1, $2, 'fernbank', '{}', now())", [
    tenant.tenant_id,
    connection_id,
  ]);
  const endpoint =
    "insert into webhook_endpoints (tenant_id, endpoint_id, url, types, labels, is_enabled, created_at, changed_at)";
  await pool.query(`${endpoint} values ($1, gen_random_uuid(), 'https://a.test', '{*}', '{}', true, now(), now())`, [
    tenant.tenant_id,
  ]);
  // This also queues it for the endpoint.
  await pool.query("select number_events($1, 1, 10)", [tenant.tenant_id]);
  const authorized = await fillAuthorizations(pool, tenant.tenant_id);
  await fillPeople(pool, tenant.tenant_id);
  return { tenant_id: tenant.tenant_id, connection_id, session_id: session.session_id, ...authorized };
}

/** A row of the tenant in every table of the authorization server that holds tenants' rows, and in the one that operators fill. */
async function fillAuthorizations(pool: pg.Pool, tenant_id: string) {
  const [application_id, secret_id, grant_id] = [samples.newId(), samples.newId(), samples.newId()];
  const client_id = `wca_${application_id}`;
  const insert = insertInto(pool);
  const { now } = samples;
  const owner = { tenant_id, application_id, client_id, scopes: ["letters:read"] };
  const kept = { ...owner, secret_id, audience: ["a"] };
  const name = `Application of ${tenant_id}`;
  await insert("applications", { ...owner, name, enabled: true, redirect_urls: [], created_at: now });
  await insert("application_secrets", { application_id, secret_id, secret_hash: "h", created_at: now });
  const times = { created_at: now, refresh_seconds: 60, refresh_expires_at: now, last_issued_at: now };
  await insert("grants", { ...kept, grant_id, flow: "machine", ...times, token_hash: tenant_id });
  const answer = { request_id: grant_id, decision: "approved", answered_at: now, expires_at: now };
  await insert("authorization_answers", { ...answer, ...kept });
  const remembered = { remembered_id: grant_id, cookie_hash: client_id, sealed_credentials: client_id };
  await insert("remembered_credentials", {
    ...remembered,
    application_id,
    secret_id,
    created_at: now,
    expires_at: now,
  });
  await insert("guess_counts", { client_id, address_prefix: "*", failures: 1, window_ends_at: now });
  await insert("used_assertions", { client_id, jti: "1", expires_at: now });
  await insert("tenant_provider_settings", { tenant_id, provider: "bank", sealed_settings: "s", changed_at: now });
  return { application_id, client_id, grant_id };
}

/** A person of the tenant who has signed in. */
async function fillPeople(pool: pg.Pool, tenant_id: string): Promise<void> {
  const insert = insertInto(pool);
  const [person_id, session_id] = [samples.newId(), samples.newId()];
  const { now: at } = samples;
  const who = { tenant_id, person_id };
  await insert("people", { ...who, email: "ada@example.com", name: "Ada", role: "admin", created_at: at });
  const key = { credential_id: person_id, public_key: "\\x01", counter: 0, transports: [], name: "Key" };
  await insert("people_passkeys", { ...who, ...key, is_backed_up: false, created_at: at });
  await insert("people_recovery_codes", { ...who, code_hash: person_id });
  await insert("people_views", { ...who, screen: "/letters", name: "Signed", view: { search: {}, columns: {} } });
  const times = { created_at: at, seen_at: at, confirmed_at: at, expires_at: at };
  await insert("people_sessions", {
    ...who,
    session_id,
    session_hash: session_id,
    method: "passkey",
    ...times,
    device: "",
  });
}

function insertInto(pool: pg.Pool) {
  return async (table: string, row: object) => {
    const columns = Object.keys(row).join(", ");
    const values = `select ${columns} from jsonb_populate_record(null::${table}, $1)`;
    await pool.query(`insert into ${table} (${columns}) ${values}`, [row]);
  };
}

async function allTables(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  return rows.map(({ name }) => name);
}

/** Tables that the application's role may read and that have a tenant. */
async function tenantTables(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relkind = 'r' and has_table_privilege('wealth_connect_app', c.oid, 'select') order by 1`);
  return rows.map(({ name }) => name);
}

async function columnsOf(pool: pg.Pool, table: string): Promise<string> {
  const { rows } = await pool.query<{ columns: string }>(
    "select string_agg(column_name, ', ') as columns from information_schema.columns where table_name = $1 and is_generated = 'NEVER'",
    [table],
  );
  return rows[0]?.columns ?? "";
}

/** A refused statement leaves the transaction to be rolled back; only the code matters here. */
function refusal(error: { code?: string }) {
  return { rowCount: null, code: error.code };
}
