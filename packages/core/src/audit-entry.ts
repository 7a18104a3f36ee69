import type { AuditEntry } from "./ports/audit-log.js";
import type { Surroundings } from "./ports/surroundings.js";

/** Who acts, in the audit trail: an application, or `customer` and `system`, with where the request came from. */
export interface AuditActor {
  readonly application_id: string;
  readonly trace_id: string | null;
  readonly address: string | null;
}

/** Whoever acts when nobody has asked: refreshes, mail, files that were left, silent feeds. */
export const systemActor: AuditActor = { application_id: "system", trace_id: null, address: null };

/** A line of the audit trail for something that `actor` does now. */
export function auditEntry(
  { clock, newId }: Pick<Surroundings, "clock" | "newId">,
  actor: AuditActor,
  action: string,
  objectType: string,
  objectId: string,
  facts: AuditEntry["facts"] = {},
): AuditEntry {
  return {
    audit_id: newId(),
    at: clock(),
    actor: actor.application_id,
    action,
    object_type: objectType,
    object_id: objectId,
    trace_id: actor.trace_id,
    address: actor.address,
    facts,
  };
}
