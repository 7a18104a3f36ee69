import { addressPrefix } from "./client-address.js";

/** One of many similar occurrences that are counted rather than recorded individually, such as a refusal. */
export interface Occurrence<Facts> {
  readonly at: Date;
  readonly address: string | null;
  /** What happened, in the server's own vocabulary, such as a route and a code. Requests cannot invent new kinds. */
  readonly kind: string;
  /** Whom the request names, possibly made up; null for nobody. */
  readonly about: string | null;
  readonly traceId: string | null;
  /** Any further facts; a count keeps those of its first occurrence. */
  readonly facts: Facts;
}

/** How often the same thing happened within one window. */
export interface Count<Facts> {
  /** For example `203.0.113.0/24`; `other` when there were too many networks to count separately. */
  readonly network: string;
  readonly kind: string;
  /** Null when nobody or too many were named. */
  readonly about: string | null;
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
  /** Trace ids of the first few occurrences. */
  readonly traceIds: readonly string[];
  /** Facts of the first occurrence. */
  readonly facts: Facts;
}

/** Counts occurrences by network, kind and window, in bounded memory and constant time. */
export interface OccurrenceCounter<Facts> {
  /** Counts one occurrence. Returns whether it is among the first few of its count, each of which deserves a log line. */
  add(occurrence: Occurrence<Facts>): boolean;
  /** Removes and returns the counts whose window is over at `now`, oldest first; without `now`, all counts. */
  take(now?: Date): Count<Facts>[];
}

/** Bounds of an {@link OccurrenceCounter}. */
export interface CounterOptions {
  /** Length of a window from its first occurrence, in ms; a minute by default. */
  readonly windowMs?: number;
  /** Maximum number of counts; 5,000 by default. Beyond it networks are /16 and /32, for a quarter more, then `other`. */
  readonly maxCounts?: number;
  /** Names counted separately within one network and kind; 8 by default. */
  readonly maxAbout?: number;
  /** Number of occurrences per count whose trace ids are kept; 3 by default. */
  readonly samples?: number;
}

const WIDE = { ipv4: 16, ipv6: 32 };

/** Makes a counter. Its methods never fail and never wait. */
export function createOccurrenceCounter<Facts>({
  windowMs = 60_000,
  maxCounts = 5_000,
  maxAbout = 8,
  samples = 3,
}: CounterOptions = {}): OccurrenceCounter<Facts> {
  /** In order of their first occurrences. */
  const counts = new Map<string, Running<Facts>>();
  /** Number of separately counted names, by network and kind. */
  const named = new Map<string, number>();

  return {
    add(occurrence) {
      const running = countOf(occurrence);
      running.count += 1;
      running.last = occurrence.at;
      if (running.count > samples) return false;
      if (occurrence.traceId !== null) running.traceIds.push(occurrence.traceId);
      return true;
    },
    take(now) {
      const over: Count<Facts>[] = [];
      for (const [key, { group, ...count }] of counts) {
        if (now !== undefined && now.getTime() - count.first.getTime() < windowMs) break;
        counts.delete(key);
        if (count.about !== null) forgetName(group);
        over.push(count);
      }
      return over;
    },
  };

  function countOf(occurrence: Occurrence<Facts>): Running<Facts> {
    const { address, kind, about } = occurrence;
    const network = addressPrefix(address);
    const group = `${network} ${kind}`;
    const hasRoom = counts.size < maxCounts;
    if (about !== null) {
      const key = `${group} ${about}`;
      const names = named.get(group) ?? 0;
      const known = counts.get(key);
      if (known) return known;
      if (hasRoom && names < maxAbout) {
        named.set(group, names + 1);
        return begin(key, network, group, occurrence);
      }
    }
    const nobody = about === null ? occurrence : { ...occurrence, about: null };
    const known = counts.get(group);
    if (known || hasRoom) return known ?? begin(group, network, group, nobody);
    const wide = addressPrefix(address, WIDE);
    const wideKey = `${wide} ${kind}`;
    const hasWideRoom = counts.size < maxCounts * 1.25;
    const wideKnown = counts.get(wideKey);
    if (wideKnown || hasWideRoom) return wideKnown ?? begin(wideKey, wide, wideKey, nobody);
    const rest = `other ${kind}`;
    return counts.get(rest) ?? begin(rest, "other", rest, nobody);
  }

  function begin(key: string, network: string, group: string, { kind, about, at, facts }: Occurrence<Facts>) {
    const running = { network, kind, about, count: 0, first: at, last: at, traceIds: [], facts, group };
    counts.set(key, running);
    return running as Running<Facts>;
  }

  function forgetName(group: string): void {
    const left = (named.get(group) ?? 1) - 1;
    if (left > 0) named.set(group, left);
    else named.delete(group);
  }
}

interface Running<Facts> extends Omit<Count<Facts>, "traceIds"> {
  readonly group: string;
  readonly traceIds: string[];
  count: number;
  last: Date;
}
