import { type MarkupElement, refuse } from "../markup/element.js";
import { requiredChild, textOf } from "../markup/values.js";
import { quoted } from "../quoted.js";
import { textAt } from "./values.js";

/** The account that a statement is about. */
export interface CashAccount {
  /** IBAN, or whatever number the bank has for it. */
  readonly number: string;
  readonly name: string;
  /** The account's own currency, where the statement names it. */
  readonly currency: string | null;
}

/** Reads `Acct`: its name is the one that it was given, else the bank's name and the number. */
export function readAccount(statement: MarkupElement): CashAccount {
  const account = requiredChild(statement, "Acct");
  const id = requiredChild(account, "Id");
  const number = textAt(id, "IBAN") ?? textAt(id, "Othr", "Id") ?? textAt(id, "PrtryAcct", "Id");
  if (number === null) throw refuse(id, "holds no account number: neither IBAN nor Othr/Id");
  const bank = textAt(account, "Svcr", "FinInstnId", "Nm") ?? textAt(account, "Svcr", "FinInstnId", "CmbndId", "Nm");
  return {
    number: number.replaceAll(" ", ""),
    name: textOf(account, "Nm") ?? (bank === null ? number : `${bank} ${number}`),
    currency: ownCurrency(account),
  };
}

function ownCurrency(account: MarkupElement): string | null {
  const currency = textOf(account, "Ccy")?.toUpperCase() ?? null;
  if (currency !== null && !/^[A-Z]{3}$/.test(currency)) {
    throw refuse(requiredChild(account, "Ccy"), `${quoted(currency)} is not a three-letter currency code`);
  }
  return currency;
}
