import { samples } from "@org/core/testing";
import pg from "pg";
import { expect, it } from "vitest";
import { openStorage } from "../open-storage.js";
import { createPostgresTestDatabase, testDatabaseUrl } from "../testing/index.js";

/** Commits wait for a standby that does not exist; in this database only, since the server's others have synchronous_commit off. */
async function waitForNobody(url: string): Promise<{ cancel(): Promise<boolean>; end(): Promise<void> } | null> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("show synchronous_commit");
  if (rows[0].synchronous_commit !== "off") {
    await client.end();
    return null;
  }
  const { rows: names } = await client.query("select current_database() as name");
  await client.query(`alter database ${names[0].name} set synchronous_commit = on`);
  await client.query("alter system set synchronous_standby_names = 'nobody'");
  await client.query("select pg_reload_conf()");
  return {
    /** Cancels, as statement_timeout does after ten seconds. Returns whether a statement was waiting. */
    async cancel() {
      const waiting = "datname = current_database() and wait_event = 'SyncRep'";
      const answer = await client.query(`select pg_cancel_backend(pid) from pg_stat_activity where ${waiting}`);
      return (answer.rowCount ?? 0) > 0;
    },
    async end() {
      await client.query("alter system reset synchronous_standby_names");
      await client.query("select pg_reload_conf()");
      await client.end();
    },
  };
}

it.skipIf(!testDatabaseUrl)(
  "[scale.md §2] what PostgreSQL has not on its synchronous standby is not acknowledged",
  async ({ skip }) => {
    const { url, close } = await createPostgresTestDatabase();
    const opened = await openStorage({ databaseUrl: url }, () => new Date());
    const tenant = await samples.newTenant(opened.storage);
    await opened.close();
    const standby = await waitForNobody(url);
    if (standby === null) return skip("commits are synchronous for all tests of this server");
    const reopened = await openStorage({ databaseUrl: url }, () => new Date());
    try {
      const session = samples.session();
      const outcome = reopened.storage
        .inTenant(tenant.tenant_id, ({ sessions }) => sessions.create(session))
        .then(
          () => "acknowledged",
          (error: unknown) => error,
        );
      await expect.poll(() => standby.cancel(), { timeout: 10_000 }).toBe(true);
      expect(await outcome).toMatchObject({ name: "StorageError", code: "unavailable" });
    } finally {
      await standby.end();
      await reopened.close();
      await close();
    }
  },
);
