import type { AuditLog, AuditQuery, AuditTrail } from "@org/core";
import { type QueryCreator, type RawBuilder, sql } from "kysely";
import { atCommit, literalRows } from "../at-commit.js";
import type { Database } from "../schema.js";
import type { Db, Transactions } from "../transactions.js";
import { directionOf, keysetPage } from "./lists.js";

/** {@link AuditTrail}. A batch of any size is one statement with one parameter. */
export function auditTrail({ asUpkeep }: Pick<Transactions, "asUpkeep">): AuditTrail {
  return {
    append: (entries) =>
      asUpkeep(async (db) => {
        const rows = sql`jsonb_populate_recordset(null::audit_log, ${JSON.stringify(entries)}::jsonb)`;
        await sql`${insertOf(rows)} on conflict do nothing`.execute(db);
      }, "audit"),
    list: (query) => asUpkeep((db) => selectLines(db, query)),
  };
}

async function selectLines(db: Db, query: AuditQuery) {
  const { tenant_id, from, before, action, actor, object_id, trace_id, order, after, limit } = query;
  const direction = directionOf(order);
  let lines = linesOf(db, trace_id).selectFrom("audit_log").select(auditColumns);
  if (tenant_id !== undefined)
    lines = tenant_id === null ? lines.where("tenant_id", "is", null) : lines.where("tenant_id", "=", tenant_id);
  if (from) lines = lines.where("at", ">=", from);
  if (before) lines = lines.where("at", "<", before);
  for (const [column, value] of Object.entries({ action, actor, object_id }))
    if (value !== null) lines = lines.where(column as "action", "=", value);
  return keysetPage(lines, { by: ["at", "audit_id"], direction, after: after && [after.at, after.audit_id], limit });
}

/**
 * The trail, or the lines of one request. These are found by their index before anything else is asked of them: without statistics (a new or an
 * embedded database) the planner would read the trail in its order instead.
 */
function linesOf(db: Db, traceId: string | null): QueryCreator<Database> {
  if (traceId === null) return db;
  return db.with(
    (cte) => cte("audit_log").materialized(),
    (all) => all.selectFrom("audit_log").selectAll().where("trace_id", "=", traceId),
  ) as QueryCreator<Database>;
}

/** A line's own columns; its number is for the chain. */
export const auditColumns = [
  "tenant_id",
  "audit_id",
  "at",
  "actor",
  "action",
  "object_type",
  "object_id",
  "trace_id",
  "address",
  "facts",
] as const;

function insertOf(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  const columns = sql.join(auditColumns.map((column) => sql.ref(column)));
  return sql`insert into audit_log (${columns}) select ${columns} from ${rows}`;
}

/** {@link AuditLog} of `tenant_id` inside its transaction; `audit_id` is time-ordered, so it gives the order. */
export function auditLog(db: Db, tenant_id: string): AuditLog {
  return {
    async append(entry) {
      atCommit(db, insertOf(literalRows("audit_log", [{ tenant_id, ...entry }])));
    },

    async list({ limit, before }) {
      const lines = db
        .selectFrom("audit_log")
        .select(["audit_id", "at", "actor", "action", "object_type", "object_id", "trace_id", "address", "facts"])
        .where("tenant_id", "=", tenant_id);
      return keysetPage(lines, {
        by: ["audit_id"],
        direction: "desc",
        after: before === undefined ? null : [before],
        limit,
      });
    },
  };
}
