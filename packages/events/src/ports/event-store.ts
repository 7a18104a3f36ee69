import type { EventData, EventType, Uuid } from "@org/core";

/** A numbered event. */
export interface StoredEvent {
  readonly event_id: Uuid;
  /** 1, 2, 3 … in each log. */
  readonly sequence: number;
  readonly type: EventType;
  readonly created_at: Date;
  readonly object_id: string;
  readonly data: EventData<EventType>;
}

/** Selects events; all conditions must hold, null means any. */
export interface EventQuery {
  readonly type_in: readonly EventType[] | null;
  readonly object_id: string | null;
  /** Only events about what is of one of these clients; null = all events. The others do not exist. */
  readonly client_ref_in: readonly string[] | null;
  /** Written at this time or later. */
  readonly from: Date | null;
  /** Written before this time. */
  readonly until: Date | null;
  /** Only events behind this one in the log. */
  readonly after: Uuid | null;
  /** Only events before this one. */
  readonly before: Uuid | null;
  /** The sequence at which the previous page ended: continues behind it, in the direction of `order`. */
  readonly place: number | null;
  readonly order: "asc" | "desc";
  readonly limit: number;
}

/** A page, and the last sequence of the log when it was read: every event up to `head` was visible. */
export interface EventPage {
  readonly events: readonly StoredEvent[];
  readonly head: number;
  /** Which of `after` and `before` name no stored event; then the page is empty. */
  readonly unknown: readonly ("after" | "before")[];
}

/** The number of events of a type that were numbered. */
export interface NumberedEvents {
  readonly type: EventType;
  readonly events: number;
}

/**
 * The event log of each tenant, and under `INSTALLATION_LOG` that of the installation. Core appends events (`EventLog`), each
 * in the transaction that causes it. They are numbered a moment later, so that a reader that has seen one has missed none
 * before it, in whatever order transactions commit.
 */
export interface EventStore {
  /** Reads a page of a log. It includes everything committed before the call, because waiting events are numbered first. */
  page(log: string, query: EventQuery): Promise<EventPage & { readonly numbered: readonly NumberedEvents[] }>;
  /** Numbers waiting events in at most `logs` logs, at most `limit` in each. */
  number(request: { readonly logs: number; readonly limit: number }): Promise<readonly NumberedEvents[]>;
  /** The last sequence of each of these logs; 0 for an empty log. */
  heads(logs: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Events that wait for a number: their count, up to 10,000, and the time of the oldest. */
  backlog(): Promise<{ readonly events: number; readonly oldest: Date | null }>;
  /** Deletes at most `limit` events written before this time. Returns their number. */
  reap(before: Date, limit: number): Promise<number>;
}
