import { type Claims, matchingRules } from "@org/claim-rules";
import { jsonFaults, parseJson } from "@org/http";
import { OAuthError, type ProtocolErrorCode } from "../oauth-error.js";
import type { ClaimRule, TrustedIssuer } from "../ports/trusted-issuer-store.js";
import { ASSIGNABLE_SCOPES, narrowScopes, parseScope } from "../scopes.js";
import { parseResources } from "../token/resource-indicator.js";

/** Why an assertion is refused. Metrics and the audit trail use the same word, prefixed with `assertion_`. */
export type AssertionFault = keyof typeof FAULTS;

/** A parsed but unverified JWT. */
export interface ReadAssertion {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The contents of an assertion after all checks. */
export interface IdentityAssertion {
  readonly subject: string;
  /** The tenant at the identity provider within which `subject` is unique; undefined when the issuer has only one. */
  readonly issuer_tenant: string | undefined;
  /** Id of the tenant of this server that it is for; undefined when it names none. */
  readonly tenant_id: string | undefined;
  readonly jti: string;
  /** When it can no longer be replayed. */
  readonly usable_until: Date;
  /** The resources of this server that it is for; undefined when it names none. */
  readonly audience: readonly string[] | undefined;
  /** Undefined when it names none. */
  readonly scopes: readonly string[] | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The `typ` of an ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant-04 §3.1). */
const ID_JAG_TYPE = "oauth-id-jag+jwt";

/** How far the clocks of an identity provider and of this server may differ. */
const CLOCK_SKEW_SECONDS = 30;

/**
 * Parses a compact JWS strictly: three base64url parts, each of the first two a JSON object in UTF-8 without repeated members
 * (RFC 7515 §5.2, RFC 8725 §3.4). Two parsers could read anything else differently. Throws `invalid_grant`.
 */
export function readIdentityAssertion(assertion: string): ReadAssertion {
  const parts = assertion.split(".");
  if (assertion.length > MAX_LENGTH || parts.length !== 3 || !parts.every(isBase64Url))
    throw assertionRefused("malformed");
  const [header, payload] = parts.slice(0, 2).map((part) => objectIn(Buffer.from(part, "base64url")));
  return { header: header as ReadAssertion["header"], payload: payload as ReadAssertion["payload"] };
}

/**
 * Checks what needs no lookup: the type, and that no critical extension is used. Keys in the assertion itself (`jwk`, `jku`,
 * `x5u`, `x5c`) are ignored.
 */
export function checkAssertionHeader({ header }: ReadAssertion): void {
  if (header.typ !== ID_JAG_TYPE) throw assertionRefused("type");
  if ("crit" in header || "b64" in header) throw assertionRefused("critical");
}

/** What the claims are compared with. */
export interface AssertionExpectations {
  /** This server's own issuer. */
  readonly issuer: string;
  /** The client that sent the assertion, as authenticated. */
  readonly client_id: string;
  readonly at: Date;
  readonly trusted: Pick<TrustedIssuer, "issuer" | "max_assertion_seconds">;
}

/**
 * Checks the claims of an assertion whose signature is valid (§4.4.1 of the draft, RFC 7523 §3). A claim that would narrow or
 * bind the grant in an unsupported way is refused, never ignored. Throws `invalid_grant`.
 */
export function checkAssertionClaims(
  { payload }: ReadAssertion,
  { issuer, client_id, at, trusted }: AssertionExpectations,
): IdentityAssertion {
  const { iss, sub, aud, jti, exp, iat, nbf, tenant, aud_tenant } = payload;
  if (iss !== trusted.issuer) throw assertionRefused("issuer");
  if (!isOnly(issuer, aud)) throw assertionRefused("audience");
  if (payload.client_id !== client_id) throw assertionRefused("client");
  if (!isText(sub, MAX_SUBJECT_LENGTH)) throw assertionRefused("subject");
  if (!isTextOrAbsent(tenant)) throw assertionRefused("subject");
  if (!isTextOrAbsent(aud_tenant)) throw assertionRefused("tenant");
  if (!isText(jti, MAX_JTI_LENGTH) || !/^[\x20-\x7e]+$/.test(jti)) throw assertionRefused("jti");
  if ("cnf" in payload) throw assertionRefused("proof");
  if ("authorization_details" in payload) throw assertionRefused("details");

  const now = at.getTime() / 1000;
  if (!isTime(exp) || !isTime(iat) || (nbf !== undefined && !isTime(nbf))) throw assertionRefused("time");
  if (exp <= now - CLOCK_SKEW_SECONDS) throw assertionRefused("expired");
  if (iat > now + CLOCK_SKEW_SECONDS || (nbf ?? iat) > now + CLOCK_SKEW_SECONDS) throw assertionRefused("early");
  if (exp <= iat || exp - iat > trusted.max_assertion_seconds) throw assertionRefused("lifetime");
  return {
    subject: sub,
    issuer_tenant: tenant,
    tenant_id: aud_tenant,
    jti,
    usable_until: new Date((exp + CLOCK_SKEW_SECONDS) * 1000),
    audience: audienceOf(payload.resource, issuer),
    scopes: scopesOf(payload.scope),
    claims: payload,
  };
}

/** What the rules of an issuer grant: one application, and scopes for it. */
interface RuleGrant {
  readonly client_id: string;
  readonly scopes: ReadonlySet<string>;
}

/**
 * The first rule that matches the claims selects the application; all matching rules for the same application contribute their
 * scopes. Null when no rule matches: nothing is granted.
 */
export function applyRules(rules: readonly ClaimRule[], claims: Claims): RuleGrant | null {
  const fitting = matchingRules(rules, claims);
  const [first] = fitting;
  if (!first) return null;
  const { client_id } = first;
  const scopes = fitting.filter((rule) => rule.client_id === client_id).flatMap((rule) => rule.scopes);
  return { client_id, scopes: new Set(scopes) };
}

/** The refusal of an assertion. Its message does not reveal whom this server trusts until a signature is valid. */
export function assertionRefused(fault: AssertionFault, cause?: unknown): OAuthError {
  const [code, message] = FAULTS[fault];
  return new OAuthError(code, message, { detail: `assertion_${fault}`, cause });
}

/** The same message for every refusal that would reveal who is trusted, and for which client. */
const UNTRUSTED = "the assertion is not one of an identity provider that is trusted here for this client";
const FAULTS = {
  malformed: ["invalid_grant", "the assertion is not a signed JWT in compact form without repeated members"],
  type: ["invalid_grant", `the assertion is of another type than ${ID_JAG_TYPE}`],
  critical: ["invalid_grant", "the assertion has a header parameter that is not supported"],
  issuer: ["invalid_grant", UNTRUSTED],
  algorithm: ["invalid_grant", UNTRUSTED],
  signature: ["invalid_grant", UNTRUSTED],
  untrusted_client: ["invalid_grant", UNTRUSTED],
  public_client: ["unauthorized_client", "this client has to authenticate to use this grant type"],
  audience: ["invalid_grant", "aud of the assertion is not the issuer of this server alone"],
  client: ["invalid_grant", "client_id of the assertion is another client than the one that sent it"],
  subject: ["invalid_grant", "sub of the assertion is missing or too long, or its tenant is not a short text"],
  tenant: ["invalid_grant", "aud_tenant of the assertion is not the tenant whose data it would give access to"],
  jti: ["invalid_grant", "jti of the assertion is missing, too long or not printable"],
  proof: ["invalid_grant", "the assertion is bound to a key, and proof of possession is not supported"],
  details: ["invalid_grant", "authorization_details are not supported"],
  time: ["invalid_grant", "exp and iat of the assertion have to be times"],
  expired: ["invalid_grant", "the assertion has expired"],
  early: ["invalid_grant", "the assertion is not valid yet"],
  lifetime: ["invalid_grant", "the assertion lives longer than is allowed here"],
  resource: ["invalid_grant", "resource of the assertion is not one of this server"],
  scope: ["invalid_grant", "scope of the assertion is not a list of scopes of this server with single spaces"],
  scope_not_asked: [
    "invalid_grant",
    "scope of the assertion has more than the request; request all of it, or no scope",
  ],
  rule: ["invalid_grant", "nothing is granted here for what the assertion says of this person"],
  no_scope: ["invalid_scope", "none of the scopes asked for may be granted"],
  withdrawn: ["invalid_grant", "what the assertion leads to is switched off, or has just been changed"],
  replayed: ["invalid_grant", "the assertion has been used"],
} as const satisfies Readonly<Record<string, readonly [ProtocolErrorCode, string]>>;

function isBase64Url(part: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(part) && Buffer.from(part, "base64url").toString("base64url") === part;
}

function objectIn(bytes: Buffer): Readonly<Record<string, unknown>> {
  const parsed = parseJson(bytes, { byteOrderMark: "refused" });
  if ("error" in parsed) throw assertionRefused("malformed");
  const { value } = parsed;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject || jsonFaults(value).length > 0) throw assertionRefused("malformed");
  if (membersIn(value) !== membersWritten(bytes.toString("utf8"))) throw assertionRefused("malformed");
  return value as Readonly<Record<string, unknown>>;
}

