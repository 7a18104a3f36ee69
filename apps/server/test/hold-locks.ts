import { onTestFinished } from "vitest";
import type { TestServer } from "./harness.js";

/** Takes locks in a separate transaction until they are released or the test ends, so that following tests do not fail with it. */
export async function holdLocks({ installation }: TestServer, sql: string) {
  return installation.withDatabase(async (pool) => {
    const client = await pool.connect();
    let isHeld = true;
    const release = async () => {
      if (!isHeld) return;
      isHeld = false;
      await client.query("rollback");
      client.release();
    };
    onTestFinished(release);
    await client.query("begin");
    await client.query(sql);
    return {
      /** @param statements a pattern of the statements that count (LIKE); without one, all do */
      isWaitedFor: async (statements = "%") => {
        const { rows } = await pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1",
          [statements],
        );
        return rows.length > 0;
      },
      release,
    };
  });
}
