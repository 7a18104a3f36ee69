import { type RawBuilder, sql } from "kysely";

/**
 * Places in a feed of rows that carry the id of the transaction that wrote them (`xid8`). Every transaction below a snapshot's xmin has
 * finished, so the next reading begins there and misses none. Ids go backwards in two cases. A standby that was promoted may lack the
 * primary's last transactions, and gives their ids to others; then everything is read again, for it runs in another instance. A database
 * that crashed may give ids again that never got to the disk; so many are read twice each time.
 */
const AGAIN = 1_000n;

/** What a reading has to select as `cursor`, for the next one. */
export const feedCursor: RawBuilder<string> = sql<string>`
  concat(extract(epoch from pg_postmaster_start_time()), '/', pg_snapshot_xmin(pg_current_snapshot()))`;

/** From which transaction on a reading has to look. @param cursor of the reading before; null = from the beginning */
export function feedStart(cursor: string | null): RawBuilder<unknown> {
  const [instance, id] = cursor?.split("/") ?? [];
  if (instance === undefined || id === undefined) return sql`'0'::xid8`;
  const start = BigInt(id) > AGAIN ? BigInt(id) - AGAIN : 0n;
  // The newest id of all is compared as well: instances are told apart by when they were started.
  return sql`(
    case when ${instance} = extract(epoch from pg_postmaster_start_time())::text
      and ${id}::text::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) then ${start.toString()} else '0' end
  )::xid8`;
}
