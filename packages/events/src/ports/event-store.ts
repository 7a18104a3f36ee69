import type { EventData, EventType, Uuid } from "@org/core";

/** An event that has its number. */
export interface StoredEvent {
  readonly event_id: Uuid;
  /** 1, 2, 3 … in each log. */
  readonly sequence: number;
  readonly type: EventType;
  readonly created_at: Date;
  readonly object_id: string;
  readonly data: EventData<EventType>;
}

/** Which events are read; all conditions hold together, null means any. */
export interface EventQuery {
  readonly type_in: readonly EventType[] | null;
  readonly object_id: string | null;
  /** Written from this moment on. */
  readonly from: Date | null;
  /** Written before this moment. */
  readonly until: Date | null;
  /** Only events behind this one of the log. */
  readonly after: Uuid | null;
  /** Only events in front of this one. */
  readonly before: Uuid | null;
  /** The place where the page before ended: goes on behind it, in the direction of `order`. */
  readonly place: number | null;
  readonly order: "asc" | "desc";
  readonly limit: number;
}

/** A page, and how far the log went when it was read: nothing up to `head` is missing in it. */
export interface EventPage {
  readonly events: readonly StoredEvent[];
  readonly head: number;
  /** Which of `after` and `before` name no event that is kept; then there are no events. */
  readonly unknown: readonly ("after" | "before")[];
}

/** How many events of a type were numbered. */
export interface NumberedEvents {
  readonly type: EventType;
  readonly events: number;
}

/**
 * The log of events of each tenant, and under `INSTALLATION_LOG` that of the installation. Events are appended by core (`EventLog`), each
 * in the transaction that makes it happen, and get their number a moment later: whoever has seen one has missed nothing below it,
 * in whatever order transactions commit.
 */
export interface EventStore {
  /** Reads a page of a log. What was committed before the call is in it: it is numbered first when it has no number yet. */
  page(log: string, query: EventQuery): Promise<EventPage & { readonly numbered: readonly NumberedEvents[] }>;
  /** Numbers what waits in all logs: of at most `logs` of them, at most `limit` events each. */
  number(request: { readonly logs: number; readonly limit: number }): Promise<readonly NumberedEvents[]>;
  /** The last number of each of these logs; 0 where nothing has happened. */
  heads(logs: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** What waits for its number: how many, counted up to 10,000, and since when. */
  backlog(): Promise<{ readonly events: number; readonly oldest: Date | null }>;
  /** Deletes at most `limit` events that were written before a moment. Returns how many. */
  reap(before: Date, limit: number): Promise<number>;
}
