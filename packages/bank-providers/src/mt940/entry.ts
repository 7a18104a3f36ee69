import type { TransactionKind } from "@org/provider-kit";
import { type CashBooking, cashTransaction, referenceOf } from "../cash-booking.js";
import { quoted, type Warn } from "../feed-warnings.js";
import type { SwiftField } from "../swift/field-table.js";
import { refuseField, swiftDecimal } from "../swift/values.js";
import { type Narrative, readNarrative } from "./narrative.js";
import { dayOfYymmdd, nearestDay } from "./values.js";

/** An entry of a statement: `:61:` with the `:86:` behind it. */
export interface Entry {
  readonly field: SwiftField;
  /** Signed, every digit as written. */
  readonly value: string;
  /** Whether the account has it; an expected one (`EC`, `ED`) may still change or vanish. */
  readonly isBooked: boolean;
  readonly reference: string | null;
  readonly day: string;
  readonly valueDay: string | null;
  readonly description: string;
  readonly kind: TransactionKind | undefined;
}

/**
 * Value date, entry date (month and day), mark, third letter of the currency, amount, type, the owner's reference, and the bank's one
 * behind `//`; in a second line what else the bank says.
 */
const line61 =
  /^(\d{6})(\d{4})?\s?(E[DC]|R?[DC])([A-Z])?\s?(\d[\d,]*)([A-Z][A-Z0-9]{3})([^\n]*?)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/;

/** @param narrative the `:86:` that follows, or null */
export function readEntry(field: SwiftField, narrative: SwiftField | null, warn: Warn): Entry {
  const match = line61.exec(field.value);
  if (!match) throw refuseField(field, `${quoted(field.value)} is no entry, such as 2401310131C12,50NTRFNONREF`);
  const [, valueDate = "", entryDate, mark = "", , digits = "", type = "", owner = "", servicer, detail = ""] = match;
  const valueDay = dayOfYymmdd(field, valueDate, warn);
  const isReversal = mark.startsWith("R");
  const isCredit = mark.endsWith("C") !== isReversal;
  const words = describe(narrative && readNarrative(narrative.value), detail, owner) ?? titles[type.slice(1)];
  return {
    field,
    value: swiftDecimal(field, !isCredit, digits),
    isBooked: !mark.startsWith("E"),
    reference: referenceOf(servicer?.trim() || null),
    day: dayOfEntry(field, valueDay, entryDate, warn),
    valueDay,
    description: `${isReversal ? "Reversal: " : ""}${words ?? "Cash movement"}`,
    kind: kinds[type.slice(1)],
  };
}

/** Most entries are of the day of their value, in writing too: one text then stands for both. */
function dayOfEntry(field: SwiftField, valueDay: string, written: string | undefined, warn: Warn): string {
  if (written === undefined) return valueDay;
  const day = nearestDay(field, valueDay, written, warn);
  return day === valueDay ? valueDay : day;
}

function describe(narrative: Narrative | null, detail: string, owner: string): string | undefined {
  const told = [narrative?.party, narrative?.remittance].filter((part) => part).join(": ");
  const reference = owner.trim();
  const found = [told, narrative?.posting, detail.replace(/\s+/g, " ").trim()].find((text) => text);
  return found || (/^(?:NONREF|EREF|KREF|)$/.test(reference) ? undefined : reference);
}

/** Transaction types of SWIFT (field 61, subfield 6) that say what a movement is. */
const kinds: Readonly<Record<string, TransactionKind>> = {
  BRF: "fee",
  CHG: "fee",
  COM: "fee",
  CPN: "coupon",
  DIV: "dividend",
  FEX: "fx",
  INT: "interest",
  RED: "redemption",
  TAX: "tax",
};

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

export function transactionOf(entry: Entry, portfolio_key: string, currency: string) {
  const { reference, day, valueDay, value, description, kind } = entry;
  const booking: CashBooking = { portfolio_key, reference, day, valueDay, value, currency, description };
  return cashTransaction(kind === undefined ? booking : { ...booking, kind });
}
