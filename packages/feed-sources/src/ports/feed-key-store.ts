import type { AuditEntry, VersionPrecondition } from "@org/core";

/** Whose files a custodian's key signs: those for letters and connections of a connector, or those of a source. */
export type Signer =
  | { readonly kind: "connector"; readonly owner: string }
  | { readonly kind: "source"; readonly owner: string };

/** Whose a key is: the installation's own opens files, a custodian's verifies their signatures. */
export type KeyPlace = Signer | { readonly kind: "own"; readonly owner: "" };

/** What a PGP key says of itself. */
export interface PgpKeyFacts {
  /** Hex, upper case. */
  readonly fingerprint: string;
  /** Of the key and its subkeys, 16 hex digits in upper case: messages name those that they are encrypted for. */
  readonly key_ids: readonly string[];
  readonly user_ids: readonly string[];
  /** `RSA 4096`, or the curve as RFC 9580 §9.2 names it: `Ed25519Legacy`, `NIST P-256`. */
  readonly algorithm: string;
  readonly created_at: Date;
  /** Null = never. */
  readonly expires_at: Date | null;
  /** When an operator or the key's owner took it back; null = it counts. */
  readonly revoked_at: Date | null;
  /** The public half, armoured. */
  readonly public_key: string;
}

/** A key as it is listed: without its private half. */
export type FeedKeyRecord = PgpKeyFacts & KeyPlace & { readonly added_at: Date };

/** Whether only signed files are taken. */
export type SigningRule = Signer & { readonly must_be_signed: boolean; readonly changed_at: Date };

/** PGP keys of the installation and of custodians. One key may verify for several of them. */
export interface FeedKeyStore {
  /** Oldest first. */
  list(): Promise<readonly FeedKeyRecord[]>;
  /** Those that were set, in the order of their names. */
  rules(): Promise<readonly SigningRule[]>;
  /** Public keys that verify for any of these, oldest first, and whether any of them has to sign. */
  signing(signers: readonly Signer[]): Promise<{ keys: readonly FeedKeyRecord[]; mustBeSigned: boolean }>;
  /** Own keys that have one of these key ids, oldest first; null = all of them. */
  sealed(
    keyIds: readonly string[] | null,
  ): Promise<readonly { readonly fingerprint: string; readonly sealed_private_key: string }[]>;
  /**
   * Inserts it, or replaces what is there under its place and fingerprint but for `added_at`; the private half of an own key stays where
   * it is null. False where what is there is not as it was seen.
   */
  keep(
    record: FeedKeyRecord,
    sealedPrivateKey: string | null,
    entry: AuditEntry,
    precondition?: VersionPrecondition<FeedKeyRecord>,
  ): Promise<boolean>;
  /** False when there is no such key. */
  remove(place: KeyPlace, fingerprint: string, entry: AuditEntry): Promise<boolean>;
  /** Sets whether only signed files are taken; false where the rule that is there is not as it was seen. */
  require(rule: SigningRule, entry: AuditEntry, precondition?: VersionPrecondition<SigningRule>): Promise<boolean>;
}
