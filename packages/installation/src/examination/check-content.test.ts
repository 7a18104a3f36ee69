import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { samples } from "@org/core/testing";
import { createApplications } from "@org/oauth-server";
import { migrate, type OpenedStorage, openStorage } from "@org/storage-postgres";
import { embeddedTemplateFile } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../config.js";
import { keyringOf, loadInstallationKeys } from "../keys.js";
import { checkContent } from "./check-content.js";
import { checkAccess, checkRoles } from "./check-roles.js";
import { clockFinding } from "./finding.js";

const clock = () => new Date();
const examiner = { clock, machine: "this machine" };
const folder = mkdtempSync(join(tmpdir(), "doctor-"));
const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`;
const configWith = (keys: string | undefined) => ({ ...readConfig({ DATA_DIR: folder }), encryptionKeys: keys });

const k1 = key("k1", 1);

let opened: OpenedStorage;
beforeAll(async () => {
  opened = await openStorage({ memory: true, templateFile: await embeddedTemplateFile() }, clock);
  // Creating a cluster takes seconds; emptying one does not.
  await opened.pool.query("drop schema public cascade; create schema public; grant usage on schema public to public");
});
afterAll(async () => {
  await opened.close();
  rmSync(folder, { recursive: true });
});

const finding = async (check: string, keys: string | undefined) =>
  (await checkContent(configWith(keys), opened, examiner)).find((found) => found.check === check);

describe("doctor on a database", () => {
  it("[C-9.17] one that is not migrated fails, and that is all that can be said", async () => {
    const found = await checkContent(configWith(k1), opened, examiner);
    expect(found).toEqual([
      expect.objectContaining({
        check: "migrations",
        state: "fail",
        next_step: expect.stringContaining("wealth-connect migrate"),
      }),
    ]);
    await migrate(opened.pool);
    expect(await finding("migrations", k1)).toMatchObject({ state: "ok" });
  });

  it("warns while nobody is an operator", async () => {
    expect(await finding("operator", k1)).toMatchObject({ state: "warn", next_step: "wealth-connect bootstrap" });
    const { secretHash } = await loadInstallationKeys(opened.serverKeys, keyringOf(configWith(k1)), clock);
    const applications = createApplications({
      store: opened.oauthStore,
      secretHashKeys: secretHash,
      clock,
      random: randomBytes,
      audit: () => undefined,
    });
    await applications.create({ tenant_id: null, name: "Operator" });
    expect(await finding("operator", k1)).toMatchObject({ state: "ok" });
  });

  it.each([
    ["the key in use", key("k1", 1), "ok", /in use: k1 by 4 values/],
    ["a newer key before it", `${key("k2", 2)},${key("k1", 1)}`, "ok", /active: k2; in use: k1 by 4 values/],
    ["another key only", key("k2", 2), "fail", /under k1/],
    ["another key of the same id", key("k1", 9), "fail", /another key/],
    ["something that is no key", "nonsense", "fail", /not of the form id:base64/],
    ["no key, and no key file", undefined, "fail", /is gone/],
  ])("[C-9.16] encryption keys: %s", async (_, keys, state, message) => {
    expect(await finding("encryption keys", keys)).toMatchObject({ state, message: expect.stringMatching(message) });
    expect(existsSync(join(folder, "encryption-keys"))).toBe(false);
  });

  it("finds a table of tenants without row-level security", async () => {
    expect(await finding("row-level security", k1)).toMatchObject({ state: "ok" });
    await opened.pool.query("alter table letters disable row level security");
    expect(await finding("row-level security", k1)).toMatchObject({ state: "fail", message: "off for letters" });
    await opened.pool.query("alter table letters enable row level security");
  });

  it("warns when connections have been due for hours, and tells how many wait for their customers", async () => {
    expect(await finding("refreshes", k1)).toMatchObject({
      state: "ok",
      message: expect.stringMatching(/^0 connections/),
    });
    const tenant = await samples.newTenant(opened.storage);
    const ids = await Promise.all([tenant.connect(), tenant.connect(), tenant.connect()]);
    const hoursAgo = (hours: number) => new Date(clock().getTime() - hours * 3_600_000);
    await tenant.run(async ({ refreshes }) => {
      for (const [index, { connection_id }] of ids.entries())
        await refreshes.plan(connection_id, samples.plan(hoursAgo(index)));
      const waiting = { due_at: null, failures: 0, outcome: "relogin_needed", pending: null } as const;
      await refreshes.settle(ids[0]?.connection_id ?? "", waiting);
    });
    expect(await finding("refreshes", k1)).toMatchObject({
      state: "warn",
      message:
        "2 connections are due, the oldest for 2 h; 1 wait for their clients to log in again, 0 consents run out within seven days",
      next_step: expect.stringContaining("JOBS=true"),
    });
  });

  it("finds a login that may not take the roles, and asks nothing more with it", async () => {
    await opened.pool.query("create role stranger; set role stranger");
    const found = await checkContent(configWith(k1), opened, examiner);
    await opened.pool.query("reset role");
    expect(found.at(-1)).toMatchObject({
      check: "roles",
      state: "fail",
      next_step: expect.stringMatching(/^as an administrator: grant .* to stranger$/),
    });
  });

  it("[C-8.18] finds a login of PostgreSQL that inherits its roles, or may take those of clean-up and backups", async () => {
    const { pool } = opened;
    await pool.query(`create role heir inherit; grant wealth_connect_app, wealth_connect_upkeep, wealth_connect_auth,
      wealth_connect_backup to heir; set role heir`);
    const found = await checkRoles({ ...opened, kind: "postgres" });
    await pool.query("reset role; alter role heir noinherit; revoke wealth_connect_backup from heir; set role heir");
    const mended = await checkRoles({ ...opened, kind: "postgres" });
    await pool.query("reset role");
    expect(found).toMatchObject([
      { check: "roles", state: "ok" },
      { check: "login", state: "warn", next_step: 'as an administrator: alter role "heir" noinherit' },
      { check: "roles", state: "warn", next_step: expect.stringContaining('revoke wealth_connect_backup from "heir"') },
    ]);
    expect(mended).toMatchObject([{ check: "roles", state: "ok" }]);
  });

  it("[C-8.18] finds that everybody may connect, roles that log in, and strangers who may take them", async () => {
    const { pool } = opened;
    const database = (await pool.query("select current_database() as name")).rows[0].name;
    await pool.query(`create role serving login noinherit; create role other login noinherit;
      grant wealth_connect_app, wealth_connect_upkeep, wealth_connect_auth to serving; grant wealth_connect_auth to other;
      alter role wealth_connect_upkeep login; set role serving`);
    const found = await checkAccess({ ...opened, kind: "postgres" }, false);
    await pool.query(`reset role; revoke connect on database "${database}" from public; revoke wealth_connect_auth from other;
      alter role wealth_connect_upkeep nologin; set role serving`);
    const mended = await checkAccess({ ...opened, kind: "postgres" }, false);
    await pool.query("reset role");
    expect(found).toMatchObject([
      { state: "warn", next_step: expect.stringContaining(`revoke connect on database "${database}" from public`) },
      { state: "warn", message: "wealth_connect_upkeep may log in, or bypass row-level security" },
      { state: "warn", message: expect.stringMatching(/^other may take roles/) },
    ]);
    expect(mended).toMatchObject([{ check: "access", state: "ok" }]);
  });

  it("[C-8.18] finds row-level security that is not forced", async () => {
    await opened.pool.query("alter table letters no force row level security");
    expect(await finding("row-level security", k1)).toMatchObject({
      state: "fail",
      message: expect.stringContaining("letters"),
      next_step: "wealth-connect migrate, as the owner",
    });
    await migrate(opened.pool);
    expect(await finding("row-level security", k1)).toMatchObject({ state: "ok" });
  });

  it("finds a database that newer code has migrated", async () => {
    await opened.pool.query("insert into schema_migrations (number, name, sha256) values (999, 'later', '')");
    expect(await finding("migrations", k1)).toMatchObject({ state: "fail", next_step: "use the newer version" });
    await opened.pool.query("delete from schema_migrations where number = 999");
  });

  it("finds a database that a build before the first release made", async () => {
    const rename = (from: string, to: string) =>
      opened.pool.query("update schema_migrations set name = $2 where name = $1", [from, to]);
    await rename("0001_installation", "0001_roles");
    expect(await checkContent(configWith(k1), opened, examiner)).toMatchObject([
      { check: "migrations", state: "fail", message: expect.stringContaining("before the first release") },
    ]);
    await rename("0001_roles", "0001_installation");
    expect(await finding("migrations", k1)).toMatchObject({ state: "ok" });
  });
});

describe("[C-8.24] a clock that is off", () => {
  it.each([
    [4_900, "ok", "this machine and the database agree, to 5 s"],
    [-7_000, "warn", "this machine is 7.0 s behind the database: times in logs do not match; tokens"],
    [720_000, "fail", "this machine is 12 min ahead of the database: TLS and signed requests"],
    [-3 * 86_400_000, "fail", "this machine is 3 days behind the database: "],
  ])("%i ms: %s", (ahead, state, message) => {
    const found = clockFinding("clock of the database", ahead, "this machine", "the database");
    expect(found).toMatchObject({ state, message: expect.stringContaining(message) });
    expect(found.next_step ?? "NTP").toContain("NTP");
  });
});
