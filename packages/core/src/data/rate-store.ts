import type { AuditEntry } from "../ports/audit-log.js";

/** 1 `base` = `rate` `quote` on `date`. */
export interface ExchangeRate {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Three capital letters, as `quote`. */
  readonly base: string;
  readonly quote: string;
  /** A decimal above 0, with at most 20 digits on each side of the point. */
  readonly rate: string;
  /** The name of the file, or the service. */
  readonly source: string;
}

/** How many rates of a day a source has stated. */
export interface RateDay {
  readonly date: string;
  readonly sources: readonly { readonly source: string; readonly rates: number }[];
}

/** A fetch from a service that a server has claimed. */
export interface RateFetch {
  /** When rates were last fetched; null = never. */
  readonly succeeded_at: Date | null;
  /** How often it has failed since. */
  readonly failures: number;
}

/** Exchange rates, the same for all tenants, and when those of a service are fetched. */
export interface RateStore {
  /**
   * Inserts rates of one source, or replaces those of the same date, base and quote, and records `entry` with how many were `replaced` in its
   * facts, all or nothing. No two of `rates` have the same date, base and quote.
   * @returns how many were replaced
   */
  importAll(rates: readonly Omit<ExchangeRate, "source">[], source: string, entry: AuditEntry): Promise<number>;
  /** Newest day first, then by base and quote; `date` null = of all days. */
  list(query: {
    readonly date: string | null;
    readonly offset: number;
    readonly limit: number;
  }): Promise<{ readonly rates: readonly ExchangeRate[]; readonly total: number }>;
  /** Days with rates, newest first, before a day or (null) from the newest on; sources by name. */
  days(query: { readonly before: string | null; readonly limit: number }): Promise<readonly RateDay[]>;
  /** All rates of days from `first` to `last`, by date, base and quote. */
  between(first: string, last: string): Promise<readonly ExchangeRate[]>;
  /** Claims the fetch from a service if it is due, until the lease ends; null = it is not, or another server has it. */
  claimFetch(service: string, now: Date, leaseUntil: Date): Promise<RateFetch | null>;
  /** Records how a claimed fetch ended, and when the next one is due. */
  endFetch(service: string, ended: RateFetch & { readonly due_at: Date }): Promise<void>;
}
