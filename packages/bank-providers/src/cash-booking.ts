import { significantDecimal, type TransactionData, type Writable } from "@org/provider-kit";
import { keepShared } from "./kept-objects.js";
import { cashKey } from "./stated-portfolio.js";

/** A booked entry of a cash account, as a statement, a report or a notification of the bank tells it. */
export interface CashBooking {
  readonly portfolio_key: string;
  /** Of the bank that keeps the account (`AcctSvcrRef`, what follows `//` in `:61:`); null where it gives none. */
  readonly reference: string | null;
  /** Booking and value date, `YYYY-MM-DD`. */
  readonly day: string;
  readonly valueDay: string | null;
  /** Signed decimal string, every digit as written. */
  readonly value: string;
  readonly currency: string;
  readonly description: string;
  readonly kind?: TransactionData["kind"];
}

/**
 * The transaction of a booking. Some banks give one reference to all entries of an order, its fee included, so day and amount tell them
 * apart: with them the reference is one booking in whatever message it comes.
 */
export function cashTransaction(booking: CashBooking): TransactionData {
  const { portfolio_key, day, valueDay, value, currency, description, kind } = booking;
  const reference = referenceOf(booking.reference);
  const transaction: Writable<TransactionData> = {
    key: booking.reference === null ? null : JSON.stringify([booking.reference, day, value, currency]),
    portfolio_key,
    holding_key: cashKey(currency),
    operation_date: day,
    description,
    amount: null,
    balance: value,
    currency,
    unit_price: null,
    stage: "posted",
  };
  if (kind !== undefined) transaction.kind = kind;
  if (valueDay !== null) transaction.settlement_date = valueDay;
  if (reference !== null) transaction.references = [bookingReference(reference, day, value, currency)];
  return transaction;
}

/** Joined, for a text that is put together with `+` keeps its pieces, which take twice the memory. */
function bookingReference(reference: string, day: string, value: string, currency: string): string {
  return ["ASRV:", reference, "/", day, "/", significantDecimal(value), currency].join("");
}

/** Why a booking of a report or a notification is left out: the statement could not tell that it is the same, and would count it twice. */
export const isUnrecognisable = "has no reference of the bank; it is left out until a statement tells it";

/** A reference that says something: banks write words, or zeros, for none. */
export function referenceOf(written: string | null): string | null {
  return written === null || placeholderReference.test(written) ? null : written;
}

const placeholderReference = /^(?:NON?REF|NOTPROVIDED|NOT PROVIDED|0*)$/i;

/**
 * The bookings of a file, each once. Two that are alike in statements are two, and their references are told apart by their number. What
 * a report or a notification tells is left out where a statement, or an earlier report, has told it.
 */
export class CashBookings {
  readonly #told: TransactionData[] = [];
  readonly #counts = new BookingCounts();

  /** Bookings of statements, before those of reports. */
  addStated(transactions: readonly TransactionData[]): void {
    for (const transaction of transactions) this.#add(transaction, this.#counts, 0);
  }

  /** Bookings of one report or notification. */
  addReported(transactions: readonly TransactionData[]): void {
    const counts = new BookingCounts();
    for (const transaction of transactions) this.#add(transaction, counts, this.#counts.of(transaction));
    this.#counts.raiseTo(counts);
  }

  list(): readonly TransactionData[] {
    return this.#told;
  }

  #add(transaction: TransactionData, counts: BookingCounts, known: number): void {
    if (transaction.references === undefined) {
      this.#told.push(transaction);
      return;
    }
    const count = counts.add(transaction);
    if (count <= known) return;
    const [reference] = transaction.references;
    this.#told.push(count === 1 ? transaction : { ...transaction, references: [`${reference}#${count}`] });
  }
}

/** How often a booking was told, by account and reference. */
class BookingCounts {
  readonly #accounts = new Map<string, Map<string, number>>();

  of({ portfolio_key, references }: TransactionData): number {
    return this.#accounts.get(portfolio_key)?.get(references?.[0] ?? "") ?? 0;
  }

  /** Counts a booking; how many there are now. */
  add({ portfolio_key, references }: TransactionData): number {
    const account = this.#account(portfolio_key);
    const [reference = ""] = references ?? [];
    const count = (account.get(reference) ?? 0) + 1;
    account.set(reference, count);
    return count;
  }

  /** Takes over what was counted more often elsewhere. */
  raiseTo(others: BookingCounts): void {
    for (const [portfolio, counts] of others.#accounts) {
      const account = this.#account(portfolio);
      for (const [reference, count] of counts) account.set(reference, Math.max(count, account.get(reference) ?? 0));
    }
  }

  #account(portfolio: string): Map<string, number> {
    const known = this.#accounts.get(portfolio);
    if (known) return known;
    const added = new Map<string, number>();
    this.#accounts.set(portfolio, added);
    return added;
  }
}

const sample: CashBooking = {
  portfolio_key: "A",
  reference: "R",
  day: "2026-01-30",
  valueDay: "2026-01-31",
  value: "1.50",
  currency: "EUR",
  description: "D",
};
keepShared(new CashBookings(), cashTransaction({ ...sample, kind: "fee" }), cashTransaction(sample));
