import type { Uuid } from "../schemas/identifier.js";
import type { WorkDetails, WorkKind } from "../schemas/work.js";
import type { WorkMark } from "./work-mark-store.js";

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
  /** Changes when something else is wrong. Absent in lines from elsewhere than the database. */
  readonly cause?: string;
  /** Null or absent = nobody has marked it. */
  readonly mark?: StoredMark | null;
}

/** The mark of a line, as it is read with it. */
export interface StoredMark extends Pick<WorkMark, "owner_id" | "snoozed_until" | "reason" | "version"> {
  /** Null if nobody has this id any more. */
  readonly owner_name: string | null;
  /** Whether the snooze still holds. */
  readonly is_snoozed: boolean;
}

/** Restricts the lines that are counted and returned; null = any. */
export interface WorkFilter {
  /** By owner; `owner_id: null` = lines that nobody has. */
  readonly owner: { readonly owner_id: string | null } | null;
  readonly snoozed: boolean | null;
  readonly connector_ids: readonly string[] | null;
  /** Text in the institution's name, in any case; or its id. */
  readonly custodian: string | null;
  readonly client_refs: readonly string[] | null;
  /**
   * Text in the institution's name or in what a tenant may read of the line, in any case. Letters are found by the beginnings of their words,
   * unless very many match; other lines among the oldest of their kind.
   */
  readonly words: string | null;
  readonly ids: readonly string[] | null;
}

/** A query of the work queue. */
export interface WorkQuery {
  /** Null = of all tenants, and of the installation. */
  readonly tenant_id: string | null;
  /** The tenant whose people's marks are read; `INSTALLATION_LOG` for operators'. */
  readonly marks_of: Uuid;
  readonly filter: WorkFilter;
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
