import type { AuditedAction } from "./audit-actions.js";
import type { Actor } from "./ports/actor.js";
import type { AuditEntry } from "./ports/audit-log.js";
import type { Runtime } from "./ports/runtime.js";

/** A line of the audit trail for something that `actor` does now. */
export function auditEntry(
  { clock, newId }: Pick<Runtime, "clock" | "newId">,
  actor: Actor,
  action: AuditedAction,
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
