import type { OwnedAuditEntry } from "../ports/audit-log.js";

/** One place in the chain; hashes are hex. */
export interface ChainedEntry {
  readonly sequence: number;
  readonly hash: string;
  readonly audit_id: string;
  /** For a refusal, which is deleted after its time: when it came; null for lines that stay. */
  readonly refused_at: Date | null;
  /** The content hash of a refusal that was deleted, or empty if its line was already missing then; null for all others. */
  readonly content_hash: string | null;
  readonly entry: OwnedAuditEntry | null;
}

/** The hash chain over the audit trail: every line gets its place shortly after it is committed (docs/decisions/audit-chain.md). */
export interface AuditChain {
  /**
   * Chains at most `limit` lines that are committed and not chained yet; returns their number. If replicas call it at the same time, one
   * does the work and the others return 0.
   */
  seal(limit: number): Promise<number>;
  /** The last place; null while there is none. `waiting` counts lines without a place, up to 10,000. */
  head(): Promise<{ last: { sequence: number; hash: string; sealed_at: Date } | null; waiting: number }>;
  /** Places after `after`, in order. `strangers` are lines among theirs that have no place. */
  page(query: { after: number; limit: number }): Promise<{
    readonly after: { readonly sequence: number; readonly hash: string } | null;
    readonly items: readonly ChainedEntry[];
    readonly strangers: readonly OwnedAuditEntry[];
  }>;
  /**
   * Deletes at most `limit` refusals without a proven caller that came before `before`, which is at least a day ago, and that have a place.
   * The place stays, with the hash of the content. Returns how many.
   */
  eraseRefusals(before: Date, limit: number): Promise<number>;
  /** Lines without a place, oldest first. */
  waiting(limit: number): Promise<readonly OwnedAuditEntry[]>;
  /**
   * The places that hold the lines of a time: the sequence before the first of them, and that of the last; null if there is none. Lines
   * whose clocks were off by more than a thousand lines may lie outside.
   */
  placesOf(time: { from: Date | null; before: Date | null }): Promise<{ after: number | null; through: number | null }>;
}
