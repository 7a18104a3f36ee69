import type { Vault } from "@org/core";
import type { PgpKeys } from "../containers/open-pgp.js";
import type { FeedKeyStore, Signer } from "../ports/feed-key-store.js";

/** Keys as files are opened with them. */
export interface KeyRing {
  /** Whose signatures count for files of these, and whether there has to be one. */
  signersFor(signers: readonly Signer[]): Promise<Pick<PgpKeys, "signers" | "mustBeSigned">>;
  readonly ownKeys: PgpKeys["own"];
}

/** Private keys are opened for whoever asks, one by one, and kept nowhere. */
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

/** What the private half of an own key is sealed for. */
export function sealedFor(fingerprint: string) {
  return { purpose: "feed-key", row: fingerprint };
}
