import { describe, expect, it } from "vitest";
import { TENANT_SCOPES } from "../src/scopes.js";
import { install, json } from "./harness.js";

const AS = "/.well-known/oauth-authorization-server";
const AUTH_METHODS = ["none", "client_secret_post", "client_secret_basic", "private_key_jwt"];
const SIGNING_ALGORITHMS = ["ES256", "ES384", "RS256", "PS256", "EdDSA", "Ed25519"];
const PR = "/.well-known/oauth-protected-resource";

const PROOFS = ["ES256", "Ed25519", "EdDSA"];

describe("RFC 8414 authorization server metadata", () => {
  it.each([AS, `${AS}/mcp`, `${AS}/mcp/analytics`])("[S1-4.3] [S1-5.9] [C-3.2] %s", async (path) => {
    const at = await install();
    const response = await fetch(at.issuer + path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      issuer: at.issuer,
      authorization_endpoint: `${at.issuer}/authorize`,
      token_endpoint: `${at.issuer}/token`,
      registration_endpoint: `${at.issuer}/register`,
      revocation_endpoint: `${at.issuer}/revoke`,
      jwks_uri: `${at.issuer}/.well-known/jwks.json`,
      grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      scopes_supported: [...TENANT_SCOPES],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: AUTH_METHODS,
      token_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
      revocation_endpoint_auth_methods_supported: AUTH_METHODS,
      revocation_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
      authorization_response_iss_parameter_supported: true,
      dpop_signing_alg_values_supported: PROOFS,
      ui_locales_supported: ["en", "de", "fr", "es"],
      client_id_metadata_document_supported: true,
    });
  });

  it("says so when addresses of metadata documents are no client ids", async () => {
    const at = await install({ clientDocuments: null });
    expect(await json(at.issuer + AS)).toMatchObject({ client_id_metadata_document_supported: false });
  });

  it("names only endpoints that exist", async () => {
    const at = await install();
    const metadata = await json(at.issuer + AS);
    const endpoints = Object.entries(metadata).filter(([name]) => /_(endpoint|uri)$/.test(name));
    expect(endpoints).toHaveLength(5);
    for (const [, url] of endpoints) expect((await fetch(String(url))).status).not.toBe(404);
  });
});

describe("RFC 9728 protected resource metadata", () => {
  it.each([PR, `${PR}/mcp`])("[C-3.3] [C-9.6] %s", async (path) => {
    const at = await install();
    expect(await json(at.issuer + path)).toEqual({
      resource: `${at.issuer}/mcp`,
      authorization_servers: [at.issuer],
      scopes_supported: TENANT_SCOPES.filter((scope) => !scope.startsWith("events:")),
      bearer_methods_supported: ["header"],
      dpop_signing_alg_values_supported: PROOFS,
    });
  });
});

it("[C-8.165] `/mcp/analytics` is a protected resource with a document of its own", async () => {
  const at = await install();
  expect(await json(`${at.issuer}${PR}/mcp/analytics`)).toEqual({
    resource: `${at.issuer}/mcp/analytics`,
    authorization_servers: [at.issuer],
    scopes_supported: ["investments:read"],
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: PROOFS,
  });
});

describe("RFC 7517 JWKS", () => {
  it("[C-3.1] publishes the signing key and the next one, and nothing private", async () => {
    const at = await install();
    const { keys } = await json(`${at.issuer}/.well-known/jwks.json`);
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
  });
});

describe("public documents", () => {
  it.each([AS, `${AS}/mcp`, PR, `${PR}/mcp`, "/.well-known/jwks.json"])(
    "%s: GET for any origin, cacheable",
    async (path) => {
      const at = await install();
      const get = await fetch(at.issuer + path, { headers: { origin: "https://app.example" } });
      expect(get.headers.get("access-control-allow-origin")).toBe("*");
      expect(get.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
      const head = await fetch(at.issuer + path, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length")]).toEqual([200, get.headers.get("content-length")]);
      expect((await fetch(at.issuer + path, { method: "OPTIONS" })).status).toBe(204);
      const post = await fetch(at.issuer + path, { method: "POST" });
      expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    },
  );
});
