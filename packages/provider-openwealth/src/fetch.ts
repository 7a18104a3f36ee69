import type { FetchResult, SnapshotData } from "@org/provider-kit";
import { consentEnd, usableAccess } from "./access.js";
import type { Account, CustodyTransaction, Position } from "./custody-answers.js";
import { type CustodyApi, segment } from "./custody-api.js";
import { Ending, OpenWealthFailure } from "./ending.js";
import { customerGrant, type Grant } from "./grants.js";
import { holdingOf, portfolioOf } from "./holdings.js";
import { inTurns } from "./in-turns.js";
import { AT_ONCE, dayBefore, type PositionList, readPositions } from "./position-list.js";
import type { Bank } from "./settings.js";
import type { TokenCall } from "./token-endpoint.js";
import { rowsOf } from "./transactions.js";

/** What a fetch needs beside the bank. */
export interface FetchCall extends TokenCall {
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly open: (bank: Bank, grant: Grant, signal: AbortSignal) => CustodyApi;
  readonly clientGrant: (bank: Bank, signal: AbortSignal) => Grant;
}

/**
 * After this a read is given up by itself: a call that the server cuts off, after a minute, could not hand back a refresh token that was
 * exchanged on the way.
 */
const READ_MS = 45_000;
/** Days of transactions at first, and how many days before what is known are read again: banks post late. */
const FIRST_DAYS = 90;
const OVERLAP_DAYS = 4;
/** However long nothing was read. */
const MOST_DAYS = 400;

/** Reads everything of a customer. New tokens come back whatever the read came to. */
export async function fetchCustomer(
  bank: Bank,
  { access: stored, since }: { access: unknown; since: Date | null },
  call: FetchCall,
): Promise<FetchResult> {
  const access = usableAccess(bank, stored);
  if (access === null) return { refused: "rejected" };
  const { tokens } = access;
  const customer = tokens && customerGrant(bank, tokens, call);
  const renewed = () => (customer?.isRenewed() ? { access: { ...access, tokens: customer.tokens() } } : {});

  const done = new AbortController();
  const late = new AbortController();
  const signal = AbortSignal.any([call.signal, late.signal]);
  call.sleep(READ_MS, AbortSignal.any([call.signal, done.signal])).then(
    () => late.abort(new OpenWealthFailure(`reading from ${bank.id} took longer than ${READ_MS / 1000} s`)),
    () => {},
  );
  try {
    const grant = customer ?? call.clientGrant(bank, call.signal);
    const snapshot = await readSnapshot(call.open(bank, grant, signal), access.customer_id, since, call.clock());
    return { snapshot, consent_expires_at: consentEnd(customer?.tokens() ?? null, call.clock()), ...renewed() };
  } catch (failure) {
    if (failure instanceof Ending) return { ...failure.end, ...renewed() };
    if (!customer?.isRenewed()) throw failure;
    const message = failure instanceof Error ? failure.message : "the read failed";
    return { failed: { message }, ...renewed() };
  } finally {
    done.abort();
  }
}

async function readSnapshot(api: CustodyApi, customerId: string, since: Date | null, now: Date): Promise<SnapshotData> {
  const today = dayOf(now);
  const accounts = new Map<string, Account>();
  for await (const account of api.all("accounts", `/customers/${segment(customerId)}/accounts`))
    accounts.set(account.id, account);
  const list = await readPositions(api, customerId, [...accounts.values()], today);
  // A position says which account it is in, also one that the list of accounts has left out.
  const held = new Map<string, Position[]>();
  for (const position of list.positions) {
    const { account } = position;
    if (!accounts.has(account.id)) accounts.set(account.id, account);
    const others = held.get(account.id);
    if (others) others.push(position);
    else held.set(account.id, [position]);
  }
  const transactions = await readTransactions(api, customerId, daysSince(since, today), list);
  return {
    as_of: new Date(`${list.day}T00:00:00Z`),
    portfolios: [...accounts.values()].map((account) => portfolioOf(account, held.get(account.id) ?? [])),
    holdings: list.positions.map(holdingOf),
    transactions: transactions?.flatMap(rowsOf) ?? null,
  };
}

/** Days to ask for, the earliest first. */
function daysSince(since: Date | null, today: string): string[] {
  const known = since === null ? null : Math.round((Date.parse(today) - Date.parse(dayOf(since))) / 86_400_000);
  const back = known === null ? FIRST_DAYS : Math.min(Math.max(known, 0) + OVERLAP_DAYS, MOST_DAYS);
  return Array.from({ length: back + 1 }, (_, index) => dayBefore(today, back - index));
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/**
 * Transactions, which the description gives by day. Those that the bank has not confirmed may still change or go, and come with the
 * overlap once they are confirmed; of a bank that confirms nothing, all are taken. Null where the bank does not give transactions.
 */
async function readTransactions(
  api: CustodyApi,
  customerId: string,
  days: readonly string[],
  { isConfirmed }: PositionList,
): Promise<CustodyTransaction[] | null> {
  const path = `/customers/${segment(customerId)}/transactions`;
  const byDay = await inTurns(days, AT_ONCE, (date) =>
    readDay(api, path, { date, end_of_day_indicator: isConfirmed ? "true" : undefined }),
  );
  const byId = new Map<string, CustodyTransaction>();
  for (const read of byDay) {
    if (read === null) return null;
    for (const transaction of read) byId.set(transaction.id, transaction);
  }
  return [...byId.values()];
}

async function readDay(
  api: CustodyApi,
  path: string,
  query: { date: string; end_of_day_indicator: string | undefined },
): Promise<CustodyTransaction[] | null> {
  const found: CustodyTransaction[] = [];
  let isFirst = true;
  for await (const page of api.pages("transactions", path, query)) {
    if ("status" in page) {
      const { status, problem } = page;
      if (status === 403 || status === 501) return null;
      // Nothing on that day, or nothing yet: the overlap asks again.
      if (isFirst && (status === 404 || problem === "RESOURCE_NOT_READY")) return [];
      throw new OpenWealthFailure(`the bank answered ${status} for transactions${problem ? ` (${problem})` : ""}`);
    }
    found.push(...page.items);
    isFirst = false;
  }
  return found;
}
