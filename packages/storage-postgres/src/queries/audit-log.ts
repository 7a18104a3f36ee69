import type { AuditLog } from "@org/core";
import type { Db } from "../transactions.js";
import { pageOf } from "./lists.js";

/** {@link AuditLog} of `tenant_id` inside its transaction; `audit_id` is time-ordered, so it gives the order. */
export function auditLog(db: Db, tenant_id: string): AuditLog {
  return {
    async append(entry) {
      await db
        .insertInto("audit_log")
        .values({ tenant_id, ...entry })
        .execute();
    },

    async list({ limit, before }) {
      const lines = db
        .selectFrom("audit_log")
        .select(["audit_id", "at", "actor", "action", "object_type", "object_id", "trace_id", "address", "facts"])
        .where("tenant_id", "=", tenant_id);
      return pageOf(lines, {
        by: ["audit_id"],
        direction: "desc",
        after: before === undefined ? null : [before],
        limit,
      });
    },
  };
}
