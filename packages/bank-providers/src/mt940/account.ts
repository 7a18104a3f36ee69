import type { SwiftField } from "../swift/field-table.js";
import { refuseField } from "../swift/values.js";

/** The account of a statement, from `:25:`. */
export interface StatedAccount {
  /** As the bank writes it, without spaces. */
  readonly number: string;
  /** Where the bank appends it to the number. */
  readonly currency: string | null;
  /** BIC, where the field has one. */
  readonly servicer: string | null;
}

/**
 * Reads `:25:` and `:25P:`: an IBAN, alone, after a BIC, or with a currency behind it, or any number of the bank's own. A German bank code
 * and account number stay what they are: dozens of banks have rules of their own for the IBAN that belongs to them.
 */
export function readAccountField(field: SwiftField): StatedAccount {
  const [first = "", second = ""] = field.value.split("\n");
  const written = first.trim().replace(/^\//, "");
  const [, bank, rest = written] = /^([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)\/(.+)$/.exec(written) ?? [];
  const servicer = bank ?? bicPattern.exec(second.trim())?.[0] ?? null;
  const plain = rest.replaceAll(" ", "");
  if (plain === "") throw refuseField(field, "holds no account number");
  const [, number = plain, currency = null] = withCurrency.exec(plain) ?? [];
  return { number, currency, servicer };
}

const bicPattern = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

/** Some banks append the currency to the number: `DE89370400440532013000EUR`, `51230800/0000007055EUR`. */
const withCurrency = /^(.*\d)([A-Z]{3})$/;
