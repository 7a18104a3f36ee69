import type { ConnectionSize, SizeQuery, Uuid } from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";
import { ofConnections } from "./valued-accounts.js";

/** How much of each connection a question reads; counted in indexes alone. A cluster has connections elsewhere than what they delivered. */
export async function sizesOf(
  db: Db,
  tenant_id: string,
  { connection_ids, portfolio_ids, from, to, closes, with_movements }: SizeQuery,
): Promise<readonly ConnectionSize[]> {
  const isAsked = portfolio_ids === null ? sql`true` : sql`false`;
  const { rows: connections } = await sql<{ connection_id: Uuid; is_asked: boolean }>`
    select c.connection_id, ${isAsked} or exists (
      select from feed_account_links l where l.tenant_id = c.tenant_id and l.connection_id = c.connection_id
    ) as is_asked
    from connections c
    where c.tenant_id = ${tenant_id} and ${ofConnections(sql`c.connection_id`, connection_ids)}
    order by c.created_at, c.connection_id`.execute(db);
  const of = (alias: string) =>
    sql`${sql.ref(`${alias}.tenant_id`)} = ${tenant_id} and ${sql.ref(`${alias}.connection_id`)} = c.connection_id`;
  const valuations = closes
    ? sql`(select count(*) * ${closes.length}::integer from valued_accounts a where ${of("a")})`
    : sql`(select count(*) from valuations v where ${of("v")} and v.day between ${from}::date and ${to}::date)`;
  // Of a connection that was never valued before, earlier movements may count, too.
  const since = closes
    ? sql`${from}::date`
    : sql`case when exists (select from valuations v where ${of("v")} and v.day < ${from}::date) then ${from}::date else '-infinity' end`;
  const movements = with_movements
    ? sql`(select count(*) from transactions t where ${of("t")} and t.operation_date between ${since} and ${to}::date)`
    : sql`0`;
  const { rows } = await sql<ConnectionSize>`
    select c.connection_id, (${valuations} + ${movements})::integer as rows
    from unnest(
      ${connections.map((one) => one.connection_id)}::uuid[], ${connections.map((one) => one.is_asked)}::boolean[]
    ) with ordinality c (connection_id, is_asked, place)
    where c.is_asked or exists (select from valued_accounts a where ${of("a")} and a.portfolio_id = any (${portfolio_ids}::uuid[]))
    order by c.place`.execute(db);
  return rows;
}
