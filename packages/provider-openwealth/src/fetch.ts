import {
  dayBefore,
  type FetchRequest,
  type FetchResult,
  isOutage,
  ReadInterrupted,
  type SnapshotData,
  utcDay,
} from "@org/provider-kit";
import { consentEnd, usableAccess } from "./access.js";
import { ReadTooLong } from "./bank-requests.js";
import type { Account, Position } from "./custody-answers.js";
import { type CustodyApi, type ReadOptions, segment } from "./custody-api.js";
import { type BankGrant, customerGrant } from "./grants.js";
import { portfolioOf, toHolding } from "./holdings.js";
import { readPositions } from "./position-list.js";
import type { Bank } from "./settings.js";
import type { TokenCall } from "./token-endpoint.js";
import { fetchTransactions } from "./transaction-days.js";

/** What a fetch needs besides the bank. */
export interface FetchCall extends TokenCall {
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly open: (bank: Bank, grant: BankGrant, manner: ReadOptions) => CustodyApi;
  readonly clientGrant: (bank: Bank, signal: AbortSignal) => BankGrant;
}

/** The time limit of a read. The server ends a call after a minute, and a refresh token exchanged in such a call would be lost. */
const READ_MS = 45_000;
/** The days of transactions in the first fetch. */
export const FIRST_DAYS = 90;
/** The days read again before what is known, since banks post late. */
const OVERLAP_DAYS = 4;
/** The most days, however long nothing was read. */
const MAX_DAYS = 400;

/**
 * Reads all data of a customer. New tokens are returned whatever the outcome. If nobody waits for the result, a read that the bank slows down stops
 * as soon as nothing is lost: before the first answer, and once days of transactions are kept.
 */
export async function fetchCustomer(
  bank: Bank,
  {
    access: stored,
    awaited,
    since,
    pending_state,
  }: Pick<FetchRequest, "access" | "awaited" | "since" | "pending_state">,
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
    () => late.abort(new ReadTooLong(`reading from ${bank.id} took longer than ${READ_MS / 1000} s`)),
    () => {},
  );
  try {
    const grant = customer ?? call.clientGrant(bank, call.signal);
    const progress = { isLost: false };
    const api = call.open(bank, grant, { mayWait: () => awaited || progress.isLost, signal });
    const now = call.clock();
    const snapshot = await readSnapshot(api, access.customer_id, { since, pending_state, progress, now });
    return { snapshot, consent_expires_at: consentEnd(customer?.tokens() ?? null, call.clock()), ...renewed() };
  } catch (failure) {
    if (failure instanceof ReadInterrupted) return { ...failure.end, ...renewed() };
    if (!customer?.isRenewed()) throw failure;
    const message = failure instanceof Error ? failure.message : "the read failed";
    return { failed: { message, outage: isOutage(failure) }, ...renewed() };
  } finally {
    done.abort();
  }
}

async function readSnapshot(
  api: CustodyApi,
  customerId: string,
  {
    since,
    pending_state,
    progress,
    now,
  }: Pick<FetchRequest, "since" | "pending_state"> & {
    /** Whether everything read so far would have to be read again if the read ended here. */
    progress: { isLost: boolean };
    now: Date;
  },
): Promise<SnapshotData> {
  const today = utcDay(now);
  const accounts = new Map<string, Account>();
  for await (const account of api.all("accounts", `/customers/${segment(customerId)}/accounts`)) {
    accounts.set(account.id, account);
    progress.isLost = true;
  }
  const list = await readPositions(api, customerId, [...accounts.values()], today);
  // A position names its account, which the list of accounts may have left out.
  const held = new Map<string, Position[]>();
  for (const position of list.positions) {
    const { account } = position;
    if (!accounts.has(account.id)) accounts.set(account.id, account);
    const inIt = held.get(account.id);
    if (inIt) inIt.push(position);
    else held.set(account.id, [position]);
  }
  const days = daysSince(since, today);
  const transactions = await fetchTransactions(api, customerId, {
    days,
    isConfirmed: list.isConfirmed,
    pending_state,
    onSaved: () => {
      progress.isLost = false;
    },
  });
  const moved = new Set(transactions?.rows.map(({ portfolio_key }) => portfolio_key));
  const others = new Map(
    transactions?.accounts.flatMap((account) =>
      moved.has(account.id) && !accounts.has(account.id) ? [[account.id, account]] : [],
    ),
  );
  return {
    as_of: new Date(`${list.day}T00:00:00Z`),
    portfolios: [
      ...[...accounts.values()].map((account) => portfolioOf(account, held.get(account.id) ?? [])),
      // An account that was closed, or that we may not see: its transactions are still reported.
      ...[...others.values()].map((account) => portfolioOf(account, null)),
    ],
    holdings: list.positions.map(toHolding),
    transactions: transactions?.rows ?? null,
  };
}

/** The days to request, earliest first. */
function daysSince(since: Date | null, today: string): string[] {
  const known = since === null ? null : Math.round((Date.parse(today) - Date.parse(utcDay(since))) / 86_400_000);
  const back = known === null ? FIRST_DAYS : Math.min(Math.max(known, 0) + OVERLAP_DAYS, MAX_DAYS);
  return Array.from({ length: back + 1 }, (_, index) => dayBefore(today, back - index));
}
