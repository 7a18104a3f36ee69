import { addDecimals, isDecimalString, multiplyDecimals } from "@org/core";
import type { HoldingData } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { cashHolding } from "../stated-portfolio.js";
import { positionFacts } from "./facts.js";
import { nameOf } from "./rows.js";
import { isNotional, kindOf, type SecurityInfos, securityKey } from "./security.js";
import { FlexRow } from "./values.js";

/**
 * Reads `OpenPositions`, one holding per security. A position comes as a summary, as its lots, or as both: the summary counts if there is one,
 * otherwise the lots are added up, so that a holding keeps its id when a lot is sold.
 * @param day last day of the period, `YYYY-MM-DD`
 */
export function readOpenPositions(
  section: MarkupElement,
  portfolio_key: string,
  day: string,
  infos: SecurityInfos,
  warnings: FeedWarnings,
): HoldingData[] {
  const found = new Map<string, { holding: HoldingData; isLot: boolean }>();
  for (const element of section.children) {
    if (element.name !== "OpenPosition") continue;
    const row = new FlexRow(element);
    const key = securityKey(row);
    if (key === null) throw refuse(element, "names no security: neither conid nor isin nor symbol");
    const isLot = row.get("levelOfDetail")?.toUpperCase() === "LOT";
    // Consolidated accounts and model portfolios each have their own position.
    const place = [key, row.currency(), row.get("accountId"), row.get("model")].join(" ");
    const known = found.get(place);
    if (known && !known.isLot && isLot) continue;
    const holding = readPosition(row, key, portfolio_key, day, infos, warnings);
    if (known && !known.isLot && !isLot) throw refuse(element, "a second summary of one position");
    found.set(place, { holding: known?.isLot && isLot ? together(known.holding, holding, row) : holding, isLot });
  }
  return [...found.values()].map(({ holding }) => holding);
}

function readPosition(
  row: FlexRow,
  key: string,
  portfolio_key: string,
  day: string,
  infos: SecurityInfos,
  warnings: FeedWarnings,
): HoldingData {
  const warn = warnings.at(row.element);
  return {
    key,
    portfolio_key,
    name: nameOf(row, warnings) ?? key,
    isin: infos.isinOf(row, warn),
    amount: row.requiredDecimal("position"),
    balance: row.decimal("positionValue") ?? warnings.optional(() => computedValue(row, warn)),
    currency: row.currency(),
    // Positions are those of the end of the period, whether or not the query has the date of each.
    valuation_date: row.optionalDay("reportDate", warnings) ?? day,
    ...kindOf(row),
    place: placeOfRow(row.element),
    ...(isNotional(row) && { is_notional: true }),
    ...positionFacts(row, infos.of(row), warnings),
  };
}

/** Computes the value if the query leaves it out: units × price × multiplier, for bonds in percent of the face amount. */
function computedValue(row: FlexRow, warn: (message: string) => void): string | null {
  const price = row.decimal("markPrice");
  if (price === null) {
    warn("has neither positionValue nor markPrice; the holding is kept without a value");
    return null;
  }
  const whole = multiplyDecimals(row.requiredDecimal("position"), price);
  const value = multiplyDecimals(whole, row.decimal("multiplier") ?? "1");
  const scaled = kindOf(row).type === "FI" ? multiplyDecimals(value, "0.01") : value;
  if (isDecimalString(scaled)) return scaled;
  warn("the value has too many digits; the holding is kept without it");
  return null;
}

function together(a: HoldingData, b: HoldingData, row: FlexRow): HoldingData {
  const sum = (x: string | null, y: string | null) => (x === null || y === null ? null : addDecimals(x, y));
  const balance = sum(a.balance, b.balance);
  const { cost: _, accrued_interest: __, ...rest } = a;
  const amount = sum(a.amount, b.amount);
  for (const total of [amount, balance])
    if (total !== null && !isDecimalString(total)) throw refuse(row.element, "the sum of the lots has too many digits");
  return { ...rest, amount, balance, ...sumOfFact("cost", a, b), ...sumOfFact("accrued_interest", a, b) };
}

/** Empty if one of the lots does not state the fact, or the sum would have too many digits. */
function sumOfFact<Fact extends "cost" | "accrued_interest">(fact: Fact, a: HoldingData, b: HoldingData) {
  const [one, other] = [a[fact], b[fact]];
  const total = one === undefined || other === undefined ? undefined : addDecimals(one, other);
  return total !== undefined && isDecimalString(total) ? { [fact]: total } : {};
}

/**
 * Reads `CashReport`, one holding of liquidity per currency, without zero balances. Its summary in the base currency is the sum of the other rows
 * and counts only if the query leaves those out.
 * @param base the account's base currency, if the statement names it; called only when needed
 */
export function readCash(
  section: MarkupElement | null,
  portfolio_key: string,
  day: string,
  base: () => string | null,
  warnings: FeedWarnings,
): HoldingData[] {
  const cash = new Map<string, HoldingData>();
  let summary: FlexRow | null = null;
  for (const element of section?.children ?? []) {
    if (element.name !== "CashReportCurrency") continue;
    const row = new FlexRow(element);
    if (row.get("currency") === BASE_SUMMARY || row.get("levelOfDetail") === "BaseCurrency") {
      summary ??= row;
      continue;
    }
    const currency = row.currency();
    if (cash.has(currency)) throw refuse(element, `a second row of cash in ${currency}`);
    cash.set(
      currency,
      cashHolding(portfolio_key, currency, row.requiredDecimal("endingCash"), day, placeOfRow(element)),
    );
  }
  if (cash.size > 0 || !summary) return [...cash.values()].filter(({ amount }) => /[1-9]/.test(amount ?? ""));
  const ending = summary.requiredDecimal("endingCash");
  if (!/[1-9]/.test(ending)) return [];
  const currency = summary.get("currency") === BASE_SUMMARY ? base() : summary.currency();
  if (currency !== null) return [cashHolding(portfolio_key, currency, ending, day, placeOfRow(summary.element))];
  const mend = "add the currencies, or the section AccountInformation, to the query";
  warnings.at(summary.element)(`states cash without its currency; it is left out: ${mend}`);
  return [];
}

/** IBKR's code for rows in the account's base currency. */
const BASE_SUMMARY = "BASE_SUMMARY";
