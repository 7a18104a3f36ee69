import type { OwnedAuditEntry } from "../ports/audit-log.js";
import type { NewEvent } from "../schemas/event.js";
import type { Uuid } from "../schemas/identifier.js";
import type { WorkKind } from "../schemas/work.js";

/** Identifies a line of the work queue. */
export interface WorkKey {
  readonly kind: WorkKind;
  /** The id of what the line is about. */
  readonly id: string;
}

/** Who looks after a line, and until when it is put aside, for the people of one tenant, or for operators. */
export interface WorkMark extends WorkKey {
  /** The tenant whose people made it; `INSTALLATION_LOG` for operators, whose marks tenants do not see. */
  readonly tenant_id: Uuid;
  /** The actor's id, as in the audit trail. */
  readonly owner_id: string | null;
  readonly snoozed_until: Date | null;
  readonly reason: string | null;
  /** What was wrong when the line was snoozed; once it is something else, the line is back. */
  readonly cause: string | null;
  /** Greater with each change and never again the same, also after the mark is deleted; a line without a mark has 0. */
  readonly version: number;
  readonly changed_at: Date;
}

/** A change of marks, with what is recorded about it. */
export interface WorkMarkChange {
  /** Those without owner and without snooze are deleted. */
  readonly marks: readonly WorkMark[];
  readonly entries: readonly OwnedAuditEntry[];
  readonly events: readonly NewEvent[];
}

/** The marks of lines of the work queue. Each method is one transaction. */
export interface WorkMarkStore {
  find(tenantId: Uuid, keys: readonly WorkKey[]): Promise<readonly WorkMark[]>;
  /**
   * One change at a time for each tenant. `decide` gets the marks that exist, and the version of what it changes; it may be called again, and must not
   * change anything itself.
   */
  change(
    tenantId: Uuid,
    keys: readonly WorkKey[],
    decide: (marks: readonly WorkMark[], version: number) => WorkMarkChange,
  ): Promise<void>;
  /** The marks of all tenants and of operators after `after`, by tenant, kind and id. */
  list(after: Pick<WorkMark, "tenant_id" | "kind" | "id"> | null, limit: number): Promise<readonly WorkMark[]>;
  /** Deletes marks that have not changed since. Returns how many. */
  remove(marks: readonly WorkMark[]): Promise<number>;
}
