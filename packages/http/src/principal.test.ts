import { expect, it } from "vitest";
import { challengeHeader, challengeStatus, refusalWords } from "./principal.js";

const resourceMetadata = "https://a.example/.well-known/oauth-protected-resource";

it.each([
  ["missing", 401, `Bearer resource_metadata="${resourceMetadata}", scope="a b"`],
  [
    "invalid",
    401,
    `Bearer error="invalid_token", error_description="the access token is not valid", resource_metadata="${resourceMetadata}", scope="a b"`,
  ],
  [
    "insufficient_scope",
    403,
    `Bearer error="insufficient_scope", scope="a b", resource_metadata="${resourceMetadata}"`,
  ],
] as const)("[RFC 6750 §3, RFC 9728 §5.1] %s: %i, %s", (error, status, header) => {
  expect(challengeStatus({ error })).toBe(status);
  expect(challengeHeader({ error, scopes: new Set(["a", "b"]), resourceMetadata })).toBe(header);
});

it.each([
  ["missing", "an access token is required"],
  ["invalid", "the access token is invalid or expired"],
] as const)("%s in words: %s", (refusal, words) => {
  expect(refusalWords(refusal)).toBe(words);
});
