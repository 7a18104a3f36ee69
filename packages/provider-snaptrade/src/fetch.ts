import {
  dayBefore,
  type FetchRequest,
  type FetchResult,
  type HistoryPage,
  type HistoryPosition,
  type HoldingData,
  historyPosition,
  type InstitutionCalls,
  isCalendarDate,
  type PortfolioData,
  type ProviderServices,
  ReadInterrupted,
  readPages,
  type SnapshotData,
  utcDay,
} from "@org/provider-kit";
import { type PortalAccess, portalAccess } from "./access.js";
import { type BrokerageAccount, connection, holderOf, readAccounts } from "./accounts.js";
import { activitiesOf, activityPage, transactionOfActivity } from "./activities.js";
import { openCalls } from "./calls.js";
import { balances, holdingsOf, positions, quotedIn } from "./holdings.js";
import type { SnapTradeSettings } from "./settings.js";

/** The most activities that an answer has. */
const PAGE_SIZE = 1_000;
/** Activities come a day late, and later where a brokerage could not be read for a while. */
const OVERLAP_DAYS = 90;
/** After this time a read begins no other page. */
const READ_MS = 20_000;
const HOUR_MS = 3_600_000;
/** The currency of an account that states none anywhere. */
const DEFAULT_CURRENCY = "USD";

/** Reads a connection: its accounts with what they hold, and their activities, which may take several fetches. */
export async function fetchConnection(
  settings: SnapTradeSettings,
  services: Pick<ProviderServices, "http" | "pace" | "clock" | "log">,
  request: FetchRequest,
): Promise<FetchResult> {
  const access = portalAccess(settings, request.access);
  if (access === null) return { refused: "rejected" };
  try {
    return await readConnection(settings, services, { access, request });
  } catch (failure) {
    if (failure instanceof ReadInterrupted) return failure.end;
    throw failure;
  }
}

async function readConnection(
  settings: SnapTradeSettings,
  services: Pick<ProviderServices, "http" | "pace" | "clock" | "log">,
  { access, request }: { readonly access: PortalAccess; readonly request: FetchRequest },
): Promise<FetchResult> {
  const { clock, log } = services;
  const { awaited, signal, since } = request;
  const { connection_id, user } = access;
  const now = clock();
  // A connection that is not there any more was removed, by its customer or with its user.
  const gone = { 403: "rejected", 404: "rejected" } as const;
  const ofConnection = openCalls(settings, services, { user, awaited, signal, statuses: gone });
  const { disabled, created_date } = await ofConnection.get(
    `/authorizations/${encodeURIComponent(connection_id)}`,
    connection,
  );
  if (disabled === true) return { refused: "rejected" };
  const accounts = await readAccounts(ofConnection, connection_id);

  // Soon after the login it takes seconds, and for a long history hours.
  const isNew = now.getTime() - Date.parse(created_date ?? "") < HOUR_MS;
  const retry_after = isNew ? 30 : 900;
  const begun = historyPosition.safeParse(request.pending_state).data;
  const isSynced = (part: "holdings" | "transactions") =>
    accounts.every(({ sync_status }) => sync_status?.[part]?.initial_sync_completed !== false);
  if (begun === undefined && !isSynced("holdings")) return { pending: { retry_after, state: { wait: "holdings" } } };

  const calls = openCalls(settings, services, { user, awaited, signal });
  const held = begun === undefined ? await holdingsIn(calls, accounts, now) : { portfolios: null, holdings: null };
  const from = since && dayBefore(utcDay(since), OVERLAP_DAYS);
  const position = begun ?? { at: null, from, as_of: now.toISOString(), pages: 0 };
  const as_of = new Date(position.as_of);
  // An owner that the login could not know yet.
  const owner = access.user_key.startsWith("connection ") ? holderOf(accounts) : null;
  const ends = {
    consent_expires_at: null,
    ...(owner !== null && { user_key: owner, access: { ...access, user_key: owner } }),
  };
  const answer = (transactions: SnapshotData["transactions"]) => ({
    ...ends,
    snapshot: { as_of, ...held, transactions },
  });
  if (!isSynced("transactions")) {
    if (begun !== undefined) return { throttled: { retry_after } };
    return { ...answer(null), more: { retry_after, state: position } };
  }

  const end = now.getTime() + READ_MS;
  const read = pagesOf(calls, accounts, (count) => log.warn("activities that cannot be read are left out", { count }));
  const { rows, more } = await readPages(read, position, () => !signal.aborted && clock().getTime() < end);
  signal.throwIfAborted();
  if (more === null) return answer(rows);
  const isNothing = more.state.pages === position.pages;
  if (!isNothing) return { ...answer(rows), more };
  return begun === undefined ? { ...answer(null), more } : { throttled: { retry_after: more.retry_after } };
}

