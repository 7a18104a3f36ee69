import type { AccountLink, FeedAccount, FeedAccountStore, Uuid } from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";
import { currentRevision } from "./current-revision.js";
import { lockPublications } from "./publication-lock.js";

/** Accounts of one statement. */
const BATCH = 1_000;

/** {@link FeedAccountStore} of `tenant_id` inside its transaction. */
export function feedAccountStore(db: Db, tenant_id: string): FeedAccountStore {
  return {
    async claim(connection_id, stated, arrival) {
      if (stated.length === 0) return new Set();
      await lockPublications(db);
      const latest = new Set<string>();
      for (let start = 0; start < stated.length; start += BATCH) {
        const rows = stated.slice(start, start + BATCH);
        const claimed = await sql<{ portfolio_id: string }>`
          insert into feed_portfolios as known (
            tenant_id, connection_id, portfolio_id, as_of, arrival, stated_arrival,
            number, is_cash, name, balance, currency, ref_account, type
          )
          select
            ${tenant_id}, ${connection_id}, r.portfolio_id, r.as_of, ${arrival}, ${arrival},
            r.number, r.is_cash, r.name, r.balance, r.currency, r.ref_account, r.type
          from json_to_recordset(${JSON.stringify(rows)}) r (
            portfolio_id uuid, as_of timestamptz, number text, is_cash boolean,
            name text, balance numeric, currency text, ref_account text, type text
          )
          on conflict (tenant_id, connection_id, portfolio_id) do update set
            as_of = excluded.as_of, arrival = excluded.arrival, stated_arrival = excluded.stated_arrival,
            number = excluded.number, is_cash = excluded.is_cash, name = excluded.name, balance = excluded.balance,
            currency = excluded.currency, ref_account = excluded.ref_account, type = excluded.type
            where (known.as_of, known.arrival) <= (excluded.as_of, excluded.arrival)
          returning portfolio_id`.execute(db);
        for (const { portfolio_id } of claimed.rows) latest.add(portfolio_id);
      }
      return latest;
    },

    async list(connection_id) {
      await lockPublications(db);
      await completeStatements(db, tenant_id, connection_id);
      const { rows } = await sql<FeedAccount>`
        select portfolio_id, as_of, number, is_cash, name, balance::text as balance, currency, ref_account, type
        from feed_portfolios
        where tenant_id = ${tenant_id} and connection_id = ${connection_id} and stated_arrival = arrival
        order by number collate "C", currency collate "C", portfolio_id`.execute(db);
      return rows;
    },

    async links(connection_id) {
      return db
        .selectFrom("feed_account_links")
        .select(["account", "portfolio", "origin"])
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connection_id)
        .orderBy("account")
        .execute();
    },

    async storeLinks(connection_id, links: readonly AccountLink[]) {
      await db
        .deleteFrom("feed_account_links")
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connection_id)
        .execute();
      if (links.length === 0) return;
      await sql`
        insert into feed_account_links (tenant_id, connection_id, account, portfolio, origin)
        select ${tenant_id}, ${connection_id}, r.account, r.portfolio, r.origin
        from json_to_recordset(${JSON.stringify(links)}) r (account text, portfolio text, origin text)`.execute(db);
    },
  };
}

/**
 * Copies what accounts state on their own from the portfolios shown, for accounts whose latest file was ingested without recording it; such a
 * portfolio is the account on its own.
 */
async function completeStatements(db: Db, tenant_id: string, connection_id: Uuid): Promise<void> {
  await sql`
    update feed_portfolios f set
      stated_arrival = f.arrival, number = coalesce(p.ref_account, p.name), is_cash = p.type = 'L',
      name = p.name, balance = p.balance, currency = p.currency, ref_account = p.ref_account, type = p.type
    from portfolios p
    where f.tenant_id = ${tenant_id} and f.connection_id = ${connection_id}
      and f.stated_arrival is distinct from f.arrival
      and p.tenant_id = ${tenant_id} and p.connection_id = ${connection_id}
      and p.revision = ${currentRevision(tenant_id, connection_id, "portfolio")}
      and p.portfolio_id = f.portfolio_id`.execute(db);
}
