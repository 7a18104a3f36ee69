import type { AuditedAction, OwnedAuditEntry } from "@org/core";
import type { Count } from "@org/http";
import type { AuditEvent } from "@org/oauth-server";

/** An event that waits to be written, with the id of its line, so that a repeated write stores the same line. */
export interface WaitingEvent {
  readonly audit_id: string;
  readonly event: AuditEvent;
  /** Additional facts for its line. */
  readonly facts: OwnedAuditEntry["facts"];
}

/** Whether an event is a refusal of an unauthenticated caller: anyone can cause any number of them. */
export function isAnonymousRefusal({ action, actor }: AuditEvent): boolean {
  return actor === null && action.endsWith(".refused");
}

/** Whom a refusal names, which distinguishes it from others of its network. */
export function namedBy({ grant_id, client_id }: AuditEvent): string | null {
  return grant_id ?? (typeof client_id === "string" ? client_id : null);
}

/** One event for all counted refusals. Its address is their network; it names no one when they named too many different ones. */
export function countedEvent({ facts: first, ...count }: Count<AuditEvent>): AuditEvent {
  const { network, traceIds } = count;
  const whom = count.about === null ? { tenant_id: null, application_id: null, client_id: null, grant_id: null } : {};
  return { ...first, ...whom, at: count.first, address: network, trace_id: traceIds[0] ?? null };
}

/** Additional facts for the line of a count: the number, the time of the last, and the traces of the first few. */
export function countedFacts({ count, last, traceIds }: Count<AuditEvent>): OwnedAuditEntry["facts"] {
  return { count, last_at: last.toISOString(), trace_ids: traceIds.join(" ") };
}

/** A client id from outside about which the event has no other facts: its owner, if any, is looked up. */
export function isClaim(event: AuditEvent): event is AuditEvent & { readonly client_id: string } {
  const { client_id, tenant_id, application_id } = event;
  return tenant_id === null && application_id === null && client_id !== null && /^wca_[\w-]{22}$/.test(client_id);
}

/** The line of an event. `claimed`: the event was completed with the owner of a client id that the caller did not prove. */
export function lineOf({ audit_id, event, facts }: WaitingEvent, claimed: boolean): OwnedAuditEntry {
  const { actor, application_id, client_id, detail, person, person_id } = event;
  const action: AuditedAction = event.action;
  const named = client_id === null ? null : storable(client_id);
  return {
    audit_id,
    tenant_id: event.tenant_id,
    at: event.at,
    actor: actor ?? (claimed || action.endsWith(".refused") ? "unknown" : (application_id ?? named ?? "system")),
    action,
    ...objectOf(event, named),
    trace_id: event.trace_id,
    address: event.address,
    facts: {
      client_id: named,
      detail: detail === null ? null : storable(detail),
      ...(person && { person_issuer: storable(person.issuer), person_subject: storable(person.subject) }),
      ...(person_id !== undefined && { person_id }),
      ...facts,
    },
  };
}

function objectOf(
  { action, grant_id, tenant_id, application_id, detail }: AuditEvent,
  clientId: string | null,
): Pick<OwnedAuditEntry, "object_type" | "object_id"> {
  const [subject = ""] = action.split(".");
  if (grant_id !== null) return { object_type: "grant", object_id: grant_id };
  if (subject === "tenant" && tenant_id !== null) return { object_type: "tenant", object_id: tenant_id };
  if (subject === "signing_key" || subject === "trusted_issuer")
    return { object_type: subject, object_id: detail ?? "" };
  if (application_id !== null) return { object_type: "application", object_id: application_id };
  return { object_type: "client", object_id: clientId ?? "" };
}

/** Text from outside, in a form that PostgreSQL can store and a terminal can display. */
function storable(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, "\ufffd");
}
