import { type RawBuilder, sql } from "kysely";

/** A valuation as JSON: an array, which takes PostgreSQL half as long as an object. When it was stated is left out where the question has no movements. */
export type ValuationRow = readonly [
  day: string,
  balance: string | null,
  value: Readonly<Record<string, string>> | null,
  content: string | null,
  stated_at?: string,
  is_file?: boolean,
];

/** Whether a valuation `v` has a value. */
export const hasValue = sql`(v.balance is not null or (v.value is not null and v.content is not null))`;

/** Expressions about one account, `a`. */
interface ClosesOfAccount {
  /** Joins `k`, the months that are kept of it, in the order of `ClosesOfRow`. */
  readonly join: RawBuilder<unknown>;
  /** The valuations that have to be looked up. */
  readonly lookedUp: RawBuilder<unknown>;
  readonly kept: RawBuilder<unknown>;
  /** `fields` of `o`, the first valuation ever; it is looked up only where none counts at the first close. `d.first_day` is the first one looked up. */
  readonly first: (fields: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/**
 * Finds the valuations that count at the close of some days, ascending: of each day the last one since the day before it in the list, since what counts
 * of earlier ones is among those of earlier days. With `withKept` months that are kept (valued_months) are not looked up.
 */
export function closesOf(of: RawBuilder<unknown>, closes: readonly string[], withKept: boolean): ClosesOfAccount {
  const [from, to] = [closes[0], closes.at(-1)];
  const isKept = withKept && closes.length > 1 && closes.slice(0, -1).every(isEndOfMonth);
  // A last day within a month that is kept is looked up, since the month tells its end alone.
  const isLookedUp =
    to !== undefined && isEndOfMonth(to)
      ? sql`k.until is null or c.day > k.until`
      : sql`k.until is null or c.day > k.until or c.day = ${to}::date`;
  const after = isKept ? sql`greatest(c.after, case when c.day > k.until then k.until end)` : sql`c.after`;
  const firstDay = isKept ? sql`least(k.first_day, d.first_day)` : sql`d.first_day`;
  return {
    join: isKept
      ? sql`left join lateral (
          select v.first_day, v.until, v.closes from valued_months v where ${of} limit 1
        ) k on true`
      : sql``,
    lookedUp: sql`
      select v.*
      from unnest(${["-infinity", ...closes.slice(0, -1)]}::date[], ${closes}::date[]) c (after, day)
      cross join lateral (
        select v.* from valuations v where ${of} and v.day > ${after} and v.day <= c.day and ${hasValue} order by v.day desc limit 1
      ) v
      ${isKept ? sql`where ${isLookedUp}` : sql``}`,
    kept: isKept ? sql`k.closes` : sql`null::text`,
    first: (fields) => sql`
      case when ${firstDay} <= ${from}::date then null else (
        select json_build_array(${fields})
        from (select v.*, ${hasValue} as has_value from valuations v where ${of} order by v.day limit 1) o
        where o.day > ${to}::date or not o.has_value
      ) end`,
  };
}

/** Of one account, as {@link closesOf} finds it: `kept` is JSON of an array of valuations. */
export interface FoundCloses {
  readonly valuations: readonly ValuationRow[] | null;
  readonly kept?: string | null;
  readonly first?: ValuationRow | null;
}

/** The valuations of an account that count at the close of some days; the first one ever may come before them. */
export function countingAt(
  closes: readonly string[],
  { valuations, kept, first }: FoundCloses,
): readonly ValuationRow[] {
  const lookedUp = valuations ?? [];
  const counting = !kept ? lookedUp : countingOf(closes, JSON.parse(kept), lookedUp);
  return first ? [first, ...counting] : counting;
}

/** `rows` is changed in place, since a tenant has 180,000 of them: those that were looked up are added, and what does not count is taken out. */
function countingOf(
  closes: readonly string[],
  rows: ValuationRow[],
  lookedUp: readonly ValuationRow[],
): readonly ValuationRow[] {
  const to = closes.at(-1) ?? "";
  while ((rows.at(-1)?.[0] ?? "") > to) rows.pop();
  rows.push(...lookedUp);
  let [next, count] = [0, 0];
  for (const close of closes) {
    let last: ValuationRow | undefined;
    for (let row = rows[next]; row && row[0] <= close; row = rows[next]) {
      last = row;
      next += 1;
    }
    if (last) rows[count++] = last;
  }
  rows.length = count;
  return rows;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

function isEndOfMonth(day: string): boolean {
  return new Date(Date.parse(day) + DAY_MS).getUTCDate() === 1;
}
