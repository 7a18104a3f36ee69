import pino, { type Logger } from "pino";
import pretty from "pino-pretty";

export type { Logger };

/** JSON records on stdout, pretty when a person looks on. Headers and bodies are never logged; what could slip in by name is censored. */
export function createLog(level: string): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: ["*.authorization", "*.password", "*.client_secret", "*.refresh_token", "*.access_token", "*.widget_url"],
      censor: "[hidden]",
    },
  };
  if (process.stdout.isTTY)
    return pino(options, pretty({ colorize: true, translateTime: "SYS:HH:MM:ss", ignore: "pid,hostname" }));
  return pino(options);
}
