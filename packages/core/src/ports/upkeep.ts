import type { Uuid } from "../schemas/identifier.js";
/** Clean-up of what has run out, across all tenants, in small batches. */
export interface Upkeep {
  /** Moves open sessions whose `expires_at` has passed to `Finished:Expired` with `SessionExpired`, clearing their secrets, which is in their logs. Returns how many. */
  expireSessions(now: Date, limit: number): Promise<number>;
  /**
   * Connected letters for which no file was taken, and which nobody has connected or resolved, since a moment. At most `limit`,
   * in no order; they may have moved on meanwhile.
   */
  silentLetters(since: Date, limit: number): Promise<readonly { tenant_id: string; letter_id: Uuid }[]>;
  /** Open sessions in `Processing:*` whose `working_until` has passed. At most `limit`, in no order; they may have moved on meanwhile. */
  cutOffLogins(now: Date, limit: number): Promise<readonly { tenant_id: string; session_id: Uuid }[]>;
  /**
   * Open sessions in `Waiting:Challenge` about which a bank could be polled since `before` and was not, longest waiting first. At most
   * `limit` of each tenant and in all; they may have moved on meanwhile.
   */
  unpolledChallenges(
    before: Date,
    now: Date,
    limit: number,
  ): Promise<readonly { tenant_id: string; session_id: Uuid }[]>;
  /** Objects of the bucket that no document's row names: at most `limit`, longest due first. Those of removed tenants too. */
  orphanedObjects(now: Date, limit: number): Promise<readonly OrphanedObject[]>;
  /** They are gone from the bucket. */
  forgetObjects(objects: readonly OrphanedObject[]): Promise<void>;
  /** Deletes at most `limit` rows of each kind that are past their time. Returns counts per kind; all zero = done. */
  reap(cutoffs: ReapCutoffs, limit: number): Promise<Readonly<Record<string, number>>>;
}

/** An object of the bucket, and whose it was. */
export interface OrphanedObject {
  readonly tenant_id: string;
  readonly object_key: string;
}

/** From when on rows may go. */
export interface ReapCutoffs {
  /** Idempotency keys that expired before. */
  readonly now: Date;
  /** Finished sessions last updated before. */
  readonly finished_sessions_before: Date;
  /** Snapshots replaced before; their revisions can no longer be read. */
  readonly replaced_snapshots_before: Date;
  /** Mails sent or withdrawn before. */
  readonly settled_mails_before: Date;
}
