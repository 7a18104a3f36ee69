import type { SwiftField } from "../swift/message.js";
import { refuseField } from "../swift/values.js";

/** The account of a statement, from `:25:`. */
export interface StatedAccount {
  /** IBAN where the field tells it, else the number as the bank writes it, without spaces. */
  readonly number: string;
  /** Where the bank appends it to the number. */
  readonly currency: string | null;
  /** BIC, where the field has one. */
  readonly servicer: string | null;
}

/**
 * Reads `:25:` and `:25P:`: an IBAN, alone, after a BIC, or with a currency behind it; a German bank code and account number, which are
 * the account's IBAN; or any number of the bank's own.
 */
export function readAccountField(field: SwiftField): StatedAccount {
  const [first = "", second = ""] = field.value.split("\n");
  const written = first.trim().replace(/^\//, "");
  const [, bank, rest = written] = /^([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)\/(.+)$/.exec(written) ?? [];
  const servicer = bank ?? bicPattern.exec(second.trim())?.[0] ?? null;
  const plain = rest.replaceAll(" ", "");
  if (plain === "") throw refuseField(field, "holds no account number");
  const [, number = plain, currency = null] = withCurrency.exec(plain) ?? [];
  return { number: germanIban(number) ?? number, currency, servicer };
}

const bicPattern = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

/** Some banks append the currency to the number: `DE89370400440532013000EUR`, `51230800/0000007055EUR`. */
const withCurrency = /^(.*\d)([A-Z]{3})$/;

/** `51230800/0000007055`: bank code and account number, of which a German IBAN is made (ISO 13616). */
function germanIban(number: string): string | null {
  const [, bankCode, account] = /^([1-8]\d{7})\/(\d{1,10})$/.exec(number) ?? [];
  if (bankCode === undefined || account === undefined) return null;
  const own = bankCode + account.padStart(10, "0");
  // "DE" is 13 and 14; with 00 for the check digits, 98 less the remainder by 97 is what they are.
  const check = 98n - (BigInt(`${own}131400`) % 97n);
  return `DE${check.toString().padStart(2, "0")}${own}`;
}
