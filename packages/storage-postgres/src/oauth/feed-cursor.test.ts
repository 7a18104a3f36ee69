import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testBackends } from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createEndedSessions } from "./ended-sessions.js";
import { createOAuthStore } from "./oauth-store.js";

describe.each(testBackends)("[C-9.37] the feeds of what has ended, on $name", ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
    // Enough transactions that those of the cases lie further back than the part that is read again.
    await database.pool.query(
      "do $$ begin for i in 1..1500 loop perform pg_current_xact_id(); commit; end loop; end $$",
    );
  });
  afterAll(() => database?.close());

  const grants = () => createOAuthStore(createTransactions(database.pool)).grants;
  const read = async (cursor: string | null) => {
    const feed = await grants().endedGrants(cursor, new Date(0));
    return { ids: feed.ended.map(({ grant_id }) => grant_id), cursor: feed.cursor };
  };
  /** A grant that was ended by the transaction of this id. */
  const endedBy = async (id: bigint) => {
    const grant_id = samples.newId();
    await database.pool.query(`insert into grants select r.* from jsonb_populate_record(null::grants, $1) r`, [
      {
        grant_id,
        application_id: grant_id,
        secret_id: grant_id,
        client_id: "c",
        flow: "machine",
        scopes: [],
        audience: [],
        created_at: samples.now,
        refresh_seconds: 60,
        refresh_expires_at: samples.now,
        last_issued_at: samples.now,
        token_hash: grant_id,
        ended_at: samples.now,
        ended_by: String(id),
        is_confidential: false,
        is_limited: false,
      },
    ]);
    return grant_id;
  };

  it("begin where the last reading ended, and some transactions before", async () => {
    const { cursor } = await read(null);
    const [old, late] = [await endedBy(1n), await endedBy(idOf(cursor) - 500n)];
    const { ids } = await read(cursor);
    expect([ids.includes(old), ids.includes(late)]).toEqual([false, true]);
    expect((await read(null)).ids).toEqual(expect.arrayContaining([old, late]));
  });

  it("[C-9.572] tell once of what a transaction ended, and of those behind it", async () => {
    const { cursor } = await read(null);
    const id = idOf(cursor) - 10n;
    const ended = [await endedBy(id), await endedBy(id), await endedBy(id)];
    const news = await read(cursor);
    expect(news.ids).toEqual(expect.arrayContaining(ended));
    const behind = await endedBy(id + 1n);
    const more = await read(news.cursor);
    expect(more.ids).toEqual([behind]);
    expect((await read(more.cursor)).ids).toEqual([]);
  });

  it("begin anew in another instance, which may give ids a second time", async () => {
    const { cursor } = await read(null);
    const old = await endedBy(2n);
    expect((await read(cursor)).ids).not.toContain(old);
    expect((await read(`1700000000.5/${idOf(cursor)}`)).ids).toContain(old);
  });

  it("begin anew when the newest id went backwards", async () => {
    const { cursor } = await read(null);
    const old = await endedBy(3n);
    expect((await read(cursor)).ids).not.toContain(old);
    expect((await read(cursor.replace(/\/[0-9]+/, `/${idOf(cursor) + 1_000_000n}`))).ids).toContain(old);
  });

  it("tell of an MCP session whose end has an id of before", async () => {
    let now = samples.now.getTime();
    const followed = createEndedSessions(createTransactions(database.pool), () => new Date(now));
    expect(await followed.isEnded("a")).toBe(false);
    const id = idOf((await read(null)).cursor) - 500n;
    await database.pool.query("insert into ended_mcp_sessions values ('a', $1, $2)", [samples.later(60), String(id)]);
    now += 2_000;
    expect(await followed.isEnded("a")).toBe(true);
  });
});

const idOf = (cursor: string) => BigInt(String(cursor.split("/")[1]));
