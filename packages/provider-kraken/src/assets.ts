import { divideDecimals, roundedProduct, significantDecimal } from "@org/provider-kit";
import { z } from "zod";

/** Answers have their data in `result`. */
export const resultOf = <Data extends z.ZodType>(data: Data) =>
  z
    .looseObject({ result: z.unknown() })
    .transform(({ result }) => result)
    .pipe(data);

/** What an answer has by name. */
export const byName = <Value extends z.ZodType>(value: Value) =>
  resultOf(z.record(z.string(), value).transform((all) => new Map(Object.entries(all))));

/** The usual names (`altname`) of assets, by Kraken's own, such as XXBT. */
export const assets = byName(z.object({ altname: z.string().min(1) }).transform(({ altname }) => altname));
export const pairs = byName(z.object({ base: z.string(), quote: z.string() }));
/** Of each pair the last price; `c` is price and volume of the last trade. */
export const ticker = byName(z.object({ c: z.tuple([z.string()], z.string()) }).transform(({ c: [price] }) => price));

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

/** Over these an asset without a pair with {@link VALUED_IN} is valued. */
const bridges = [VALUED_IN, "EUR", "USDT", "USDC", "BTC"];

/**
 * Prices in {@link VALUED_IN}, by ticker: of the pair with it, or of two pairs that lead to it; null for an asset without them.
 * @param last the last price by pair of tickers, `BTC/USD`
 */
export function pricesBy(last: ReadonlyMap<string, string>): (ticker: string) => string | null {
  const between = (base: string, quote: string): string | undefined => {
    if (base === quote) return "1";
    const inverse = last.get(`${quote}/${base}`);
    return last.get(`${base}/${quote}`) ?? (inverse && significantDecimal(divideDecimals("1", inverse, 20)));
  };
  return (ticker) => {
    for (const bridge of bridges) {
      const [first, second] = [between(ticker, bridge), between(bridge, VALUED_IN)];
      if (first && second) return bridge === VALUED_IN ? first : significantDecimal(roundedProduct(first, second));
    }
    return null;
  };
}
