import {
  addDecimals,
  cashFrom,
  compareDecimals,
  decimalString,
  type HoldingData,
  type HoldingSubtype,
  type HoldingType,
  holdingFrom,
  money,
  negateDecimal,
  roundedProduct,
  type SecurityIdentifiers,
  statedCurrency,
} from "@org/provider-kit";
import { z } from "zod";

export const anyText = z.string().nullish().catch(null);
/** A figure, with at most 20 digits after the point; what is none is as if it were left out. */
export const optionalFigure = z
  .string()
  .regex(/^-?\d{1,28}(\.\d+)?$/)
  .transform((text) => roundedProduct(text))
  .pipe(decimalString)
  .nullish()
  .catch(null);
const figi = z.object({ figi_code: anyText }).nullish().catch(null);

const instrument = z.object({
  kind: z.string(),
  id: z.string().min(1),
  symbol: z.string(),
  raw_symbol: anyText,
  description: anyText,
  currency: anyText,
  exchange: anyText,
  figi_instrument: figi,
  multiplier: optionalFigure,
});
const position = z.object({
  instrument,
  units: optionalFigure,
  price: optionalFigure,
  cost_basis: optionalFigure,
  currency: anyText,
  cash_equivalent: z.boolean().nullish().catch(null),
});
export const positions = z.object({
  results: z.array(position),
  data_freshness: z.object({ as_of: anyText }).nullish().catch(null),
});

const balance = z.object({ currency: z.object({ code: z.string().min(1) }), cash: optionalFigure });
/** The cash of an account, in each of its currencies. */
export const balances = z.array(balance);

const types = new Map<string, HoldingType | HoldingSubtype>(
  Object.entries({
    stock: "VI",
    adr: "VI",
    etf: "ETF",
    mutualfund: "F",
    cef: "F",
    crypto: "C",
    option: "OP",
    future: "FT",
    cfd: "CFD",
  }),
);
/** Units of the underlying in a contract that states none. */
const multipliers: Readonly<Record<string, string | null>> = { option: "100", future: null };

/** The identifiers of a security by its symbol and market. */
export function listedAs(
  ticker: string | null | undefined,
  market: string | null | undefined,
  figi_code: string | null | undefined,
): SecurityIdentifiers {
  return {
    ...(ticker && { ticker }),
    ...(market && /^[A-Z0-9]{4}$/.test(market) && { mic: market }),
    ...(figi_code && { figi: figi_code }),
  };
}

/**
 * A currency as institutions write it, with what turns amounts into it; what is none, such as the code of a coin, has the account's currency and no
 * amounts.
 */
export function quotedIn(code: string | null | undefined, ofAccount: string) {
  const { currency } = money(code ?? "", null);
  const isCurrency = statedCurrency.safeParse(currency).success;
  return {
    isCurrency,
    currency: isCurrency ? currency : ofAccount,
    amountOf: (amount: string | null | undefined) => (isCurrency && amount ? money(code ?? "", amount).amount : null),
  };
}

type OfAccount = Pick<HoldingData, "portfolio_key" | "currency" | "valuation_date">;

/** Prices are for one unit of the underlying; the value is that of all contracts. What has no currency of its own has the account's. */
function holdingOf(stated: z.output<typeof position>, { currency: ofAccount, ...of }: OfAccount): HoldingData {
  const { instrument: own, units, price, cost_basis } = stated;
  const { kind, symbol, figi_instrument } = own;
  const { currency, amountOf } = quotedIn(stated.currency ?? own.currency ?? ofAccount, ofAccount);
  const size = own.multiplier ?? (Object.hasOwn(multipliers, kind) ? multipliers[kind] : "1");
  const times = (amount: string | null | undefined) =>
    amount && units && size ? roundedProduct(amount, units, size) : null;
  const value = times(price);
  const cost = times(cost_basis);
  // A contract for difference is worth what it has gained or lost.
  const gain = value && cost ? addDecimals(value, negateDecimal(cost)) : null;
  const isContract = kind === "cfd" || kind === "future";
  return holdingFrom({
    ...of,
    key: own.id,
    name: own.description || symbol,
    amount: units,
    balance: amountOf(kind === "cfd" ? gain : value),
    currency,
    type: types.get(kind) ?? "O",
    price: amountOf(price),
    cost: isContract ? null : amountOf(cost),
    ...(kind === "future" && { is_notional: true }),
    identifiers: listedAs(
      kind === "option" ? symbol.trim() : (own.raw_symbol ?? symbol),
      own.exchange,
      figi_instrument?.figi_code,
    ),
  });
}

/**
 * What an account holds. A money market fund is part of the cash, and a position besides: it stays a position, and the cash is what is left.
 * @param of the account, with the currency of what states none
 */
export function holdingsOf(
  stated: readonly z.output<typeof position>[],
  cash: z.output<typeof balances>,
  of: OfAccount,
): readonly HoldingData[] {
  const held = stated.map((one) => ({ isCash: one.cash_equivalent === true, holding: holdingOf(one, of) }));
  const funds = new Map<string, HoldingData[]>();
  for (const { isCash, holding } of held) {
    const found = isCash ? funds.get(holding.currency) : null;
    if (found) found.push(holding);
    else if (isCash) funds.set(holding.currency, [holding]);
  }
  const left = (currency: string, amount: string) => {
    const parts = funds.get(currency) ?? [];
    // They are a part of one amount.
    funds.delete(currency);
    return parts.reduce((rest, { balance }) => {
      const after = balance ? addDecimals(rest, negateDecimal(balance)) : rest;
      // More than the cash cannot be a part of it.
      return compareDecimals(after, "0") < 0 ? rest : after;
    }, amount);
  };
  const inCash = cash.map(({ currency: { code }, cash: amount }) => {
    const { isCurrency, currency, amountOf } = quotedIn(code, of.currency);
    if (!isCurrency)
      return holdingFrom({ ...of, key: `cash:${code}`, name: code, amount, type: "C", identifiers: { ticker: code } });
    const stated = amountOf(amount);
    return cashFrom({ ...of, currency, amount: stated && left(currency, stated) });
  });
  return [...held.map(({ holding }) => holding), ...inCash];
}
