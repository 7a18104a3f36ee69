import { type RawBuilder, sql } from "kysely";

/**
 * Cursors in a feed of rows that carry the id of the transaction that wrote them (`xid8`). Every transaction below a snapshot's xmin has
 * finished, so the next reading starts there and misses none. Ids go backwards in two cases. A promoted standby may lack the primary's last
 * transactions and give their ids to others; since it is another instance, everything is then read again. A database that crashed may reuse ids
 * that never reached the disk; this many are read twice each time. Those of rows that were read had reached it, and all before them: so what
 * one transaction wrote, be it 100,000 rows, is read again only while an older one is running.
 */
const AGAIN = 1_000n;

/** What every row of a reading has. */
export interface Ended {
  /** {@link feedCursor}. */
  readonly cursor: string;
  /** The transaction that wrote it; null in the one row of a reading that found nothing. */
  readonly ended_by: string | null;
}

/** What a reading selects as `cursor`, for the next one. */
export const feedCursor: RawBuilder<string> = sql<string>`
  concat(extract(epoch from pg_postmaster_start_time()), '/', pg_snapshot_xmin(pg_current_snapshot()))`;

/**
 * The cursor of the next reading.
 * @param before that of this reading
 * @param rows at least one
 */
export function nextCursor(before: string | null, rows: readonly Ended[]): string {
  const { cursor } = rows[0] as Ended;
  const [instance] = cursor.split("/");
  const [beforeInstance, , read = "0"] = before?.split("/") ?? [];
  let newest = beforeInstance === instance ? BigInt(read) : 0n;
  for (const { ended_by } of rows) {
    const id = BigInt(ended_by ?? 0);
    if (id > newest) newest = id;
  }
  return `${cursor}/${newest}`;
}

/** The transaction id from which a reading starts. @param cursor of the reading before; null = from the beginning */
export function feedStart(cursor: string | null): RawBuilder<unknown> {
  const [instance, id, read = "0"] = cursor?.split("/") ?? [];
  if (instance === undefined || id === undefined) return sql`'0'::xid8`;
  const [xmin, newest] = [BigInt(id), BigInt(read)];
  const again = xmin > AGAIN ? xmin - AGAIN : 0n;
  const start = newest < again ? again : newest < xmin ? newest + 1n : xmin;
  // The newest id is compared as well, because instances are distinguished only by their start time.
  return sql`(
    case when ${instance} = extract(epoch from pg_postmaster_start_time())::text
      and ${id}::text::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) then ${start.toString()} else '0' end
  )::xid8`;
}
