import { expect, it } from "vitest";
import { challengeHeader, challengeStatus, refusalWords } from "./principal.js";

const resourceMetadata = "https://a.example/.well-known/oauth-protected-resource";
const algs = 'algs="ES256 Ed25519 EdDSA"';

it.each([
  ["missing", 401, `Bearer resource_metadata="${resourceMetadata}", scope="a b", DPoP ${algs}`],
  [
    "invalid",
    401,
    `Bearer error="invalid_token", error_description="the access token is not valid", resource_metadata="${resourceMetadata}", scope="a b", DPoP ${algs}`,
  ],
  [
    "insufficient_scope",
    403,
    `Bearer error="insufficient_scope", scope="a b", resource_metadata="${resourceMetadata}"`,
  ],
] as const)("[RFC 6750 §3, RFC 9728 §5.1] %s: %i, %s", (error, status, header) => {
  expect(challengeStatus({ error })).toBe(status);
  expect(challengeHeader({ error, scopes: new Set(["a", "b"]), resourceMetadata, authorization: undefined })).toBe(
    header,
  );
});

it.each([
  ["missing", "an access token is required"],
  ["invalid", "the access token is invalid or expired"],
] as const)("%s in words: %s", (refusal, words) => {
  expect(refusalWords(refusal)).toBe(words);
});

it.each([
  ["missing", `DPoP resource_metadata="${resourceMetadata}", scope="a", ${algs}`],
  [
    "invalid_proof",
    `DPoP error="invalid_dpop_proof", error_description="htm is wrong", resource_metadata="${resourceMetadata}", scope="a", ${algs}`,
  ],
  [
    "insufficient_scope",
    `DPoP error="insufficient_scope", scope="a", resource_metadata="${resourceMetadata}", ${algs}`,
  ],
] as const)("[RFC 9449 §7.1] one that used DPoP is refused in its scheme: %s", (error, header) => {
  const asked = { scopes: ["a"], resourceMetadata, authorization: "dpop token", fault: "htm is wrong" };
  expect(challengeHeader({ error, ...asked })).toBe(header);
});
