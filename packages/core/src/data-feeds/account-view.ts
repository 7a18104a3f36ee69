import type { FeedWarning, HoldingData, SnapshotData } from "@org/provider-kit";
import type { AccountLink, FeedAccount } from "../ports/feed-account-store.js";
import type { HoldingRow, PortfolioRow, Published } from "../ports/snapshot-store.js";
import type { TenantStores } from "../ports/storage.js";
import type { Uuid } from "../schemas/identifier.js";
import { publishData, type ToldConnection } from "../services/connection-changes.js";
import { holdingRows, NEVER_STATED, statedAccounts } from "../services/publication.js";
import {
  type LinkSources,
  linksNow,
  type Placement,
  placementOf,
  sameLinks,
  shownPortfolios,
} from "./account-links.js";
import { transactionSlices } from "./movements.js";
import { slicesOf } from "./slices.js";

/** One custodian's file of a connection, as it is published. */
interface FilePublication {
  readonly connection_id: Uuid;
  readonly snapshot: SnapshotData;
  /** Its place in the order of files. */
  readonly arrival: number;
  readonly now: Date;
  readonly sources: LinkSources;
}

/**
 * Publishes what of a file is news: an account of which something later is known stays as it is, with its holdings. Transactions
 * count whenever they come. Each account is shown where the links say, as of its own day.
 */
export async function publishFile(
  stores: TenantStores,
  { connection_id, snapshot, arrival, now, sources }: FilePublication,
): Promise<Published & { readonly late: readonly FeedWarning[]; readonly stated: readonly FeedAccount[] }> {
  const { holdings, transactions } = snapshot;
  const stated: FeedAccount[] = [];
  for await (const slice of slicesOf(snapshot.portfolios ?? []))
    stated.push(...statedAccounts(connection_id, { ...snapshot, portfolios: slice }));
  const latest = await stores.feedAccounts.claim(connection_id, stated, arrival);
  const view = await viewNow(stores, connection_id, sources);
  const published = await stores.snapshots.publish({
    ...{ connection_id, as_of: snapshot.as_of, published_at: now, partial: true },
    ...(transactions && { transactions: transactionSlices(stores, connection_id, transactions) }),
    ...(view === null
      ? {
          portfolios: shownPortfolios(
            stated.filter(({ portfolio_id }) => latest.has(portfolio_id)),
            new Map(),
          ),
        }
      : shownFirst(view, stated)),
    accounts: [...latest],
    holdings: holdingSlices(connection_id, holdings ?? [], latest),
  });
  const older = stated.filter(({ portfolio_id, as_of }) => !latest.has(portfolio_id) && as_of !== NEVER_STATED);
  const late = older.slice(0, MAX_LATE).map(({ name }) => ({
    place: "file",
    message: `is older than what is known of portfolio ${JSON.stringify(name)}, which stays as it is`,
  }));
  return { ...published, late, stated };
}

const MAX_LATE = 20;

/** Rows of the holdings in these portfolios, slice by slice. */
async function* holdingSlices(
  connectionId: Uuid,
  holdings: readonly HoldingData[],
  portfolios: ReadonlySet<string>,
): AsyncGenerator<readonly HoldingRow[]> {
  const rowsOf = holdingRows(connectionId);
  for await (const slice of slicesOf(holdings))
    yield rowsOf(slice).filter(({ portfolio_id }) => portfolios.has(portfolio_id));
}

/** Accounts and how they are linked, once some are. */
export interface AccountView {
  readonly accounts: readonly FeedAccount[];
  readonly links: readonly AccountLink[];
  readonly placement: Placement;
  readonly portfolios: readonly PortfolioRow[];
}

/** Shows accounts where the links say now, though no file came. Holdings and transactions stay where they are. */
export async function showLinks(
  stores: TenantStores,
  connection: ToldConnection,
  view: AccountView,
  now: Date,
): Promise<void> {
  if (view.accounts.length === 0) return;
  // As of what is known: this is no news.
  await publishData(stores, connection, {
    connection_id: connection.connection_id,
    as_of: NEVER_STATED,
    published_at: now,
    partial: true,
    ...shownFirst(view, []),
  });
}

/** What the links that are kept, letter and rules come to now; null where nothing is linked, nor was. */
async function viewNow(stores: TenantStores, connectionId: Uuid, sources: LinkSources): Promise<AccountView | null> {
  const known = await stores.feedAccounts.links(connectionId);
  if (known.length === 0 && sources.letter.length === 0 && sources.rules.length === 0) return null;
  const accounts = await stores.feedAccounts.list(connectionId);
  const links = linksNow(accounts, known, sources);
  if (!sameLinks(known, links)) await stores.feedAccounts.keepLinks(connectionId, links);
  return known.length === 0 && links.length === 0 ? null : viewOf(accounts, links);
}

/** How accounts are shown by these links. */
export function viewOf(accounts: readonly FeedAccount[], links: readonly AccountLink[]): AccountView {
  const placement = placementOf(accounts, links);
  return { accounts, links, placement, portfolios: shownPortfolios(accounts, placement) };
}

/** Every portfolio, those of a file in its order first, and the ones that are none any more. */
function shownFirst({ portfolios, placement }: AccountView, stated: readonly FeedAccount[]) {
  const order = new Map(stated.map(({ portfolio_id }, index) => [portfolio_id, index]));
  const rank = ({ portfolio_id }: PortfolioRow) => order.get(portfolio_id) ?? stated.length;
  return {
    portfolios: [...portfolios].sort((a, b) => rank(a) - rank(b)),
    hidden: [...placement.keys()],
  };
}
