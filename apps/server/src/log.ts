import pino, { type Logger } from "pino";
import pretty from "pino-pretty";

export type { Logger };

/** Names that are redacted in a record and one level below: headers and bodies are not logged, but could slip in. */
const SECRETS = ["authorization", "password", "client_secret", "refresh_token", "access_token", "widget_url"] as const;
const CENSORED = "[hidden]";

/** The first record is written immediately; records of the next milliseconds are written together, because each write wakes a thread. */
const TOGETHER_MS = 10;
/** Once this many characters are buffered, they are written immediately. */
const MAX_BUFFERED = 64 * 1024;

/** JSON records on stdout, pretty-printed on a terminal, there in colour unless `NO_COLOR` is set. */
export function createLog(level: string): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: redactRecord },
  };
  if (process.stdout.isTTY) return pino(options, pretty({ translateTime: "SYS:HH:MM:ss", ignore: "pid,hostname" }));
  return pino(options, buffered(pino.destination({ sync: false })));
}

/**
 * A destination that buffers records briefly. A process that exits, also after a fatal record, writes its buffer; one that is killed loses the
 * records of its last milliseconds.
 */
function buffered(destination: ReturnType<typeof pino.destination>): pino.DestinationStream & { flushSync(): void } {
  let held = "";
  let timer: NodeJS.Timeout | null = null;
  // Before the destination's own listener, which writes what it was given.
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

/** Redacts secrets. Most records contain only plain values; checking them is much faster than the copy that pino's `redact` makes. */
export function redactRecord(record: Record<string, unknown>): Record<string, unknown> {
  let safe = record;
  for (const name in record) {
    const value = record[name];
    if (typeof value !== "object" || value === null || !SECRETS.some((secret) => secret in value)) continue;
    const hidden = Object.fromEntries(SECRETS.filter((secret) => secret in value).map((secret) => [secret, CENSORED]));
    if (safe === record) safe = { ...record };
    // An error's own properties are not enumerable.
    safe[name] = value instanceof Error ? Object.assign(Object.create(value), hidden) : { ...value, ...hidden };
  }
  return safe;
}
