import type { OwnedAuditEntry } from "../ports/audit-log.js";

/** One place in the chain; hashes are hex. */
export interface ChainedEntry {
  readonly sequence: number;
  readonly hash: string;
  readonly audit_id: string;
  /** When it came, of a refusal that is deleted after its time; null for lines that stay. */
  readonly refused_at: Date | null;
  /** Of a refusal that was deleted; null, or empty when its line was missing by then, for all others. */
  readonly content_hash: string | null;
  readonly entry: OwnedAuditEntry | null;
}

/** The hash chain over the audit trail: every line gets its place a moment after it was committed (docs/decisions/audit-chain.md). */
export interface AuditChain {
  /**
   * Chains at most `limit` lines that are committed and not chained yet. Of several at once, on any replica, one works and the
   * others return 0. Returns how many.
   */
  seal(limit: number): Promise<number>;
  /** The last place; null while there is none. `waiting` counts lines without a place, up to 10,000. */
  head(): Promise<{ last: { sequence: number; hash: string; sealed_at: Date } | null; waiting: number }>;
  /** Places after `after`, in order, with the lines among them that have none. */
  page(query: { after: number; limit: number }): Promise<{
    readonly after: { readonly sequence: number; readonly hash: string } | null;
    readonly items: readonly ChainedEntry[];
    readonly strangers: readonly OwnedAuditEntry[];
  }>;
  /**
   * Deletes at most `limit` refusals without a proven caller that came before a moment, a day ago at least, and have their place;
   * it stays, with the hash of what they said. Returns how many.
   */
  eraseRefusals(before: Date, limit: number): Promise<number>;
  /** Lines without a place, oldest first. */
  waiting(limit: number): Promise<readonly OwnedAuditEntry[]>;
  /**
   * Which places hold the lines of a time: the sequence before the first of them, and that of the last. Null where there is none.
   * Lines whose clocks were off by more than a thousand lines may lie outside.
   */
  placesOf(time: { from: Date | null; before: Date | null }): Promise<{ after: number | null; through: number | null }>;
}
