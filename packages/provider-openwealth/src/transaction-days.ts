import { AnswerFailure, ReadInterrupted, type TransactionData } from "@org/provider-kit";
import { z } from "zod";
import type { Account, CustodyTransaction, UnplacedTransaction } from "./custody-answers.js";
import { type CustodyApi, meaningOf } from "./custody-api.js";
import { mapConcurrently } from "./map-concurrently.js";
import { MAX_CONCURRENT } from "./position-list.js";
import type { Bank } from "./settings.js";
import { accountsOf, rowsOf } from "./transactions.js";
import { differences } from "./versions.js";

/** A read that stopped because it exceeded its time limit. */
export class ReadTooLong extends AnswerFailure {}

/** The rows of one transaction, with its id and their accounts. */
type Booked = readonly [id: string, rows: readonly TransactionData[], accounts: readonly Account[]];

/** The state of an interrupted read: the days already read. The rows are our own format, stored sealed. */
const stateSchema = z.object({
  last_day: z.string(),
  is_confirmed: z.boolean(),
  days: z.record(
    z.string(),
    z.array(z.tuple([z.string(), z.array(z.custom<TransactionData>()), z.array(z.custom<Account>())])),
  ),
});

/** Seconds before a read that took too long is continued. */
const CONTINUE_AFTER_SECONDS = 30;

/**
 * Reads transactions, which the specification provides by day: about ninety requests at first. If the bank interrupts this, the days already read are
 * kept, and the next fetch continues from there. Unconfirmed transactions may still change or disappear; they are left out and read with the overlap
 * once they are confirmed. For a bank that confirms nothing, all are used. Null if the bank provides no transactions, or none yet of any day.
 * @throws ReadInterrupted `pending` when interrupted, with what was read
 */
export async function fetchTransactions(
  api: CustodyApi,
  { version, date_type }: Bank,
  customerId: string,
  {
    days,
    isConfirmed,
    place,
    pending_state,
    onSaved,
  }: {
    days: readonly string[];
    isConfirmed: boolean;
    place: (transaction: UnplacedTransaction) => CustodyTransaction;
    pending_state: unknown;
    /** Called when a day was read that an interruption does not lose. */
    onSaved: () => void;
  },
): Promise<{ rows: readonly TransactionData[]; accounts: readonly Account[] } | null> {
  const { paths, dayQuery } = differences[version];
  const last_day = days.at(-1) ?? "";
  const known = stateSchema.safeParse(pending_state).data;
  const isGoingOn = known?.last_day === last_day && known.is_confirmed === isConfirmed;
  const read = new Map<string, readonly Booked[]>(isGoingOn ? Object.entries(known.days) : []);
  const before = read.size;
  let isGiven = true;
  try {
    const left = days.filter((day) => !read.has(day));
    await mapConcurrently(left, MAX_CONCURRENT, async (date) => {
      if (!isGiven) return;
      const query = dayQuery({ date, isConfirmed, date_type });
      const found = await readDay(api, paths.transactions(customerId), query, place);
      if (found === "not_given") isGiven = false;
      // What is not there yet is read again with the overlap.
      else if (found !== "not_ready") {
        read.set(date, found);
        onSaved();
      }
    });
  } catch (failure) {
    const retry_after = interruptedFor(failure);
    // An interruption without new days has no progress to keep.
    if (retry_after === null || read.size === before) throw failure;
    const state = { last_day, is_confirmed: isConfirmed, days: Object.fromEntries(read) };
    throw new ReadInterrupted({ pending: { retry_after, state } });
  }
  if (!isGiven || read.size === 0) return null;
  const byId = new Map<string, Booked>();
  for (const day of days) for (const booked of read.get(day) ?? []) byId.set(booked[0], booked);
  const all = [...byId.values()];
  return { rows: all.flatMap(([, rows]) => rows), accounts: all.flatMap(([, , accounts]) => accounts) };
}

function interruptedFor(failure: unknown): number | null {
  if (failure instanceof ReadTooLong) return CONTINUE_AFTER_SECONDS;
  return failure instanceof ReadInterrupted && "throttled" in failure.end ? failure.end.throttled.retry_after : null;
}

async function readDay(
  api: CustodyApi,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  place: (transaction: UnplacedTransaction) => CustodyTransaction,
): Promise<Booked[] | "not_given" | "not_ready"> {
  const found: Booked[] = [];
  let isFirst = true;
  for await (const page of api.pages("transactions", path, query)) {
    if ("status" in page) {
      const { status, problem } = page;
      const meaning = meaningOf(page);
      if (meaning === "not_allowed" || meaning === "not_offered" || meaning === "too_large") return "not_given";
      if (isFirst && meaning === "nothing") return [];
      if (isFirst && meaning === "not_ready") return "not_ready";
      throw new AnswerFailure(`the bank answered ${status} for transactions${problem ? ` (${problem})` : ""}`);
    }
    for (const stated of page.items) {
      const transaction = place(stated);
      found.push([transaction.id, rowsOf(transaction), accountsOf(transaction)]);
    }
    isFirst = false;
  }
  return found;
}
