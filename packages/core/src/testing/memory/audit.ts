import type { AuditLog, AuditQuery, OwnedAuditEntry } from "../../ports/audit-log.js";
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

/** The lines that a query asks for, in its order. */
export function selectLines(lines: readonly OwnedAuditEntry[], query: AuditQuery): OwnedAuditEntry[] {
  const { tenant_id, from, before, action, actor, object_id, trace_id, order, after, limit } = query;
  const sign = order === "newest" ? -1 : 1;
  const compare = (a: Pick<OwnedAuditEntry, "at" | "audit_id">, b: typeof a) =>
    sign * (a.at.getTime() - b.at.getTime() || compareText(a.audit_id, b.audit_id));
  return lines
    .filter((line) => tenant_id === undefined || line.tenant_id === tenant_id)
    .filter(({ at }) => (from === null || at >= from) && (before === null || at < before))
    .filter((line) => action === null || line.action === action)
    .filter((line) => actor === null || line.actor === actor)
    .filter((line) => object_id === null || line.object_id === object_id)
    .filter((line) => trace_id === null || line.trace_id === trace_id)
    .filter((line) => after === null || compare(line, after) > 0)
    .sort(compare)
    .slice(0, limit);
}
