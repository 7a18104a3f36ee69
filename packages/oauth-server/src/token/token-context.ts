import type { AuditFacts } from "../audit.js";
import type { OAuthClientAuthentication } from "../clients/authenticate-oauth-client.js";
import type { KeyVault } from "../keys/generate-signing-key.js";
import type { SigningKeys } from "../keys/signing-keys.js";
import type { CodeStore } from "../ports/authorization-store.js";
import type { AssertionStore } from "../ports/client-store.js";
import type { GrantStore } from "../ports/grant-store.js";
import type { RandomBytes } from "../uuid.js";

/**
 * Called before a tenant gets a grant: returns how many live ones it may have if they must be counted, else null.
 * @throws OAuthError `temporarily_unavailable` when it has too many
 */
export type AdmitGrant = (tenantId: string) => { readonly exactly: number } | null;

/** Dependencies of the grants of the token endpoint. */
export interface TokenServices extends OAuthClientAuthentication {
  readonly issuer: string;
  readonly codes: CodeStore;
  readonly grants: GrantStore;
  /** Remembers the ids of DPoP proofs. */
  readonly proofs: Pick<AssertionStore, "useAssertion">;
  readonly signingKeys: SigningKeys;
  readonly keyring: KeyVault;
  readonly random: RandomBytes;
  readonly admitGrant?: AdmitGrant | undefined;
  /** 0 = a consumed refresh token is never answered again. */
  readonly refreshReplaySeconds: number;
}

/** The current request: its time and address, its proof, and its audit record. */
export interface TokenRequest {
  readonly at: Date;
  /** Its address; null when unknown. */
  readonly address: string | null;
  /** Value of its header `DPoP` (RFC 9449); the grants check it. */
  readonly proof: string | undefined;
  /** Records an event of this request; time, address and trace are filled in. */
  record(facts: Omit<AuditFacts, "at" | "address" | "trace_id">): void;
}
