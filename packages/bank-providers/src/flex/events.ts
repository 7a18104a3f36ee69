import { addDecimals } from "@org/core";
import type { TransactionData, TransactionKind } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow } from "../markup/element.js";
import { cashKey } from "../stated-portfolio.js";
import { flexIdentifiers, settlementOf } from "./facts.js";
import { keyBesideTrade, mostDetailed, nameOf, readEach, underTitle } from "./rows.js";
import { kindOf, securityKey } from "./security.js";
import type { FlexRow } from "./values.js";

/**
 * Reads `TransactionTaxes`, such as stamp duty.
 * @param taxed ids of trades whose own cash includes their taxes already
 */
export function readTransactionTaxes(
  section: MarkupElement | null,
  portfolio_key: string,
  taxed: ReadonlySet<string>,
  warnings: FeedWarnings,
): TransactionData[] {
  const rows = mostDetailed(section, { TransactionTax: ["DETAIL", "SUMMARY"] }).filter(
    (row) => !taxed.has(row.get("tradeId") ?? row.get("tradeID") ?? ""),
  );
  return readEach(rows, warnings, (row) => ({
    ...cashMovement(row, portfolio_key, "taxAmount", warnings),
    kind: "tax" as const,
    description: underTitle(row.get("taxDescription") ?? "Transaction tax", nameOf(row, warnings)),
  }));
}

/** Reads `SalesTaxes`: value added tax and similar taxes on fees. */
export function readSalesTaxes(
  section: MarkupElement | null,
  portfolio_key: string,
  warnings: FeedWarnings,
): TransactionData[] {
  return readEach(mostDetailed(section, { SalesTax: ["DETAIL", "SUMMARY"] }), warnings, (row) => ({
    ...cashMovement(row, portfolio_key, "salesTax", warnings),
    kind: "tax" as const,
    description: underTitle(
      row.get("taxType") ?? "Sales tax",
      row.words("taxableDescription", warnings.at(row.element)) ?? nameOf(row, warnings),
    ),
  }));
}

/**
 * Reads `Transfers` of positions and cash to and from other accounts. Outgoing amounts are negative, however the row is signed. Some rows of
 * positions have no currency.
 */
export function readTransfers(
  section: MarkupElement | null,
  portfolio_key: string,
  accountCurrency: () => string | null,
  warnings: FeedWarnings,
): TransactionData[] {
  return readEach(mostDetailed(section, { Transfer: ["TRANSFER", "DETAIL", "SUMMARY", "LOT"] }), warnings, (row) => {
    const units = moved(row, "quantity");
    const cash = moved(row, "cashTransfer");
    const isOut = row.get("direction")?.toUpperCase() === "OUT" || (units ?? cash ?? "").startsWith("-");
    const price = row.optionalDecimal("transferPrice", warnings);
    const stated = row.given("currency") !== null ? row.currency() : null;
    const currency = stated ?? accountCurrency() ?? row.required("currency");
    if (stated === null) warnings.at(row.element)(`has no currency; that of the account, ${currency}, is taken`);
    return {
      ...movement(row, portfolio_key, warnings, currency),
      holding_key: (kindOf(row).type === "L" ? null : securityKey(row)) ?? cashKey(currency),
      description: underTitle(
        [row.get("type"), `transfer ${isOut ? "out" : "in"}`].filter((word) => word !== null).join(" "),
        nameOf(row, warnings),
      ),
      amount: units,
      balance: cash,
      unit_price: price !== null && /[1-9]/.test(price) ? price : null,
      kind: isOut ? "transfer_out" : "transfer_in",
    };
  });
}

/** Null if nothing of this kind moved. */
function moved(row: FlexRow, name: string): string | null {
  const value = row.decimal(name);
  if (value === null || !/[1-9]/.test(value)) return null;
  const isOut = row.get("direction")?.toUpperCase() === "OUT" && row.get("side")?.toUpperCase() !== "SHORT";
  return isOut && !value.startsWith("-") ? `-${value}` : value;
}

/**
 * Reads `OptionEAE`: exercises, assignments and expirations, and the trades in the delivered security.
 * @param trades ids of the trades of the same statement, in which most of these events are booked as well
 */
export function readOptionEvents(
  section: MarkupElement | null,
  portfolio_key: string,
  trades: ReadonlySet<string>,
  warnings: FeedWarnings,
): TransactionData[] {
  const rows = mostDetailed(section, { OptionEAE: ["DETAIL", "SUMMARY"] }).filter(
    (row) => !trades.has(row.get("tradeID") ?? ""),
  );
  return readEach(rows, warnings, (row) => {
    const proceeds = row.decimal("proceeds");
    const costs = row.decimal("commisionsAndTax") ?? row.decimal("commissionsAndTax") ?? "0";
    return {
      ...movement(row, portfolio_key, warnings),
      description: underTitle(row.get("transactionType") ?? "Option event", nameOf(row, warnings)),
      amount: row.decimal("quantity"),
      balance: proceeds && addDecimals(proceeds, costs),
      unit_price: row.optionalDecimal("tradePrice", warnings),
      kind: optionEventKind(row),
    };
  });
}

/** The event itself is neither a purchase nor a sale; what is delivered is bought or sold. */
function optionEventKind(row: FlexRow): TransactionKind {
  const type = row.get("transactionType")?.toLowerCase();
  return type === "buy" || type === "sell" ? type : "other";
}

function cashMovement(row: FlexRow, portfolio_key: string, amount: string, warnings: FeedWarnings) {
  return {
    ...movement(row, portfolio_key, warnings),
    holding_key: securityKey(row) ?? cashKey(row.currency()),
    amount: null,
    balance: row.requiredDecimal(amount),
    unit_price: null,
  };
}

function movement(row: FlexRow, portfolio_key: string, warnings: FeedWarnings, currency = row.currency()) {
  return {
    key: keyBesideTrade(row),
    portfolio_key,
    holding_key: securityKey(row),
    operation_date: row.day("dateTime", "date", "reportDate", "settleDate"),
    currency,
    place: placeOfRow(row.element),
    ...settlementOf(row, warnings, "settleDate"),
    ...(securityKey(row) !== null && flexIdentifiers(row)),
  };
}
