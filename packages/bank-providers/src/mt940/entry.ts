import type { TransactionData, TransactionKind } from "@org/provider-kit";
import { type CashBooking, cashTransaction, isUnrecognisable } from "../cash-booking.js";
import { type FeedWarnings, quotedText, type Warn } from "../feed-warnings.js";
import type { SwiftField } from "../swift/field-table.js";
import type { SwiftMessage } from "../swift/message.js";
import { placeOfField, placeOfLine, refuseField, swiftDecimal } from "../swift/values.js";
import { type Narrative, readNarrative } from "./narrative.js";
import { dayOfYymmdd, nearestDay } from "./values.js";

/** The account whose entries are read. */
export interface EntryAccount {
  readonly portfolio_key: string;
  readonly currency: string;
  /** Whether a later statement repeats the entries. */
  readonly isInterim: boolean;
}

/** The entries of a message as transactions. */
export interface ReadEntries {
  readonly booked: readonly TransactionData[];
  /** Entries that are left out, and why. */
  readonly leftOut: readonly { readonly field: SwiftField; readonly why: string }[];
  /** The latest day of all entries, `YYYY-MM-DD`; null if there are none. */
  readonly lastDay: string | null;
}

/** Reads each `:61:` with the `:86:` after it. A statement may have a million entries, so only their transactions are kept. */
export function readEntries(message: SwiftMessage, account: EntryAccount, warnings: FeedWarnings): ReadEntries {
  const booked: TransactionData[] = [];
  const leftOut: { field: SwiftField; why: string }[] = [];
  let lastDay: string | null = null;
  const take = (field: SwiftField, narrative: SwiftField | null) => {
    const warn = (text: string) => warnings.add(() => placeOfField(field), text);
    const read = warnings.movement(() => readEntry(field, narrative, account, warn));
    if (read === null) return;
    const { transaction, isBooked } = read;
    if (!isBooked) leftOut.push({ field, why: notBooked });
    else if (account.isInterim && !transaction.references) leftOut.push({ field, why: isUnrecognisable });
    else booked.push(transaction);
    const day = transaction.operation_date;
    if (lastDay === null || day > lastDay) lastDay = day;
  };
  let entry: SwiftField | null = null;
  for (const field of message.fields()) {
    if (entry) take(entry, field.tag === "86" ? field : null);
    entry = field.tag === "61" ? field : null;
  }
  if (entry) take(entry, null);
  return { booked, leftOut, lastDay };
}

const notBooked = "an entry that is not booked yet; it is left out until it is";

/**
 * Value date, entry date (month and day), mark, third letter of the currency, amount, type (some banks leave it out), the owner's reference, and after `//` the bank's
 * reference; in a second line the bank's further details.
 */
const line61 =
  /^(\d{6})(\d{4})?\s?(E[DC]|R?[DC])([A-Z])?\s?(\d[\d,]*)(?:([A-Z][A-Z0-9]{3})|(?!\s?[\d.,]))([^\n]*?)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/;

/**
 * @param narrative the `:86:` that follows, or null
 * @returns isBooked: false for an expected entry (`EC`, `ED`), which may still change or vanish
 */
function readEntry(
  field: SwiftField,
  narrative: SwiftField | null,
  { portfolio_key, currency }: EntryAccount,
  warn: Warn,
): { transaction: TransactionData; isBooked: boolean } {
  const match = line61.exec(field.value);
  if (!match) throw refuseField(field, `${quotedText(field.value)} is no entry, such as 2401310131C12,50NTRFNONREF`);
  const [, valueDate = "", entryDate, mark = "", , digits = "", type = "", owner = "", servicer, detail = ""] = match;
  const valueDay = dayOfYymmdd(field, valueDate, warn);
  const isReversal = mark.startsWith("R");
  const isCredit = mark.endsWith("C") !== isReversal;
  const words = describe(narrative && readNarrative(narrative.value), detail, owner) ?? titles[type.slice(1)];
  const booking: CashBooking = {
    portfolio_key,
    reference: servicer?.trim() || null,
    day: entryDate === undefined ? valueDay : nearestDay(field, valueDay, entryDate, warn),
    valueDay,
    value: swiftDecimal(field, !isCredit, digits),
    currency,
    description: `${isReversal ? "Reversal: " : ""}${words ?? "Cash movement"}`,
    place: placeOfLine(field),
  };
  const kind = kindOfType(type.slice(1), isCredit !== isReversal);
  const transaction = cashTransaction(kind === undefined ? booking : { ...booking, kind });
  return { transaction, isBooked: !mark.startsWith("E") };
}

function describe(narrative: Narrative | null, detail: string, owner: string): string | undefined {
  const told = [narrative?.party, narrative?.remittance].filter((part) => part).join(": ");
  const reference = owner.trim();
  const found = [told, narrative?.posting, detail.replace(/\s+/g, " ").trim()].find((text) => text);
  return found || (/^(?:NONREF|EREF|KREF|)$/.test(reference) ? undefined : reference);
}

/** Transaction types of SWIFT (field 61, subfield 6) by the kind of movement that they name. */
const kinds: Readonly<Record<string, TransactionKind>> = {
  BNK: "fee",
  BRF: "fee",
  CHG: "fee",
  COM: "fee",
  CPN: "coupon",
  DIV: "dividend",
  FEX: "fx",
  INT: "interest",
  MAT: "redemption",
  MGT: "fee",
  ODC: "fee",
  PCH: "buy",
  PRN: "redemption",
  REC: "tax",
  RED: "redemption",
  SAL: "sell",
  STP: "tax",
  SUB: "buy",
  TAX: "tax",
  TRN: "fee",
};

/** Types that tell the way that money went, and not what for. */
const payments: ReadonlySet<string> = new Set(["CHK", "DDT", "STO", "TRF"]);

/** @param isIncoming whether the account is paid; of a reversal, whether it was paid what is reversed */
function kindOfType(type: string, isIncoming: boolean): TransactionKind | undefined {
  if (type === "SEC") return isIncoming ? "sell" : "buy";
  if (payments.has(type)) return isIncoming ? "deposit" : "withdrawal";
  return kinds[type];
}

const titles: Readonly<Record<string, string>> = {
  BRF: "Brokerage fee",
  CHG: "Charges",
  CHK: "Cheque",
  COM: "Commission",
  CPN: "Coupon",
  DIV: "Dividend",
  FEX: "Foreign exchange",
  INT: "Interest",
  RED: "Redemption",
  SEC: "Securities",
  TAX: "Tax",
  TRF: "Transfer",
};
