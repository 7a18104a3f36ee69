/** What is counted for each institution: logins of customers, and refreshes of their connections. */
export const outcomeKinds = ["login", "refresh"] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/**
 * Number of logins or refreshes by outcome. `customer`: ended because of the customer, such as by a wrong password, which says nothing
 * about the institution or its provider. What was postponed, is still being prepared or was given up by the customer is not counted.
 */
export interface Outcomes {
  readonly succeeded: number;
  readonly failed: number;
  readonly customer: number;
}

/** Outcomes that one server has counted but not stored yet. */
export interface CountedOutcomes extends Outcomes {
  readonly connector_id: string;
  readonly kind: OutcomeKind;
  /** The start of the hour. */
  readonly hour: Date;
}

/** Outcomes of all servers at one connector. */
export interface InstitutionOutcomes {
  readonly connector_id: string;
  readonly day: Readonly<Record<OutcomeKind, Outcomes>>;
  readonly week: Readonly<Record<OutcomeKind, Outcomes>>;
  /** Since when its circuit has been open, on any server and under anyone's settings; null = it is closed. */
  readonly open_since: Date | null;
}

/** Counts of outcomes by hour, added up over all servers. */
export interface OutcomeStore {
  add(counted: readonly CountedOutcomes[]): Promise<void>;
  /**
   * The outcomes of the last 24 hours and of the last seven days, in whole hours. Connectors with neither outcomes nor an open circuit are
   * left out. Ordered by `connector_id`, at most `limit` after `after`.
   */
  figures(query: {
    readonly now: Date;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly InstitutionOutcomes[]>;
  /** Deletes hours before `before`; returns the number of rows. */
  reap(before: Date, limit: number): Promise<number>;
}
