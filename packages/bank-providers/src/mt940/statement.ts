import { FeedRefusal } from "@org/provider-kit";
import { FeedWarnings, quotedText } from "../feed-warnings.js";
import { keepShared } from "../kept-objects.js";
import type { SwiftField } from "../swift/field-table.js";
import { readMessages, type SwiftMessage } from "../swift/message.js";
import { isGiven, placeOfField, refuseField } from "../swift/values.js";
import { type ReadEntries, readEntries } from "./entry.js";
import { balanceOf, momentOf13, type StatedBalance, type WrittenBalance } from "./values.js";

/** The account of a statement, from `:25:`. */
interface StatedAccount {
  /** As the bank writes it, without spaces. */
  readonly number: string;
  /** The currency, if the bank appends it to the number. */
  readonly currency: string | null;
  /** BIC, if the field has one. */
  readonly servicer: string | null;
}

/** One message: a statement, a page of one, or a report of an unfinished day. */
export interface CashPage extends ReadEntries {
  readonly message: SwiftMessage;
  readonly account: StatedAccount;
  /** Identifies the account in this currency. */
  readonly portfolio_key: string;
  readonly currency: string;
  /** `28C`: number of the statement, and of the page; "" and null if missing. */
  readonly number: string;
  readonly sequence: number | null;
  /** `60F`, `60M`; null in a report. */
  readonly opening: StatedBalance | null;
  readonly closing: StatedBalance | null;
  /** Creation time of a report (`13D`). */
  readonly reported: Date | null;
}

/** A page that has both of its balances. */
export interface StatementPageOfAccount extends CashPage {
  readonly opening: StatedBalance;
  readonly closing: StatedBalance;
}

/** Whether a message is about an unfinished day: MT942 by its header, or by its fields in bare text. */
export function isInterim(message: SwiftMessage): boolean {
  if (message.type !== null) return message.type === "942";
  let isReport = false;
  for (const { tag } of message.fields()) {
    if (tag.startsWith("60") || tag.startsWith("62")) return false;
    isReport ||= interimTags.has(tag);
  }
  return isReport;
}

const interimTags = new Set(["13", "13D", "34F", "90C", "90D"]);
/** Fields that a message may lack and that are read. */
const optionalTags = new Set(["64", "65", "13", "13D"]);
/** Fields that are ignored: references, available balances, counts, and additions of German banks (`NS`). */
const otherTags = new Set(["20", "21", "64", "65", "NS", ...interimTags]);

/** The number of the account that a message is about; null if it names none. */
export function accountNumberOf(message: SwiftMessage): string | null {
  for (const field of message.fields())
    if (field.tag === "25" || field.tag === "25P") return readAccountField(field).number;
  return null;
}

/** @throws FeedRefusal at a field that is missing or cannot be read */
export function readCashPage(message: SwiftMessage, warnings: FeedWarnings): CashPage {
  const reader = new PageReader(message, warnings);
  for (const field of message.fields()) reader.take(field);
  return reader.finish();
}

class PageReader {
  readonly #message: SwiftMessage;
  readonly #warnings: FeedWarnings;
  #account: StatedAccount | null = null;
  #number = "";
  #sequence: number | null = null;
  #opening: WrittenBalance | null = null;
  #closing: WrittenBalance | null = null;
  #availableCurrency: string | null = null;
  #limitCurrency: string | null = null;
  #reported: Date | null = null;

  constructor(message: SwiftMessage, warnings: FeedWarnings) {
    this.#message = message;
    this.#warnings = warnings;
    const [block] = message.blocks;
    if (block)
      throw new FeedRefusal(`line ${block.line}`, `:16R:${block.name.slice(0, 20)} is no part of an account statement`);
  }

  /** Reads a field other than the entries, which may stand before the field that names their account. */
  take(field: SwiftField): void {
    if (optionalTags.has(field.tag) && !isGiven(field)) return;
    const warn = (text: string) => this.#warnings.add(() => placeOfField(field), text);
    if (field.tag === "25" || field.tag === "25P") {
      if (this.#account) throw refuseField(field, "a second account in one message");
      this.#account = readAccountField(field);
    } else if (field.tag === "28" || field.tag === "28C") this.#takeNumber(field);
    else if (field.tag === "60F" || field.tag === "60M") {
      if (this.#opening) throw refuseField(field, "a second opening balance in one message");
      this.#opening = balanceOf(field, warn);
    } else if (field.tag === "62F" || field.tag === "62M") {
      if (this.#closing) throw refuseField(field, "a second closing balance in one message");
      this.#closing = balanceOf(field, warn);
    } else if (field.tag === "61") {
      if (this.#closing) throw refuseField(field, "an entry after the closing balance");
    } else if (field.tag === "64" || field.tag === "65")
      this.#availableCurrency ??= this.#warnings.optional(() => balanceOf(field, warn))?.currency ?? null;
    else if (field.tag === "34F") this.#limitCurrency ??= /^[A-Z]{3}/.exec(field.value)?.[0] ?? null;
    else if (field.tag === "13D" || field.tag === "13") {
      this.#reported = momentOf13(field.value);
      if (!this.#reported) warn(`${quotedText(field.value)} is not a time; it is left out`);
    } else if (field.tag !== "86" && !otherTags.has(field.tag))
      warn("is no field of an account statement; it is left out");
  }

  finish(): CashPage {
    const message = this.#message;
    const account = this.#account;
    if (account === null) throw missing(message, ":25:");
    const [opening, closing] = [this.#opening, this.#closing];
    const currency =
      opening?.currency ?? closing?.currency ?? this.#limitCurrency ?? this.#availableCurrency ?? account.currency;
    if (currency === null) {
      const balance = opening ?? closing;
      if (balance) throw refuseField(balance.field, `${quotedText(balance.field.value)} names no currency`);
      throw missing(message, isInterim(message) ? ":34F:" : ":60F:");
    }
    if (closing && currency !== (closing.currency ?? currency))
      throw refuseField(closing.field, "is in another currency than the opening balance");
    const portfolio_key = `${account.number}:${currency}`;
    return {
      message,
      account,
      portfolio_key,
      currency,
      number: this.#number,
      sequence: this.#sequence,
      opening: opening && this.#inCurrency(opening, currency),
      closing: closing && this.#inCurrency(closing, currency),
      ...readEntries(message, { portfolio_key, currency, isInterim: isInterim(message) }, this.#warnings),
      reported: this.#reported,
    };
  }

  #inCurrency(balance: WrittenBalance, currency: string): StatedBalance {
    if (balance.currency === null)
      this.#warnings.add(
        () => placeOfField(balance.field),
        `names no currency; it counts as ${currency}, the account's`,
      );
    return { ...balance, currency };
  }

  #takeNumber(field: SwiftField): void {
    const match = /^(\d{1,5})(?:\/(\d{1,5}))?$/.exec(field.value.trim());
    this.#number = match?.[1]?.replace(/^0+(?=\d)/, "") ?? field.value.trim().slice(0, 20);
    this.#sequence = match?.[2] === undefined ? null : Number(match[2]);
  }
}

function missing({ line }: SwiftMessage, tag: string): FeedRefusal {
  return new FeedRefusal(`line ${line}`, `is an account statement without ${tag}`);
}

/**
 * Reads `:25:` and `:25P:`: an IBAN, alone, after a BIC or followed by a currency, or any number of the bank's own. A German bank code and
 * account number are not converted to an IBAN, because dozens of banks have rules of their own for that.
 */
function readAccountField(field: SwiftField): StatedAccount {
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

for (const message of readMessages(":20:A", new Set())) keepShared(new PageReader(message, new FeedWarnings()));
