import { createHash } from "node:crypto";
import { authenticateOAuthClient } from "../clients/authenticate-oauth-client.js";
import { readClientCredentials } from "../clients/client-credentials.js";
import type { RequestLimit } from "../clients/limits.js";
import type { OAuthClient } from "../clients/oauth-client.js";
import { type Form, requiredIn } from "../http/read-form.js";
import type { KeyedHash } from "../keyed-hash.js";
import { OAuthError, unsupportedGrantType } from "../oauth-error.js";
import type { TrustedIssuer } from "../ports/trusted-issuer-store.js";
import { parseScope } from "../scopes.js";
import {
  applyRules,
  assertionRefused,
  checkAssertionClaims,
  checkAssertionHeader,
  type IdentityAssertion,
  readIdentityAssertion,
} from "../trusted-issuers/identity-assertion.js";
import type { IssuerKeys } from "../trusted-issuers/issuer-keys.js";
import type { KnownIssuers } from "../trusted-issuers/known-issuers.js";
import { uuidV7 } from "../uuid.js";
import { signAccessToken, type TokenResponse, tokenType } from "./access-token.js";
import { grantLimit, grantsFull } from "./client-credentials-grant.js";
import { provenKey, withoutProof } from "./proven-key.js";
import { invalidTarget, parseResources, resourcesOf } from "./resource-indicator.js";
import type { TokenRequest, TokenServices } from "./token-context.js";

/** Dependencies for accepting assertions of identity providers. */
export interface AssertionServices {
  readonly issuers: KnownIssuers;
  readonly issuerKeys: IssuerKeys;
  /** Counts refused assertions; a valid one is always accepted. */
  readonly refusedAssertions: RequestLimit;
}

/** The grant type of assertions (RFC 7523 §2.1). */
export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/**
 * Handles `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer` with an ID-JAG
 * (draft-ietf-oauth-identity-assertion-authz-grant-04 §4.4, as MCP's Enterprise-Managed Authorization profiles it). It authenticates the
 * client and checks that a trusted issuer made the assertion for it; then one transaction uses up the assertion and stores the
 * grant, or does neither. There is no refresh token: a client gets a new assertion from the identity provider, which decides
 * anew each time.
 */
