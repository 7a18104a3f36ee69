import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { testDatabaseUrl } from "../testing/test-databases.js";
import { LendingPool } from "./lending-pool.js";

function poolOf(max: number): LendingPool {
  const pool = new LendingPool({ connectionString: String(testDatabaseUrl), max });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  onTestFinished(async () => void (pool.ended || (await pool.end())));
  return pool;
}

const processOf = async (client: pg.ClientBase) =>
  (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;

it.skipIf(!testDatabaseUrl)(
  "an open connection is lent without a promise, and opened only where there is none",
  async () => {
    const pool = poolOf(3);
    const first = await pool.lend();
    pool.takeBack(first);
    expect(pool.lend()).toBe(first);
    const second = pool.lend();
    expect(second).toBeInstanceOf(Promise);
    pool.takeBack(await second);
    pool.takeBack(first);
    expect(pool.totalCount).toBe(2);
  },
);

it.skipIf(!testDatabaseUrl)(
  "others find a connection although all are open, and unused ones do not keep the pool from ending",
  async () => {
    const pool = poolOf(1);
    pool.takeBack(await pool.lend());
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    pool.takeBack(await pool.lend());
    const connected = await pool.connect();
    connected.release();
    pool.takeBack(await pool.lend());
    await pool.end();
    expect(pool.totalCount).toBe(0);
  },
);

it.skipIf(!testDatabaseUrl)("a connection that ended meanwhile is not lent again", async () => {
  const pool = poolOf(2);
  const [one, other] = [await pool.lend(), await pool.lend()];
  const pid = await processOf(one);
  pool.takeBack(one);
  await other.query("select pg_terminate_backend($1)", [pid]);
  while (pool.totalCount > 1) await delay(5);
  const next = await pool.lend();
  expect(await processOf(next)).not.toBe(pid);
  pool.takeBack(next);
  pool.takeBack(other, true);
  expect(pool.totalCount).toBe(1);
});
