import type { TransactionData } from "@org/provider-kit";
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
  const reference = booking.reference !== null && !saysNothing.test(booking.reference) ? booking.reference : null;
  return {
    key: reference === null ? null : JSON.stringify([booking.reference, day, value, currency]),
    portfolio_key,
    holding_key: cashKey(currency),
    operation_date: day,
    description,
    amount: null,
    balance: value,
    currency,
    unit_price: null,
    ...(kind !== undefined && { kind }),
    ...(valueDay !== null && { settlement_date: valueDay }),
    ...(reference !== null && { references: [`ASRV:${reference}/${day}/${significant(value)}${currency}`] }),
    stage: "posted",
  };
}

/** Why a booking of a report or a notification is left out: the statement could not tell that it is the same, and would count it twice. */
export const notKnownAgain = "has no reference of the bank; it is left out until a statement tells it";

/** What banks write for "no reference". */
const saysNothing = /^(?:NON?REF|NOTPROVIDED|NOT PROVIDED|0*)$/i;

/** A number without the zeros that say nothing, which one message writes and another does not: `9` for `9.00`. */
function significant(value: string): string {
  return value.includes(".") ? value.replace(/\.?0+$/, "") : value;
}

/**
 * The bookings of a file, each once: what a report or a notification tells is left out where another message of the file has told it.
 * Two alike within one message are two bookings, and their references are told apart by their number.
 */
export class CashBookings {
  readonly #told: TransactionData[] = [];
  readonly #known = new Set<string>();

  /** @param transactions of one message */
  add(transactions: readonly TransactionData[]): void {
    const counts = new Map<string, number>();
    const fresh: string[] = [];
    for (const transaction of transactions) {
      const [reference] = transaction.references ?? [];
      if (reference === undefined) {
        this.#told.push(transaction);
        continue;
      }
      const place = JSON.stringify([transaction.portfolio_key, reference]);
      const count = (counts.get(place) ?? 0) + 1;
      counts.set(place, count);
      const identity = `${place}#${count}`;
      if (this.#known.has(identity)) continue;
      fresh.push(identity);
      this.#told.push(count === 1 ? transaction : { ...transaction, references: [`${reference}#${count}`] });
    }
    for (const identity of fresh) this.#known.add(identity);
  }

  list(): readonly TransactionData[] {
    return this.#told;
  }
}
