import {
  AnswerFailure,
  dayBefore,
  type FetchedData,
  type FetchRequest,
  type FetchResult,
  HttpFailure,
  historyPosition,
  isOutage,
  type ProviderServices,
  ReadInterrupted,
  readPages,
  type TransactionData,
  utcDay,
} from "@org/provider-kit";
import { accessSchema, type ItemAccess } from "./access.js";
import { holdingsSchema, investmentAccounts, plaidHolding, plaidPortfolio } from "./holdings.js";
import type { PlaidApi } from "./plaid-api.js";
import { baseUrlOf, type PlaidSettings } from "./settings.js";
import { plaidTransaction, transactionsSchema } from "./transactions.js";

/** Plaid has transactions of 24 months. */
export const HISTORY_DAYS = 730;
/** Days read again before what is known: institutions post late, and take back what they have posted. */
const OVERLAP_DAYS = 30;
/** The most that Plaid lists at once. */
const PAGE = 500;
/** How often a history that changes while it is read is begun anew. */
const MAX_RESTARTS = 3;
/** After this time a read begins no other page. */
const READ_MS = 20_000;
/** Seconds until an Item is read again that Plaid took too long to extract. */
const SLOW = 30;

/** Reads an Item: its accounts and holdings, and the first part of its transactions; or only their next part, if an earlier fetch began them. */
export async function fetchItem(
  settings: PlaidSettings,
  open: (access: ItemAccess) => PlaidApi,
  services: Pick<ProviderServices, "clock" | "log">,
  request: FetchRequest,
): Promise<FetchResult> {
  const access = accessSchema.safeParse(request.access).data;
  if (access === undefined) return { refused: "rejected" };
  if (access.base_url !== baseUrlOf(settings))
    return { failed: { message: "this connection was made in another environment of Plaid than the settings name" } };
  try {
    return await read(open(access), access, services, request);
  } catch (error) {
    if (error instanceof ReadInterrupted) return error.end;
    // Plaid extracts a new Item while the first call waits for it.
    if (isSlow(error) && request.since === null) return { pending: { retry_after: SLOW, state: null } };
    if (error instanceof AnswerFailure && !isOutage(error)) return { failed: { message: error.message } };
    throw error;
  }
}

async function read(
  api: PlaidApi,
  access: ItemAccess,
  { clock, log }: Pick<ProviderServices, "clock" | "log">,
  { since, pending_state, signal }: FetchRequest,
): Promise<FetchedData> {
  const begun = historyPosition.safeParse(pending_state).data;
  const now = clock();
  const as_of = begun === undefined ? now : new Date(begun.as_of);
  const { access_token } = access;
  const held =
    begun === undefined ? await api.send("POST", "/investments/holdings/get", holdingsSchema, { access_token }) : null;
  const to = utcDay(as_of);
  const oldest = dayBefore(to, HISTORY_DAYS);
  const recent = since && dayBefore(utcDay(since), OVERLAP_DAYS);
  const from = begun?.from ?? (recent !== null && recent > oldest ? recent : oldest);

  let rows: TransactionData[] = [];
  let seen = new Set<string>();
  let unread = 0;
  let { accounts, item } = held ?? { accounts: [], item: null };
  const end = now.getTime() + READ_MS;
  const part = await readPages(
    ({ at }) => page(at ?? "0 - 0"),
    begun ?? { at: null, from, as_of: as_of.toISOString(), pages: 0 },
    () => !signal.aborted && clock().getTime() < end,
  );
  // Whoever has stopped the read wants no part of it.
  signal.throwIfAborted();
  const { more } = part;
  const isNothing = more !== null && more.state.pages === (begun?.pages ?? 0);
  // The holdings are not held back for transactions that could not be begun; a part that could not go on has brought nothing.
  if (isNothing && held === null) throw new ReadInterrupted({ throttled: { retry_after: more.retry_after } });

  const consent = item?.consent_expiration_time;
  const result = { consent_expires_at: consent == null ? null : new Date(consent), ...(more && { more }) };
  if (unread > 0) log.warn("movements that cannot be read are left out", { movements: unread });
  if (held === null) return { ...result, snapshot: { as_of, portfolios: null, holdings: null, transactions: rows } };
  const used = new Set(
    [...held.holdings, ...rows.map(({ portfolio_key: account_id }) => ({ account_id }))].map(
      ({ account_id }) => account_id,
    ),
  );
  const invested = investmentAccounts(accounts, used);
  const everHad = [...new Set([...access.accounts, ...invested.keys()])];
  // Of an account that is gone nothing is listed, and nothing of it is withdrawn; nor what could not be read.
  const listed = new Set(held.accounts.map(({ account_id }) => account_id));
  const isWhole = everHad.every((id) => listed.has(id));
  return {
    ...result,
    snapshot: {
      as_of,
      portfolios: [...invested.values()].map(plaidPortfolio),
      holdings: held.holdings.map((stated) => plaidHolding(stated, held.securities)),
      transactions: isNothing ? null : rows,
      ...(more === null && isWhole && unread === 0 && { complete_from: from }),
    },
    ...(everHad.length > access.accounts.length && { access: { ...access, accounts: everHad } }),
  };

  /**
   * A page of transactions, the latest first. `at` is how many rows come before it, how many there were in all, and how often the list was begun
   * anew. Rows that were added or taken back meanwhile move the others: then the list is read again from its start.
   */
  async function page(at: string) {
    const [offset = 0, total, restarts = 0] = at.split(" ").map(Number);
    const options = { count: PAGE, offset, async_update: true };
    const body = { access_token, start_date: from, end_date: to, options };
    const answer = await api.send("POST", "/investments/transactions/get", transactionsSchema, body).catch(later);
    const { investment_transactions: stated, total_investment_transactions: inAll } = answer;
    const readable = stated.filter((row) => row !== null);
    const keys = readable.map(({ investment_transaction_id }) => investment_transaction_id);
    const isMoved = (offset > 0 && inAll !== total) || keys.some((key) => seen.has(key));
    if (isMoved || (stated.length === 0 && offset < inAll)) {
      if (restarts >= MAX_RESTARTS) throw new AnswerFailure("Plaid's transactions change while they are read");
      rows = [];
      seen = new Set();
      unread = 0;
      return { rows, next: `0 - ${restarts + 1}` };
    }
    const listed = new Set(accounts.map(({ account_id }) => account_id));
    accounts = [...accounts, ...answer.accounts.filter(({ account_id }) => !listed.has(account_id))];
    const owners = new Set(accounts.map(({ account_id }) => account_id));
    const placed = readable.filter(({ account_id }) => owners.has(account_id));
    unread += stated.length - placed.length;
    const read = placed.map((row) => plaidTransaction(row, answer.securities));
    rows.push(...read);
    for (const key of keys) seen.add(key);
    item = answer.item;
    const next = offset + stated.length;
    return { rows: read, next: next < inAll ? `${next} ${inAll} ${restarts}` : null };
  }
}

/** Transactions that Plaid is still extracting come later; the holdings do not wait for them. @throws ReadInterrupted, or the error */
function later(error: unknown): never {
  if (isSlow(error)) throw new ReadInterrupted({ throttled: { retry_after: SLOW } });
  if (!(error instanceof ReadInterrupted && "pending" in error.end)) throw error;
  throw new ReadInterrupted({ throttled: { retry_after: error.end.pending.retry_after } });
}

function isSlow(error: unknown): boolean {
  return error instanceof HttpFailure && error.code === "timed_out";
}
