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
  | "application.clients_changed"
  | "application.dpop_changed"
  | "application.scopes_added"
  | "tenant.enabled"
  | "tenant.disabled"
  | "signing_key.rotated"
  | "signing_key.revoked";

/** One line of the audit trail: ids only, never a token or secret. Unknown fields are null. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly at: Date;
  /** Application id of the operator, or the person, who acted; null for actions of clients and of the installation itself. */
  readonly actor: string | null;
  readonly tenant_id: string | null;
  readonly application_id: string | null;
  /** As the request named it; in a refused request it may not exist. */
  readonly client_id: string | null;
  readonly grant_id: string | null;
  /** Error code of a refusal, id of the changed secret or key, or number of ended grants. */
  readonly detail: string | null;
  /** Address and trace of the request; null for actions that did not come over HTTP. */
  readonly address: string | null;
  readonly trace_id: string | null;
  /** The person for whom an identity provider vouched: the provider and its identifier of the person. Only for such grants. */
  readonly person?: { readonly issuer: string; readonly subject: string };
  /** The person of the tenant who approved the grant. Only for such grants. */
  readonly person_id?: string;
}

/** Receives every event. It is called while a request is handled, so it must neither throw nor block: collect and write in batches. */
export type Audit = (event: AuditEvent) => void;

/** Who requested a change, and from where. */
export type AuditOrigin = Partial<Pick<AuditEvent, "actor" | "address" | "trace_id">>;

/** The ids in an event about a grant. */
export type GrantSubject = Pick<Grant, "tenant_id" | "application_id" | "client_id" | "grant_id"> & {
  readonly person_id?: string;
};

/** Returns the ids of a grant for an event. */
export function subjectOf({ tenant_id, application_id, client_id, grant_id, person_id }: Grant): GrantSubject {
  return { tenant_id, application_id, client_id, grant_id, ...(person_id !== null && { person_id }) };
}

/** Facts of an event; omitted fields become null. */
export type AuditFacts = Pick<AuditEvent, "action" | "at"> & Partial<AuditEvent>;

/** Fills the omitted fields of an event with null. */
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
