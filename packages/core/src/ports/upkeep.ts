import type { Uuid } from "../schemas/identifier.js";
/** Clean-up of expired rows and other work across all tenants, in small batches. */
export interface Upkeep {
  /**
   * Moves open sessions whose `expires_at` has passed to `Finished:Expired` with `SessionExpired`, clears their secrets and appends
   * their events. Returns how many.
   */
  expireSessions(now: Date, limit: number): Promise<number>;
  /**
   * Finds Connected letters that have had no file, and were not connected or resolved, since `since`. At most `limit`, in no order;
   * they may have moved on meanwhile.
   */
  silentLetters(since: Date, limit: number): Promise<readonly { tenant_id: string; letter_id: Uuid }[]>;
  /**
   * Finds open sessions in `Processing:*` whose `working_until` has passed. At most `limit`, in no order; they may have moved on
   * meanwhile.
   */
  cutOffLogins(now: Date, limit: number): Promise<readonly { tenant_id: string; session_id: Uuid }[]>;
  /**
   * Finds open sessions in `Waiting:Challenge` whose bank could have been polled since `before` but was not, longest waiting first.
   * At most `limit`, per tenant and overall; they may have moved on meanwhile.
   */
  unpolledChallenges(
    before: Date,
    now: Date,
    limit: number,
  ): Promise<readonly { tenant_id: string; session_id: Uuid }[]>;
  /**
   * Finds ended sessions with `sealed_accesses` whose `poll_after` has passed or is null, and on which no server has worked since
   * `idleSince`. At most `limit`, in no order; another server may have begun with them meanwhile.
   */
  savedAccesses(now: Date, idleSince: Date, limit: number): Promise<readonly { tenant_id: string; session_id: Uuid }[]>;
  /** Finds objects of the bucket that no document's row names, including those of removed tenants. At most `limit`, longest due first. */
  orphanedObjects(now: Date, limit: number): Promise<readonly OrphanedObject[]>;
  /** Forgets objects that are deleted from the bucket. */
  forgetObjects(objects: readonly OrphanedObject[]): Promise<void>;
  /**
   * Keeps what accounts were worth at the ends of months that are over, so that a history by month is read without looking each of them up; once a
   * day for all accounts. Looks at no more than `limit` accounts and tenants, and returns at how many; 0 = all are done for `today`, `YYYY-MM-DD`,
   * but those of tenants for which something is published just now.
   */
  keepMonths(today: string, limit: number): Promise<number>;
  /** Deletes at most `limit` expired rows of each kind. Returns counts per kind; all zero = done. */
  reap(cutoffs: ReapCutoffs, limit: number): Promise<Readonly<Record<string, number>>>;
}

/** An object of the bucket, and the tenant it belonged to. */
export interface OrphanedObject {
  readonly tenant_id: string;
  readonly object_key: string;
}

/** The times before which rows are deleted. */
export interface ReapCutoffs {
  /** Idempotency keys that expired before. */
  readonly now: Date;
  /** Finished sessions last updated before. */
  readonly finished_sessions_before: Date;
  /** Snapshots replaced before; their revisions can then no longer be read. */
  readonly replaced_snapshots_before: Date;
  /** Former versions of transactions replaced or withdrawn before. */
  readonly former_versions_before: Date;
  /** `YYYY-MM-DD`: valuations of days before; the last one of each account stays. */
  readonly valuations_before: string;
  /** The same by id of the tenants for which another day is set. */
  readonly tenant_valuations_before?: Readonly<Record<string, string>>;
  /** Mails sent or withdrawn before. */
  readonly settled_mails_before: Date;
}
