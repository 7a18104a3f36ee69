import type { AuditLog } from "../../ports/audit-log.js";
import { compareText, insert, type TenantState } from "./state.js";

/** {@link AuditLog} over a draft; `audit_id` is time-ordered, so it gives the order. */
export function memoryAudit(state: TenantState): AuditLog {
  return {
    async append(entry) {
      insert(state.audit, entry.audit_id, { ...entry });
    },

    async list({ limit, before }) {
      return [...state.audit.values()]
        .filter((entry) => before === undefined || compareText(entry.audit_id, before) < 0)
        .sort((a, b) => compareText(b.audit_id, a.audit_id))
        .slice(0, limit);
    },
  };
}
