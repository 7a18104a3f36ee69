import type { WorkDetails, WorkKind } from "../schemas/work.js";

/** Where a line stands in its kind: the oldest come first, then by id. */
export interface WorkPlace {
  readonly kind: WorkKind;
  readonly since: Date;
  readonly id: string;
}

/** A line as it is stored. */
export interface StoredWork extends WorkPlace {
  readonly tenant_id: string | null;
  /** The tenant's name. */
  readonly tenant: string | null;
  readonly details: WorkDetails;
}

/** What of the work queue is wanted. */
export interface WorkQuery {
  /** Null = of all tenants, and of the installation. */
  readonly tenant_id: string | null;
  /** What is counted, in the order in which lines come. */
  readonly kinds: readonly WorkKind[];
  /** Of which of them there are lines. */
  readonly listed: readonly WorkKind[];
  /** After how many days in its status a letter needs somebody; in a status that is not named never. */
  readonly overdue_days: Readonly<Record<string, number>>;
  readonly now: Date;
  /** Counts end here. */
  readonly max_counted: number;
  /** Lines behind this one. */
  readonly after: WorkPlace | null;
  readonly limit: number;
}

/** Finds in what is stored, whoever keeps it, what needs somebody now: over all tenants, at the cost of what is found. */
export interface WorkReader {
  find(query: WorkQuery): Promise<{
    readonly lines: readonly StoredWork[];
    readonly counts: Readonly<Partial<Record<WorkKind, number>>>;
  }>;
}
