import { addDecimals } from "@org/core";
import type { TransactionData, Writable } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow } from "../markup/element.js";
import { childOf } from "../markup/values.js";
import { cashKey } from "../stated-portfolio.js";
import { readOptionEvents, readSalesTaxes, readTransactionTaxes, readTransfers } from "./events.js";
import { addTradeFacts, cashKind, corporateActionKind, flexIdentifiers, settlementOf } from "./facts.js";
import { keyOf, mostDetailed, nameOf, readEach, underTitle, wordsOf } from "./rows.js";
import { kindOf, securityKey } from "./security.js";
import { FlexRow } from "./values.js";

/** Reads the movements of all sections. A movement that two sections state counts once. */
export function readMovements(statement: MarkupElement, account: string, warnings: FeedWarnings): TransactionData[] {
  const section = (name: string) => childOf(statement, name);
  const trades = mostDetailed(section("Trades"), tradeLevels);
  // Ids are collected only if the other section is there: most files have many trades and neither section.
  const idsOf = (other: string, rows: () => readonly FlexRow[]) =>
    new Set(section(other) ? rows().flatMap((row) => row.get("tradeID") ?? []) : []);
  const taxed = idsOf("TransactionTaxes", () => trades.filter((row) => /[1-9]/.test(row.get("taxes") ?? "")));
  return [
    ...readEach(trades, warnings, (row) => readTrade(row, account, warnings)).flat(),
    ...readCashTransactions(section("CashTransactions"), account, warnings),
    ...readCorporateActions(section("CorporateActions"), account, warnings),
    ...readTransactionTaxes(section("TransactionTaxes"), account, taxed, warnings),
    ...readSalesTaxes(section("SalesTaxes"), account, warnings),
    ...readTransfers(
      section("Transfers"),
      account,
      () => currencyOf(section("AccountInformation"), warnings),
      warnings,
    ),
    ...readOptionEvents(
      section("OptionEAE"),
      account,
      idsOf("OptionEAE", () => trades),
      warnings,
    ),
  ];
}

/** The account's own currency, if the query includes it. */
function currencyOf(information: MarkupElement | null, warnings: FeedWarnings): string | null {
  return information && new FlexRow(information).optionalCurrency(warnings);
}

/** Closed lots and wash sales are rows among the trades too; they match no level here and are left out. */
const tradeLevels = {
  Trade: ["EXECUTION", "ORDER", "SYMBOL_SUMMARY"],
  Order: ["ORDER"],
  SymbolSummary: ["SYMBOL_SUMMARY"],
};

/**
 * Reads a row of `Trades`, signs as in the file: a buy has positive units and negative cash. A cancelled trade stays, and so does its
 * cancellation with opposite signs, because the two may come days and files apart. A commission in another currency than the trade's is a
 * movement of its own.
 */
function readTrade(row: FlexRow, portfolio_key: string, warnings: FeedWarnings): TransactionData[] {
  const side = row.get("buySell")?.toUpperCase() ?? "";
  const isCancellation = side.includes("(CA.)");
  const units = row.requiredDecimal("quantity");
  const isSale = side === "" ? units.startsWith("-") : side.startsWith("SELL");
  const title = `${isSale ? "Sell" : "Buy"}${isCancellation ? " cancelled" : ""}`;
  const isCurrencyDeal = kindOf(row).type === "L";
  const name = nameOf(row, warnings) ?? securityKey(row);
  const key = keyOf(row, isCancellation ? ":cancelled" : "");
  const { balance, commission } = cashOf(row, isCurrencyDeal);
  const trade: Writable<TransactionData> = {
    key,
    portfolio_key,
    holding_key: isCurrencyDeal ? null : securityKey(row),
    operation_date: row.day("tradeDate", "dateTime", "reportDate"),
    description: underTitle(title, name),
    amount: units,
    balance,
    currency: row.currency(),
    unit_price: row.optionalDecimal("tradePrice", warnings) ?? row.optionalDecimal("price", warnings),
    place: placeOfRow(row.element),
  };
  trade.kind = isCurrencyDeal ? "fx" : isSale ? "sell" : "buy";
  const movements: TransactionData[] = [trade];
  if (commission !== null)
    movements.push({
      ...trade,
      key: key && `${key}:commission`,
      description: underTitle("Commission", name),
      amount: null,
      balance: commission,
      currency: row.currency("ibCommissionCurrency"),
      unit_price: null,
      kind: "fee",
    });
  addTradeFacts(trade, row, warnings);
  // Confirmations have the same references.
  const references = tradeReferences(row.get("tradeID"), row.get("ibOrderID"));
  if (references.length > 0) trade.references = references;
  return movements;
}

/** References of a trade and its order for `TransactionData.references`. */
export function tradeReferences(trade: string | null, order: string | null): string[] {
  const ofOrder = order === null ? [] : [`ORDER:${order}`];
  return trade === null ? ofOrder : [`TRADE:${trade}`, ...ofOrder];
}

/**
 * The cash of a trade including taxes and commission: `netCash`, or else the sum of its parts. What a currency deal buys is cash, and its
 * `netCash` has only the commission.
 */
function cashOf(row: FlexRow, isCurrencyDeal: boolean): { balance: string | null; commission: string | null } {
  const net = isCurrencyDeal ? null : row.decimal("netCash");
  const proceeds = net === null ? row.decimal("proceeds") : null;
  if (proceeds === null) return { balance: net, commission: null };
  const stated = row.decimal("ibCommission");
  const commission = stated !== null && /[1-9]/.test(stated) ? stated : null;
  const isApart =
    commission !== null &&
    row.get("ibCommissionCurrency") !== null &&
    row.currency("ibCommissionCurrency") !== row.currency();
  const parts = [row.decimal("taxes"), isApart ? null : commission].filter((part) => part !== null);
  return { balance: parts.reduce(addDecimals, proceeds), commission: isApart ? commission : null };
}

/** Reads `CashTransactions`: dividends, interest, taxes, fees, deposits and withdrawals. */
function readCashTransactions(
  section: MarkupElement | null,
  portfolio_key: string,
  warnings: FeedWarnings,
): TransactionData[] {
  return readEach(mostDetailed(section, { CashTransaction: ["DETAIL", "SUMMARY"] }), warnings, (row) => {
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
      kind: cashKind(row),
      place: placeOfRow(row.element),
      ...settlementOf(row, warnings, "settleDate"),
      ...(securityKey(row) !== null && flexIdentifiers(row)),
    };
  });
}

/** Reads `CorporateActions`, such as splits, mergers and spin-offs: units received or delivered, and the cash for them. */
function readCorporateActions(
  section: MarkupElement | null,
  portfolio_key: string,
  warnings: FeedWarnings,
): TransactionData[] {
  return readEach(mostDetailed(section, { CorporateAction: ["DETAIL", "SUMMARY"] }), warnings, (row) => ({
    // Rows of one action are about several securities; some reports number the action instead of the row.
    key: keyOf(row, `:${securityKey(row)}`),
    portfolio_key,
    holding_key: securityKey(row),
    operation_date: row.day("dateTime", "date", "reportDate"),
    description: row.words("actionDescription", warnings.at(row.element)) ?? wordsOf(row, warnings),
    amount: row.requiredDecimal("quantity"),
    balance: row.decimal("proceeds"),
    currency: row.currency(),
    unit_price: null,
    kind: corporateActionKind(row),
    place: placeOfRow(row.element),
    ...flexIdentifiers(row),
  }));
}
