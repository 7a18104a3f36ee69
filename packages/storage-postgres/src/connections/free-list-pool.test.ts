import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { testDatabaseUrl } from "../testing/test-databases.js";
import { FreeListPool } from "./free-list-pool.js";

function poolOf(max: number): FreeListPool {
  const pool = new FreeListPool({ connectionString: String(testDatabaseUrl), max });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  onTestFinished(async () => void (pool.ended || (await pool.end())));
  return pool;
}

const processOf = async (client: pg.ClientBase) =>
  (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;

it.skipIf(!testDatabaseUrl)(
  "an open connection is handed out without a promise, and opened only where there is none",
  async () => {
    const pool = poolOf(3);
    const first = await pool.acquire();
    pool.release(first);
    expect(pool.acquire()).toBe(first);
    const second = pool.acquire();
    expect(second).toBeInstanceOf(Promise);
    pool.release(await second);
    pool.release(first);
    expect(pool.totalCount).toBe(2);
  },
);

it.skipIf(!testDatabaseUrl)(
  "others find a connection although all are open, and unused ones do not keep the pool from ending",
  async () => {
    const pool = poolOf(1);
    pool.release(await pool.acquire());
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    pool.release(await pool.acquire());
    const held = await pool.acquire();
    const waiting = pool.connect();
    pool.release(held);
    (await waiting).release();
    pool.release(await pool.acquire());
    await pool.end();
    expect(pool.totalCount).toBe(0);
  },
);

it.skipIf(!testDatabaseUrl)("a connection that ended meanwhile is not handed out again", async () => {
  const pool = poolOf(2);
  const [one, other] = [await pool.acquire(), await pool.acquire()];
  const pid = await processOf(one);
  pool.release(one);
  await other.query("select pg_terminate_backend($1)", [pid]);
  while (pool.totalCount > 1) await delay(5);
  const next = await pool.acquire();
  expect(await processOf(next)).not.toBe(pid);
  pool.release(next);
  pool.release(other, true);
  expect(pool.totalCount).toBe(1);
});
