import type { Uuid } from "@org/oauth-server";
import type { ColumnType, Generated } from "kysely";

/** Tables of sql/0012_authorization.sql, readable only by the role wealth_connect_auth. */
export interface OAuthTables {
  applications: {
    application_id: string;
    tenant_id: string | null;
    client_id: string;
    name: string;
    scopes: string[];
    enabled: Generated<boolean>;
    of_people: Generated<boolean>;
    limited: Generated<boolean>;
    dpop_bound_access_tokens: Generated<boolean>;
    redirect_urls: string[];
    created_at: Date;
  };
  /** Of an application, a grant, or an approval whose code is not exchanged yet. */
  client_limits: { tenant_id: string; holder_id: string; client_ref: string };
  application_secrets: { application_id: string; secret_id: Uuid; secret_hash: string; created_at: Date };
  disabled_tenants: { tenant_id: string; disabled_at: Date };
  grants: {
    grant_id: Uuid;
    tenant_id: string | null;
    application_id: string;
    client_id: string;
    secret_id: string;
    person_id: string | null;
    flow: "machine" | "browser" | "asserted";
    scopes: string[];
    audience: string[];
    created_at: Date;
    refresh_seconds: number;
    refresh_expires_at: Date;
    last_issued_at: Date;
    token_hash: string;
    consumed_hash: string | null;
    replay_response: string | null;
    replay_until: Date | null;
    ended_at: Date | null;
    /** An xid8; the driver returns it as text. */
    ended_by: ColumnType<string | null>;
    is_confidential: Generated<boolean>;
    is_limited: Generated<boolean>;
    dpop_jkt: string | null;
    /** The day of `refresh_expires_at`, set by a trigger; null counts as expired. */
    expires_on: ColumnType<string | null, never, never>;
  };
  registered_clients: {
    client_id: string;
    client_name: string | null;
    redirect_uris: string[];
    token_endpoint_auth_method: string;
    secret_hash: string | null;
    jwks: ColumnType<object | null, string | null>;
    jwks_uri: string | null;
    metadata: ColumnType<object, string>;
    created_at: Date;
    last_used_at: Date;
  };
  /** Written by the functions `answer_request` and `redeem_code`. */
  authorization_answers: {
    request_id: string;
    decision: "approved" | "denied";
    client_id: string;
    answered_at: Date;
    expires_at: Date;
    code_hash: string | null;
    redirect_uri: string | null;
    code_challenge: string | null;
    dpop_jkt: string | null;
    tenant_id: string | null;
    application_id: string | null;
    secret_id: string | null;
    scopes: string[] | null;
    audience: string[] | null;
    redeemed_as: string | null;
    person_id: string | null;
    is_limited: boolean | null;
  };
  remembered_credentials: {
    remembered_id: string;
    cookie_hash: string;
    application_id: string;
    secret_id: string;
    sealed_credentials: string;
    created_at: Date;
    expires_at: Date;
  };
  used_assertions: { client_id: string; jti: string; expires_at: Date };
  guess_counts: { client_id: string; address_prefix: string; failures: number; window_ends_at: Date };
  registration_tokens: { token_id: Uuid; name: string; token_hash: string; created_at: Date; expires_at: Date };
  signing_keys: {
    kid: string;
    algorithm: string;
    public_jwk: ColumnType<Readonly<Record<string, unknown>>, string>;
    sealed_private_key: string;
    created_at: Date;
    signs_from: Date | null;
  };
  trusted_issuers: {
    issuer: string;
    trust_id: string;
    tenant_id: string | null;
    jwks_uri: string | null;
    jwks: ColumnType<object | null, string | null, string | null>;
    algorithms: string[];
    client_ids: string[];
    takes_public_clients: boolean;
    max_assertion_seconds: number;
    token_seconds: number;
    rules: ColumnType<object, string, string>;
    created_at: Date;
    changed_at: Date;
  };
  ended_mcp_sessions: { nonce: string; expires_at: Date; ended_by: Generated<string> };
}