/** Counts the members of all objects in a value, where a repeated name counts once. */
function membersIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, each) => sum + membersIn(each), own);
}

/** Counts the members in JSON text: every string before a colon is a name. */
function membersWritten(json: string): number {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*(?:"[ \t\r\n]*(:?)|\\?$)/gs)].filter(([, colon]) => colon === ":").length;
}

/** Whether a claim is this text, or a list of only this text. */
function isOnly(text: string, claim: unknown): boolean {
  return claim === text || (Array.isArray(claim) && claim.length === 1 && claim[0] === text);
}

function isText(claim: unknown, longest: number): claim is string {
  return typeof claim === "string" && claim !== "" && claim.length <= longest;
}

function isTextOrAbsent(claim: unknown): claim is string | undefined {
  return claim === undefined || isText(claim, MAX_SUBJECT_LENGTH);
}

function isTime(claim: unknown): claim is number {
  return typeof claim === "number" && Number.isFinite(claim) && claim > 0 && claim < LATEST_TIME;
}

function audienceOf(resource: unknown, issuer: string): readonly string[] | undefined {
  if (resource === undefined) return undefined;
  const named: readonly unknown[] = Array.isArray(resource) ? resource : [resource];
  if (named.length === 0 || !named.every((each): each is string => typeof each === "string"))
    throw assertionRefused("resource");
  try {
    return parseResources(issuer, named);
  } catch (cause) {
    throw assertionRefused("resource", cause);
  }
}

/** The scopes, each of which has to be one of this server (EMA §7.6.2). */
function scopesOf(scope: unknown): readonly string[] | undefined {
  if (scope === undefined) return undefined;
  if (typeof scope !== "string") throw assertionRefused("scope");
  try {
    return narrowScopes(ASSIGNABLE_SCOPES, parseScope(scope));
  } catch (cause) {
    throw assertionRefused("scope", cause);
  }
}

/** Maximum length of an assertion; with many groups it has several thousand characters. */
const MAX_LENGTH = 16 * 1024;
const MAX_SUBJECT_LENGTH = 255;
const MAX_JTI_LENGTH = 200;
/** The end of the year 9999 in seconds; later times are refused. */
const LATEST_TIME = 253_402_300_800;
