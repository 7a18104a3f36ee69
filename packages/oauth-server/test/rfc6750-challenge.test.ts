import { describe, expect, it } from "vitest";
import { type BearerRefusal, challenge, missingScope, refusalStatus } from "../src/bearer/bearer-refusal.js";
import { resourceMetadataUrl } from "../src/metadata.js";
import { TENANT_SCOPES } from "../src/scopes.js";

describe("RFC 6750 §3 challenges", () => {
  const facts = { resourceMetadata: resourceMetadataUrl("https://wealth.example"), scopes: TENANT_SCOPES };
  const metadata = 'resource_metadata="https://wealth.example/.well-known/oauth-protected-resource/mcp"';
  const all = `scope="${TENANT_SCOPES.join(" ")}"`;
  const table: [BearerRefusal, 401 | 403, string][] = [
    [{ kind: "missing" }, 401, `Bearer ${metadata}, ${all}`],
    [
      { kind: "invalid_token" },
      401,
      `Bearer error="invalid_token", error_description="the access token is not valid", ${metadata}, ${all}`,
    ],
    [
      { kind: "insufficient_scope", scope: "letters:read" },
      403,
      `Bearer error="insufficient_scope", scope="letters:read", ${metadata}`,
    ],
  ];
  it.each(table)("[S1-5.1] [C-2.15] %j", (refusal, status, header) => {
    expect(refusalStatus(refusal)).toBe(status);
    expect(challenge(refusal, facts)).toBe(header);
  });

  it("asks for the scope that is missing", () => {
    const scopes = new Set(["letters:read"]);
    expect(missingScope(scopes, "letters:read")).toBeNull();
    expect(missingScope(scopes, "letters:write")).toEqual({ kind: "insufficient_scope", scope: "letters:write" });
  });
});
