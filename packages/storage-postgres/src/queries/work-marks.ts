import type { Uuid, WorkKey, WorkMark, WorkMarkStore } from "@org/core";
import { sql } from "kysely";
import { appendEvents } from "../events/event-log.js";
import { askedFor, type Db, type Transactions } from "../transactions.js";
import { oneAtATime } from "./one-at-a-time.js";

/** {@link WorkMarkStore}. */
export function workMarkStore({ asUpkeep }: Pick<Transactions, "asUpkeep">): WorkMarkStore {
  return {
    find: (tenantId, keys) => asUpkeep((db) => selectMarks(db, tenantId, keys), ...askedFor(tenantId)),

    change: (tenantId, keys, decide) =>
      asUpkeep(
        async (db) => {
          await oneAtATime(db, "work_marks", tenantId);
          const stored = await selectMarks(db, tenantId, keys);
          const { rows } = await sql<{ version: number }>`select nextval('work_mark_versions')::int as version`.execute(
            db,
          );
          const { marks, entries, events } = decide(stored, rows[0]?.version ?? 0);
          const isKept = (mark: WorkMark) => mark.owner_id !== null || mark.snoozed_until !== null;
          await deleteMarks(
            db,
            marks.filter((mark) => !isKept(mark)),
          );
          const kept = marks.filter(isKept).map(({ id, ...mark }) => ({ ...mark, subject_id: id }));
          if (kept.length > 0)
            await sql`
            insert into work_marks as k select * from jsonb_populate_recordset(null::work_marks, ${JSON.stringify(kept)}::jsonb)
            on conflict (tenant_id, kind, subject_id) do update set
              owner_id = excluded.owner_id, snoozed_until = excluded.snoozed_until, reason = excluded.reason, cause = excluded.cause,
              version = excluded.version, changed_at = excluded.changed_at`.execute(db);
          if (entries.length > 0)
            await db
              .insertInto("audit_log")
              .values([...entries])
              .execute();
          appendEvents(db, tenantId, events);
        },
        ...askedFor(tenantId),
      ),

    list: (after, limit) =>
      asUpkeep(async (db) => {
        let rows = columns(db);
        if (after)
          rows = rows.where(
            sql<boolean>`(tenant_id, kind, subject_id) > (${after.tenant_id}::uuid, ${after.kind}::text, ${after.id}::text)`,
          );
        return rows.orderBy("tenant_id").orderBy("kind").orderBy("subject_id").limit(limit).execute();
      }),

    remove: (marks) =>
      asUpkeep(async (db) => {
        // As a change does, so that neither waits for the other's rows.
        for (const tenantId of new Set(marks.map(({ tenant_id }) => tenant_id)))
          await oneAtATime(db, "work_marks", tenantId);
        return deleteMarks(db, marks);
      }),
  };
}

function columns(db: Db) {
  return db
    .selectFrom("work_marks")
    .select([
      "tenant_id",
      "kind",
      "subject_id as id",
      "owner_id",
      "snoozed_until",
      "reason",
      "cause",
      "version",
      "changed_at",
    ])
    .$castTo<WorkMark>();
}

async function selectMarks(db: Db, tenantId: Uuid, keys: readonly WorkKey[]): Promise<readonly WorkMark[]> {
  if (keys.length === 0) return [];
  const named = sql`select kind, id from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k (kind text, id text)`;
  return columns(db).where("tenant_id", "=", tenantId).where(sql<boolean>`(kind, subject_id) in (${named})`).execute();
}

async function deleteMarks(db: Db, marks: readonly WorkMark[]): Promise<number> {
  if (marks.length === 0) return 0;
  const keys = marks.map(({ tenant_id, kind, id, version }) => ({ tenant_id, kind, id, version }));
  // A mark that is deleted by a change has the version that follows the stored one.
  const { numAffectedRows } = await sql`
    delete from work_marks k using jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
      as gone (tenant_id uuid, kind text, id text, version integer)
    where k.tenant_id = gone.tenant_id and k.kind = gone.kind and k.subject_id = gone.id and k.version <= gone.version`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
