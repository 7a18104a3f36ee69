import {
  compareDecimals,
  decimalString,
  type HoldingData,
  type HoldingSubtype,
  type HoldingType,
  holdingFrom,
  isIsin,
  money,
  roundedProduct,
  type SecurityIdentifiers,
} from "@org/provider-kit";
import { z } from "zod";

export const id = z.string().min(1);
export const statedText = z.string().nullish();
/** A figure; what is none is as if it were left out. */
export const figure = decimalString.nullish().catch(null);
/** A page of a list, which is 204 if there are no rows. The query of `__next` asks for the next one; its host and path are not used. */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z
    .object({ Data: z.array(row), __next: statedText })
    .default({ Data: [], __next: null })
    .transform(({ Data: rows, __next }) => ({ rows, next: __next?.split("?", 2)[1] ?? null }));

/** A position in one instrument, netted over its purchases. Without a name of its own it is called by its number (`Uic`). */
export const netPosition = z.object({
  NetPositionId: id,
  NetPositionBase: z.object({ Amount: figure, AssetType: z.string(), Uic: z.string() }),
  NetPositionView: z
    .object({
      AverageOpenPrice: figure,
      CalculationReliability: statedText,
      CurrentPrice: figure,
      MarketValue: figure,
      ProfitLossOnTrade: figure,
    })
    .nullish(),
  DisplayAndFormat: z.object({ Currency: statedText, Description: statedText, Symbol: statedText }).nullish(),
});

/** The same for an instrument in positions, trades and bookings. */
export function holdingKey({ Uic, AssetType }: { readonly Uic: string; readonly AssetType: string }): string {
  return `${AssetType} ${Uic}`;
}

/** A symbol such as `CETV:xnas` is a ticker with its market (ISO 10383); bonds and funds may have their ISIN as symbol. */
export function tickerOf(symbol: string | null | undefined): SecurityIdentifiers {
  const [ticker, market] = symbol?.split(":") ?? [];
  if (!ticker || isIsin(ticker)) return {};
  return { ticker, ...(market && /^[a-z0-9]{4}$/i.test(market) && { mic: market.toUpperCase() }) };
}

const types: readonly (readonly [RegExp, HoldingType | HoldingSubtype])[] = [
  [/^(Cfd|Srd)/, "CFD"],
  [/^(Stock|Rights|IpoOnStock|CompanyWarrant)$/, "VI"],
  [/^(Etf|Etc|Etn)$/, "ETF"],
  [/Fund$/, "F"],
  [/^Bond$/, "FI"],
  [/^FuturesOption$/, "FOP"],
  [/Option$/, "OP"],
  [/Futures/, "FT"],
  [/^Fx(Forwards|Spot)$/, "FF"],
  [/^Warrant/, "W"],
];
/** Instruments that are traded on margin: what a position is worth is what it has gained or lost. */
const onMargin = /^(Cfd|Srd|FxSpot|FxForwards|ContractFutures|FuturesStrategy)/;
/** `CalculationReliability` where price and value are none. */
const unpriced: ReadonlySet<string> = new Set(["NoMarketAccess", "PricePending", "SystemError", "UnknownPrice"]);

/** The holding of a position. */
export function holdingOf(
  { NetPositionBase: base, NetPositionView: view, DisplayAndFormat: named }: z.output<typeof netPosition>,
  { currency: ofAccount, ...stated }: Pick<HoldingData, "portfolio_key" | "currency" | "valuation_date">,
): HoldingData {
  const { AssetType, Amount } = base;
  const type = types.find(([pattern]) => pattern.test(AssetType))?.[1] ?? "O";
  const quoted = named?.Currency ?? ofAccount;
  const isMargin = onMargin.test(AssetType);
  const priced = unpriced.has(view?.CalculationReliability ?? "") ? null : view;
  const price = priced?.CurrentPrice && compareDecimals(priced.CurrentPrice, "0") !== 0 ? priced.CurrentPrice : null;
  const open = !isMargin && ["VI", "ETF", "F"].includes(type) ? view?.AverageOpenPrice : null;
  const value = isMargin ? priced?.ProfitLossOnTrade : priced?.MarketValue;
  const { currency, amount: balance } = money(quoted, value ?? null);
  const symbol = named?.Symbol;
  return holdingFrom({
    ...stated,
    key: holdingKey(base),
    name: named?.Description ?? symbol ?? holdingKey(base),
    isin: symbol && isIsin(symbol) ? symbol : null,
    amount: Amount,
    balance,
    currency,
    type,
    ...(AssetType === "Bond"
      ? { price, price_unit: price === null ? null : "percent" }
      : { price: money(quoted, price).amount }),
    cost: open && Amount ? money(quoted, roundedProduct(open, Amount)).amount : null,
    identifiers: tickerOf(symbol),
  });
}
