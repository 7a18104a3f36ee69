import type {
  AccountLink,
  FeedAccount,
  HoldingRow,
  PortfolioRow,
  Published,
  TenantStores,
  TransactionSlice,
  Uuid,
} from "@org/core";
import {
  cleanName,
  type EventConnection,
  holdingRow,
  NEVER_STATED,
  publishData,
  rowIds,
  type StatedValuation,
  slicesOf,
  softwareVersion,
  statedAccounts,
  valuationOf,
} from "@org/core";
import type { FeedWarning } from "@org/provider-kit";
import {
  currentLinks,
  type LinkSources,
  type Placement,
  placementOf,
  sameLinks,
  shownPortfolios,
} from "./account-links.js";
import type { ReadablePart } from "./feed-delivery.js";
import { withPart } from "./feed-parts.js";
import { type HistoryCounts, transactionSlices } from "./movements.js";

/** The parts of custodians' files to publish together for one connection. */
interface FilePublication {
  readonly connection_id: Uuid;
  /** The name of the file that they came in. */
  readonly file: string;
  /** Parts that state the same account do so as of the same day ({@link layersOf}). */
  readonly parts: readonly ReadablePart[];
  /** Their place in the order of files. */
  readonly arrival: number;
  readonly now: Date;
  /** Milliseconds after which the data are overdue. */
  readonly staleAfter: number;
  readonly sources: LinkSources;
  /** Called with what became of some transactions of a part. */
  readonly count: (part: ReadablePart, counts: HistoryCounts) => void;
}

/**
 * Publishes what is new in the parts. An account with a later known statement stays as it is, with its holdings; transactions count whenever
 * they come. Each account is shown where its link places it, with its own date and the values of the last part that states it.
 */
export async function publishParts(
  stores: TenantStores,
  { connection_id, file, parts, arrival, now, staleAfter, sources, count }: FilePublication,
): Promise<Published & { readonly late: readonly FeedWarning[]; readonly stated: readonly FeedAccount[] }> {
  const stated: FeedAccount[] = [];
  const saying = new Map<string, Saying>();
  for (const part of parts)
    for await (const slice of slicesOf(part.read.snapshot.portfolios ?? []))
      for (const account of statedAccounts(connection_id, { ...part.read.snapshot, portfolios: slice })) {
        stated.push(account);
        const before = saying.get(account.portfolio_id);
        if (!before || before.account.as_of <= account.as_of) saying.set(account.portfolio_id, { account, part });
      }
  const accounts = [...saying.values()].map(({ account }) => account);
  const latest = await stores.feedAccounts.claim(connection_id, accounts, arrival);
  const view = await viewNow(stores, connection_id, sources);
  const as_of = new Date(Math.max(...parts.map(({ read }) => read.snapshot.as_of.getTime())));
  const valuations = await valuationsOf(connection_id, file, [...saying.values()], latest);
  const published = await stores.snapshots.publish({
    connection_id,
    published_at: now,
    partial: true,
    as_of,
    stale_at: new Date(as_of.getTime() + staleAfter),
    ...(parts.some(({ read }) => read.snapshot.transactions !== null || read.corrections) && {
      transactions: allTransactions(stores, connection_id, parts, count),
    }),
    ...(view === null
      ? {
          portfolios: shownPortfolios(
            accounts.filter(({ portfolio_id }) => latest.has(portfolio_id)),
            new Map(),
          ),
        }
      : shownFirst(view, accounts)),
    accounts: [...latest],
    valuations: { read_at: null, arrival, complete_on: null, accounts: valuations },
    holdings: allHoldings(connection_id, parts, (id, part) => latest.has(id) && saying.get(id)?.part === part),
  });
  const older = [...saying.values()].filter(
    ({ account: { portfolio_id, as_of } }) => !latest.has(portfolio_id) && as_of !== NEVER_STATED,
  );
  const late = older.slice(0, MAX_LATE).map(({ account: { name }, part }) =>
    withPart(part.name, {
      place: "file",
      message: `is older than what is known of portfolio ${JSON.stringify(name)}, which stays as it is`,
    }),
  );
  return { ...published, late, stated };
}

const MAX_LATE = 20;

interface Saying {
  readonly account: ReturnType<typeof statedAccounts>[number];
  readonly part: ReadablePart;
}

