/** What is counted of an institution: logins of customers, and refreshes of their connections. */
export const outcomeKinds = ["login", "refresh"] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/**
 * How often something ended how. `customer`: as the customer's doing, such as a wrong password, which says nothing of the institution or
 * its provider. What was put off, is still prepared or was given up by its customer is not counted.
 */
export interface Outcomes {
  readonly succeeded: number;
  readonly failed: number;
  readonly customer: number;
}

/** What one server has counted and nobody has added up yet. */
export interface CountedOutcomes extends Outcomes {
  readonly connector_id: string;
  readonly kind: OutcomeKind;
  /** Beginning of the hour. */
  readonly hour: Date;
}

/** Outcomes of all servers at one connector. */
export interface InstitutionOutcomes {
  readonly connector_id: string;
  readonly day: Readonly<Record<OutcomeKind, Outcomes>>;
  readonly week: Readonly<Record<OutcomeKind, Outcomes>>;
  /** Since when its circuit is open, on some server and under whoever's settings; null = it is not. */
  readonly open_since: Date | null;
}

/** Counts of outcomes by hour, added up over all servers. */
export interface OutcomeStore {
  add(counted: readonly CountedOutcomes[]): Promise<void>;
  /**
   * Of the last 24 hours and the last seven days, by whole hours; connectors without any of them and with no open circuit are left out. By
   * `connector_id`, at most `limit` behind `after`.
   */
  figures(query: {
    readonly now: Date;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly InstitutionOutcomes[]>;
  /** Deletes hours before; returns how many rows. */
  reap(before: Date, limit: number): Promise<number>;
}
