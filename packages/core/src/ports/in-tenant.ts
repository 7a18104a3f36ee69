import type { AuditLog } from "./audit-log.js";
import type { EventLog } from "./event-log.js";

/**
 * Runs `work` in one transaction that sees and touches only this tenant's rows: all of it is kept, or, when `work` throws,
 * nothing. Calls must not nest (an error says so); pass `stores` down instead. `work` may run again from the start, when what
 * it did before is undone: it changes nothing outside the storage.
 */
export type InTenant<Stores> = <T>(tenantId: string, work: (stores: Stores) => Promise<T>) => Promise<T>;

/** What every transaction may append to. */
export interface LogStores {
  readonly audit: AuditLog;
  readonly events: EventLog;
}
