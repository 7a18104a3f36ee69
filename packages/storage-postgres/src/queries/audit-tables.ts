import type { AuditEntry } from "@org/core";
import type { Generated } from "kysely";

interface AuditLogTable {
  /** Null = a line of the installation. */
  tenant_id: string | null;
  audit_id: string;
  at: Date;
  actor: string;
  action: string;
  object_type: string;
  object_id: string;
  trace_id: string | null;
  address: string | null;
  facts: AuditEntry["facts"];
  /** A line without a number gets one from the job that chains lines. */
  line_number: Generated<string | null>;
}

interface AuditChainTable {
  sequence: string;
  line_number: string;
  audit_id: string;
  hash: Buffer;
  refused_at: Date | null;
  content_hash: Buffer | null;
  sealed_at: Date;
}

interface AuditSealing {
  only_row: boolean;
  settled: string;
  awaited: string;
  writers: string[];
}

/** The audit trail and its hash chain. */
export interface AuditTables {
  audit_log: AuditLogTable;
  audit_chain: AuditChainTable;
  audit_sealing: AuditSealing;
}
