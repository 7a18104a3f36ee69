import type { Vault } from "@org/core";
import type { PgpKeys } from "../containers/open-pgp.js";
import type { FeedKeyStore, Signer } from "../ports/feed-key-store.js";

/** The keys for opening files. */
export interface KeyRing {
  /** The signers accepted for files of these connectors or sources, and whether a signature is required. */
  signersFor(signers: readonly Signer[]): Promise<Pick<PgpKeys, "signers" | "mustBeSigned">>;
  readonly ownKeys: PgpKeys["own"];
}

/** Private keys are decrypted one by one when a caller asks, and never cached. */
export function createKeyRing({ store, vault }: { store: FeedKeyStore; vault: Vault }): KeyRing {
  return {
    async signersFor(signers) {
      const { keys, mustBeSigned } = await store.signing(signers);
      const counting = keys.map(({ public_key, expires_at, revoked_at }) => ({ public_key, expires_at, revoked_at }));
      return { signers: counting, mustBeSigned };
    },
    async ownKeys(keyIds) {
      const found = await store.sealed(keyIds);
      return Promise.all(found.map((key) => vault.open(key.sealed_private_key, sealedFor(key.fingerprint))));
    },
  };
}

/** The purpose and row to which the private half of an own key is sealed. */
export function sealedFor(fingerprint: string) {
  return { purpose: "feed-key", row: fingerprint };
}
