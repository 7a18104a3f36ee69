import type { AuditTrail, OwnedAuditEntry } from "@org/core";
import { type AccessRecord, createOccurrenceCounter } from "@org/http";
import type { ApplicationStore, AuditEvent } from "@org/oauth-server";
import {
  countedEvent,
  countedFacts,
  isAnonymousRefusal,
  isClaim,
  lineOf,
  namedBy,
  type WaitingEvent,
} from "./audit-lines.js";
import { createFailedRequests } from "./failed-requests.js";

const MAX_BATCH = 1_000;
/** Maximum number of waiting items, with a bound per kind so that none can crowd out the others. */
const BOUNDS = { events: 20_000, counts: 2_000, reads: 10_000 };
/** One tenant's share of a bound; without it a tenant could keep others' actions out of the trail. */
const TENANTS_PART = 0.5;
/** Refusals of one count that are logged individually. */
const SAMPLES = 3;

/** Where events and problems are logged; a pino logger fits. */
interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Takes the authorization server's events and reads of data off their request paths. Each event is logged immediately and
 * written to the audit trail a moment later, in order and in batches. Anonymous refusals are counted by network, code and
 * minute, and become one line and a few log records. Items that cannot be written wait for the database, up to bounds; `onLost`
 * and a log record report how many events were lost beyond them.
 */
export function createAuditTrail(deps: {
  trail: Pick<AuditTrail, "append">;
  applications: Pick<ApplicationStore, "ownersOf">;
  newId: () => string;
  clock: () => Date;
  log: Log;
  onLost: (events: number) => void;
  /** How often waiting items are written, in ms; without it, in full batches and at the end. */
  everyMs?: number;
  /** How long refusals are counted together, in ms; a minute by default. */
  countMs?: number;
}) {
  const { trail, applications, newId, clock, log, everyMs, countMs = 60_000 } = deps;
  const refusals = createOccurrenceCounter<AuditEvent>({ windowMs: countMs, samples: SAMPLES });
  const events = createQueue<WaitingEvent>(BOUNDS.events, ({ event }) => event.tenant_id);
  const counts = createQueue<WaitingEvent>(BOUNDS.counts, () => null);
  const failures = createFailedRequests({ newId, clock });
  const reads = createQueue<OwnedAuditEntry>(BOUNDS.reads, ({ tenant_id }) => tenant_id);
  let lost = 0;
  let failing = false;
  let writing: Promise<void> | undefined;
  const timer = everyMs === undefined ? undefined : setInterval(flush, everyMs).unref();

  return {
    audit(event: AuditEvent): void {
      if (isAnonymousRefusal(event)) {
        refuse(event);
        return;
      }
      logEvent(event);
      // The id is assigned here, so that a batch that must be written again is the same batch.
      if (!events.add({ audit_id: newId(), event, facts: {} })) lost += 1;
      else if (events.length % MAX_BATCH === 0) flush();
    },
    /** Adds a line about a read of data, without logging it. */
    read: keep,
    /** Adds a line about a request that failed by a fault of the server, or counts it. The access log has all of them. */
    requestAnswered(record: AccessRecord): void {
      if (record.status !== 500 && record.defect === undefined) return;
      keep(failures.add(record));
    },
    /** Writes the waiting items, including unfinished counts, and stops. */
    async close(): Promise<void> {
      clearInterval(timer);
      await writing;
      endCounts();
      flush();
      await writing;
      lost += events.take(events.length).length + reads.take(reads.length).length;
      lost += counts.take(counts.length).reduce((sum, count) => sum + eventsIn(count), 0);
      reportLost();
    },
  };

  function refuse(event: AuditEvent): void {
    const { action, detail, at, address, trace_id: traceId } = event;
    const about = namedBy(event);
    if (refusals.add({ at, address, traceId, kind: `${action} ${detail}`, about, facts: event })) logEvent(event);
  }

  function keep(line: OwnedAuditEntry | null): void {
    if (line !== null && !reads.add(line)) lost += 1;
  }

  function logEvent({ trace_id, ...audit }: AuditEvent): void {
    log.info({ audit, trace_id }, audit.action);
  }

  function endCounts(now?: Date): void {
    keep(failures.take(countMs, now));
    for (const count of refusals.take(now)) {
      const waiting = { audit_id: newId(), event: countedEvent(count), facts: countedFacts(count) };
      if (count.count > SAMPLES) {
        const { trace_id, ...audit } = waiting.event;
        log.info({ audit, trace_id, ...waiting.facts }, `${audit.action}, counted`);
      }
      if (!counts.add(waiting)) lost += count.count;
    }
  }

  function flush(): void {
    endCounts(clock());
    reportLost();
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
  }

  function reportLost(): void {
    if (lost === 0) return;
    log.error({ events: lost }, "audit trail: events were lost, they are in the log only");
    deps.onLost(lost);
    lost = 0;
  }

  /** Writes actions of authenticated callers first. */
  async function writeAll(): Promise<void> {
    try {
      await writeQueue(events, linesOf);
      await writeQueue(counts, linesOf);
      await writeQueue(reads, async (lines) => lines);
    } catch (error) {
      const waiting = events.length + counts.length + reads.length;
      if (!failing) log.error({ err: error, events: waiting }, "audit trail not written; will be retried");
      failing = true;
    }
  }

  async function writeQueue<T>(
    waiting: Queue<T>,
    toLines: (batch: readonly T[]) => Promise<readonly OwnedAuditEntry[]>,
  ) {
    while (waiting.length > 0) {
      const batch = waiting.first(MAX_BATCH);
      await write(await toLines(batch));
      waiting.take(batch.length);
      failing = false;
    }
  }

  /** A line that the database refuses must not block the others forever. */
  async function write(lines: readonly OwnedAuditEntry[]): Promise<void> {
    try {
      await trail.append(lines);
    } catch (error) {
      if (isOutage(error)) throw error;
      for (const line of lines)
        await trail.append([line]).catch((refusal: unknown) => {
          if (isOutage(refusal)) throw refusal;
          log.error({ err: refusal, action: line.action }, "audit trail: a line was refused");
          lost += 1;
        });
    }
  }

  async function linesOf(batch: readonly WaitingEvent[]): Promise<OwnedAuditEntry[]> {
    const claimed = new Set(batch.flatMap(({ event }) => (isClaim(event) ? [event.client_id] : [])));
    const owners = claimed.size === 0 ? new Map() : await applications.ownersOf([...claimed]);
    return batch.flatMap((waiting) => {
      const { event } = waiting;
      const owner = isClaim(event) ? owners.get(event.client_id) : undefined;
      try {
        return [lineOf({ ...waiting, event: { ...event, ...owner } }, isClaim(event))];
      } catch (error) {
        log.error({ err: error, action: event.action }, "audit trail: an event cannot be written down");
        lost += eventsIn(waiting);
        return [];
      }
    });
  }
}

