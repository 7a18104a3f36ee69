import type { WorkDetails, WorkKind } from "../schemas/work.js";

/** The position of a line within its kind: the oldest first, then by id. */
export interface WorkPlace {
  readonly kind: WorkKind;
  readonly since: Date;
  readonly id: string;
}

/** A line as it is found, before its subject, action and institution are added. */
export interface StoredWork extends WorkPlace {
  readonly tenant_id: string | null;
  /** The tenant's name. */
  readonly tenant: string | null;
  readonly details: WorkDetails;
}

/** A query of the work queue. */
export interface WorkQuery {
  /** Null = of all tenants, and of the installation. */
  readonly tenant_id: string | null;
  /** The kinds to count, in the order in which lines come. */
  readonly kinds: readonly WorkKind[];
  /** The kinds among them whose lines are returned. */
  readonly listed: readonly WorkKind[];
  /** After how many days in its status a letter needs action; never in a status that is not named. */
  readonly overdue_days: Readonly<Record<string, number>>;
  readonly now: Date;
  /** The highest number to which lines of a kind are counted. */
  readonly max_counted: number;
  /** Only lines after this one. */
  readonly after: WorkPlace | null;
  readonly limit: number;
}

/**
 * Finds what needs action now in the stored data of all packages, over all tenants. The cost depends on what is found, not on what is
 * stored.
 */
export interface WorkReader {
  find(query: WorkQuery): Promise<{
    readonly lines: readonly StoredWork[];
    readonly counts: Readonly<Partial<Record<WorkKind, number>>>;
  }>;
}
