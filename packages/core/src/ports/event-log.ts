import type { NewEvent } from "../schemas/event.js";

/**
 * The event log of one tenant. Core only appends to it; `@org/events` numbers, reads and delivers the events. Events are stored
 * with the transaction that appends them, in the order in which they were appended.
 */
export interface EventLog {
  /**
   * Appends events; the storage assigns ids and times. Events for operators go to the installation's log. They may be written as
   * late as the commit, so a transaction does not see its own.
   */
  append(events: readonly NewEvent[]): Promise<void>;
}
