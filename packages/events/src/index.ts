/**
 * What happens to a tenant, as its log and as signed webhooks. Events are written by core, each in the transaction that makes it happen
 * (`EventLog`); here they are read.
 *
 *   event-reading.ts   pages of a log, numbering, what is old
 *   waiting-calls.ts   calls that wait for news, a bounded number of them
 *   ports/             what is stored; `./testing` has a memory version and the cases that every backend passes
 */
export {
  createEventReading,
  EVENT_DAYS,
  type EventReading,
  type EventSearch,
  eventView,
  typesOf,
} from "./event-reading.js";
export type { EventPage, EventQuery, EventStore, NumberedEvents, StoredEvent } from "./ports/event-store.js";
