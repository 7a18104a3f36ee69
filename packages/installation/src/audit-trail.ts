import type { AuditTrail, OwnedAuditEntry } from "@org/core";
import { createOccurrenceCounter } from "@org/http";
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

const MAX_BATCH = 1_000;
/** What waits at most, each with a bound of its own, so that nobody can crowd the others out. */
const BOUNDS = { events: 20_000, counts: 2_000, reads: 10_000 };
/** Of that one tenant's may be so much: else it could keep what others did out of the trail. */
const TENANTS_PART = 0.5;
/** Refusals of one count that the log shows one by one. */
const SAMPLES = 3;

/** Where events and troubles are written; a pino logger is one. */
interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Takes the authorization server's events and reads of data off their request paths: each event is logged at once and written to
 * the audit trail a moment later, in order, many with one statement. Refusals of nobody in particular are counted by network, code
 * and minute, and become one line and a few records of the log. What cannot be written waits for the database, up to bounds;
 * `onLost` and one line of the log say how many events were lost beyond them.
 */
export function createAuditTrail(deps: {
  trail: Pick<AuditTrail, "append">;
  applications: Pick<ApplicationStore, "ownersOf">;
  newId: () => string;
  clock: () => Date;
  log: Log;
  onLost: (events: number) => void;
  /** How often what waits is written, in ms; left out, in full batches and at the end. */
  everyMs?: number;
  /** For how long refusals are counted together, in ms; a minute by default. */
  countMs?: number;
}) {
  const { trail, applications, newId, clock, log, everyMs, countMs = 60_000 } = deps;
  const refusals = createOccurrenceCounter<AuditEvent>({ windowMs: countMs, samples: SAMPLES });
  const events = createQueue<WaitingEvent>(BOUNDS.events, ({ event }) => event.tenant_id);
  const counts = createQueue<WaitingEvent>(BOUNDS.counts, () => null);
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
      // Named here, so that a batch that has to be written again is the same batch.
      if (!events.add({ audit_id: newId(), event, facts: {} })) lost += 1;
      else if (events.length % MAX_BATCH === 0) flush();
    },
    /** Takes a line about a read of data; it is not logged. */
    read(line: OwnedAuditEntry): void {
      if (!reads.add(line)) lost += 1;
    },
    /** Writes what waits, counts too that are not over, and stops. */
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

  function logEvent({ trace_id, ...audit }: AuditEvent): void {
    log.info({ audit, trace_id }, audit.action);
  }

  function endCounts(now?: Date): void {
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

  /** What proven callers did comes first. */
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

  /** One line that the database refuses must not hold up the others for ever. */
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

/** What waits, in the order in which it came. */
interface Queue<T> {
  readonly length: number;
  /** False when there is no room for it. */
  add(item: T): boolean;
  first(count: number): readonly T[];
  /** The first ones, which wait no longer. */
  take(count: number): readonly T[];
}

/** @param ownerOf the tenant that an item is about; null for none, which has all the room there is */
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
