import {
  createPageTokens,
  EVENT_TYPES,
  type EventType,
  type EventView,
  invalid,
  invalidValue,
  parseMoment,
  parseUuid,
  type Runtime,
  type TenantActor,
} from "@org/core";
import { isOfPattern } from "./asks-for.js";
import type { EventQuery, EventStore, NumberedEvents, StoredEvent } from "./ports/event-store.js";
import { createWaitingCalls, type WaitingLimits } from "./waiting-calls.js";

/** How many days events are kept. */
export const EVENT_DAYS = 30;

/** A query of a log. Times are ISO 8601 dates or datetimes. */
export interface EventSearch {
  readonly query: {
    /** Types and type families such as `letter.*`. */
    readonly type_in?: readonly string[] | undefined;
    /** Ids of events. */
    readonly after?: string | null | undefined;
    readonly before?: string | null | undefined;
    readonly created_at?: { readonly start?: string | undefined; readonly end?: string | undefined } | undefined;
    readonly object_id?: string | null | undefined;
  };
  readonly order: "asc" | "desc";
  readonly page_size: number;
  readonly page_token?: string | null | undefined;
  /** How long to wait for an event when there is none; 0 to 30. */
  readonly wait_seconds: number;
}

/** The log for its readers. */
export interface EventReading {
  /**
   * Reads a page of a log. With `wait_seconds`, which requires the order asc, it returns as soon as there is an event, or empty
   * when the time is over.
   * @param gone aborts when the caller has disconnected
   * @param limit whose limit of clients holds, as it is when the call begins
   * @throws CoreError VALIDATION_ERROR; RATE_LIMITED or UNAVAILABLE when too many calls wait
   */
  list(
    log: string,
    search: EventSearch,
    gone?: AbortSignal,
    limit?: Pick<TenantActor, "client_refs">,
  ): Promise<{ readonly items: readonly EventView[]; readonly next_page_token: string | null }>;
  /** Numbers waiting events in all logs, in batches, until none is left or `signal` is aborted. */
  number(signal: AbortSignal): Promise<void>;
  /** Deletes at most `limit` events older than {@link EVENT_DAYS}; returns their number. */
  reap(now: Date, limit: number): Promise<number>;
  /** Ends the waiting calls when the server stops. */
  close(): void;
}

const DAY_MS = 86_400_000;
/** Small, so that callers that wait for a log's lock do not wait long. */
const NUMBERING_BATCH = { logs: 100, limit: 1_000 };

