import { describe, expect, it } from "vitest";
import { OAuthError } from "../oauth-error.js";
import type { ClaimRule } from "../ports/trusted-issuer-store.js";
import {
  type AssertionFault,
  applyRules,
  checkAssertionClaims,
  checkAssertionHeader,
  readIdentityAssertion,
} from "./identity-assertion.js";

const NOW = 1_768_478_400;
const ISSUER = "https://server.example";
const sound = {
  iss: "https://idp.example",
  sub: "00u1",
  aud: ISSUER,
  client_id: "wcd_a",
  jti: "j1",
  exp: NOW + 300,
  iat: NOW,
  resource: `${ISSUER}/mcp`,
  scope: "letters:read investments:read",
};
const header = { typ: "oauth-id-jag+jwt", alg: "ES256", kid: "1" };
const part = (text: string | Uint8Array) => Buffer.from(text as string).toString("base64url");
const jwt = (head: unknown, claims: unknown) =>
  `${part(typeof head === "string" ? head : JSON.stringify(head))}.${part(typeof claims === "string" ? claims : JSON.stringify(claims))}.c2ln`;

function check(claims: object, head: object = header, at = NOW) {
  const read = readIdentityAssertion(jwt(head, claims));
  checkAssertionHeader(read);
  return checkAssertionClaims(read, {
    issuer: ISSUER,
    client_id: "wcd_a",
    at: new Date(at * 1000),
    trusted: { issuer: "https://idp.example", max_assertion_seconds: 600 },
  });
}
/** The fault with which a function refuses. */
function faultOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof OAuthError) return error.detail?.replace("assertion_", "");
    throw error;
  }
}

