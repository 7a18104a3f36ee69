import pino, { type Logger } from "pino";
import pretty from "pino-pretty";

export type { Logger };

/** What never stands in a record, at whatever name one level below it: headers and bodies are not logged, but they could slip in. */
const SECRETS = ["authorization", "password", "client_secret", "refresh_token", "access_token", "widget_url"] as const;
const CENSORED = "[hidden]";

/** JSON records on stdout, pretty when a person looks on. */
export function createLog(level: string): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecrets },
  };
  if (process.stdout.isTTY)
    return pino(options, pretty({ colorize: true, translateTime: "SYS:HH:MM:ss", ignore: "pid,hostname" }));
  return pino(options);
}

/** Most records hold nothing but plain values, and are looked through much faster than pino's `redact` copies them. */
export function withoutSecrets(record: Record<string, unknown>): Record<string, unknown> {
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
