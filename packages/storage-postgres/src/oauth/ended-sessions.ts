import { sql } from "kysely";
import type { Transactions } from "../transactions.js";
import { type Ended, feedCursor, feedStart, nextCursor } from "./feed-cursor.js";

const MAX_AGE_MS = 2_000;

/** MCP sessions that clients have ended, known to this replica immediately and to every other within two seconds. */
export interface SharedEndedSessions {
  end(nonce: string, expiresAt: Date): Promise<void>;
  /** Answers from memory while that is fresh. */
  isEnded(nonce: string): boolean | Promise<boolean>;
  /** Deletes sessions whose ids expired before `now`, here and in the database. Returns how many rows were deleted. */
  reap(now: Date, limit: number): Promise<number>;
}

/** The deny list behind `DELETE /mcp`, followed like the feed of ended grants: read on use, at most once in two seconds. */
export function createEndedSessions({ asAuth }: Pick<Transactions, "asAuth">, clock: () => Date): SharedEndedSessions {
  const ended = new Map<string, Date>();
  let cursor: string | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  return {
    async end(nonce, expiresAt) {
      await asAuth(async (db) => {
        await db
          .insertInto("ended_mcp_sessions")
          .values({ nonce, expires_at: expiresAt })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
      ended.set(nonce, expiresAt);
    },
    isEnded(nonce) {
      if (ended.has(nonce)) return true;
      // A clock that was set back must not make old data look fresh.
      if (Math.abs(clock().getTime() - readAt) < MAX_AGE_MS) return false;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading.then(() => ended.has(nonce));
    },
    async reap(now, limit) {
      for (const [nonce, expiresAt] of ended) if (expiresAt < now) ended.delete(nonce);
      return asAuth(async (db) => {
        const over = db.selectFrom("ended_mcp_sessions").select("nonce").where("expires_at", "<", now).limit(limit);
        return Number(
          (await db.deleteFrom("ended_mcp_sessions").where("nonce", "in", over).executeTakeFirst()).numDeletedRows,
        );
      });
    },
  };

  async function read(): Promise<void> {
    const now = clock().getTime();
    const { rows } = await asAuth(
      (db) =>
        sql<Ended & { nonce: string | null; expires_at: Date }>`
          select ${feedCursor} as cursor, e.ended_by, e.nonce, e.expires_at
          from (values (1)) always left join ended_mcp_sessions e on e.ended_by >= ${feedStart(cursor)}`.execute(db),
      "feeds",
    );
    for (const { nonce, expires_at } of rows) if (nonce !== null) ended.set(nonce, expires_at);
    cursor = nextCursor(cursor, rows);
    readAt = now;
  }
}
