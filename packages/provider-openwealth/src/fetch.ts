import {
  consentEnd,
  dayBefore,
  type FetchRequest,
  type FetchResult,
  type OAuthGrant,
  type OAuthTokens,
  ReadInterrupted,
  type SnapshotData,
  utcDay,
} from "@org/provider-kit";
import { usableAccess } from "./access.js";
import type { Account, Position } from "./custody-answers.js";
import type { CustodyApi } from "./custody-api.js";
import { portfolioOf, toHolding } from "./holdings.js";
import type { OpenBank } from "./open-bank.js";
import { placing } from "./placement.js";
import { readPositions } from "./position-list.js";
import { fetchTransactions, ReadTooLong } from "./transaction-days.js";
import { differences } from "./versions.js";

/** The time limit of a read. The server ends a call after a minute, and a refresh token exchanged in such a call would be lost. */
const READ_MS = 45_000;
/** The days of transactions in the first fetch. */
export const FIRST_DAYS = 90;
/** The days read again before what is known, since banks post late. */
const OVERLAP_DAYS = 4;
/** The most days, however long nothing was read. */
const MAX_DAYS = 400;

/**
 * Reads all data of a customer. If nobody waits for the result, a read that the bank slows down stops as soon as nothing is lost: before the first
 * answer, and once days of transactions are kept.
 */
export async function fetchCustomer(open: OpenBank, request: FetchRequest): Promise<FetchResult> {
  const { bank, oauth, clientGrant, api, clock, sleep } = open;
  const access = usableAccess(bank, request.access);
  if (access === null) return { refused: "rejected" };
  const { customer_id, consent_id = null } = access;
  const { awaited, since, pending_state } = request;

  const done = new AbortController();
  const late = new AbortController();
  const signal = AbortSignal.any([request.signal, late.signal]);
  sleep(READ_MS, AbortSignal.any([request.signal, done.signal])).then(
    () => late.abort(new ReadTooLong(`reading from ${bank.id} took longer than ${READ_MS / 1000} s`)),
    () => {},
  );
  const read = async (grant: OAuthGrant | null, tokens: () => OAuthTokens | null): Promise<FetchResult> => {
    const progress = { isLost: false };
    const reading = api({ grant, consent_id }, { mayWait: () => awaited || progress.isLost, signal });
    const snapshot = await readSnapshot(reading, open, customer_id, { since, pending_state, progress, now: clock() });
    return { snapshot, consent_expires_at: consentEnd(tokens(), clock()) };
  };
  try {
    if (oauth !== null) return await oauth.fetch(request, (grant) => read(grant, grant.tokens));
    return await read(clientGrant(request.signal), () => null);
  } catch (failure) {
    if (failure instanceof ReadInterrupted) return failure.end;
    throw failure;
  } finally {
    done.abort();
  }
}

async function readSnapshot(
  api: CustodyApi,
  { bank, log }: OpenBank,
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
  const { paths, accountsLimit: limit } = differences[bank.version];
  for await (const account of api.all("accounts", paths.accounts(customerId), { limit })) {
    accounts.set(account.id, account);
    progress.isLost = true;
  }
  const list = await readPositions(api, bank, customerId, [...accounts.values()], today);
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
  let leftOut = 0;
  const transactions = await fetchTransactions(api, bank, customerId, {
    days,
    isConfirmed: list.isConfirmed,
    place: placing(accounts, list.positions, () => {
      leftOut += 1;
    }),
    pending_state,
    onSaved: () => {
      progress.isLost = false;
    },
  });
  if (leftOut > 0)
    log.warn("movements that are in no known account were left out", { bank: bank.id, movements: leftOut });
  const moved = new Set(transactions?.rows.map(({ portfolio_key }) => portfolio_key));
  const others = new Map(
    transactions?.accounts.flatMap((account) =>
      moved.has(account.id) && !accounts.has(account.id) ? [[account.id, account]] : [],
    ),
  );
  return {
    as_of: new Date(`${list.day}T00:00:00Z`),
    portfolios: [
      ...[...accounts.values()].map((account) =>
        portfolioOf(account, list.isGiven ? (held.get(account.id) ?? []) : null),
      ),
      // An account that was closed, or that we may not see: its transactions are still reported.
      ...[...others.values()].map((account) => portfolioOf(account, null)),
    ],
    holdings: list.isGiven ? list.positions.map(toHolding) : null,
    transactions: transactions?.rows ?? null,
  };
}

/** The days to request, earliest first. */
function daysSince(since: Date | null, today: string): string[] {
  const known = since === null ? null : Math.round((Date.parse(today) - Date.parse(utcDay(since))) / 86_400_000);
  const back = known === null ? FIRST_DAYS : Math.min(Math.max(known, 0) + OVERLAP_DAYS, MAX_DAYS);
  return Array.from({ length: back + 1 }, (_, index) => dayBefore(today, back - index));
}
