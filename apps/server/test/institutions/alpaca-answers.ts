import type { Reply } from "../../../../packages/provider-kit/test/stand-in/institution.js";
import { isNegative, isZero, minus, over, times } from "./decimals.js";

/** What is traded. An option's symbol is that of OCC, a coin's is a pair such as `BTC/USD`. */
export interface AlpacaInstrument {
  readonly asset_id: string;
  readonly symbol: string;
  readonly name: string;
  readonly asset_class: "us_equity" | "us_option" | "crypto";
  readonly exchange: string;
  price: string;
}

/** Units of a position, negative if short, and what was paid for them. */
export interface Held {
  readonly qty: string;
  readonly cost: string;
}

/** "In standard contracts, the multiplier is always set to 100." */
export function multiplierOf(instrument: AlpacaInstrument | undefined): string {
  return instrument?.asset_class === "us_option" ? "100" : "1";
}

/** A position by the schema `Position`; of an account in another currency also in USD. */
export function positionAnswer(
  { swap_rate }: { readonly swap_rate: string | undefined },
  instrument: AlpacaInstrument | undefined,
  symbol: string,
  { qty, cost }: Held,
) {
  if (!instrument) throw new Error(`${symbol} is not listed`);
  const multiplier = multiplierOf(instrument);
  const value = times(qty, instrument.price, multiplier);
  const gain = minus(value, cost);
  const figures = {
    avg_entry_price: over(cost, times(qty, multiplier)),
    market_value: value,
    cost_basis: cost,
    unrealized_pl: gain,
    unrealized_plpc: isZero(cost) ? "0" : over(gain, cost.replace("-", "")),
    unrealized_intraday_pl: "0",
    unrealized_intraday_plpc: "0",
    current_price: instrument.price,
    lastday_price: instrument.price,
    change_today: "0",
  };
  return {
    asset_id: instrument.asset_id,
    symbol,
    exchange: instrument.asset_class === "us_equity" ? instrument.exchange : "",
    asset_class: instrument.asset_class,
    asset_marginable: instrument.asset_class === "us_equity",
    qty,
    side: isNegative(qty) ? "short" : "long",
    ...figures,
    qty_available: qty,
    ...(swap_rate && {
      swap_rate,
      avg_entry_swap_rate: swap_rate,
      prev_swap_rate: swap_rate,
      usd: Object.fromEntries(
        Object.entries(figures).map(([name, figure]) => [
          name,
          /plpc|change/.test(name) ? figure : times(figure, swap_rate),
        ]),
      ),
    }),
  };
}

/** An asset by the schema `Assets`. */
export const assetAnswer = ({ asset_id, symbol, name, asset_class, exchange }: AlpacaInstrument) => ({
  id: asset_id,
  class: asset_class,
  exchange,
  symbol,
  name,
  status: "active",
  tradable: true,
  marginable: asset_class === "us_equity",
  shortable: asset_class === "us_equity",
  easy_to_borrow: asset_class === "us_equity",
  fractionable: true,
});

export function json(status: number, body: unknown): Reply {
  return { status, headers: { "content-type": "application/json; charset=UTF-8" }, body: JSON.stringify(body) };
}

/** Such as `20220202135509981`: the example's `transaction_time` is five hours later. */
export function newYork(at: Date): string {
  const parts = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "America/New_York",
    dateStyle: "short",
    timeStyle: "medium",
  });
  return `${parts.format(at).replace(/\D/g, "")}${String(at.getMilliseconds()).padStart(3, "0")}`;
}