async function holdingsIn(
  calls: InstitutionCalls,
  accounts: readonly BrokerageAccount[],
  now: Date,
): Promise<Pick<SnapshotData, "portfolios" | "holdings">> {
  const portfolios: PortfolioData[] = [];
  const holdings: HoldingData[] = [];
  for (const account of accounts) {
    const { id, name, number, institution_name, account_category, balance, sync_status } = account;
    const at = `/accounts/${encodeURIComponent(id)}`;
    // Its brokerage shows the total alone; empty lists say nothing of it.
    const isHidden = sync_status?.holdings?.holdings_unavailable === true;
    const cash = isHidden ? [] : await calls.get(`${at}/balances`, balances);
    const { results, data_freshness } = isHidden ? { results: [] } : await calls.get(`${at}/positions/all`, positions);
    const codes = [...cash.map((one) => one.currency.code), ...results.map((one) => one.currency)];
    const stated = codes.find((code) => quotedIn(code, "").isCurrency);
    const total = quotedIn(balance?.total?.currency ?? stated, DEFAULT_CURRENCY);
    portfolios.push({
      key: id,
      name: name || [institution_name, number].filter(Boolean).join(" ") || id,
      balance: total.amountOf(balance?.total?.amount),
      currency: total.currency,
      ref_account: number || null,
      type: account_category === "DEPOSIT" || account_category === "LOC" ? "L" : "S",
    });
    const day = data_freshness?.as_of?.slice(0, 10) ?? "";
    const valuation_date = isCalendarDate(day) ? day : utcDay(now);
    holdings.push(...holdingsOf(results, cash, { portfolio_key: id, currency: total.currency, valuation_date }));
  }
  return { portfolios, holdings };
}

/** The activities of all accounts, one account after another, the newest first; a position is an account and how many of its rows come before. */
function pagesOf(
  calls: InstitutionCalls,
  accounts: readonly BrokerageAccount[],
  onLeftOut: (count: number) => void,
): (position: HistoryPosition) => Promise<HistoryPage> {
  const seen = new Set<string>();
  return async ({ at, from }) => {
    const [begun = "", offset = "0"] = at?.split(" ") ?? [];
    const index = accounts.findIndex(({ id }) => id >= begun);
    const account = accounts[index];
    if (account === undefined) return { rows: [], next: null };
    const { id, balance } = account;
    const skipped = id === begun ? Number(offset) : 0;
    const query = { limit: String(PAGE_SIZE), offset: String(skipped), startDate: from ?? undefined };
    const page = await calls.get(`/accounts/${encodeURIComponent(id)}/activities`, activityPage, query);
    const { data, pagination } = page;
    const { currency } = quotedIn(balance?.total?.currency, DEFAULT_CURRENCY);
    const rows = activitiesOf(page).flatMap((one) =>
      one === null ? [] : [transactionOfActivity(one, { portfolio_key: id, currency })],
    );
    if (rows.length < data.length) onLeftOut(data.length - rows.length);
    const following = accounts[index + 1]?.id ?? null;
    const isLast =
      data.length === 0 || (data.length < PAGE_SIZE && skipped + data.length >= Number(pagination?.total ?? 0));
    if (isLast) return { rows, next: following };
    const isNew = rows.some(({ key }) => !seen.has(`${id} ${key}`));
    for (const { key } of rows) seen.add(`${id} ${key}`);
    // Rows that come while pages are read move the others on, so that some come twice. A page of which all came before is that of a circle.
    return { rows, next: isNew ? `${id} ${skipped + Math.min(data.length, PAGE_SIZE)}` : at };
  };
}
