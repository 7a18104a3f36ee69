import { type Labels, logOf, type NewEvent, type Uuid } from "@org/core";
import type { EventStore, StoredEvent } from "../ports/event-store.js";

type Unnumbered = NewEvent & Omit<StoredEvent, "sequence"> & { readonly log: string; readonly labels: Labels };

/** An {@link EventStore} in memory, for tests, with the append that core would do. */
export interface MemoryEventStore extends EventStore {
  /** Appends events of a tenant at a given time, as one transaction would. */
  append(tenantId: string, events: readonly NewEvent[], at?: Date, eventId?: Uuid): Promise<void>;
  /** The numbered events of a log, in order. */
  kept(log: string): readonly KeptEvent[];
  /** Calls a listener with newly numbered events. */
  onNumbered(listener: (events: readonly KeptEvent[]) => void): void;
}

/** An event with its log and the labels of its object. */
export type KeptEvent = NewEvent & StoredEvent & { readonly log: string; readonly labels: Labels };

export function createMemoryEventStore(now: () => Date): MemoryEventStore {
  const waiting: Unnumbered[] = [];
  const listeners: ((events: readonly KeptEvent[]) => void)[] = [];
  const counters = new Map<string, number>();
  let kept: readonly KeptEvent[] = [];
  let ids = 0;

  function number(isNumbered: (log: string) => boolean, limit: number) {
    const found = waiting.filter(({ log }) => isNumbered(log)).slice(0, limit);
    const numbered = found.map((event) => {
      waiting.splice(waiting.indexOf(event), 1);
      const sequence = (counters.get(event.log) ?? 0) + 1;
      counters.set(event.log, sequence);
      return { ...event, sequence } as KeptEvent;
    });
    kept = [...kept, ...numbered];
    for (const listener of listeners) listener(numbered);
    return found.map(({ type }) => ({ type, events: 1 }));
  }

  return {
    async append(tenantId, events, at = now(), eventId) {
      for (const { labels = {}, ...event } of events) {
        ids += 1;
        const event_id = eventId ?? (`01990000-0000-7000-a000-${ids.toString(16).padStart(12, "0")}` as Uuid);
        waiting.push({ ...event, labels, log: logOf(tenantId, event.type), event_id, created_at: at });
      }
    },
    kept: (log) => kept.filter((event) => event.log === log),
    onNumbered: (listener) => void listeners.push(listener),
    async page(log, query) {
      const numbered = number((of) => of === log, Number.POSITIVE_INFINITY);
      const own = kept.filter(
        ({ log: of, data }) =>
          of === log && (query.client_ref_in === null || query.client_ref_in.includes(clientOf(data) ?? "")),
      );
      const head = counters.get(log) ?? 0;
      const sequenceOf = (id: Uuid | null) => own.find(({ event_id }) => event_id === id)?.sequence;
      const bounds = { after: sequenceOf(query.after), before: sequenceOf(query.before) };
      const unknown = (["after", "before"] as const).filter(
        (name) => query[name] !== null && bounds[name] === undefined,
      );
      if (unknown.length > 0) return { events: [], head, unknown, numbered };
      const sign = query.order === "asc" ? 1 : -1;
      const events = own
        .filter(({ sequence }) => sequence > (bounds.after ?? 0) && sequence < (bounds.before ?? Infinity))
        .filter(({ sequence }) => query.place === null || sign * (sequence - query.place) > 0)
        .filter(({ type }) => query.type_in === null || query.type_in.includes(type))
        .filter(({ object_id }) => query.object_id === null || object_id === query.object_id)
        .filter(({ created_at: at }) => (!query.from || at >= query.from) && (!query.until || at < query.until))
        .sort((a, b) => sign * (a.sequence - b.sequence))
        .slice(0, query.limit)
        .map(({ log: _, labels: __, ...event }) => event);
      return { events, head, unknown, numbered };
    },
    number: async ({ limit }) => number(() => true, limit),
    heads: async (logs) => new Map(logs.map((log) => [log, counters.get(log) ?? 0])),
    backlog: async () => ({ events: waiting.length, oldest: waiting[0]?.created_at ?? null }),
    async reap(before, limit) {
      const old = kept.filter(({ created_at }) => created_at < before).slice(0, limit);
      kept = kept.filter((event) => !old.includes(event));
      return old.length;
    },
  };
}

function clientOf(data: object): string | null {
  return (data as { readonly client_ref?: string | null }).client_ref ?? null;
}
