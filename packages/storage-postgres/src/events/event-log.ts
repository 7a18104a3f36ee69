import { type EventLog, logOf, type NewEvent } from "@org/core";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { literalJson } from "../at-commit.js";
import { labelList } from "../queries/lists.js";
import type { Database } from "../schema.js";

/** Events of open transactions, in order. */
const appended = new WeakMap<Kysely<Database>, object[]>();

/** {@link EventLog} of `tenant_id` inside a transaction of any role. */
export function eventLog(db: Kysely<Database>, tenant_id: string): EventLog {
  return {
    append: async (events) => appendEvents(db, tenant_id, events),
  };
}

/** Appends events to the transaction of `db`; they are written when it commits. */
export function appendEvents(db: Kysely<Database>, tenantId: string, events: readonly NewEvent[]): void {
  if (events.length === 0) return;
  const rows = events.map(({ type, object_id, labels = {}, data }) => ({
    tenant_id: logOf(tenantId, type),
    labels: labelList(labels),
    type,
    object_id,
    data,
  }));
  appended.set(db, [...(appended.get(db) ?? []), ...rows]);
}

/**
 * The statement that writes the appended events, or null. It has no parameters, so that it can be sent in one message with the commit: events
 * cost a change no extra round trip.
 */
export function insertOfEvents(db: Kysely<Database>): RawBuilder<unknown> | null {
  const rows = appended.get(db);
  if (rows === undefined) return null;
  return sql`
    insert into events (tenant_id, type, object_id, labels, data)
    select e.tenant_id, e.type, e.object_id, e.labels, e.data
    from jsonb_to_recordset(${literalJson(rows)}) e (tenant_id uuid, type text, object_id text, labels text[], data jsonb)`;
}
