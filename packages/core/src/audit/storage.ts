import type { AuditTrail } from "../ports/audit-log.js";
import type { AuditChain } from "./audit-chain-store.js";

/** The part of the storage that readers of the audit trail need. */
export interface AuditStorage {
  readonly auditTrail: AuditTrail;
  readonly auditChain: AuditChain;
}
