import type { EventType } from "@org/core";
import type { EventPage, EventQuery, EventStore, NumberedEvents, StoredEvent } from "@org/events";
import { type RawBuilder, sql } from "kysely";
import { type Db, INSTALLATION_KEY, type Transactions } from "../transactions.js";

/** How many events of one log are numbered for a reader in one call; the reader repeats the call if there are more. */
const NUMBERED_FOR_READER = 1_000;
/** No transaction takes this long. So an event written this much earlier than another also has the lower number. */
const MAX_TRANSACTION_AGE = sql`interval '10 minutes'`;

/** {@link EventStore}: pages are read under their tenant's own role; numbers are given by functions of the database. */
export function createEventStore({ asTenant, asUpkeep }: Pick<Transactions, "asTenant" | "asUpkeep">): EventStore {
  return {
    async page(log, query) {
      const all: NumberedEvents[] = [];
      let page = await asTenant(log, (db) => readPage(db, log, query));
      // Other transactions keep writing: one pass is enough to show the caller's own events.
      if (page === "unnumbered") {
        for (;;) {
          const numbered = await number(log, 1, NUMBERED_FOR_READER);
          all.push(...numbered);
          if (sum(numbered) < NUMBERED_FOR_READER) break;
        }
        page = await asTenant(log, (db) => readPage(db, log, query, true));
      }
      return { ...(page as EventPage), numbered: all };
    },
    number: ({ logs, limit }) => number(null, logs, limit),
    heads: (logs) =>
      asUpkeep(
        async (db) => {
          const { rows } = await sql<{ tenant_id: string; last_sequence: string }>`
          select tenant_id, last_sequence from event_heads(${[...logs]}::uuid[])`.execute(db);
          const found = new Map(rows.map(({ tenant_id, last_sequence }) => [tenant_id, Number(last_sequence)]));
          return new Map(logs.map((log) => [log, found.get(log) ?? 0]));
        },
        "lookups",
        INSTALLATION_KEY,
      ),
    backlog: () =>
      asUpkeep(
        async (db) => {
          const { rows } = await sql<{ events: string; oldest: Date | null }>`
          select events, oldest from event_backlog()`.execute(db);
          return { events: Number(rows[0]?.events ?? 0), oldest: rows[0]?.oldest ?? null };
        },
        "lookups",
        INSTALLATION_KEY,
      ),
    reap: (before, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ reaped: string }>`select reap_events(${before}, ${limit}) as reaped`.execute(db);
        return Number(rows[0]?.reaped ?? 0);
      }),
  };

  function number(log: string | null, logs: number, limit: number): Promise<readonly NumberedEvents[]> {
    return asUpkeep(
      async (db) => {
        const { rows } = await sql<{ type: EventType; events: string }>`
        select type, events from number_events(${log}, ${logs}, ${limit})`.execute(db);
        return rows.map(({ type, events }) => ({ type, events: Number(events) }));
      },
      ...(log === null ? [] : (["upkeep", log] as const)),
    );
  }
}

interface Standing {
  readonly after: string | null;
  readonly before: string | null;
  readonly above: string | null;
  readonly below: string | null;
  readonly head: string;
  readonly is_waiting: boolean;
}

/**
 * Reads a page, unless an event of the log is still unnumbered. The end of the log is read first, so the page may include events that arrive
 * meanwhile. The bounding sequence numbers are read first too, because the planner has to know them.
 */
async function readPage(db: Db, log: string, query: EventQuery, anyway = false): Promise<EventPage | "unnumbered"> {
  // For a null id the planner would start parallel workers only to find nothing.
  const limit =
    query.client_ref_in === null ? sql`` : sql`and data ->> 'client_ref' = any (${[...query.client_ref_in]}::text[])`;
  const sequenceOf = (id: string | null) =>
    id === null
      ? sql`null::bigint`
      : sql`(select sequence from events where tenant_id = ${log} and event_id = ${id} and sequence is not null ${limit})`;
  const { from, until } = query;
  const { rows } = await sql<Standing>`
    select ${sequenceOf(query.after)} as after, ${sequenceOf(query.before)} as before,
      ${from === null ? sql`null::bigint` : lastBefore(log, from)} as above,
      ${until === null ? sql`null::bigint` : firstAfter(log, until)} as below,
      coalesce((select last_sequence from event_counters where tenant_id = ${log}), 0) as head,
      exists (select from events where tenant_id = ${log} and sequence is null) as is_waiting`.execute(db);
  const [{ after, before, above, below, head, is_waiting }] = rows as [Standing];
  if (is_waiting && !anyway) return "unnumbered";
  const unknown = (["after", "before"] as const).filter(
    (name) => query[name] !== null && { after, before }[name] === null,
  );
  if (unknown.length > 0) return { events: [], head: Number(head), unknown };
  const found = await pageStatement(log, query, { above: [above, after], below: [below, before] }).execute(db);
  return { events: found.rows.map((row) => ({ ...row, sequence: Number(row.sequence) })), head: Number(head), unknown };
}

