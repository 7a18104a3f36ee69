import type { Uuid } from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";

/** How often accounts are read anew whose holdings were replaced after their valuations were read. */
const MAX_TRIES = 10;

interface ValuedAccount {
  readonly connection_id: Uuid;
  readonly portfolio_id: string;
}

/**
 * Accounts with the holdings of their valuations, as JSON, by {@link holdingsKey}. Holdings go when their valuation is replaced: accounts whose
 * valuations have others by now are read anew.
 * @param read some connections, or all
 * @param contentsOf the holdings that are wanted of an account
 */
export async function readWithHoldings<Account extends ValuedAccount>(
  db: Db,
  tenant_id: string,
  read: (some: ReadonlySet<Uuid> | null) => Promise<readonly Account[]>,
  contentsOf: (account: Account) => readonly string[],
): Promise<{ readonly found: readonly Account[]; readonly holdings: ReadonlyMap<string, string> }> {
  const holdings = new Map<string, string>();
  let found = await read(null);
  let replaced = await add(found);
  for (let tries = 1; replaced.size > 0 && tries < MAX_TRIES; tries += 1) {
    const others = found.filter(({ connection_id }) => !replaced.has(connection_id));
    const anew = await read(replaced);
    found = [...others, ...anew];
    replaced = await add(anew);
  }
  return { found, holdings };

  /** Returns the connections whose holdings are not there. */
  async function add(accounts: readonly Account[]): Promise<ReadonlySet<Uuid>> {
    const wanted = new Map<string, readonly [connection: Uuid, portfolio: string, content: string]>();
    for (const account of accounts)
      for (const content of contentsOf(account)) {
        const { connection_id, portfolio_id } = account;
        wanted.set(holdingsKey(portfolio_id, content), [connection_id, portfolio_id, content]);
      }
    const all = [...wanted.values()];
    const { rows } = await sql<{ portfolio_id: string; content: string; items: string }>`
      select h.portfolio_id, h.content, h.items
      from unnest(${all.map(([id]) => id)}::uuid[], ${all.map(([, id]) => id)}::uuid[], ${all.map(([, , id]) => id)}::uuid[])
        w (connection_id, portfolio_id, content)
      join valued_holdings h on h.tenant_id = ${tenant_id} and h.connection_id = w.connection_id and h.portfolio_id = w.portfolio_id
        and h.content = w.content`.execute(db);
    for (const { portfolio_id, content, items } of rows) holdings.set(holdingsKey(portfolio_id, content), items);
    return new Set([...wanted].flatMap(([key, [connection_id]]) => (holdings.has(key) ? [] : connection_id)));
  }
}

/** @param content null = none are listed */
export function holdingsKey(portfolio_id: string, content: string | null): string {
  return `${portfolio_id} ${content}`;
}
