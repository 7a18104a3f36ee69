import { addDecimals, isDecimalString } from "@org/core";
import type { HoldingData, SecurityIdentifiers, TransactionData, TransactionKind } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import type { MarkupElement } from "../markup/element.js";
import { textOf } from "../markup/values.js";
import type { SecurityId } from "./securities.js";
import { ofxDecimal, optionalDate } from "./values.js";

/*
 * Optional facts, besides what every row must have. They never cause a refusal: a fact that cannot be read is left out, with a warning.
 */

const schemes: Readonly<Record<string, keyof SecurityIdentifiers>> = {
  CUSIP: "cusip",
  ISIN: "isin",
  SEDOL: "sedol",
  WKN: "wkn",
  VALOR: "valor",
  TICKER: "ticker",
};

const kinds: Readonly<Record<string, TransactionKind>> = {
  INVBUY: "buy",
  INVSELL: "sell",
  SPLIT: "split",
  INVEXPENSE: "fee",
  MARGININTEREST: "interest",
};
const incomes: Readonly<Record<string, TransactionKind>> = {
  DIV: "dividend",
  CGLONG: "dividend",
  CGSHORT: "dividend",
  INTEREST: "interest",
};

/** Types of cash movements (OFX 2.2 §11.4.4.3) that say what the cash is for. */
const bankKinds: Readonly<Record<string, TransactionKind>> = {
  DIV: "dividend",
  FEE: "fee",
  INT: "interest",
  SRVCHG: "fee",
};

/** The kind of a cash movement (`STMTTRN`) with this signed amount: most types tell the way that money went, and not what for. */
export function kindOfBankMovement(row: MarkupElement, balance: string): Pick<TransactionData, "kind"> {
  const type = textOf(row, "TRNTYPE")?.toUpperCase();
  if (type === undefined) return {};
  if (Object.hasOwn(bankKinds, type)) return { kind: bankKinds[type] as TransactionKind };
  return { kind: balance.startsWith("-") ? "withdrawal" : "deposit" };
}

/** The security's number under its scheme, if the scheme is known. */
export function ofxIdentifiers({ scheme, number }: SecurityId): Pick<HoldingData, "identifiers"> {
  const known = schemes[scheme];
  return known ? { identifiers: { [known]: number } } : {};
}

/** Reads `UNITPRICE` of a position; for a bond it is in percent of the face amount. Banks write zero if there is no price. */
export function priceOfPosition(
  row: MarkupElement,
  position: MarkupElement,
  warnings: FeedWarnings,
): Pick<HoldingData, "price" | "price_unit"> {
  const price = warnings.optional(() => ofxDecimal(position, "UNITPRICE"));
  if (price === null || !/[1-9]/.test(price)) return {};
  return row.name === "POSDEBT" ? { price, price_unit: "percent" } : { price };
}

/**
 * Kind, settlement date and charges: `COMMISSION`, `FEES` and `LOAD`; `TAXES` and `WITHHOLDING`.
 * @param units signed, as {@link TransactionData.amount}
 */
export function factsOfTransaction(
  row: MarkupElement,
  body: MarkupElement,
  header: MarkupElement,
  units: string | null,
  warnings: FeedWarnings,
): Pick<TransactionData, "kind" | "settlement_date" | "fees" | "taxes"> {
  const kind = kindOf(row, body, units);
  const settled = warnings.optional(() => optionalDate(header, "DTSETTLE"));
  const fees = sumOf(body, ["COMMISSION", "FEES", "LOAD"], warnings);
  const taxes = sumOf(body, ["TAXES", "WITHHOLDING"], warnings);
  return {
    ...(kind && { kind }),
    ...(settled !== null && { settlement_date: settled }),
    ...(fees !== null && { fees }),
    ...(taxes !== null && { taxes }),
  };
}

function kindOf(row: MarkupElement, body: MarkupElement, units: string | null): TransactionKind | null {
  if (row.name === "INCOME" || row.name === "REINVEST")
    return incomes[textOf(row, "INCOMETYPE")?.toUpperCase() ?? ""] ?? null;
  if (row.name === "TRANSFER") return units?.startsWith("-") ? "transfer_out" : "transfer_in";
  return kinds[body.name] ?? null;
}

/** Null if none of them is there. */
function sumOf(element: MarkupElement, names: readonly string[], warnings: FeedWarnings): string | null {
  const found = names.flatMap((name) => warnings.optional(() => ofxDecimal(element, name)) ?? []);
  if (found.length === 0) return null;
  const sum = found.reduce((total, value) => addDecimals(total, value));
  return isDecimalString(sum) ? sum : null;
}
