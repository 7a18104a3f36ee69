import type { FeedPageStore } from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";

/** {@link FeedPageStore} of `tenant_id` inside its transaction. */
export function feedPageStore(db: Db, tenant_id: string): FeedPageStore {
  return {
    async keep(connection_id, pages) {
      // Whoever keeps the last page sees the others, also those that another replica is keeping now. Of the kinds of lock the one
      // that foreign keys go along with.
      await sql`
        select from connections
        where tenant_id = ${tenant_id} and connection_id = ${connection_id}
        for no key update`.execute(db);
      await sql`
        delete from feed_pages
        where tenant_id = ${tenant_id} and connection_id = ${connection_id} and kept_at < now() - interval '7 days'`.execute(
        db,
      );
      for (const { statement, number, is_last, place, text } of pages) {
        const kept = { is_last, place, content: text };
        await db
          .insertInto("feed_pages")
          .values({ tenant_id, connection_id, statement, page: number, ...kept })
          .onConflict((conflict) =>
            conflict
              .columns(["tenant_id", "connection_id", "statement", "page"])
              .doUpdateSet({ ...kept, kept_at: sql`now()` }),
          )
          .execute();
      }
      const statements = [...new Set(pages.map(({ statement }) => statement))];
      const { rows } = await sql<{ statement: string; number: number; is_last: boolean; place: string; text: string }>`
        select statement, page as number, is_last, place, content as text
        from feed_pages
        where tenant_id = ${tenant_id} and connection_id = ${connection_id} and statement = any (${statements}::text[])
        order by statement, page`.execute(db);
      return rows;
    },
    async forget(connection_id, statements) {
      await sql`
        delete from feed_pages
        where tenant_id = ${tenant_id} and connection_id = ${connection_id} and statement = any (${[...statements]}::text[])`.execute(
        db,
      );
    },
  };
}
