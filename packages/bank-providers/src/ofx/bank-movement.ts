import { quotedText } from "../feed-warnings.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { childOf, requiredText, textOf } from "../markup/values.js";
import { rowCurrency } from "./currency.js";
import type { OfxAccount } from "./holdings.js";
import type { ReadTransaction } from "./transaction-keys.js";
import { requiredDate, requiredDecimal } from "./values.js";

/** Reads a cash movement (`STMTTRN`) of an account, which has no units and no security. */
export function readBankMovement(row: MarkupElement, account: OfxAccount): ReadTransaction {
  return {
    transaction: {
      key: textOf(row, "FITID"),
      portfolio_key: account.key,
      holding_key: null,
      operation_date: requiredDate(row, "DTPOSTED"),
      description: describe(row),
      amount: null,
      balance: requiredDecimal(row, "TRNAMT"),
      currency: rowCurrency(row, account.currency).amounts,
      unit_price: null,
    },
    corrects: correctionOf(row),
  };
}

/** Name and memo, or the memo alone if it begins with the name, which OFX cuts off at 32 characters. */
function describe(row: MarkupElement): string {
  const payee = childOf(row, "PAYEE");
  const name = textOf(row, "NAME") ?? (payee ? textOf(payee, "NAME") : null);
  const memo = textOf(row, "MEMO");
  if (name === null || memo?.startsWith(name)) return memo ?? textOf(row, "TRNTYPE") ?? "Cash movement";
  return memo === null ? name : `${name}: ${memo}`;
}

function correctionOf(row: MarkupElement): ReadTransaction["corrects"] {
  const key = textOf(row, "CORRECTFITID");
  if (key === null) return null;
  const action = requiredText(row, "CORRECTACTION").toUpperCase();
  if (action !== "REPLACE" && action !== "DELETE") {
    throw refuse(row, `CORRECTACTION ${quotedText(action)} is neither REPLACE nor DELETE`);
  }
  return { key, action };
}
