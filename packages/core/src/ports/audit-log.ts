/** One line of the audit trail: who did what to which object, when, from where (security.md "Everywhere"). Ids only, never contents. */
export interface AuditEntry {
  readonly audit_id: string;
  readonly at: Date;
  /** Application id of whoever acted, `customer` for the person in the widget, `system` for jobs. */
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
