import { randomUUID } from "node:crypto";
import { samples } from "@org/core/testing";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate, migrationState } from "./migrate.js";
import { openStorage } from "./open-storage.js";
import { findUnprotected, unprotect } from "./protect-tables.js";
import { testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

/** The set-up of the README: one login owns the database and migrates it, another serves; neither is a superuser. */
describe.skipIf(!testDatabaseUrl)("logins without special rights", () => {
  const later = new Date(samples.now.getTime() + 86_400_000);
  const suffix = randomUUID().replaceAll("-", "");
  const owner = `owner_${suffix}`;
  const server = `server_${suffix}`;
  const admin = new pg.Client({ connectionString: testDatabaseUrl });
  const urlFor = (login: string) => {
    const url = new URL(String(testDatabaseUrl));
    return Object.assign(url, { username: login, password: "secret", pathname: `/wealth_connect_${suffix}` }).href;
  };
  beforeAll(async () => {
    await admin.connect();
    await admin.query(`create role ${owner} login noinherit createrole password 'secret'`);
    await admin.query(`create role ${server} login noinherit password 'secret'`);
    await admin.query(`create database wealth_connect_${suffix} owner ${owner}`);
    await admin.query(`revoke connect on database wealth_connect_${suffix} from public`);
    await admin.query(`grant connect on database wealth_connect_${suffix} to ${server}`);
    const url = Object.assign(new URL(String(testDatabaseUrl)), { pathname: `/wealth_connect_${suffix}` });
    const inside = new pg.Client({ connectionString: url.href });
    await inside.connect();
    await inside.query(`alter schema public owner to ${owner}`);
    await inside.end();
  });
  afterAll(async () => {
    await admin.query(`drop database wealth_connect_${suffix}`);
    await admin.query(`drop role ${owner}`);
    await admin.query(`drop role ${server}`);
    await admin.end();
  });

  it("the owner migrates; the server, a member of the three roles, serves", async () => {
    const owning = new pg.Pool({ connectionString: urlFor(owner), max: 1 });
    await migrate(owning);
    await owning.query(`grant wealth_connect_app, wealth_connect_upkeep, wealth_connect_auth to ${server}`);

    const opened = await openStorage({ databaseUrl: urlFor(server) }, () => samples.now);
    expect(await migrationState(opened.pool)).toMatchObject({ pending: [] });
    const tenant = await samples.newTenant(opened.storage);
    const { connection_id } = await tenant.connect();
    await tenant.run(({ snapshots }) =>
      snapshots.publish({
        connection_id,
        as_of: samples.now,
        published_at: samples.now,
        holdings: [samples.holding()],
      }),
    );
    expect(await opened.storage.reader.holdings(tenant.tenant_id, samples.holdingQuery())).toMatchObject({ total: 1 });
    const filtered = samples.holdingQuery({ currencies: ["EUR"] });
    expect(await opened.storage.reader.holdings(tenant.tenant_id, filtered)).toMatchObject({ total: 1 });
    const letter = samples.letter({ labels: { desk: "north" } });
    await tenant.run(({ letters }) => letters.create(letter, [], samples.move(letter)));
    for (const query of [{ labels: letter.labels }, { labels: letter.labels, status_in: [letter.status] }, {}])
      expect(await opened.storage.letterFinder.search(tenant.tenant_id, samples.letterQuery(query))).toEqual({
        items: [{ ...letter, client_name: null }],
        total: 1,
      });
    expect(await opened.storage.directory.tenantOfConnection(connection_id)).toBe(tenant.tenant_id);
    expect(await opened.storage.catalogue.revision()).toBe("0");
    expect(await opened.storage.upkeep.expireSessions(samples.now, 1)).toBe(0);
    expect(await opened.oauthStore.applications.list({ limit: 1 })).toEqual([]);
    expect(await opened.serverKeys.loadOrCreate("mac", async () => "sealed")).toBe("sealed");
    for (const table of ["connections", "audit_log", "tenants", "grants", "server_keys"]) {
      await expect(opened.pool.query(`select from ${table}`)).rejects.toMatchObject({ code: "42501" });
    }
    await expect(migrate(opened.pool)).resolves.toEqual([]);

    // Only the owner can switch to the functions' role, and upkeep reaches tenants' rows only through the functions.
    await expect(opened.pool.query("set role wealth_connect_cleanup")).rejects.toMatchObject({ code: "42501" });
    for (const table of ["sessions", "snapshots", "portfolios", "holdings", "transactions", "letters", "connections"])
      await expect(
        createTransactions(opened.pool).asUpkeep((db) => sql`select from ${sql.table(table)}`.execute(db)),
        table,
      ).rejects.toMatchObject({ code: "42501" });
    const cutoffs = {
      now: later,
      finished_sessions_before: later,
      replaced_snapshots_before: later,
      valuations_before: "2000-01-01",
      former_versions_before: later,
      settled_mails_before: later,
    };
    await tenant.run(({ sessions }) =>
      sessions.create(samples.session({ status: "Finished:OK", expires_at: samples.now })),
    );
    expect(await opened.storage.upkeep.reap(cutoffs, 10)).toMatchObject({ sessions: 1 });
    expect(await opened.storage.upkeep.silentLetters(later, 10)).toEqual([]);
    expect(await opened.sealedValues.counts()).not.toEqual([]);

    // The owner does not see tenants' rows by accident; the backup role sees all and changes nothing.
    expect((await owning.query("select from holdings")).rowCount).toBe(0);
    await owning.query("set role wealth_connect_backup");
    expect((await owning.query("select from holdings")).rowCount).toBe(1);
    await expect(owning.query("delete from holdings")).rejects.toMatchObject({ code: "42501" });
    await owning.query("reset role");

    // The protection is lifted while migrations run, and then restored.
    await unprotect(owning);
    expect((await owning.query("select from holdings")).rowCount).toBe(1);
    const { tables, functions } = await findUnprotected(owning);
    expect(tables).toContain("holdings");
    expect(functions).toContainEqual(expect.stringMatching(/^remove_tenant\(/));
    const triggers = async () =>
      (await owning.query("select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1")).rows;
    const before = await triggers();
    expect(JSON.stringify(before)).toContain("notify_grant_end()");
    await migrate(owning);
    await unprotect(owning);
    expect(await triggers()).toEqual(before);
    await migrate(owning);
    expect(await findUnprotected(owning)).toEqual({ tables: [], sequences: [], functions: [] });
    expect((await owning.query("select from holdings")).rowCount).toBe(0);
    expect(await opened.storage.upkeep.silentLetters(later, 10)).toEqual([]);
    await owning.end();
    await opened.close();
  });
});
