import type { OAuthClient } from "../clients/oauth-client.js";
import { checkProof, proofRefused } from "../dpop/proof.js";
import type { TokenServices } from "./token-context.js";

/**
 * The thumbprint of the key that a token request proves (RFC 9449 §5), to which its tokens are bound. The proof is used up, on all replicas, so
 * check everything first that a stranger could make up, and consume nothing before. Throws `invalid_dpop_proof`.
 */
export async function provenKey(
  { issuer, proofs }: Pick<TokenServices, "issuer" | "proofs">,
  proof: string,
  at: Date,
): Promise<string> {
  const { jkt, jti, usableUntil } = checkProof({ proof, method: "POST", address: `${issuer}/token`, at });
  // Takes the place of a client id, which never has parentheses.
  if (!(await proofs.useAssertion(`(dpop ${jkt})`, jti, usableUntil))) throw proofRefused("replayed");
  return jkt;
}

/** What takes the key's place without a proof. Throws `invalid_dpop_proof` when the client demands one (RFC 9449 §5.2). */
export function withoutProof(client: Pick<OAuthClient, "dpop_bound_access_tokens"> | undefined): null {
  if (client?.dpop_bound_access_tokens) throw proofRefused("missing");
  return null;
}
