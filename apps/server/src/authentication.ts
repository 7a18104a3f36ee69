import {
  type BearerRefusal,
  type BearerVerifier,
  challenge,
  type Principal,
  refusalStatus,
  resourceMetadataUrl,
} from "@org/oauth-server";

/** The bearer verifier as `/mcp` and the REST API want it. */
export function authentication(deps: {
  publicUrl: string;
  forMcp: BearerVerifier;
  forRest: BearerVerifier;
  toolScopes: readonly string[];
}) {
  const facts = { resourceMetadata: resourceMetadataUrl(deps.publicUrl), scopes: deps.toolScopes };

  return {
    async mcp(
      authorization: string | undefined,
    ): Promise<{ principal: Principal } | { refusal: string; status: number; wwwAuthenticate: string }> {
      const result = await deps.forMcp.verify(authorization);
      if (result.kind === "verified") return { principal: result.principal };
      return { refusal: words[result.kind], status: refusalStatus(result), wwwAuthenticate: challenge(result, facts) };
    },
    async rest(
      authorization: string | undefined,
    ): Promise<{ principal: Principal } | { refusal: "missing" | "invalid" }> {
      const result = await deps.forRest.verify(authorization);
      if (result.kind === "verified") return { principal: result.principal };
      return { refusal: result.kind === "missing" ? "missing" : "invalid" };
    },
    scopeChallenge: ({ scope }: { scope: string }) => challenge({ kind: "insufficient_scope", scope }, facts),
  };
}

const words: Record<BearerRefusal["kind"], string> = {
  missing: "an access token is required",
  invalid_token: "the access token is invalid or expired",
  insufficient_scope: "the access token lacks a scope",
};
