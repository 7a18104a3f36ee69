import { negateDecimal } from "@org/core";
import type { FeedContent, FeedFormat, TransactionData } from "@org/provider-kit";
import { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { childOf } from "../markup/values.js";
import { readXml } from "../markup/xml-document.js";
import { movementContent, StatedAccounts, type StatedMovement } from "../stated-movements.js";
import { flexIdentifiers, settlementOf } from "./facts.js";
import { isQueryFault } from "./query-refusal.js";
import { mostDetailed, nameOf, readEach, underTitle } from "./rows.js";
import { kindOf, securityKey } from "./security.js";
import { statementList } from "./statement-list.js";
import { tradeReferences } from "./transactions.js";
import { FlexRow } from "./values.js";

/**
 * Reads a trade confirmation query of Interactive Brokers in XML: trades of the day, which a later activity statement completes. It states no
 * holdings.
 */
export const flexConfirmationsFormat = {
  name: "ibkr-flex-confirmations",
  title: "Interactive Brokers trade confirmation Flex query",
  recognises: (head) =>
    /<FlexQueryResponse\b[^<>]*\stype\s*=\s*["']TCF["']/.test(head) ||
    (/<FlexStatements?[\s>]/.test(head) &&
      /<TradeConfirms[\s>]/.test(head) &&
      !/<(?:OpenPositions|Trades|CashReport|CashTransactions)[\s/>]/.test(head)),
  read: (file) => readConfirmations(readXml(file)),
} satisfies FeedFormat;

/** The finest rows that the query has: executions, or else orders, or else summaries. */
const levels = {
  TradeConfirm: ["EXECUTION", "ORDER", "SYMBOL_SUMMARY"],
  Order: ["ORDER"],
  SymbolSummary: ["SYMBOL_SUMMARY"],
};

function readConfirmations(root: MarkupElement): FeedContent {
  const { list, statements } = statementList(root);
  if (statements.length === 0) throw refuse(list, "holds no FlexStatement");
  const warnings = new FeedWarnings(isQueryFault);
  const accounts = new StatedAccounts();
  const told: StatedMovement[] = [];
  for (const statement of statements) {
    const head = new FlexRow(statement);
    const account = head.required("accountId");
    warnings.account(account, () => {
      const day = head.day("toDate");
      accounts.note(account, day);
      const rows = mostDetailed(childOf(statement, "TradeConfirms"), levels);
      for (const movement of readEach(rows, warnings, (row) => readConfirmation(row, account, warnings)))
        told.push({ movement, day });
    });
  }
  const content = movementContent(told, accounts, null, warnings);
  const named = (content.portfolios ?? []).map((one) => ({ ...one, name: `Interactive Brokers ${one.key}` }));
  return { ...content, portfolios: named, keys: "corrected" };
}

/** Reads one row, signs as in the file. A cancellation names the trade that it cancels, or has the same number. */
function readConfirmation(row: FlexRow, portfolio_key: string, warnings: FeedWarnings): TransactionData {
  const side = row.get("buySell")?.toUpperCase() ?? "";
  const isCancellation = side.includes("(CA.)") || row.get("transactionType") === "TradeCancel";
  const units = row.requiredDecimal("quantity");
  const isSale = side === "" ? units.startsWith("-") : side.startsWith("SELL");
  const isCurrencyDeal = kindOf(row).type === "L";
  const [number, order, original] = ["tradeID", "orderID", "origTradeID"].map((attribute) => row.get(attribute));
  const references = tradeReferences(number ?? null, order ?? null);
  const taken = number === null ? original : isOf(original) ? original : number;
  const currency = row.currency();
  const isOwn = (row.get("commissionCurrency") ?? currency) === currency;
  const fees = isOwn ? row.optionalDecimal("commission", warnings) : null;
  const taxes = row.optionalDecimal("tax", warnings);
  const gross = isCurrencyDeal ? row.decimal("proceeds") : row.optionalDecimal("proceeds", warnings);
  return {
    key: number === null || number === undefined ? null : `TRADE:${number}`,
    portfolio_key,
    holding_key: isCurrencyDeal ? null : securityKey(row),
    operation_date: row.day("tradeDate", "dateTime"),
    description: underTitle(
      `${isSale ? "Sell" : "Buy"}${isCancellation ? " cancelled" : ""}`,
      nameOf(row, warnings) ?? securityKey(row),
    ),
    amount: units,
    balance: isCurrencyDeal ? gross : row.decimal("netCash"),
    currency,
    unit_price: row.optionalDecimal("price", warnings) ?? row.optionalDecimal("tradePrice", warnings),
    kind: isCurrencyDeal ? "fx" : isSale ? "sell" : "buy",
    place: placeOfRow(row.element),
    ...settlementOf(row, warnings, "settleDate"),
    ...(fees !== null && { fees: negateDecimal(fees) }),
    ...(taxes !== null && { taxes: negateDecimal(taxes) }),
    ...(gross !== null && { gross }),
    ...flexIdentifiers(row),
    ...(references.length > 0 && { references, stage: "traded" }),
    ...(isCancellation && isOf(taken) && { cancels: [`TRADE:${taken}`] }),
  };
}

/** Whether there is a number; IBKR writes 0 if there is none. */
function isOf(number: string | null | undefined): number is string {
  return number !== null && number !== undefined && number !== "0";
}
