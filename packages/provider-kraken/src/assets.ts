import { divideDecimals, multiplyDecimals, significantDecimal } from "@org/provider-kit";
import { z } from "zod";

/** Answers have their data in `result`. */
export const resultOf = <Data extends z.ZodType>(data: Data) =>
  z
    .looseObject({ result: z.unknown() })
    .transform(({ result }) => result)
    .pipe(data);

/** Kraken's own names of assets, such as XXBT, with the usual ones (`altname`). */
export const assets = resultOf(z.record(z.string(), z.object({ altname: z.string().min(1) })));
export const pairs = resultOf(z.record(z.string(), z.object({ base: z.string(), quote: z.string() })));
/** Of each pair the last price; `c` is price and volume of the last trade. */
export const ticker = resultOf(
  z.record(
    z.string(),
    z.object({ c: z.tuple([z.string()], z.string()) }).transform(({ c: [price] }) => price),
  ),
);

/** The currency in which an account is valued. */
export const VALUED_IN = "USD";
/** State currencies that Kraken keeps: no answer tells them from other assets. */
const currencies: ReadonlySet<string> = new Set(["USD", "EUR", "GBP", "CAD", "JPY", "AUD", "CHF", "AED"]);
/** Names that only Kraken has. ETH2 is staked ether of the time when it could not be withdrawn. */
const common: Readonly<Record<string, string>> = { XBT: "BTC", XDG: "DOGE", ETH2: "ETH" };
/** What Kraken's extensions of a name mean. */
const extensions: Readonly<Record<string, string>> = {
  B: "yield-bearing",
  F: "Kraken Rewards",
  HOLD: "on hold",
  M: "opt-in rewards",
  P: "parachain",
  S: "staked",
  T: "tokenised",
};

/** An asset as people know it. */
export interface Asset {
  readonly ticker: string;
  /** The ticker, and how it is kept: `ETH (staked)`. */
  readonly name: string;
  readonly isCurrency: boolean;
}

/** Reads Kraken's name of an asset: `XXBT` is BTC, `ZEUR` EUR, `DOT28.S` DOT that is staked for 28 days. */
export function assetOf(own: string, names: ReadonlyMap<string, string>): Asset {
  const [stem = own, extension = stem === "ETH2" ? "S" : undefined] = own.split(".");
  const altname = names.get(stem) ?? (extension === undefined ? stem : stem.replace(/^([A-Z]{2,})\d\d$/, "$1"));
  const ticker = common[altname] ?? altname;
  const kept = extension === undefined ? "" : ` (${extensions[extension] ?? extension})`;
  // What is tokenised is a share of something else, and no currency.
  return { ticker, name: `${ticker}${kept}`, isCurrency: currencies.has(ticker) && extension !== "T" };
}

/** How many digits after the point a computed amount has at most, which is what a snapshot takes. */
const DIGITS = 20;
/** Where an asset has no pair with {@link VALUED_IN}. */
const bridges = ["EUR", "USDT", "USDC", "BTC"];

/** A product without zeros at its end. */
export function times(a: string, b: string): string {
  return significantDecimal(divideDecimals(multiplyDecimals(a, b), "1", DIGITS));
}

/**
 * Prices in {@link VALUED_IN}, by ticker: of the pair with it, or of two pairs that lead to it; null for an asset without them.
 * @param last the last price by pair of tickers, `BTC/USD`
 */
export function pricesBy(last: ReadonlyMap<string, string>): (ticker: string) => string | null {
  const between = (base: string, quote: string): string | null => {
    const direct = last.get(`${base}/${quote}`);
    if (direct !== undefined) return direct;
    const inverse = last.get(`${quote}/${base}`);
    return inverse === undefined ? null : significantDecimal(divideDecimals("1", inverse, DIGITS));
  };
  return (ticker) => {
    if (ticker === VALUED_IN) return "1";
    const direct = between(ticker, VALUED_IN);
    if (direct !== null) return direct;
    for (const bridge of bridges) {
      const [first, second] = [between(ticker, bridge), between(bridge, VALUED_IN)];
      if (first !== null && second !== null) return times(first, second);
    }
    return null;
  };
}