/** @param onNumbered called with the events that this process has just numbered, and that must be delivered */
export function createEventReading(deps: {
  store: EventStore;
  mac: Runtime["mac"];
  /** How often to check whether another server has written an event that a call waits for, in milliseconds. */
  everyMs: number;
  waiting: WaitingLimits;
  onNumbered?: (numbered: readonly NumberedEvents[]) => void;
}): EventReading {
  const { store } = deps;
  const tokens = createPageTokens(deps.mac);
  const waiting = createWaitingCalls({ heads: store.heads, everyMs: deps.everyMs, limits: deps.waiting });

  return {
    async list(log, search, gone, limit = {}) {
      if (search.wait_seconds === 0) {
        const { head: _, ...page } = await list(log, search, limit);
        return page;
      }
      if (search.order !== "asc")
        throw invalid(invalidValue("wait_seconds", "is for the order asc: what is new comes last"));
      const call = waiting.enter(log, search.wait_seconds, gone);
      try {
        for (;;) {
          const { head, ...page } = await list(log, search, limit);
          if (page.items.length > 0 || !(await call.news(head))) return page;
        }
      } finally {
        call.leave();
      }
    },
    async number(signal) {
      let numbered: readonly NumberedEvents[];
      do {
        numbered = await store.number(NUMBERING_BATCH);
        tell(numbered);
      } while (!signal.aborted && countOf(numbered) >= NUMBERING_BATCH.limit);
    },
    reap: (now, limit) => store.reap(new Date(now.getTime() - EVENT_DAYS * DAY_MS), limit),
    close: waiting.close,
  };

  async function list(
    log: string,
    { query, order, page_size, page_token }: EventSearch,
    limit: Pick<TenantActor, "client_refs">,
  ) {
    const asked = { ...queryOf(query), order };
    const client_ref_in = limit.client_refs ?? null;
    const wanted = { ...asked, client_ref_in };
    const key = ["events", log, client_ref_in === null ? asked : wanted];
    const place = page_token == null ? null : placeOf(tokens.read(key, page_token));
    const { events, head, unknown, numbered } = await store.page(log, { ...wanted, place, limit: page_size + 1 });
    tell(numbered);
    if (unknown.length > 0)
      throw invalid(
        ...unknown.map((field) =>
          invalidValue(
            `query.${field}`,
            `must be the id of an event of this log that is kept: events are kept for ${EVENT_DAYS} days`,
          ),
        ),
      );
    const shown = events.slice(0, page_size);
    const last = shown.at(-1);
    const hasMore = last !== undefined && events.length > page_size;
    return {
      items: shown.map((event) => eventView(log, client_ref_in === null ? event : withoutOthers(event))),
      next_page_token: hasMore ? tokens.issue(key, String(last.sequence)) : null,
      head,
    };
  }

  function tell(numbered: readonly NumberedEvents[]): void {
    if (numbered.length === 0) return;
    waiting.look();
    deps.onNumbered?.(numbered);
  }
}

/** An event as listings and deliveries show it. */
export function eventView(log: string, event: Omit<StoredEvent, "object_id">): EventView {
  const { event_id, type, created_at, sequence, data } = event;
  return { id: event_id, type, created_at: created_at.toISOString(), tenant_id: log, sequence, data };
}

/** A login may have come upon a connection of another client, which the session itself says if it is inside. */
function withoutOthers(event: StoredEvent): StoredEvent {
  const { type, data } = event;
  if (type !== "session.finished" || !("error_code" in data) || data.error_code !== "AlreadyExists") return event;
  return { ...event, data: { ...data, connection_id: null } as StoredEvent["data"] };
}

/** Expands types and type families such as `letter.*` to types. @throws CoreError VALIDATION_ERROR naming the field */
export function typesOf(patterns: readonly string[], field: string): readonly EventType[] {
  const faults = patterns.flatMap((pattern, index) =>
    EVENT_TYPES.some((type) => isOfPattern(type, pattern))
      ? []
      : [invalidValue(`${field}[${index}]`, "must be a type of event, or a family of them such as letter.*")],
  );
  if (faults.length > 0) throw invalid(...faults);
  return EVENT_TYPES.filter((type) => patterns.some((pattern) => isOfPattern(type, pattern)));
}

type Wanted = Pick<EventQuery, "type_in" | "object_id" | "from" | "until" | "after" | "before">;

function queryOf({ type_in, after, before, created_at, object_id }: EventSearch["query"]): Wanted {
  return {
    type_in: type_in === undefined ? null : typesOf(type_in, "query.type_in"),
    object_id: object_id ?? null,
    from: created_at?.start === undefined ? null : (parseMoment(created_at.start)?.from ?? null),
    until: created_at?.end === undefined ? null : (parseMoment(created_at.end)?.before ?? null),
    after: after == null ? null : idOf(after, "after"),
    before: before == null ? null : idOf(before, "before"),
  };
}

function idOf(text: string, field: string) {
  const id = parseUuid(text.toLowerCase());
  if (id === null) throw invalid(invalidValue(`query.${field}`, "must be the id of an event"));
  return id;
}

function placeOf(text: string | null): number {
  if (text === null) throw invalid(invalidValue("page_token", "must be the next_page_token of the same query"));
  return Number(text);
}

function countOf(numbered: readonly NumberedEvents[]): number {
  return numbered.reduce((sum, { events }) => sum + events, 0);
}
