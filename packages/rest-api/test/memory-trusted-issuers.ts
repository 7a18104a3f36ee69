import { CoreError } from "@org/core";
import type { TrustedIssuerOperations } from "../src/index.js";

/** One trusted identity provider in memory. */
export function memoryTrustedIssuers(): TrustedIssuerOperations {
  const at = "2026-01-01T00:00:00.000Z";
  const one = {
    trust_id: "one",
    issuer: "https://idp.example",
    tenant_id: null,
    jwks_uri: null,
    jwks: null,
    algorithms: ["ES256"],
    client_ids: ["wcd_a"],
    takes_public_clients: false,
    max_assertion_seconds: 600,
    token_seconds: 900,
    rules: [{ claims: {}, client_id: "wca_a", scopes: ["letters:read"] }],
    created_at: at,
    changed_at: at,
    version: 1,
  };
  const found = { jwks_uri: "https://idp.example/keys", keys: [{ kid: "1", kty: "EC", alg: null }] };
  const requireKnown = (issuer: string) => {
    if (issuer !== one.issuer) throw new CoreError("NOT_FOUND", "this issuer is not trusted");
  };
  return {
    list: async () => [one],
    async trust(_operator, { issuer, tenant_id }) {
      return { trusted_issuer: { ...one, issuer, tenant_id }, found, grants_ended: 0 };
    },
    async test(issuer) {
      requireKnown(issuer);
      return { trusted_issuer: one, found };
    },
    async withdraw(_operator, issuer) {
      requireKnown(issuer);
      return { grants_ended: 1 };
    },
  };
}