/** Waiting items, in order of arrival. */
interface Queue<T> {
  readonly length: number;
  /** False when it is full. */
  add(item: T): boolean;
  first(count: number): readonly T[];
  /** Removes and returns the first items. */
  take(count: number): readonly T[];
}

/** @param ownerOf the tenant that an item is about; null for none, to which only the bound applies */
function createQueue<T>(bound: number, ownerOf: (item: T) => string | null): Queue<T> {
  const items: T[] = [];
  const owned = new Map<string, number>();
  const countOf = (owner: string) => owned.get(owner) ?? 0;

  return {
    get length() {
      return items.length;
    },
    add(item) {
      const owner = ownerOf(item);
      if (items.length >= bound || (owner !== null && countOf(owner) >= bound * TENANTS_PART)) return false;
      items.push(item);
      if (owner !== null) owned.set(owner, countOf(owner) + 1);
      return true;
    },
    first: (count) => items.slice(0, count),
    take(count) {
      const taken = items.splice(0, count);
      for (const owner of taken.map(ownerOf)) {
        if (owner === null) continue;
        if (countOf(owner) > 1) owned.set(owner, countOf(owner) - 1);
        else owned.delete(owner);
      }
      return taken;
    },
  };
}

/** How many events a line stands for. */
function eventsIn({ facts }: WaitingEvent): number {
  return Number(facts.count ?? 1);
}

function isOutage(error: unknown): boolean {
  return error instanceof Error && error.name === "StorageError";
}
