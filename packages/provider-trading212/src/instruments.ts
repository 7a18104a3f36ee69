import type { HoldingData, KeyReading } from "@org/provider-kit";
import { z } from "zod";
import { ROOT, text } from "./history.js";

export const INSTRUMENTS = `${ROOT}/metadata/instruments`;

const list = z.array(z.object({ ticker: text, type: text, shortName: text }));
type Listed = z.output<typeof list>[number];

/** What is known of instruments, by ticker. */
export type Instruments = (reading: KeyReading, tickers: readonly string[]) => Promise<ReadonlyMap<string, Listed>>;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * The list of all instruments, which is long and the same for everybody: it is read once a day, or after an hour for a ticker that is not on it. A list
 * that cannot be read again is used as it is.
 */
export function createInstruments(): Instruments {
  const known = new Map<string, Listed>();
  let readAt = Number.NEGATIVE_INFINITY;
  return async (reading, tickers) => {
    const age = reading.now.getTime() - readAt;
    const isMissing = tickers.some((ticker) => !known.has(ticker));
    if (tickers.length === 0 || age < (isMissing ? HOUR_MS : DAY_MS)) return known;
    try {
      for (const one of await reading.get(INSTRUMENTS, list)) if (one.ticker) known.set(one.ticker, one);
      readAt = reading.now.getTime();
    } catch (error) {
      if (known.size === 0) throw error;
    }
    return known;
  };
}

/** The type of a holding; an instrument that is not on the list, or of a kind without a type of its own, is O. */
export function typeOf(listed: Listed | undefined): Pick<HoldingData, "type" | "subtype"> {
  return types[listed?.type ?? ""] ?? { type: "O", subtype: null };
}

const types: Readonly<Record<string, Pick<HoldingData, "type" | "subtype">>> = {
  CRYPTO: { type: "C", subtype: null },
  CRYPTOCURRENCY: { type: "C", subtype: null },
  ETF: { type: "ETF", subtype: null },
  FUTURES: { type: "DV", subtype: "FT" },
  STOCK: { type: "VI", subtype: null },
  WARRANT: { type: "DV", subtype: "W" },
};
