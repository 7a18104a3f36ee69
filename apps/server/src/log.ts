import pino, { type Logger } from "pino";
import pretty from "pino-pretty";

export type { Logger };

/** What never stands in a record, at whatever name one level below it: headers and bodies are not logged, but they could slip in. */
const SECRETS = ["authorization", "password", "client_secret", "refresh_token", "access_token", "widget_url"] as const;
const CENSORED = "[hidden]";

/** A record is written at once, and those of so many milliseconds after it together: a write for each of many wakes a thread for each. */
const TOGETHER_MS = 10;
/** So many characters are written at once, however young they are. */
const MAX_BUFFERED = 64 * 1024;

/** JSON records on stdout, pretty when a person looks on. */
export function createLog(level: string): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: redactRecord },
  };
  if (process.stdout.isTTY)
    return pino(options, pretty({ colorize: true, translateTime: "SYS:HH:MM:ss", ignore: "pid,hostname" }));
  return pino(options, buffered(pino.destination({ sync: false })));
}

/**
 * A destination that holds records for a moment. A process that ends, by a fatal record too, writes what it holds; one that is killed
 * loses what came in its last milliseconds.
 */
function buffered(destination: ReturnType<typeof pino.destination>): pino.DestinationStream & { flushSync(): void } {
  let held = "";
  let timer: NodeJS.Timeout | null = null;
  // Before the destination's own, which writes what it was given.
  process.prependListener("exit", handOver);
  return {
    write(record) {
      if (timer === null) {
        destination.write(record);
        timer = setTimeout(handOver, TOGETHER_MS);
      } else {
        held += record;
        if (held.length >= MAX_BUFFERED) handOver();
      }
    },
    flushSync() {
      handOver();
      destination.flushSync();
    },
  };

  function handOver(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (held !== "") destination.write(held);
    held = "";
  }
}

/** Most records hold nothing but plain values, and are looked through much faster than pino's `redact` copies them. */
export function redactRecord(record: Record<string, unknown>): Record<string, unknown> {
  let safe = record;
  for (const name in record) {
    const value = record[name];
    if (typeof value !== "object" || value === null || !SECRETS.some((secret) => secret in value)) continue;
    const hidden = Object.fromEntries(SECRETS.filter((secret) => secret in value).map((secret) => [secret, CENSORED]));
    if (safe === record) safe = { ...record };
    // What an error says of itself is not enumerable.
    safe[name] = value instanceof Error ? Object.assign(Object.create(value), hidden) : { ...value, ...hidden };
  }
  return safe;
}
