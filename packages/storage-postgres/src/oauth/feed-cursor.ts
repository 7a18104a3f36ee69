import { type RawBuilder, sql } from "kysely";

/**
 * Cursors in a feed of rows that carry the id of the transaction that wrote them (`xid8`). Every transaction below a snapshot's xmin has
 * finished, so the next reading starts there and misses none. Ids go backwards in two cases. A promoted standby may lack the primary's last
 * transactions and give their ids to others; since it is another instance, everything is then read again. A database that crashed may reuse ids
 * that never reached the disk; this many are read twice each time.
 */
const AGAIN = 1_000n;

/** What a reading selects as `cursor`, for the next one. */
export const feedCursor: RawBuilder<string> = sql<string>`
  concat(extract(epoch from pg_postmaster_start_time()), '/', pg_snapshot_xmin(pg_current_snapshot()))`;

/** The transaction id from which a reading starts. @param cursor of the reading before; null = from the beginning */
export function feedStart(cursor: string | null): RawBuilder<unknown> {
  const [instance, id] = cursor?.split("/") ?? [];
  if (instance === undefined || id === undefined) return sql`'0'::xid8`;
  const start = BigInt(id) > AGAIN ? BigInt(id) - AGAIN : 0n;
  // The newest id is compared as well, because instances are distinguished only by their start time.
  return sql`(
    case when ${instance} = extract(epoch from pg_postmaster_start_time())::text
      and ${id}::text::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) then ${start.toString()} else '0' end
  )::xid8`;
}
