import type { ListOrder } from "../schemas/paging.js";

/** One line of the audit trail: who did what to which object, when, from where (security.md "Everywhere"). Ids only, never contents. */
export interface AuditEntry {
  readonly audit_id: string;
  readonly at: Date;
  /** Application id of the actor, `customer` for the person in the widget, `system` for jobs, `unknown` for a refused caller. */
  readonly actor: string;
  /** Dotted verb such as `connection.delete`. */
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly trace_id: string | null;
  readonly address: string | null;
  /** Small facts without personal data, such as `{from, to}` of a move. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

/** Append-only trail of one tenant. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first, at most `limit`, older than `before` when given. */
  list(query: { limit: number; before?: string }): Promise<readonly AuditEntry[]>;
}

/** A line with its tenant; null is the installation itself. */
export interface OwnedAuditEntry extends AuditEntry {
  readonly tenant_id: string | null;
}

/** Which lines are read. Null means any; all conditions are ANDed. */
export interface AuditQuery {
  /** Undefined = any; null = the installation's own. */
  readonly tenant_id: string | null | undefined;
  /** At or after this time. */
  readonly from: Date | null;
  /** Before this time. */
  readonly before: Date | null;
  readonly action: string | null;
  readonly actor: string | null;
  readonly object_id: string | null;
  readonly trace_id: string | null;
  /** By `at`, then `audit_id`. */
  readonly order: ListOrder;
  /** Continues after this line. */
  readonly after: Pick<AuditEntry, "at" | "audit_id"> | null;
  readonly limit: number;
}

/** The append-only trail of the whole installation. */
export interface AuditTrail {
  /** Appends lines of any tenants, all or none. A line that already exists stays as it is, so that a batch can be repeated. */
  append(entries: readonly OwnedAuditEntry[]): Promise<void>;
  list(query: AuditQuery): Promise<readonly OwnedAuditEntry[]>;
}
