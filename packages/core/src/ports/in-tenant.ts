import type { AuditLog } from "./audit-log.js";
import type { EventLog } from "./event-log.js";

/**
 * Runs `work` in one transaction that sees and changes only this tenant's rows, and rolls back if `work` throws. Calls must not
 * nest (an error says so); pass `stores` down instead. `work` may be rolled back and run again, so it must not change anything
 * outside the storage.
 */
export type InTenant<Stores> = <T>(tenantId: string, work: (stores: Stores) => Promise<T>) => Promise<T>;

/** The logs that every transaction can append to. */
export interface LogStores {
  readonly audit: AuditLog;
  readonly events: EventLog;
}
