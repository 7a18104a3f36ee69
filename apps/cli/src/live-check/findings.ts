import { compareDecimals, negateDecimal, type SnapshotData, sumDecimals } from "@org/provider-kit";

export const rowLists = ["portfolios", "holdings", "transactions"] as const;
type List = (typeof rowLists)[number];
type Rows = Pick<SnapshotData, List>;

/** How the keys of a second fetch compare with those of the first one. `renamed`: a row is the same but for its key. */
export interface KeyComparison {
  readonly same: number;
  readonly gone: number;
  readonly added: number;
  readonly renamed: number;
}

/** How far the holdings of one portfolio are from what the institution states for it. Null: they cannot be added up. */
export interface SumComparison {
  /** In the order of the portfolios. */
  readonly portfolio: number;
  readonly holdings: number;
  readonly percent: string | null;
  readonly why: string | null;
}

/** How many rows there are; null = they could not be read. */
export function rowCounts(rows: Rows): Readonly<Record<List, number | null>> {
  return {
    portfolios: rows.portfolios?.length ?? null,
    holdings: rows.holdings?.length ?? null,
    transactions: rows.transactions?.length ?? null,
  };
}

/** The keys of one list; null if it was not read. */
export function compareKeys(before: Rows, after: Rows, list: List): KeyComparison | null {
  const [one, two] = [before[list] as readonly Row[] | null, after[list] as readonly Row[] | null];
  if (one === null || two === null) return null;
  const known = new Set(one.map(keyOf));
  const found = new Set(two.map(keyOf));
  const added = two.filter((row) => row.key !== null && !known.has(keyOf(row)));
  const contents = new Map(one.map((row) => [contentOf(row), keyOf(row)]));
  const renamed = added.filter((row) => !found.has(contents.get(contentOf(row)) ?? keyOf(row)));
  return {
    same: [...found].filter((key) => known.has(key)).length,
    // Of transactions a second fetch reads only the last days.
    gone: list === "transactions" ? 0 : one.filter((row) => !found.has(keyOf(row))).length,
    added: added.length,
    renamed: renamed.length,
  };
}

interface Row {
  readonly key: string | null;
  readonly portfolio_key?: string;
}

function keyOf({ key, portfolio_key }: Row): string {
  return JSON.stringify([portfolio_key, key]);
}

function contentOf({ key: _, ...content }: Row): string {
  return JSON.stringify(content);
}

/** The sum of each portfolio's holdings beside the total that the institution states. */
export function compareSums({ portfolios, holdings }: Rows): readonly SumComparison[] {
  return (portfolios ?? []).map(({ key, balance, currency }, index) => {
    const own = (holdings ?? []).filter(({ portfolio_key }) => portfolio_key === key);
    const counted = own.filter(({ is_notional }) => !is_notional);
    const portfolio = { portfolio: index + 1, holdings: own.length };
    const others = counted.filter((holding) => holding.currency !== currency).length;
    const why =
      holdings === null
        ? "the holdings are not known"
        : balance === null
          ? "no total is stated"
          : others > 0
            ? `${others} in other currencies`
            : counted.some((holding) => holding.balance === null)
              ? "a holding has no value"
              : null;
    if (why !== null) return { ...portfolio, percent: null, why };
    return {
      ...portfolio,
      percent: percentOf(sumDecimals(counted.map((one) => one.balance ?? "0")), balance ?? "0"),
      why,
    };
  });
}

/** A difference in percent, with two digits: the amounts cannot be told from it. */
function percentOf(sum: string, total: string): string {
  const difference = sumDecimals([sum, negateDecimal(total)]);
  if (compareDecimals(difference, "0") === 0) return "0.00";
  const percent = (Math.abs(Number(difference)) / Math.abs(Number(total))) * 100;
  return Number.isFinite(percent) ? percent.toFixed(2) : "100.00";
}

/** Fields that are null, and rows that the provider has no word for, by name of the field. */
export function unknownFields(rows: Rows): Readonly<Record<string, number>> {
  const found = [...countsOf(rows)].filter(([name]) => name.endsWith(" null") || wordless.has(name));
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const wordless = new Set([
  "portfolios.type O",
  "holdings.type O",
  "transactions.kind missing",
  "transactions.kind other",
]);

/**
 * Fields that a provider reads otherwise in one snapshot than in the other, with the first row where that shows, from 1: rows, what is unknown, types,
 * kinds and currencies are counted.
 */
export function differingFields(one: Rows, other: Rows): readonly string[] {
  const [counts, others] = [countsOf(one), countsOf(other)];
  const names = [...counts.keys(), ...others.keys()].filter((name) => counts.get(name) !== others.get(name));
  const fields = [...new Set(names.map((name) => name.split(" ", 1)[0] ?? name))].sort();
  return fields.map((name) => {
    const [list = "", field = ""] = name.split(".");
    const [rows, again] = [
      one[list as List] as readonly object[] | null,
      other[list as List] as readonly object[] | null,
    ];
    const read = (row: object | undefined) => {
      const value = (row as Record<string, unknown> | undefined)?.[field];
      return isCode(field) ? value : value === null;
    };
    const at =
      rows?.length === again?.length ? (rows ?? []).findIndex((row, at) => read(row) !== read(again?.[at])) : -1;
    return at < 0 ? name : `${name} (row ${at + 1})`;
  });
}

function isCode(field: string): boolean {
  return ["type", "subtype", "kind", "currency"].includes(field);
}

/** How many rows there are, by list, and by list, field and code, `null` or `missing`. */
function countsOf(rows: Rows): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const count = (name: string) => found.set(name, (found.get(name) ?? 0) + 1);
  for (const list of rowLists)
    for (const row of rows[list] ?? [null]) {
      count(row === null ? `${list} unknown` : list);
      const stated = row !== null && list === "transactions" ? { kind: undefined, ...row } : row;
      for (const [name, value] of Object.entries(stated ?? {})) {
        if (isCode(name) || value === null) count(`${list}.${name} ${value === undefined ? "missing" : value}`);
      }
    }
  return found;
}

/** What is wrong with an error of a provider: the places of a schema, or its message. Values have still to be masked. */
export function faultsIn(error: unknown): readonly string[] {
  const { issues } = (error ?? {}) as { issues?: unknown };
  if (Array.isArray(issues))
    return issues.map(
      ({ path = [], code = "invalid" }: { path?: readonly PropertyKey[]; code?: string }) =>
        `${path.map(String).join(".") || "answer"} ${code}`,
    );
  return [error instanceof Error ? error.message || error.name : String(error)];
}
