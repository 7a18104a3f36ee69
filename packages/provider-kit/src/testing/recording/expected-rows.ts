import { AssertionError } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { addDecimals, compareDecimals, multiplyDecimals, sumDecimals } from "../../decimal.js";
import type { FetchedSnapshot, NamedTransaction, SnapshotData } from "../../snapshot.js";
import { isDecimalString } from "../../values.js";
import type { Expectation, ExpectedRow, Recording } from "./recording.js";

export const snapshotLists = ["portfolios", "holdings", "transactions"] as const;
export type SnapshotList = (typeof snapshotLists)[number];
export type ExpectedSnapshot = NonNullable<Expectation["first"]>;

/** The members of rows that are amounts. */
export const amountNames: ReadonlySet<string> = new Set([
  "balance",
  "amount",
  "price",
  "cost",
  "accrued_interest",
  "unit_price",
  "fees",
  "taxes",
  "gross",
]);

/** An amount that the suite computes from figures of the institution: `= 310 * 0.95 + -1 * 1.25`. */
export function isFormula(expected: unknown): expected is string {
  return typeof expected === "string" && expected.startsWith("= ");
}

/** The factors of a formula, by term. */
export function termsOf(formula: string): readonly (readonly string[])[] {
  return formula
    .slice(2)
    .split(" + ")
    .map((term) => term.split(" * ").map((factor) => factor.trim()));
}

/** The value of a formula. */
export function computed(formula: string): string {
  return termsOf(formula)
    .map((factors) => factors.reduce(multiplyDecimals))
    .reduce(addDecimals);
}

/** More faults than anybody reads at once. */
const MAX_SHOWN = 20;

/** Keys of holdings and transactions are those of their portfolio. */
export function isSameRow(one: ExpectedRow, other: ExpectedRow): boolean {
  return one.key === other.key && one.portfolio_key === other.portfolio_key;
}

/** @throws AssertionError with the faults, one a line */
export function noFaults(faults: readonly string[], what = ""): void {
  if (faults.length === 0) return;
  const all = [...new Set(faults)];
  const more = all.length > MAX_SHOWN ? [`… and ${all.length - MAX_SHOWN} more`] : [];
  throw new AssertionError({
    message: [...(what === "" ? [] : [what]), ...all.slice(0, MAX_SHOWN), ...more].join("\n"),
  });
}

/** A row in messages. */
function nameOf({ key, portfolio_key }: ExpectedRow): string {
  return portfolio_key === undefined ? String(key) : `${portfolio_key} ${key ?? "without key"}`;
}

/**
 * How a snapshot differs from what is expected. Names list, row and field. Rows may come in any order.
 * @param only the lists to compare; a list that is null, that is not known, is left to the caller
 */
export function differencesOf(
  snapshot: SnapshotData,
  expected: ExpectedSnapshot,
  only: readonly SnapshotList[] = snapshotLists,
): readonly string[] {
  const found = only.flatMap((list) =>
    differencesIn(list, snapshot[list] as readonly ExpectedRow[] | null, expected[list]),
  );
  const { as_of } = expected;
  if (as_of !== undefined && !snapshot.as_of.toISOString().startsWith(as_of))
    found.push(`as_of is ${snapshot.as_of.toISOString()}, expected ${as_of}`);
  return found;
}

function differencesIn(
  list: SnapshotList,
  given: readonly ExpectedRow[] | null,
  expected: readonly ExpectedRow[] | null | undefined,
): readonly string[] {
  if (expected === undefined) return [`${list} have no expectation`];
  if (given === null || expected === null)
    return given === expected
      ? []
      : [
          `${list} are ${given === null ? "null, that is not known," : `${given.length} rows`}, expected ${expected === null ? "null" : `${expected.length} rows`}`,
        ];
  const left = withoutRepetitions(list, given);
  const found: string[] = [];
  const open: ExpectedRow[] = [];
  for (const row of expected) {
    const at = left.findIndex((one) => differencesOfRow(one, row).length === 0);
    if (at >= 0) left.splice(at, 1);
    else open.push(row);
  }
  for (const row of open) {
    const at = left.findIndex((one) => one.portfolio_key === row.portfolio_key && one.key === row.key);
    const [other] = at >= 0 ? left.splice(at, 1) : [];
    if (other === undefined) found.push(`${list}: the row ${nameOf(row)} is missing`);
    else found.push(...differencesOfRow(other, row).map((difference) => `${list} ${nameOf(row)}: ${difference}`));
  }
  return [...found, ...left.map((row) => `${list}: the row ${nameOf(row)} is one too many`)];
}

