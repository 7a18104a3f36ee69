import type { AuditEntry, VersionPrecondition } from "@org/core";

/** Whose files a custodian's key signs: those for letters and connections of a connector, or those of a source. */
export type Signer =
  | { readonly kind: "connector"; readonly owner: string }
  | { readonly kind: "source"; readonly owner: string };

/** Whose key it is: the installation's own opens files, a custodian's verifies signatures. */
export type KeyPlace = Signer | { readonly kind: "own"; readonly owner: "" };

/** What a PGP key states about itself. */
export interface PgpKeyFacts {
  /** Hex, upper case. */
  readonly fingerprint: string;
  /** Key ids of the key and its subkeys, 16 hex digits in upper case: messages name the ids that they are encrypted for. */
  readonly key_ids: readonly string[];
  readonly user_ids: readonly string[];
  /** `RSA 4096`, or the curve as named in RFC 9580 §9.2: `Ed25519Legacy`, `NIST P-256`. */
  readonly algorithm: string;
  readonly created_at: Date;
  /** Null = never. */
  readonly expires_at: Date | null;
  /** When an operator or the key's owner revoked it; null = not revoked. */
  readonly revoked_at: Date | null;
  /** The armoured public half. */
  readonly public_key: string;
}

/** A key as it is listed, without its private half. */
export type FeedKeyRecord = PgpKeyFacts & KeyPlace & { readonly added_at: Date };

/** Whether files must be signed. */
export type SigningRule = Signer & { readonly must_be_signed: boolean; readonly changed_at: Date };

/** PGP keys of the installation and of custodians. One key may verify for several of them. */
export interface FeedKeyStore {
  /** Oldest first. */
  list(): Promise<readonly FeedKeyRecord[]>;
  /** The rules that were set, by name. */
  rules(): Promise<readonly SigningRule[]>;
  /** Public keys that verify for any of these, oldest first, and whether any of them requires signatures. */
  signing(signers: readonly Signer[]): Promise<{ keys: readonly FeedKeyRecord[]; mustBeSigned: boolean }>;
  /** Own keys with one of these key ids, oldest first; null = all own keys. */
  sealed(
    keyIds: readonly string[] | null,
  ): Promise<readonly { readonly fingerprint: string; readonly sealed_private_key: string }[]>;
  /**
   * Inserts the key, or replaces the one with the same place and fingerprint except for `added_at`. Null keeps the private half of an own key. False
   * if the stored key fails the precondition.
   */
  keep(
    record: FeedKeyRecord,
    sealedPrivateKey: string | null,
    entry: AuditEntry,
    precondition?: VersionPrecondition<FeedKeyRecord>,
  ): Promise<boolean>;
  /** False if there is no such key. */
  remove(place: KeyPlace, fingerprint: string, entry: AuditEntry): Promise<boolean>;
  /** Sets whether files must be signed; false if the stored rule fails the precondition. */
  require(rule: SigningRule, entry: AuditEntry, precondition?: VersionPrecondition<SigningRule>): Promise<boolean>;
}
