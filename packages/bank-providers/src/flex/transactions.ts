import type { TransactionData } from "@org/core";
import type { FeedWarnings } from "../feed-warnings.js";
import type { MarkupElement } from "../markup/element.js";
import { cashKey } from "../stated-portfolio.js";
import { kindOf, securityKey } from "./security.js";
import { FlexRow } from "./values.js";

/** Rows of one kind as the query breaks them down: the finest that there is, so that nothing counts twice. */
function finest(section: MarkupElement | null, name: string, levels: readonly string[]): FlexRow[] {
  const rows = (section?.children ?? []).filter((child) => child.name === name).map((child) => new FlexRow(child));
  const levelOf = (row: FlexRow) => row.text("levelOfDetail")?.toUpperCase() ?? levels[0];
  const level = levels.find((candidate) => rows.some((row) => levelOf(row) === candidate));
  return rows.filter((row) => levelOf(row) === level);
}

/**
 * `Trades`, signs as in the file: a buy has positive units and negative cash. A cancelled trade stays, and so does its
 * cancellation, with turned signs: the one may come days, and files, after the other.
 */
export function readTrades(
  section: MarkupElement | null,
  portfolio_key: string,
  warnings: FeedWarnings,
): TransactionData[] {
  return finest(section, "Trade", ["EXECUTION", "ORDER", "SYMBOL_SUMMARY"]).map((row) => {
    const side = row.text("buySell")?.toUpperCase() ?? "";
    const isCancellation = side.includes("(CA.)");
    const units = row.requiredDecimal("quantity");
    const isSale = side === "" ? units.startsWith("-") : side.startsWith("SELL");
    const title = `${isSale ? "Sell" : "Buy"}${isCancellation ? " cancelled" : ""}`;
    // What is bought in a currency deal is cash; its netCash has the commission only.
    const isCurrencyDeal = kindOf(row).type === "L";
    const cash = isCurrencyDeal ? row.decimal("proceeds") : row.decimal("netCash");
    const name = row.words("description", warnings.at(row.element)) ?? row.required("symbol");
    return {
      key: keyOf(row, isCancellation ? ":cancelled" : ""),
      portfolio_key,
      holding_key: isCurrencyDeal ? null : securityKey(row),
      operation_date: row.day("tradeDate", "dateTime", "reportDate"),
      description: `${title}: ${name}`,
      amount: units,
      balance: cash ?? row.decimal("proceeds"),
      currency: row.currency(),
      unit_price: row.decimal("tradePrice") ?? row.decimal("price"),
    };
  });
}

/** `CashTransactions`: dividends, interest, taxes, fees, deposits and withdrawals. */
export function readCashTransactions(
  section: MarkupElement | null,
  portfolio_key: string,
  warnings: FeedWarnings,
): TransactionData[] {
  return finest(section, "CashTransaction", ["DETAIL", "SUMMARY"]).map((row) => {
    const currency = row.currency();
    return {
      key: keyOf(row),
      portfolio_key,
      holding_key: securityKey(row) ?? cashKey(currency),
      operation_date: row.day("dateTime", "date", "settleDate", "reportDate"),
      description: wordsOf(row, warnings),
      amount: null,
      balance: row.requiredDecimal("amount"),
      currency,
      unit_price: null,
    };
  });
}

/** `CorporateActions`: splits, mergers, spin-offs; units that came or went, and the cash for them. */
export function readCorporateActions(
  section: MarkupElement | null,
  portfolio_key: string,
  warnings: FeedWarnings,
): TransactionData[] {
  return finest(section, "CorporateAction", ["DETAIL", "SUMMARY"]).map((row) => ({
    key: keyOf(row),
    portfolio_key,
    holding_key: securityKey(row),
    operation_date: row.day("dateTime", "date", "reportDate"),
    description: row.words("actionDescription", warnings.at(row.element)) ?? wordsOf(row, warnings),
    amount: row.requiredDecimal("quantity"),
    balance: row.decimal("proceeds"),
    currency: row.currency(),
    unit_price: null,
  }));
}

function wordsOf(row: FlexRow, warnings: FeedWarnings): string {
  const words = [row.text("type"), row.words("description", warnings.at(row.element))];
  return words.filter((part) => part !== null).join(": ") || "Cash movement";
}

/** IBKR's id of the row; transactions and trades are numbered apart. Null when the query leaves the ids out. */
function keyOf(row: FlexRow, suffix = ""): string | null {
  for (const name of ["transactionID", "tradeID", "ibExecID", "actionID"]) {
    const id = row.text(name);
    if (id !== null) return `${name}:${id}${suffix}`;
  }
  return null;
}