export async function grantIdentityAssertion(
  services: TokenServices & AssertionServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<TokenResponse> {
  if (!(await services.issuers.isAnyTrusted())) throw unsupportedGrantType();
  const assertion = requiredIn(form, "assertion");
  const asked = parseScope(form.get("scope"));
  const resources = parseResources(services.issuer, form.all("resource"));
  const presented = readClientCredentials(authorization, form);
  const { client, is_authenticated } = await authenticateOAuthClient(services, presented, request);
  const { client_id } = client;
  try {
    const proof = { client_id, is_authenticated };
    const { trusted, said } = await verifyAssertion(services, assertion, proof, request.at);
    return await issue(services, { trusted, said, asked, resources, client }, request);
  } catch (error) {
    if (error instanceof OAuthError && error.detail?.startsWith("assertion_") && !error.isUnavailable)
      await services.refusedAssertions(request);
    throw error;
  }
}

/** Verifies that the assertion is valid for this client. Returns its contents, and the trust in its issuer. */
async function verifyAssertion(
  { issuer, issuers, issuerKeys }: Pick<TokenServices, "issuer"> & AssertionServices,
  assertion: string,
  { client_id, is_authenticated }: { client_id: string; is_authenticated: boolean },
  at: Date,
): Promise<{ trusted: TrustedIssuer; said: IdentityAssertion }> {
  const read = readIdentityAssertion(assertion);
  checkAssertionHeader(read);
  const { iss } = read.payload;
  const trusted = typeof iss === "string" ? await issuers.find(iss) : null;
  if (!trusted) throw assertionRefused("issuer");
  if (!trusted.algorithms.includes(String(read.header.alg))) throw assertionRefused("algorithm");
  if (!trusted.client_ids.includes(client_id)) throw assertionRefused("untrusted_client");
  await issuerKeys.verify(assertion, trusted, at);
  if (!is_authenticated && !trusted.takes_public_clients) throw assertionRefused("public_client");
  return { trusted, said: checkAssertionClaims(read, { issuer, client_id, at, trusted }) };
}

async function issue(
  services: TokenServices & AssertionServices,
  wish: {
    trusted: TrustedIssuer;
    said: IdentityAssertion;
    asked: readonly string[] | undefined;
    resources: readonly string[] | undefined;
    client: OAuthClient;
  },
  request: TokenRequest,
): Promise<TokenResponse> {
  const { trusted, said, asked, resources, client } = wish;
  const { client_id } = client;
  const { at } = request;
  // EMA §7.2.1. A request without scope asks for what the assertion has (RFC 6749 §3.3).
  if (asked && said.scopes?.some((scope) => !asked.includes(scope))) throw assertionRefused("scope_not_asked");
  const given = applyRules(trusted.rules, said.claims);
  if (!given) throw assertionRefused("rule");
  const { applications } = services;
  const application = applications.recent(given.client_id) ?? (await applications.load(given.client_id));
  const isOwners = trusted.tenant_id === null || application?.tenant_id === trusted.tenant_id;
  if (!application || application.tenant_id === null || !isOwners) throw assertionRefused("rule");
  if ((said.tenant_id ?? application.tenant_id) !== application.tenant_id) throw assertionRefused("tenant");

  const isGranted = (scope: string) =>
    given.scopes.has(scope) && (said.scopes?.includes(scope) ?? true) && (asked?.includes(scope) ?? true);
  const scopes = application.scopes.filter(isGranted);
  if (scopes.length === 0) throw assertionRefused("no_scope");
  const audience = audienceOf(services.issuer, said.audience, resources);
  const { tenant_id, application_id } = application;
  const jkt = request.proof === undefined ? withoutProof(client) : await provenKey(services, request.proof, request.at);
  const grant = {
    grant_id: uuidV7(at, services.random),
    tenant_id,
    application_id,
    client_id,
    secret_id: trusted.trust_id,
    scopes,
    audience,
    created_at: at,
    refresh_seconds: trusted.token_seconds,
    dpop_jkt: jkt,
    assertion: { issuer: replayKey(trusted.issuer), jti: said.jti, usable_until: said.usable_until },
  };
  const key = services.signingKeys.recentSigner() ?? (await services.signingKeys.signer());
  const limit = grantLimit(services, tenant_id);
  const outcome = await services.grants.issueAssertedGrant(grant, limit?.exactly);
  if (outcome === "full" && limit) throw grantsFull(limit.exactly);
  if (outcome !== "issued") {
    applications.forget(given.client_id);
    services.issuers.forget();
    throw assertionRefused(outcome === "replayed" ? "replayed" : "withdrawn");
  }
  request.record({
    action: "grant.issued",
    tenant_id,
    application_id,
    client_id,
    grant_id: grant.grant_id,
    detail: trusted.trust_id,
    person: { issuer: trusted.issuer, subject: recordedSubject(services.hash, said) },
  });
  const facts = { issuer: services.issuer, grant, scopes, audience, at, jkt, seconds: trusted.token_seconds };
  const access_token = await signAccessToken(key, { ...facts, token_id: uuidV7(at, services.random) });
  const answer = {
    access_token,
    token_type: tokenType(jkt),
    expires_in: trusted.token_seconds,
    scope: scopes.join(" "),
  } as const;
  const [resource, ...more] = audience;
  return { ...answer, resource: more.length === 0 ? resource : audience };
}

/**
 * The MCP endpoint if neither names a resource; the resources that both name if both do. Throws `invalid_target` for a
 * requested resource that the assertion does not allow.
 */
function audienceOf(
  issuer: string,
  said: readonly string[] | undefined,
  asked: readonly string[] | undefined,
): readonly string[] {
  const allowed = said ?? (asked ? resourcesOf(issuer) : resourcesOf(issuer).slice(0, 1));
  if (asked?.some((resource) => !allowed.includes(resource))) throw invalidTarget();
  return asked ?? allowed;
}

/** Takes the place of a client id, which never has parentheses: an assertion is used up once per issuer, whoever trusts it. */
function replayKey(issuer: string): string {
  return `(id-jag ${createHash("sha256").update(issuer).digest("base64url")})`;
}

/**
 * The subject as it may be logged: one that could identify a person, such as a mail address, is logged only as a hash that
 * distinguishes people. Before it stands the tenant in which the provider's subjects are unique, if there is one (§6.3).
 */
function recordedSubject(hash: KeyedHash, said: Pick<IdentityAssertion, "subject" | "issuer_tenant">): string {
  const subject = said.issuer_tenant === undefined ? said.subject : `${said.issuer_tenant}|${said.subject}`;
  return /^[A-Za-z0-9_.|:-]{1,128}$/.test(subject) ? subject : `hash:${hash.hash("asserted-subject", subject)}`;
}
