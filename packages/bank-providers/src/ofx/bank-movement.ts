import { negateDecimal } from "@org/core";
import { type FeedWarnings, quotedText } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { childOf, requiredText, textOf } from "../markup/values.js";
import { rowCurrency } from "./currency.js";
import { kindOfBankMovement } from "./facts.js";
import type { OfxAccount } from "./holdings.js";
import type { ReadTransaction } from "./transaction-keys.js";
import { givenText, requiredDate, requiredDecimal } from "./values.js";

/** Reads a cash movement (`STMTTRN`) of an account, which has no units and no security. */
export function readBankMovement(row: MarkupElement, account: OfxAccount, warnings: FeedWarnings): ReadTransaction {
  const transaction = {
    key: givenText(row, "FITID"),
    portfolio_key: account.key,
    holding_key: null,
    operation_date: requiredDate(row, "DTPOSTED"),
    description: describe(row),
    amount: null,
    balance: signedByType(row, warnings),
    currency: rowCurrency(row, account.currency).amounts,
    unit_price: null,
    place: placeOfRow(row),
  };
  return {
    transaction: { ...transaction, ...kindOfBankMovement(row, transaction.balance) },
    corrects: correctionOf(row, warnings),
  };
}

const outgoing: ReadonlySet<string> = new Set("DEBIT FEE SRVCHG PAYMENT CHECK CASH DIRECTDEBIT".split(" "));
const incoming: ReadonlySet<string> = new Set("CREDIT DEP DIRECTDEP DIV".split(" "));
/** Mostly outgoing, but not always. */
const oftenOutgoing: ReadonlySet<string> = new Set(["ATM", "POS"]);

/** The amount with the sign that its type (OFX 2.2 §11.4.4.3) has: some banks write all amounts without one. */
function signedByType(row: MarkupElement, warnings: FeedWarnings): string {
  const amount = requiredDecimal(row, "TRNAMT");
  const type = textOf(row, "TRNTYPE")?.toUpperCase() ?? "";
  const isNegative = amount.startsWith("-");
  if (isNegative ? incoming.has(type) : outgoing.has(type) && /[1-9]/.test(amount)) {
    warnings.at(row)(`TRNAMT ${amount} contradicts TRNTYPE ${type}; its sign is turned`);
    return negateDecimal(amount);
  }
  if (!isNegative && oftenOutgoing.has(type))
    warnings.at(row)(`TRNAMT ${amount} of TRNTYPE ${type} is positive, and is kept as it is`);
  return amount;
}

/** Name and memo, or the memo alone if it begins with the name, which OFX cuts off at 32 characters. */
function describe(row: MarkupElement): string {
  const payee = childOf(row, "PAYEE");
  const name = textOf(row, "NAME") ?? (payee ? textOf(payee, "NAME") : null);
  const memo = textOf(row, "MEMO");
  if (name === null || memo?.startsWith(name)) return memo ?? textOf(row, "TRNTYPE") ?? "Cash movement";
  return memo === null ? name : `${name}: ${memo}`;
}

function correctionOf(row: MarkupElement, warnings: FeedWarnings): ReadTransaction["corrects"] {
  const key = textOf(row, "CORRECTFITID");
  if (key === null) return null;
  const action = requiredText(row, "CORRECTACTION").toUpperCase();
  if (action !== "REPLACE" && action !== "DELETE") {
    throw refuse(row, `CORRECTACTION ${quotedText(action)} is neither REPLACE nor DELETE`);
  }
  return { key, action, warn: warnings.at(row) };
}
