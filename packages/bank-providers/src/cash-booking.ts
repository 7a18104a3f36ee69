import { significantDecimal, type TransactionData, type Writable } from "@org/provider-kit";
import { keepShared } from "./kept-objects.js";
import { cashKey } from "./stated-portfolio.js";

/** A booked entry of a cash account, from a statement, report or notification of the bank. */
export interface CashBooking {
  readonly portfolio_key: string;
  /** Reference of the bank that keeps the account (`AcctSvcrRef`, the text after `//` in `:61:`); null if there is none. */
  readonly reference: string | null;
  /** Booking date, `YYYY-MM-DD`; the value date has the same format. */
  readonly day: string;
  readonly valueDay: string | null;
  /** Signed decimal string with every digit as written. */
  readonly value: string;
  readonly currency: string;
  readonly description: string;
  readonly kind?: TransactionData["kind"];
  /** Where the file states it. */
  readonly place: string;
}

/**
 * Converts a booking to a transaction. Some banks give all entries of an order, including its fee, the same reference, so the key adds day and
 * amount: together they identify one booking in whatever message it comes.
 */
export function cashTransaction(booking: CashBooking): TransactionData {
  const { portfolio_key, day, valueDay, value, currency, description, kind, place } = booking;
  const reference = referenceOf(booking.reference);
  const transaction: Writable<TransactionData> = {
    key: reference === null ? null : JSON.stringify([reference, day, value, currency]),
    portfolio_key,
    holding_key: cashKey(currency),
    operation_date: day,
    description,
    amount: null,
    balance: value,
    currency,
    unit_price: null,
    stage: "posted",
    place,
  };
  if (kind !== undefined) transaction.kind = kind;
  if (valueDay !== null) transaction.settlement_date = valueDay;
  if (reference !== null) transaction.references = [bookingReference(reference, day, value, currency)];
  return transaction;
}

/** Uses `join`, because a string concatenated with `+` keeps its pieces, which takes twice the memory. */
function bookingReference(reference: string, day: string, value: string, currency: string): string {
  return ["ASRV:", reference, "/", day, "/", significantDecimal(value), currency].join("");
}

/** Why a booking of a report or notification is left out: the statement could not match it and would count it twice. */
export const isUnrecognisable = "has no reference of the bank; it is left out until a statement tells it";

/** A real reference; null for the words or zeros that banks write if there is none: they would make different bookings one. */
function referenceOf(written: string | null): string | null {
  return written === null || placeholderReference.test(written) ? null : written;
}

const placeholderReference = /^(?:NON?REF|NONE|NOT ?PROVIDED|N\/?A|-+|0*)$/i;

/**
 * The bookings of a file, each once. Two equal bookings of statements are two, and a number makes their references differ. A booking of a report
 * or notification is left out if a statement or an earlier report has it.
 */
export class CashBookings {
  readonly #told: TransactionData[] = [];
  readonly #counts = new BookingCounts();

  /** Adds bookings of statements; call it before {@link CashBookings.addReported}. */
  addStated(transactions: readonly TransactionData[]): void {
    for (const transaction of transactions) this.#add(transaction, this.#counts, 0);
  }

  /** Adds bookings of one report or notification. */
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

/** Counts bookings by account and reference. */
class BookingCounts {
  readonly #accounts = new Map<string, Map<string, number>>();

  of({ portfolio_key, references }: TransactionData): number {
    return this.#accounts.get(portfolio_key)?.get(references?.[0] ?? "") ?? 0;
  }

  /** Counts a booking and returns its count so far. */
  add({ portfolio_key, references }: TransactionData): number {
    const account = this.#account(portfolio_key);
    const [reference = ""] = references ?? [];
    const count = (account.get(reference) ?? 0) + 1;
    account.set(reference, count);
    return count;
  }

  /** Raises counts to those that are higher in `others`. */
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
  place: "line 1",
};
keepShared(new CashBookings(), cashTransaction({ ...sample, kind: "fee" }), cashTransaction(sample));
