import type { FeedPageStore, PageHere, WaitingStatement, WaitingStatements, WholeStatement } from "@org/core";
import type { StatementPage } from "@org/provider-kit";
import { type RawBuilder, sql } from "kysely";
import { type Db, INSTALLATION_KEY, type Transactions } from "../transactions.js";

/** {@link FeedPageStore} of `tenant_id` inside its transaction. */
export function feedPageStore(db: Db, tenant_id: string): FeedPageStore {
  return {
    async keep(connection_id, pages, { now, arrival, finish_at }) {
      // The transaction that stores the last page has to see the others, including those another replica is storing now. This lock mode is
      // compatible with that of foreign keys.
      await sql`
        select from connections
        where tenant_id = ${tenant_id} and connection_id = ${connection_id}
        for no key update`.execute(db);
      for (const { statement, number, is_last, place, text, title } of pages) {
        const kept = {
          is_last,
          place,
          content: text,
          title,
          kept_at: now,
          expired_at: null,
          arrival: String(arrival),
          finish_at,
        };
        await db
          .insertInto("feed_pages")
          .values({ tenant_id, connection_id, statement, page: number, ...kept })
          .onConflict((conflict) =>
            conflict.columns(["tenant_id", "connection_id", "statement", "page"]).doUpdateSet(kept),
          )
          .execute();
      }
      const { rows: here } = await sql<PageHere>`
        select statement, page as number, is_last, octet_length(content) as bytes
        from feed_pages
        where tenant_id = ${tenant_id} and connection_id = ${connection_id}
          and statement = any (${[...new Set(pages.map(({ statement }) => statement))]}::text[])
        order by statement, page`.execute(db);
      const { rows } = await sql<{ pages: string; bytes: string }>`
        select count(*) as pages, coalesce(sum(octet_length(content)), 0) as bytes
        from feed_pages
        where tenant_id = ${tenant_id} and connection_id = ${connection_id}`.execute(db);
      return { here, kept: { pages: Number(rows[0]?.pages), bytes: Number(rows[0]?.bytes) } };
    },
    async of(connection_id, statement) {
      const latest = await db
        .selectFrom("feed_pages")
        .select((row) => row.fn.max("arrival").as("arrival"))
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connection_id)
        .where("statement", "=", statement)
        .executeTakeFirst();
      const arrival = latest?.arrival ?? null;
      const { rows: pages } = await sql<StatementPage>`
        select statement, page as number, is_last, place, content as text
        from feed_pages
        where tenant_id = ${tenant_id} and connection_id = ${connection_id} and statement = ${statement}
        order by page`.execute(db);
      return { pages, arrival: arrival === null ? null : Number(arrival) };
    },
    async leave(connection_id, statements) {
      await sql`
        update feed_pages set finish_at = null
        where tenant_id = ${tenant_id} and connection_id = ${connection_id} and statement = any (${[...statements]}::text[])`.execute(
        db,
      );
    },
    async forget(connection_id, statements) {
      const { numAffectedRows } = await sql`
        delete from feed_pages
        where tenant_id = ${tenant_id} and connection_id = ${connection_id} and statement = any (${[...statements]}::text[])`.execute(
        db,
      );
      return Number(numAffectedRows ?? 0n);
    },
  };
}

/** {@link WaitingStatements}, through functions of the database, because the role that calls them cannot read pages. */
export function waitingStatements({ asUpkeep }: Transactions): WaitingStatements {
  return {
    list: (limit) =>
      asUpkeep(
        async (db) => {
          const { rows: items } = await sql<WaitingStatement>`select * from waiting_statements(${limit})`.execute(db);
          const { rows } = await sql<{ waiting: string; overdue: string }>`
          select count(*) filter (where expired_at is null) as waiting, count(*) filter (where expired_at is not null) as overdue
          from waiting_statements(null)`.execute(db);
          return { items, waiting: Number(rows[0]?.waiting ?? 0), overdue: Number(rows[0]?.overdue ?? 0) };
        },
        "lookups",
        INSTALLATION_KEY,
      ),
    claimWhole: ({ now, until, limit }) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<WholeStatement>`
          select * from claim_whole_statements(${now}, ${until}, ${limit})`.execute(db);
        return rows;
      }),
    expire: (before, now, limit) => expiredStatements(sql`expire_waiting_statements(${before}, ${now}, ${limit})`),
    reap: (before, limit) => expiredStatements(sql`reap_waiting_statements(${before}, ${limit})`),
  };

  /** One server at a time, so that each statement is reported once. */
  function expiredStatements(call: RawBuilder<unknown>): Promise<readonly WaitingStatement[]> {
    return asUpkeep(async (db) => {
      await sql`select pg_advisory_xact_lock(hashtext('feed_pages'))`.execute(db);
      const { rows } = await sql<WaitingStatement>`select * from ${call}`.execute(db);
      return rows;
    });
  }
}