/**
 * The statement for a page. It costs the same however many events are stored, because it walks an index by sequence from where the page begins.
 * The conditions hide other indexes from the planner, which would sort everything before or after a time, or look for a rare type among all
 * events.
 */
function pageStatement(
  log: string,
  { type_in, object_id, client_ref_in, from, until, place, order, limit }: EventQuery,
  bounds: { readonly above: readonly (string | null)[]; readonly below: readonly (string | null)[] },
): RawBuilder<StoredEvent> {
  const isUp = order === "asc";
  const given = (...numbers: readonly (string | number | null)[]) => numbers.filter((number) => number !== null);
  const conditions = [
    sql`e.tenant_id = ${log}`,
    // Adding an interval keeps the planner from using an index on the column.
    ...(from === null ? [] : [sql`e.created_at + interval '0' >= ${from}`]),
    ...(until === null ? [] : [sql`e.created_at + interval '0' < ${until}`]),
    ...(object_id === null ? [] : [sql`e.object_id = ${object_id}`]),
    sql`e.sequence > 0`,
    ...given(...bounds.above, isUp ? place : null).map((number) => sql`e.sequence > ${number}`),
    ...given(...bounds.below, isUp ? null : place).map((number) => sql`e.sequence < ${number}`),
  ];
  const where = sql.join(conditions, sql` and `);
  const direction = sql.raw(isUp ? "asc" : "desc");
  const columns = sql`e.event_id, e.sequence, e.type, e.created_at, e.object_id, e.data`;
  const end = sql`e.sequence ${direction} limit ${limit}`;
  // The first few of each client, by an index of its own, for the same reason.
  if (client_ref_in !== null) {
    const types = type_in === null ? sql`` : sql`and e.type = any (${[...type_in]}::text[])`;
    return sql`
    select ${columns}
    from unnest(${[...client_ref_in]}::text[]) wanted (client_ref)
    cross join lateral (
      select ${columns} from events e
      where ${where} and e.data ->> 'client_ref' = wanted.client_ref collate "C" ${types}
      order by e.data ->> 'client_ref' ${direction}, ${end}
    ) e
    order by ${end}`;
  }
  if (type_in === null) return sql`select ${columns} from events e where ${where} order by ${end}`;
  // The first few of each type, and then the first of those: one type may be rare and another frequent. Only the index by type has this order.
  return sql`
    select ${columns}
    from unnest(${[...type_in]}::text[]) wanted (type) cross join lateral (
      select ${columns} from events e where ${where} and e.type = wanted.type collate "C" order by e.type ${direction}, ${end}
    ) e
    order by ${end}`;
}

/** A number up to which no event was written at or after `from`: events are numbered nearly in the order of their times. */
function lastBefore(log: string, from: Date) {
  return sql`(
    select t.sequence from events t
    where t.tenant_id = ${log} and t.sequence is not null and t.created_at < ${from}::timestamptz - ${MAX_TRANSACTION_AGE}
    order by t.created_at desc limit 1
  )`;
}

/** A number from which on no event was written before `until`. */
function firstAfter(log: string, until: Date) {
  return sql`(
    select t.sequence from events t
    where t.tenant_id = ${log} and t.sequence is not null and t.created_at >= ${until}::timestamptz + ${MAX_TRANSACTION_AGE}
    order by t.created_at limit 1
  )`;
}

function sum(numbered: readonly NumberedEvents[]): number {
  return numbered.reduce((total, { events }) => total + events, 0);
}
