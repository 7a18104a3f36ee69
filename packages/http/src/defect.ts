import type { Exchange } from "./exchange.js";

const WORD = /^[\w$.-]{1,60}$/;

/** Where faults of the server are logged with their stacks; a pino logger fits. */
interface DefectLog {
  error(details: object, message: string): void;
}

/**
 * Logs that a request failed by a fault of the server. Its record has the kind of the error alone, its class and, of a database or the system, its
 * code: the message may name persons.
 */
export function logDefect(
  log: DefectLog,
  exchange: Pick<Exchange, "note" | "traceId">,
  error: unknown,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
): void {
  exchange.note({ defect: kindOf(error) });
  log.error({ err: error, trace_id: exchange.traceId, ...facts }, message);
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const words = [error.name, "code" in error ? error.code : undefined];
  return words.filter((word) => typeof word === "string" && WORD.test(word)).join(" ") || "Error";
}
