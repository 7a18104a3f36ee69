import { compareDecimals, type HoldingData, isDecimalString, isIsin, money, multiplyDecimals } from "@org/provider-kit";
import { z } from "zod";

/** A figure; what is none is as if it were left out. */
export const figure = z.string().refine(isDecimalString).nullish().catch(null);
/** A page of a list, which is 204 if there are no rows. The query of `__next` asks for the next one; its host and path are not used. */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ Data: z.array(row), __next: z.string().nullish() }).default({ Data: [], __next: null });

/** A position in one instrument, netted over its purchases. Without a name of its own it is called by its number (`Uic`). */
export const netPosition = z.object({
  NetPositionId: z.string().min(1),
  NetPositionBase: z.object({ Amount: figure, AssetType: z.string(), Uic: z.string() }),
  NetPositionView: z
    .object({
      AverageOpenPrice: figure,
      CalculationReliability: z.string().nullish(),
      CurrentPrice: figure,
      MarketValue: figure,
      ProfitLossOnTrade: figure,
    })
    .nullish(),
  DisplayAndFormat: z
    .object({ Currency: z.string().nullish(), Description: z.string().nullish(), Symbol: z.string().nullish() })
    .nullish(),
});

/** The same for an instrument in positions, trades and bookings. */
export function holdingKey({ Uic, AssetType }: { readonly Uic: string; readonly AssetType: string }): string {
  return `${AssetType} ${Uic}`;
}

/** Bonds and funds may have their ISIN as symbol. */
function isinIn(symbol: string | null | undefined): string | null {
  return symbol && isIsin(symbol) ? symbol : null;
}

/** A symbol such as `CETV:xnas` is a ticker with its market (ISO 10383). */
export function tickerOf(symbol: string | null | undefined): Partial<Pick<HoldingData, "identifiers">> {
  const [ticker, market] = symbol?.split(":") ?? [];
  if (!ticker || isIsin(ticker)) return {};
  return { identifiers: { ticker, ...(market && /^[a-z0-9]{4}$/i.test(market) && { mic: market.toUpperCase() }) } };
}

const types: readonly (readonly [RegExp, Pick<HoldingData, "type" | "subtype">])[] = [
  [/^(Cfd|Srd)/, { type: "CFD", subtype: null }],
  [/^(Stock|Rights|IpoOnStock|CompanyWarrant)$/, { type: "VI", subtype: null }],
  [/^(Etf|Etc|Etn)$/, { type: "ETF", subtype: null }],
  [/Fund$/, { type: "F", subtype: null }],
  [/^Bond$/, { type: "FI", subtype: null }],
  [/^FuturesOption$/, { type: "DV", subtype: "FOP" }],
  [/Option$/, { type: "DV", subtype: "OP" }],
  [/Futures/, { type: "DV", subtype: "FT" }],
  [/^Fx(Forwards|Spot)$/, { type: "DV", subtype: "FF" }],
  [/^Warrant/, { type: "DV", subtype: "W" }],
];
/** Instruments that are traded on margin: what a position is worth is what it has gained or lost. */
const onMargin = /^(Cfd|Srd|FxSpot|FxForwards|ContractFutures|FuturesStrategy)/;
/** `CalculationReliability` where price and value are none. */
const unpriced: ReadonlySet<string> = new Set(["NoMarketAccess", "PricePending", "SystemError", "UnknownPrice"]);

/** The holding of a position. */
export function holdingOf(
  { NetPositionBase: base, NetPositionView: view, DisplayAndFormat: named }: z.output<typeof netPosition>,
  { portfolio_key, currency: ofAccount, day }: { portfolio_key: string; currency: string; day: string },
): HoldingData {
  const { type, subtype } = types.find(([pattern]) => pattern.test(base.AssetType))?.[1] ?? {
    type: "O",
    subtype: null,
  };
  const quoted = named?.Currency ?? ofAccount;
  const isMargin = onMargin.test(base.AssetType);
  const isPriced = view != null && !unpriced.has(view.CalculationReliability ?? "");
  const { currency, amount: balance } = money(
    quoted,
    (isPriced ? (isMargin ? view.ProfitLossOnTrade : view.MarketValue) : null) ?? null,
  );
  const isPercent = base.AssetType === "Bond";
  const price =
    isPriced && view.CurrentPrice && compareDecimals(view.CurrentPrice, "0") !== 0 ? view.CurrentPrice : null;
  const open = view?.AverageOpenPrice;
  const cost =
    open && base.Amount && !isMargin && ["VI", "ETF", "F"].includes(type) && multiplyDecimals(open, base.Amount);
  return {
    key: holdingKey(base),
    portfolio_key,
    name: named?.Description ?? named?.Symbol ?? `${base.AssetType} ${base.Uic}`,
    isin: isinIn(named?.Symbol),
    amount: base.Amount ?? null,
    balance,
    currency,
    valuation_date: day,
    type,
    subtype,
    ...(price && (isPercent ? { price, price_unit: "percent" } : { price: money(quoted, price).amount })),
    ...(cost && { cost: money(quoted, cost).amount }),
    ...tickerOf(named?.Symbol),
  };
}
