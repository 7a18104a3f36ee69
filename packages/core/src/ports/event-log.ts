import type { NewEvent } from "../schemas/event.js";

/**
 * The log of what happens to one tenant. Core only writes it; `@org/events` numbers, reads and delivers.
 * Events are kept with the transaction that appends them, or not at all, in the order in which they were appended.
 */
export interface EventLog {
  /**
   * Adds events; the storage gives ids and times. Those for operators go to the installation's log. They may be written as late as with
   * the commit: a transaction does not see its own.
   */
  append(events: readonly NewEvent[]): Promise<void>;
}