/** What accounts are worth by the parts that state them. Holdings of late statements are shown nowhere else, so they are told here. */
async function valuationsOf(
  connectionId: Uuid,
  file: string,
  saying: readonly Saying[],
  latest: ReadonlySet<string>,
): Promise<readonly StatedValuation[]> {
  const stating = saying.filter(({ account }) => account.as_of !== NEVER_STATED);
  const late = new Map(
    stating.flatMap(({ account: { portfolio_id }, part }) =>
      latest.has(portfolio_id) ? [] : [[portfolio_id, { part, rows: [] as HoldingRow[] }] as const],
    ),
  );
  const parts = [...new Set([...late.values()].map(({ part }) => part))];
  for await (const slice of allHoldings(connectionId, parts, (id, part) => late.get(id)?.part === part))
    for (const row of slice) late.get(row.portfolio_id)?.rows.push(row);
  const placesIn = new Map<ReadablePart, ReadonlyMap<string, readonly string[]>>();
  for (const { part } of stating)
    if (!placesIn.has(part)) placesIn.set(part, await placesOfHoldings(connectionId, part));
  return stating.map(({ account, part }) => {
    const { name, sha256, read } = part;
    const { format, format_version = softwareVersion } = read;
    const source = { kind: "file", sha256, name: file, part: name, format, format_version } as const;
    const lists = read.snapshot.holdings !== null;
    const places = [account.place ?? "", ...(placesIn.get(part)?.get(account.portfolio_id) ?? [])];
    return {
      ...valuationOf(account, lists ? (late.get(account.portfolio_id)?.rows ?? "shown") : null, source),
      ...(places.some((place) => place !== "") && { places }),
    };
  });
}

/** Where the holdings of each portfolio stand in a part, in their order. */
async function placesOfHoldings(
  connectionId: Uuid,
  part: ReadablePart,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const byKey = new Map<string, string[]>();
  for await (const slice of slicesOf(part.read.snapshot.holdings ?? []))
    for (const { portfolio_key, place = "" } of slice) {
      const places = byKey.get(portfolio_key);
      if (places) places.push(cleanName(place));
      else byKey.set(portfolio_key, [cleanName(place)]);
    }
  const ids = rowIds(connectionId);
  return new Map([...byKey].map(([key, places]) => [ids.portfolio(key), places]));
}

async function* allTransactions(
  stores: Pick<TenantStores, "movements">,
  connectionId: Uuid,
  parts: readonly ReadablePart[],
  count: FilePublication["count"],
): AsyncGenerator<TransactionSlice> {
  for (const part of parts) {
    const { keys, corrections, snapshot } = part.read;
    const told = {
      transactions: snapshot.transactions ?? [],
      ...(keys && { keys }),
      ...(corrections && { corrections }),
    };
    for await (const slice of transactionSlices(stores, connectionId, told, { count: (counts) => count(part, counts) }))
      yield { ...slice, file: part.sha256 };
  }
}

/** Holding rows of each portfolio, slice by slice, from the part that `counts` accepts for it. */
async function* allHoldings(
  connectionId: Uuid,
  parts: readonly ReadablePart[],
  counts: (portfolioId: string, part: ReadablePart) => boolean,
): AsyncGenerator<readonly HoldingRow[]> {
  for (const part of parts) {
    const rowOf = holdingRow(connectionId);
    for await (const slice of slicesOf(part.read.snapshot.holdings ?? []))
      yield slice.map(rowOf).filter(({ portfolio_id }) => counts(portfolio_id, part));
  }
}

/** Accounts, their links and the portfolios that result. */
export interface AccountView {
  readonly accounts: readonly FeedAccount[];
  readonly links: readonly AccountLink[];
  readonly placement: Placement;
  readonly portfolios: readonly PortfolioRow[];
}

/** Publishes the placement of accounts after links have changed without a file. Holdings and transactions stay where they are. */
export async function showLinks(
  stores: TenantStores,
  connection: EventConnection,
  view: AccountView,
  now: Date,
): Promise<void> {
  if (view.accounts.length === 0) return;
  await publishData(stores, connection, {
    connection_id: connection.connection_id,
    as_of: NEVER_STATED,
    published_at: now,
    partial: true,
    ...shownFirst(view, []),
  });
}

/** Computes the links from the stored ones, the letter and the rules. Null if nothing is or was linked. */
async function viewNow(stores: TenantStores, connectionId: Uuid, sources: LinkSources): Promise<AccountView | null> {
  const known = await stores.feedAccounts.links(connectionId);
  if (known.length === 0 && sources.letter.length === 0 && sources.rules.length === 0) return null;
  const accounts = await stores.feedAccounts.list(connectionId);
  const links = currentLinks(accounts, known, sources);
  if (!sameLinks(known, links)) await stores.feedAccounts.storeLinks(connectionId, links);
  return known.length === 0 && links.length === 0 ? null : accountViewOf(accounts, links);
}

export function accountViewOf(accounts: readonly FeedAccount[], links: readonly AccountLink[]): AccountView {
  const placement = placementOf(accounts, links);
  return { accounts, links, placement, portfolios: shownPortfolios(accounts, placement) };
}

/** All portfolios, those that a file states first and in its order, and the ids that are no longer portfolios of their own. */
function shownFirst({ portfolios, placement }: AccountView, stated: readonly FeedAccount[]) {
  const order = new Map(stated.map(({ portfolio_id }, index) => [portfolio_id, index]));
  const rank = ({ portfolio_id }: PortfolioRow) => order.get(portfolio_id) ?? stated.length;
  return {
    portfolios: [...portfolios].sort((a, b) => rank(a) - rank(b)),
    hidden: [...placement.keys()],
  };
}
