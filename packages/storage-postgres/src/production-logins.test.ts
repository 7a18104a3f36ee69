import { randomUUID } from "node:crypto";
import { samples } from "@org/core/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate, migrationState } from "./migrate.js";
import { openStorage } from "./open-storage.js";
import { testDatabaseUrl } from "./testing/index.js";

/** As the README sets a server up: one login owns the database and migrates it, another serves; neither is a superuser. */
describe.skipIf(!testDatabaseUrl)("logins without special rights", () => {
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
    await admin.query(`create role ${owner} login createrole password 'secret'`);
    await admin.query(`create role ${server} login noinherit password 'secret'`);
    await admin.query(`create database wealth_connect_${suffix} owner ${owner}`);
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
    await owning.end();

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
    expect(await opened.storage.directory.tenantOfConnection(connection_id)).toBe(tenant.tenant_id);
    expect(await opened.storage.catalogue.revision()).toBe("0");
    expect(await opened.storage.upkeep.expireSessions(samples.now, 1)).toBe(0);
    expect(await opened.oauthStore.applications.list({ limit: 1 })).toEqual([]);
    expect(await opened.serverKeys.loadOrCreate("mac", async () => "sealed")).toBe("sealed");
    for (const table of ["connections", "audit_log", "tenants", "grants", "server_keys"]) {
      await expect(opened.pool.query(`select from ${table}`)).rejects.toMatchObject({ code: "42501" });
    }
    await expect(migrate(opened.pool)).resolves.toEqual([]);
    await opened.close();
  });
});
