/** One line of the audit trail: who did what to which object, when, from where (security.md "Everywhere"). Ids only, never contents. */
export interface AuditEntry {
  readonly audit_id: string;
  readonly at: Date;
  /** Application id of whoever acted, `customer` for the person in the widget, `system` for jobs, `unknown` for who is refused. */
  readonly actor: string;
  /** Dotted verb such as `connection.delete`. */
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly trace_id: string | null;
  readonly address: string | null;
  /** Small facts that hold no personal data, such as `{from, to}` of a move. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

/** Append-only trail of one tenant. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first, at most `limit`, older than `before` when given. */
  list(query: { limit: number; before?: string }): Promise<readonly AuditEntry[]>;
}

/** A line with whose it is; a null tenant is the installation itself. */
export interface OwnedAuditEntry extends AuditEntry {
  readonly tenant_id: string | null;
}

/** Which lines are read. Null means any; all conditions hold together. */
export interface AuditQuery {
  /** Undefined = any; null = the installation's own. */
  readonly tenant_id: string | null | undefined;
  /** From this moment on. */
  readonly from: Date | null;
  /** Earlier than this moment. */
  readonly before: Date | null;
  readonly action: string | null;
  readonly actor: string | null;
  readonly object_id: string | null;
  readonly trace_id: string | null;
  /** By `at`, then `audit_id`. */
  readonly order: "newest" | "oldest";
  /** Goes on after this line. */
  readonly after: Pick<AuditEntry, "at" | "audit_id"> | null;
  readonly limit: number;
}

/** The trail of the whole installation, append-only too. */
export interface AuditTrail {
  /** Adds lines of any tenants, all or none; a line that is there already stays as it is, so that a batch can be repeated. */
  append(entries: readonly OwnedAuditEntry[]): Promise<void>;
  list(query: AuditQuery): Promise<readonly OwnedAuditEntry[]>;
}