describe("[C-3.34] an identity assertion (ID-JAG)", () => {
  it("that is sound says who, for what, and until when it could come again", () => {
    expect(check(sound)).toEqual({
      subject: "00u1",
      issuer_tenant: undefined,
      tenant_id: undefined,
      jti: "j1",
      usable_until: new Date((NOW + 330) * 1000),
      audience: [`${ISSUER}/mcp`],
      scopes: ["investments:read", "letters:read"],
      claims: sound,
    });
  });

  const accepted: [string, object, number?][] = [
    ["a list of one audience", { aud: [ISSUER] }],
    ["no resource and no scope", { resource: undefined, scope: undefined }],
    ["a resource with a slash at its end", { resource: `${ISSUER}/mcp/` }],
    ["both resources", { resource: [`${ISSUER}/mcp`, ISSUER] }],
    ["ten minutes of life", { exp: NOW + 600 }],
    ["an end 29 seconds ago", { exp: NOW - 29, iat: NOW - 60 }],
    ["a beginning in 30 seconds", { iat: NOW + 30, nbf: NOW + 30 }],
    ["times with fractions", { iat: NOW - 0.5, exp: NOW + 9.5 }],
    ["claims that nobody here knows, nested ones too", { act: { sub: "agent" }, groups: [{ groups: ["groups"] }] }],
    ["names that stand twice, in different objects", { a: { b: 1 }, c: { b: 1 }, d: 'x":"y' }],
  ];
  it.each(accepted)("is taken with %s", (_, change, at) => {
    expect(check({ ...sound, ...change }, header, at).subject).toBe("00u1");
  });

  const refusedClaims: [AssertionFault, string, object][] = [
    ["issuer", "another issuer", { iss: "https://other.example" }],
    ["issuer", "the issuer with a slash", { iss: "https://idp.example/" }],
    ["issuer", "a list of issuers", { iss: ["https://idp.example"] }],
    ["audience", "another audience", { aud: "https://other.example" }],
    ["audience", "the audience with a slash", { aud: `${ISSUER}/` }],
    ["audience", "the token endpoint as audience", { aud: `${ISSUER}/token` }],
    ["audience", "the resource as audience", { aud: `${ISSUER}/mcp` }],
    ["audience", "two audiences", { aud: [ISSUER, "https://other.example"] }],
    ["audience", "the right audience twice", { aud: [ISSUER, ISSUER] }],
    ["audience", "no audience", { aud: undefined }],
    ["audience", "an empty list of audiences", { aud: [] }],
    ["client", "another client", { client_id: "wcd_b" }],
    ["client", "no client", { client_id: undefined }],
    ["client", "a list of clients", { client_id: ["wcd_a"] }],
    ["client", "azp alone", { client_id: undefined, azp: "wcd_a" }],
    ["subject", "no subject", { sub: undefined }],
    ["subject", "an empty subject", { sub: "" }],
    ["subject", "a subject of 256 characters", { sub: "s".repeat(256) }],
    ["subject", "a number as subject", { sub: 7 }],
    ["jti", "no jti", { jti: undefined }],
    ["jti", "an empty jti", { jti: "" }],
    ["jti", "a jti of 201 characters", { jti: "j".repeat(201) }],
    ["jti", "a jti beyond ASCII", { jti: "ü" }],
    ["jti", "a number as jti", { jti: 1 }],
    ["time", "no exp", { exp: undefined }],
    ["time", "no iat", { iat: undefined }],
    ["time", "exp as text", { exp: String(NOW + 300) }],
    ["time", "exp in milliseconds", { exp: (NOW + 300) * 1000 }],
    ["time", "a negative iat", { iat: -1 }],
    ["time", "nbf as text", { nbf: String(NOW) }],
    ["expired", "an end 30 seconds ago", { exp: NOW - 30, iat: NOW - 60 }],
    ["early", "a beginning in 31 seconds", { iat: NOW + 31 }],
    ["early", "nbf in 31 seconds", { nbf: NOW + 31 }],
    ["lifetime", "more than ten minutes of life", { exp: NOW + 601 }],
    ["lifetime", "an end before its beginning", { exp: NOW + 10, iat: NOW + 20 }],
    ["lifetime", "a long life that is nearly over", { exp: NOW + 10, iat: NOW - 3_600 }],
    ["resource", "the resource of another server", { resource: "https://other.example/mcp" }],
    ["resource", "one resource of another server among ours", { resource: [`${ISSUER}/mcp`, "https://other.example"] }],
    ["resource", "an empty list of resources", { resource: [] }],
    ["resource", "a number as resource", { resource: 1 }],
    ["scope", "a list of scopes", { scope: ["letters:read"] }],
    ["scope", "scopes with two spaces", { scope: "letters:read  letters:write" }],
    ["scope", "an empty scope", { scope: "" }],
    ["scope", "a scope of another server among ours", { scope: "letters:read made:up" }],
    ["subject", "a list of tenants of the provider", { tenant: ["acme"] }],
    ["tenant", "a number as tenant of this server", { aud_tenant: 7 }],
    ["proof", "a key that it is bound to", { cnf: { jkt: "x" } }],
    ["details", "authorization_details", { authorization_details: [] }],
  ];
  it.each(refusedClaims)("[C-3.34] is refused as %s with %s", (fault, _, change) => {
    expect(faultOf(() => check({ ...sound, ...change }))).toBe(fault);
  });

  const refusedHeaders: [AssertionFault, string, object][] = [
    ["type", "no type", { typ: undefined }],
    ["type", "the type JWT", { typ: "JWT" }],
    ["type", "the type of an access token", { typ: "at+jwt" }],
    ["type", "the type in capitals", { typ: "OAUTH-ID-JAG+JWT" }],
    ["type", "the type with application/", { typ: "application/oauth-id-jag+jwt" }],
    ["critical", "crit", { crit: ["exp"], exp: 1 }],
    ["critical", "an empty crit", { crit: [] }],
    ["critical", "b64", { b64: true }],
  ];
  it.each(refusedHeaders)("is refused as %s with %s", (fault, _, change) => {
    expect(faultOf(() => check(sound, { ...header, ...change }))).toBe(fault);
  });

  const text = JSON.stringify(sound);
  const malformed: [string, string][] = [
    ["nothing", ""],
    ["two parts", jwt(header, sound).split(".").slice(0, 2).join(".")],
    ["five parts, as an encrypted one", `${jwt(header, sound)}.a.b`],
    ["no signature", jwt(header, sound).replace(/[^.]+$/, "")],
    ["padding", jwt(header, sound).replace(/[^.]+$/, "c2ln==")],
    ["base64 in place of base64url", jwt(header, sound).replace(/[^.]+$/, "ab+/")],
    ["bits beyond the last byte", jwt(header, sound).replace(/[^.]+$/, "c2lnZ")],
    ["white space", ` ${jwt(header, sound)}`],
    ["a header that is no JSON", jwt("{", sound)],
    ["claims that are a list", jwt(header, "[]")],
    ["claims that are null", jwt(header, "null")],
    ["claims that are not UTF-8", `${part(JSON.stringify(header))}.${part(new Uint8Array([0x7b, 0xff, 0x7d]))}.c2ln`],
    ["a byte order mark", jwt(header, `\ufeff${text}`)],
    ["a claim that stands twice", jwt(header, `{"aud":"https://other.example",${text.slice(1)}`)],
    ["one that stands twice, escaped once", jwt(header, `{"\\u0061ud":"https://other.example",${text.slice(1)}`)],
    ["one that stands twice further in", jwt(header, `{"a":{"b":1,"b":2},${text.slice(1)}`)],
    ["a header parameter that stands twice", jwt('{"alg":"none","alg":"ES256","typ":"oauth-id-jag+jwt"}', sound)],
    ["__proto__", jwt(header, `{"__proto__":{"client_id":"wcd_a"},${text.slice(1)}`)],
    ["a NUL character", jwt(header, { ...sound, sub: "a\0" })],
    ["claims that lie too deep", jwt(header, `{"a":${"[".repeat(40)}${"]".repeat(40)}}`)],
    ["more than 16 KiB", jwt(header, { ...sound, groups: ["g".repeat(16_384)] })],
  ];
  it.each(malformed)("is refused as malformed with %s", (_, assertion) => {
    expect(faultOf(() => readIdentityAssertion(assertion))).toBe("malformed");
  });
});

