import { type BearerChallenge, challengeHeader, challengeStatus } from "@org/http";
import { describe, expect, it } from "vitest";
import { resourceMetadataUrl } from "../src/metadata.js";
import { TENANT_SCOPES } from "../src/scopes.js";

describe("RFC 6750 §3 challenges", () => {
  const resourceMetadata = resourceMetadataUrl("https://wealth.example");
  const metadata = 'resource_metadata="https://wealth.example/.well-known/oauth-protected-resource/mcp"';
  const all = `scope="${TENANT_SCOPES.join(" ")}"`;
  const dpop = 'DPoP algs="ES256 Ed25519 EdDSA"';
  const table: [Pick<BearerChallenge, "error" | "scopes">, 401 | 403, string][] = [
    [{ error: "missing", scopes: TENANT_SCOPES }, 401, `Bearer ${metadata}, ${all}, ${dpop}`],
    [
      { error: "invalid", scopes: TENANT_SCOPES },
      401,
      `Bearer error="invalid_token", error_description="the access token is not valid", ${metadata}, ${all}, ${dpop}`,
    ],
    [
      { error: "insufficient_scope", scopes: ["letters:read"] },
      403,
      `Bearer error="insufficient_scope", scope="letters:read", ${metadata}`,
    ],
  ];
  it.each(table)("[S1-5.1] [C-2.15] %j", (challenge, status, header) => {
    expect(challengeStatus(challenge)).toBe(status);
    expect(challengeHeader({ ...challenge, resourceMetadata, authorization: undefined })).toBe(header);
  });
});
