import type { Grant } from "@org/oauth-server";

/** A row of grants as JSON, where times are text. */
export type GrantJson = {
  readonly [Column in keyof Grant]: Grant[Column] extends Date
    ? string
    : Date extends Grant[Column]
      ? string | null
      : Grant[Column];
};

/** Converts such a row to a grant. */
export function grantOf(row: GrantJson): Grant {
  return {
    grant_id: row.grant_id,
    tenant_id: row.tenant_id,
    application_id: row.application_id,
    client_id: row.client_id,
    secret_id: row.secret_id,
    person_id: row.person_id,
    flow: row.flow,
    scopes: row.scopes,
    audience: row.audience,
    created_at: new Date(row.created_at),
    refresh_seconds: row.refresh_seconds,
    refresh_expires_at: new Date(row.refresh_expires_at),
    last_issued_at: new Date(row.last_issued_at),
    ended_at: row.ended_at === null ? null : new Date(row.ended_at),
    is_confidential: row.is_confidential,
    is_limited: row.is_limited,
    dpop_jkt: row.dpop_jkt,
  };
}
