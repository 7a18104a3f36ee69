import type { HoldingSubtype, HoldingType, KeyReading } from "@org/provider-kit";
import { z } from "zod";
import { ROOT, text } from "./history.js";

export const INSTRUMENTS = `${ROOT}/metadata/instruments`;

/** Kinds of instruments; one that is not listed here is O. */
const types: ReadonlyMap<string, HoldingType | HoldingSubtype> = new Map([
  ["CRYPTO", "C"],
  ["CRYPTOCURRENCY", "C"],
  ["ETF", "ETF"],
  ["FUTURES", "FT"],
  ["STOCK", "VI"],
  ["WARRANT", "W"],
]);
const type = text.transform((stated) => types.get(stated ?? "") ?? "O");
const listed = z.object({ ticker: text, type, shortName: text });

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * The list of all instruments, by ticker, which is long and the same for everybody: it is read once a day, or after an hour for a ticker that is not on
 * it. A list that cannot be read again is used as it is.
 */
export function createInstruments() {
  const known = new Map<string, z.output<typeof listed>>();
  let readAt = Number.NEGATIVE_INFINITY;
  return async (reading: KeyReading, tickers: readonly string[]): Promise<typeof known> => {
    const age = reading.now.getTime() - readAt;
    const isMissing = tickers.some((ticker) => !known.has(ticker));
    if (tickers.length === 0 || age < (isMissing ? HOUR_MS : DAY_MS)) return known;
    try {
      for (const one of await reading.get(INSTRUMENTS, z.array(listed))) if (one.ticker) known.set(one.ticker, one);
      readAt = reading.now.getTime();
    } catch (error) {
      if (known.size === 0) throw error;
    }
    return known;
  };
}
