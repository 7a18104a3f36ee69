import { negateDecimal } from "@org/core";
import {
  type HoldingData,
  isIsin,
  memoize,
  type SecurityIdentifiers,
  type TransactionData,
  type TransactionKind,
  type Writable,
} from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { kindOf } from "./security.js";
import type { FlexRow } from "./values.js";

/**
 * Optional details of a position besides its units and value, as far as they can be read. Bonds and bills are quoted in percent of their face amount.
 * @param info the row of `SecuritiesInfo` about the same security, if there is one
 */
export function positionFacts(row: FlexRow, info: FlexRow | undefined, warnings: FeedWarnings): Partial<HoldingData> {
  const isBond = kindOf(row).type === "FI";
  const price = row.optionalDecimal("markPrice", warnings);
  const cost = row.optionalDecimal("costBasisMoney", warnings);
  const accrued = row.optionalDecimal("accruedInt", warnings);
  return {
    ...(price !== null && {
      price,
      ...(isBond ? ({ price_unit: "percent" } as const) : { price_currency: row.currency() }),
    }),
    ...(cost !== null && { cost }),
    ...(accrued !== null && (isBond || /[1-9]/.test(accrued)) && { accrued_interest: accrued }),
    ...flexIdentifiers(row, info),
  };
}

/** Identifiers of a row's security. IBKR has its own names for exchanges, none of which is a MIC. */
export function flexIdentifiers(row: FlexRow, info?: FlexRow): { identifiers?: SecurityIdentifiers } {
  const stated = (name: string) => row.given(name) ?? info?.given(name) ?? undefined;
  const [scheme, number] = [stated("securityIDType")?.toUpperCase(), stated("securityID")];
  const numbered = (name: "isin" | "cusip" | "sedol" | "figi") =>
    stated(name) ?? (scheme === name.toUpperCase() ? number : undefined);
  const isin = numbered("isin")?.toUpperCase();
  const cusip = numbered("cusip");
  const sedol = numbered("sedol");
  const figi = numbered("figi");
  const ticker = untraded.has(kindOf(row).type) ? undefined : stated("symbol");
  const identifiers: Writable<SecurityIdentifiers> = {};
  if (isin !== undefined && isKnownIsin(isin)) identifiers.isin = isin;
  if (cusip !== undefined) identifiers.cusip = cusip;
  if (sedol !== undefined) identifiers.sedol = sedol;
  if (figi !== undefined) identifiers.figi = figi;
  if (ticker !== undefined) identifiers.ticker = ticker;
  return Object.keys(identifiers).length === 0 ? {} : { identifiers };
}

const isKnownIsin = memoize(isIsin, "US0378331005".length);

/** Types without a ticker: the symbol of a bond is its name, and that of cash a currency. */
const untraded: ReadonlySet<string> = new Set(["FI", "L"]);

/** Adds costs and settlement date to a trade. Fees are included only if they are in the trade's own currency. */
export function addTradeFacts(trade: Writable<TransactionData>, row: FlexRow, warnings: FeedWarnings): void {
  const charged = row.get("ibCommissionCurrency");
  const isOwn = charged === null || charged === row.get("currency");
  const fees = isOwn ? row.optionalDecimal("ibCommission", warnings) : null;
  const taxes = row.optionalDecimal("taxes", warnings);
  const gross = row.optionalDecimal("proceeds", warnings);
  const { settlement_date } = settlementOf(row, warnings, "settleDateTarget", "settleDate");
  const { identifiers } = flexIdentifiers(row);
  // Charges are negative in Flex and positive in facts.
  if (fees !== null) trade.fees = negateDecimal(fees);
  if (taxes !== null) trade.taxes = negateDecimal(taxes);
  if (gross !== null) trade.gross = gross;
  if (settlement_date !== undefined) trade.settlement_date = settlement_date;
  if (identifiers) trade.identifiers = identifiers;
}

/** The settlement date, from the first of these attributes that has a date. */
export function settlementOf(
  row: FlexRow,
  warnings: FeedWarnings,
  ...names: readonly string[]
): { settlement_date?: string } {
  for (const name of names) {
    const day = row.optionalDay(name, warnings);
    if (day !== null) return { settlement_date: day };
  }
  return {};
}

/** The kind of a cash transaction, from IBKR's name for its type. */
export function cashKind(row: FlexRow): TransactionKind {
  const type = row.get("type")?.toLowerCase() ?? "";
  if (/deposit|withdrawal/.test(type)) return row.get("amount")?.startsWith("-") ? "withdrawal" : "deposit";
  return cashKinds.find(([words]) => words.test(type))?.[1] ?? "other";
}

/** Order matters: taxes on dividends and interest are taxes. Bond interest paid is the accrued interest that a buyer owes the seller. */
const cashKinds: readonly (readonly [words: RegExp, kind: TransactionKind])[] = [
  [/withholding|871\(m\)|\btax/, "tax"],
  [/dividend/, "dividend"],
  [/bond interest paid/, "interest"],
  [/bond interest/, "coupon"],
  [/interest/, "interest"],
  [/fee|commission/, "fee"],
];

/** The kind of a corporate action, from IBKR's code or from the words that some queries have instead of the code. */
export function corporateActionKind(row: FlexRow): TransactionKind {
  const type = row.get("type") ?? row.get("description") ?? "";
  const code = Object.hasOwn(actionCodes, type.toUpperCase()) ? actionCodes[type.toUpperCase()] : undefined;
  return code ?? actionWords.find(([words]) => words.test(type))?.[1] ?? "other";
}

const actionCodes: Readonly<Record<string, TransactionKind>> = {
  FS: "split",
  FI: "split",
  RS: "split",
  SO: "spin_off",
  TC: "merger",
  BM: "redemption",
  CP: "coupon",
  CD: "dividend",
  CH: "dividend",
  HD: "dividend",
  HI: "dividend",
  SD: "dividend",
};

const actionWords: readonly (readonly [words: RegExp, kind: TransactionKind])[] = [
  [/spin-?\s?off/i, "spin_off"],
  [/\bsplit\b/i, "split"],
  [/merge[dr]|acquisition/i, "merger"],
  [/maturity|redemption|redeemed/i, "redemption"],
  [/coupon/i, "coupon"],
  [/dividend/i, "dividend"],
];
