import type { Grant } from "./ports/grant-store.js";

/** What happened, as a dotted verb. */
export type AuditAction =
  | "grant.issued"
  | "grant.refreshed"
  | "grant.replayed"
  | "grant.refused"
  | "grant.reuse_detected"
  | "grant.ended"
  | "login.accepted"
  | "login.refused"
  | "login.ended"
  | "authorization.approved"
  | "authorization.denied"
  | "authorization.refused"
  | "client.registered"
  | "client.grants_ended"
  | "registration_token.created"
  | "registration_token.revoked"
  | "trusted_issuer.trusted"
  | "trusted_issuer.withdrawn"
  | "application.created"
  | "application.enabled"
  | "application.disabled"
  | "application.secret_added"
  | "application.secret_removed"
  | "application.redirect_urls_changed"
  | "application.scopes_added"
  | "tenant.enabled"
  | "tenant.disabled"
  | "signing_key.rotated"
  | "signing_key.revoked";

/** One line of the audit trail: ids only, never a token or secret. What is not known is null. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly at: Date;
  /** Application id of the operator, or the person, who acted; null for what clients do and for the installation itself. */
  readonly actor: string | null;
  readonly tenant_id: string | null;
  readonly application_id: string | null;
  /** As the request named it; of a refused request it may name nobody. */
  readonly client_id: string | null;
  readonly grant_id: string | null;
  /** Error code of a refusal, the id of the secret or key that changed, or how many grants were ended. */
  readonly detail: string | null;
  /** Where the request came from, and its trace; null for what did not come over HTTP. */
  readonly address: string | null;
  readonly trace_id: string | null;
  /** Of a grant for whom an identity provider vouched: who that is, as the provider tells people apart. */
  readonly person?: { readonly issuer: string; readonly subject: string };
  /** Of a grant that a person of the tenant approved: who that is. */
  readonly person_id?: string;
}

/** Takes every event. It is called on the path of the request, so it must neither throw nor wait: collect and write in batches. */
export type Audit = (event: AuditEvent) => void;

/** Who asked for a change, and how it reached us. */
export type AuditOrigin = Partial<Pick<AuditEvent, "actor" | "address" | "trace_id">>;

/** Ids of what an event about a grant is about. */
export type GrantSubject = Pick<Grant, "tenant_id" | "application_id" | "client_id" | "grant_id"> & {
  readonly person_id?: string;
};

/** The ids of a grant, for an event. */
export function subjectOf({ tenant_id, application_id, client_id, grant_id, person_id }: Grant): GrantSubject {
  return { tenant_id, application_id, client_id, grant_id, ...(person_id !== null && { person_id }) };
}

/** Facts of an event; what is left out is null. */
export type AuditFacts = Pick<AuditEvent, "action" | "at"> & Partial<AuditEvent>;

/** Completes an event. */
export function auditEvent(facts: AuditFacts): AuditEvent {
  return {
    actor: null,
    tenant_id: null,
    application_id: null,
    client_id: null,
    grant_id: null,
    detail: null,
    address: null,
    trace_id: null,
    ...facts,
  };
}
