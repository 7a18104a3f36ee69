import type {
  Actor,
  FeedAccount,
  FeedGap,
  PositionDifference,
  Published,
  Runtime,
  Storage,
  TenantStores,
  Uuid,
} from "@org/core";
import { addDecimals, auditEntry, conflict, multiplyDecimals } from "@org/core";
import { type LeftOut, utcDay } from "@org/provider-kit";
import { connectionNotFound, type FeedTarget, locateFeed } from "./feed-target.js";

/** What the comparison found in the accounts of one file. */
export interface Reconciled {
  /** Holdings that a statement has otherwise than the one before with the movements between, in all pairs of statements that the file is about. */
  readonly differences: number;
  /** Business days without a statement between the latest two statements, of the account with the most such days. */
  readonly gap_days: number;
}

/** Maximum number of differences, and of gaps, kept per connection. */
const MAX_DIFFERENCES = 1_000;

/**
 * Compares the statements of a file's accounts with those before and after, and those between which it tells of movements. It lists what it finds
 * and corrects nothing.
 * @param stated what is news in the file
 */
export async function reconcileAccounts(
  { feedDifferences }: TenantStores,
  connectionId: Uuid,
  { stated, publications, now }: { stated: readonly FeedAccount[]; publications: readonly Published[]; now: Date },
): Promise<Reconciled> {
  const [first] = publications;
  if (!first) return { differences: 0, gap_days: 0 };
  const days = stated.map(({ portfolio_id, as_of }) => ({
    portfolio_id,
    day: as_of.getTime() > 0 ? utcDay(as_of) : null,
  }));
  const pairs = await feedDifferences.pairs(connectionId, days, { revision: first.revision, now });
  const statedOn = new Set(days.map(({ portfolio_id, day }) => `${portfolio_id} ${day}`));
  const followed = new Set(pairs.map(({ portfolio_id, from_day }) => `${portfolio_id} ${from_day}`));
  const gaps = pairs
    .map((pair) => ({ ...pair, key: `${pair.portfolio_id} ${pair.to_day}` }))
    .filter(({ key }) => statedOn.has(key) && !followed.has(key))
    .map(({ key: _, ...pair }) => ({ ...pair, days: businessDaysBetween(pair.from_day, pair.to_day) }))
    .filter((gap) => gap.days.length > 0);
  await feedDifferences.storeGaps(connectionId, gaps, now);
  await feedDifferences.fillGaps(
    connectionId,
    days.flatMap(({ portfolio_id, day }) => (day === null ? [] : [{ portfolio_id, day }])),
  );
  const found = await feedDifferences.compare(connectionId, pairs, MAX_DIFFERENCES);
  await feedDifferences.keep(connectionId, pairs, found, { now, limit: MAX_DIFFERENCES });
  return { differences: found.length, gap_days: gaps.reduce((most, gap) => Math.max(most, gap.days.length), 0) };
}

/** Maximum number of days kept of one gap: more than a year's business days. */
const MAX_GAP_DAYS = 300;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Mondays to Fridays between two days (`YYYY-MM-DD`), the latest if there are too many. Holidays count, because they differ by place. */
function businessDaysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(to) - DAY_MS; at > Date.parse(from) && days.length < MAX_GAP_DAYS; at -= DAY_MS) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 !== 0) days.unshift(utcDay(day));
  }
  return days;
}

/** Differences and gaps of a connection, with account numbers in place of portfolio ids. */
export interface FeedDifferencesView {
  readonly connection_id: string;
  readonly differences: readonly (Omit<PositionDifference, "portfolio_id" | "holding_id"> & {
    readonly account: string;
    readonly expected: string;
    /** `stated` minus `expected`. */
    readonly difference: string;
    readonly found_at: string;
  })[];
  readonly gaps: readonly (Omit<FeedGap, "portfolio_id"> & { readonly account: string; readonly found_at: string })[];
  /** Movements that could not be read, by the name of their file. */
  readonly left_out: readonly (LeftOut & { readonly file: string })[];
}

/** Lists where the statements of a connection's accounts do not follow from each other. */
export interface FeedDifferences {
  /**
   * Newest first, at most {@link MAX_DIFFERENCES} of each. The list shows a client's positions, so each call is recorded in the audit trail.
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
          throw conflict("no_connection", "the letter has no connection yet, or none any more");
        if ((await stores.connections.find(connection_id)) === null) throw connectionNotFound();
        const numbers = new Map(
          (await stores.feedAccounts.list(connection_id)).map(({ portfolio_id, number }) => [portfolio_id, number]),
        );
        const { differences, gaps, left_out } = await stores.feedDifferences.list(connection_id, MAX_DIFFERENCES);
        const facts = { differences: differences.length, gaps: gaps.length, left_out: left_out.length };
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
          left_out,
        };
      });
    },
  };
}