describe("[C-3.33] rules of an issuer", () => {
  const rules: ClaimRule[] = [
    { claims: { tenant: "a", groups: "Desk" }, client_id: "wca_a", scopes: ["letters:read", "letters:write"] },
    { claims: { tenant: "a" }, client_id: "wca_a", scopes: ["investments:read"] },
    { claims: { tenant: "b" }, client_id: "wca_b", scopes: ["investments:read"] },
    { claims: { constructor: "x" }, client_id: "wca_c", scopes: ["investments:read"] },
  ];
  const given = (claims: Record<string, unknown>) => {
    const found = applyRules(rules, claims);
    return found && [found.client_id, ...found.scopes];
  };
  it.each<[string, Record<string, unknown>, string[] | null]>([
    [
      "a list that holds the text",
      { tenant: "a", groups: ["All", "Desk"] },
      ["wca_a", "letters:read", "letters:write", "investments:read"],
    ],
    [
      "the text itself",
      { tenant: "a", groups: "Desk" },
      ["wca_a", "letters:read", "letters:write", "investments:read"],
    ],
    ["part of a rule", { tenant: "a", groups: ["All"] }, ["wca_a", "investments:read"]],
    ["the other application's", { tenant: "b", groups: ["Desk"] }, ["wca_b", "investments:read"]],
    ["two applications': the first's alone", { tenant: ["b", "a"] }, ["wca_a", "investments:read"]],
    ["nothing", { groups: ["Desk"] }, null],
    ["other letters", { tenant: "A" }, null],
    ["an object", { tenant: { a: true } }, null],
    ["a list in a list", { tenant: [["a"]] }, null],
    ["what every object has", {}, null],
  ])("fit claims with %s", (_, claims, outcome) => expect(given(claims)).toEqual(outcome));

  it("without claims fit everybody", () => {
    expect(applyRules([{ claims: {}, client_id: "wca_a", scopes: [] }], {})?.client_id).toBe("wca_a");
  });
});