/** Transactions of one key that are equal are one: the server takes them as that. */
function withoutRepetitions(list: SnapshotList, rows: readonly ExpectedRow[]): ExpectedRow[] {
  if (list !== "transactions") return [...rows];
  const kept: ExpectedRow[] = [];
  for (const row of rows) if (row.key === null || !kept.some((one) => isDeepStrictEqual(one, row))) kept.push(row);
  return kept;
}

export function differencesOfRow(given: ExpectedRow, expected: ExpectedRow): readonly string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(given)])];
  return names.flatMap((name) => {
    const [is, should] = [given[name], expected[name]];
    if (should === undefined) return is === undefined ? [] : [`${name} is ${shown(is)} and has no expectation`];
    if (isFormula(should)) {
      const value = computed(should);
      return typeof is === "string" && isDecimalString(is) && compareDecimals(is, value) === 0
        ? []
        : [`${name} is ${shown(is)}, expected ${value} (${should})`];
    }
    if (is instanceof Date)
      return is.toISOString() === should ? [] : [`${name} is ${is.toISOString()}, expected ${shown(should)}`];
    return isDeepStrictEqual(is, should) ? [] : [`${name} is ${shown(is)}, expected ${shown(should)}`];
  });
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? "missing";
}

/** How what has become of earlier transactions differs from what is expected. Each may be named several times. */
export function differencesOfChanges(snapshot: FetchedSnapshot, expected: ExpectedSnapshot): readonly string[] {
  const found = (["withdrawn", "corrected"] as const).flatMap((list) => {
    const [given, should]: readonly (readonly NamedTransaction[])[] = [snapshot[list] ?? [], expected[list] ?? []];
    const without = (rows: readonly NamedTransaction[] = [], others: readonly NamedTransaction[] = []) =>
      rows.filter((row) => !others.some((one) => isDeepStrictEqual(one, row))).map((row) => JSON.stringify(row));
    return [
      ...without(should, given).map((row) => `${list}: ${row} is missing`),
      ...without(given, should).map((row) => `${list}: ${row} has no expectation`),
    ];
  });
  const [from, wanted] = [snapshot.complete_from, expected.complete_from];
  return from === wanted ? found : [...found, `complete_from is ${shown(from)}, expected ${shown(wanted)}`];
}

/** Transactions whose holding is written in another way than the holding itself, such as `BTC/USD` for `BTCUSD`. */
export function unlikeHoldingKeys({ holdings, transactions }: SnapshotData): readonly string[] {
  const plain = (key: string) => key.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  return (transactions ?? []).flatMap(({ key, portfolio_key, holding_key }) => {
    const keys = (holdings ?? []).filter((one) => one.portfolio_key === portfolio_key).map((one) => one.key);
    if (holding_key === null || keys.includes(holding_key)) return [];
    const alike = keys.find((one) => plain(one) === plain(holding_key));
    return alike === undefined
      ? []
      : [`transactions ${key}: holding_key is ${shown(holding_key)}, and a holding has the key ${shown(alike)}`];
  });
}

/** What is contrary to the totals that the institution states. */
export function differencesOfTotals(snapshot: SnapshotData, { totals }: Recording): readonly string[] {
  return totals.flatMap(({ of, portfolio, currency, balance }) => {
    const rows = (snapshot[of] ?? []).filter((row) => row.portfolio_key === portfolio && row.currency === currency);
    const sum = sumDecimals(rows.map((row) => row.balance ?? "0"));
    return compareDecimals(sum, balance) === 0
      ? []
      : [`the ${of} of ${portfolio} in ${currency} are ${sum} together, and the institution says ${balance}`];
  });
}

/** The sign that a kind of transaction has: of its units, and of its cash. 0 = either. */
const signs: Readonly<Record<string, readonly [units: number, cash: number]>> = {
  buy: [1, -1],
  sell: [-1, 1],
  dividend: [0, 1],
  coupon: [0, 1],
  fee: [0, -1],
  tax: [0, -1],
  deposit: [0, 1],
  withdrawal: [0, -1],
  transfer_in: [1, 0],
  transfer_out: [-1, 0],
};

/** Transactions whose signs are contrary to their kind, such as a purchase that brings money. */
export function wrongSigns(snapshot: SnapshotData, { contrary }: Pick<Recording, "contrary">): readonly string[] {
  return (snapshot.transactions ?? []).flatMap(({ key, kind = "", amount, balance }) => {
    const [units, cash] = signs[kind] ?? [0, 0];
    if (key !== null && contrary.includes(key)) return [];
    const isWrong = (value: string | null, sign: number) => value !== null && sign * compareDecimals(value, "0") < 0;
    return [
      ...(isWrong(amount, units) ? [`transactions ${key}: a ${kind} has the amount ${amount}`] : []),
      ...(isWrong(balance, cash) ? [`transactions ${key}: a ${kind} has the balance ${balance}`] : []),
    ];
  });
}
