import type { Exchange } from "./exchange.js";

const WORD = /^[\w$.-]{1,60}$/;

/**
 * Notes that a request failed by a fault of the server, by the kind of the error alone: its class and, of a database or the system, its code. Its
 * message may name persons and stays out.
 */
export function noteDefect(exchange: Pick<Exchange, "note">, error: unknown): void {
  exchange.note({ defect: kindOf(error) });
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const words = [error.name, "code" in error ? error.code : undefined];
  return words.filter((word) => typeof word === "string" && WORD.test(word)).join(" ") || "Error";
}
