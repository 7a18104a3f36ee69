import type { Actor, FeedAccount, FeedGap, PositionDifference, Runtime, Storage, TenantStores, Uuid } from "@org/core";
import { addDecimals, auditEntry, CoreError, multiplyDecimals } from "@org/core";
import { connectionNotFound, type FeedTarget, locateFeed } from "./feed-target.js";

/** What was found in the accounts of one file. */
export interface Reconciled {
  /** Holdings whose latest statement is not the one before with the movements between. */
  readonly differences: number;
  /** Business days without a statement between the latest two, of the account that has the most. */
  readonly gap_days: number;
}

/** Differences, and gaps, that are kept of one connection. */
const MAX_DIFFERENCES = 1_000;

/**
 * Compares the statements of accounts that a file has told of with those before and the movements between. What it finds is listed,
 * and nothing is mended. @param stated what the file says, also what was not news
 */
export async function reconcileAccounts(
  { feedDifferences }: TenantStores,
  connectionId: Uuid,
  stated: readonly FeedAccount[],
  now: Date,
): Promise<Reconciled> {
  const ids = [...new Set(stated.map(({ portfolio_id }) => portfolio_id))];
  const pairs = await feedDifferences.pairs(connectionId, ids);
  if (pairs.length === 0) return { differences: 0, gap_days: 0 };
  const latest = new Map(pairs.map(({ portfolio_id, to_day }) => [portfolio_id, to_day]));
  const days = stated
    .filter(({ as_of }) => as_of.getTime() > 0)
    .map(({ portfolio_id, as_of }) => ({ portfolio_id, day: as_of.toISOString().slice(0, "YYYY-MM-DD".length) }));
  const isLatest = ({ portfolio_id, day }: (typeof days)[number]) => latest.get(portfolio_id) === day;
  const news = new Set(days.filter(isLatest).map(({ portfolio_id }) => portfolio_id));
  const gaps = pairs
    .filter(({ portfolio_id }) => news.has(portfolio_id))
    .map((pair) => ({ ...pair, days: businessDaysBetween(pair.from_day, pair.to_day) }))
    .filter((gap) => gap.days.length > 0);
  await feedDifferences.keepGaps(connectionId, gaps, now);
  await feedDifferences.fillGaps(
    connectionId,
    days.filter((one) => !isLatest(one)),
  );
  const found = await feedDifferences.compare(connectionId, ids, MAX_DIFFERENCES);
  await feedDifferences.keep(connectionId, ids, found, { now, limit: MAX_DIFFERENCES });
  return {
    differences: found.filter(({ portfolio_id, to_day }) => latest.get(portfolio_id) === to_day).length,
    gap_days: gaps.reduce((most, gap) => Math.max(most, gap.days.length), 0),
  };
}

/** Most days of one gap that are kept: more than a year's. */
const MAX_GAP_DAYS = 300;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Mondays to Fridays after one day and before another, `YYYY-MM-DD`; of many the latest. Holidays differ by place, and count. */
function businessDaysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(to) - DAY_MS; at > Date.parse(from) && days.length < MAX_GAP_DAYS; at -= DAY_MS) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 !== 0) days.unshift(day.toISOString().slice(0, "YYYY-MM-DD".length));
  }
  return days;
}

/** Differences and gaps of a connection, by the numbers of its accounts. */
export interface FeedDifferencesView {
  readonly connection_id: string;
  readonly differences: readonly (Omit<PositionDifference, "portfolio_id" | "holding_id"> & {
    readonly account: string;
    readonly expected: string;
    /** `stated` less `expected`. */
    readonly difference: string;
    readonly found_at: string;
  })[];
  readonly gaps: readonly (Omit<FeedGap, "portfolio_id"> & { readonly account: string; readonly found_at: string })[];
}

/** Where the statements of a connection's accounts do not follow from each other. */
export interface FeedDifferences {
  /**
   * Newest first, at most {@link MAX_DIFFERENCES} of both. It shows positions of a client, so that who looked is in the audit trail.
   * @throws CoreError NOT_FOUND, CONFLICT (a letter without a connection)
   */
  list(operator: Actor, target: FeedTarget): Promise<FeedDifferencesView>;
}

export function createFeedDifferences(deps: {
  storage: Storage;
  runtime: Runtime;
  bankOf: (connectorId: string) => Promise<string | null>;
}): FeedDifferences {
  return {
    async list(operator, target) {
      const { tenant_id, ...place } = await locateFeed(deps, target);
      return deps.storage.inTenant(tenant_id, async (stores) => {
        const letter = place.letter_id === undefined ? null : await stores.letters.find(place.letter_id);
        const connection_id = place.connection_id ?? letter?.connection_id ?? null;
        if (connection_id === null)
          throw new CoreError("CONFLICT", "the letter has no connection yet, or none any more");
        if ((await stores.connections.find(connection_id)) === null) throw connectionNotFound();
        const numbers = new Map(
          (await stores.feedAccounts.list(connection_id)).map(({ portfolio_id, number }) => [portfolio_id, number]),
        );
        const { differences, gaps } = await stores.feedDifferences.list(connection_id, MAX_DIFFERENCES);
        const facts = { differences: differences.length, gaps: gaps.length };
        await stores.audit.append(
          auditEntry(deps.runtime, operator, "datafeed.reconcile", "connection", connection_id, facts),
        );
        return {
          connection_id,
          differences: differences.map(({ portfolio_id, holding_id: _, found_at, ...one }) => {
            const expected = addDecimals(one.before, one.moved);
            const difference = addDecimals(one.stated, multiplyDecimals(expected, "-1"));
            const account = numbers.get(portfolio_id) ?? "";
            return { account, ...one, expected, difference, found_at: found_at.toISOString() };
          }),
          gaps: gaps.map(({ portfolio_id, found_at, ...gap }) => ({
            account: numbers.get(portfolio_id) ?? "",
            ...gap,
            found_at: found_at.toISOString(),
          })),
        };
      });
    },
  };
}
