import { type AsOf, addDecimals, type CurrencyTotal, type DataGroup, type DataPage, type SourceState } from "@org/core";

/**
 * The columns of the types `data_part` and `data_part_of_all`. `connectionId` and the connection's state are null if no connection was read, or
 * for many that are not listed.
 */
export type DataPart = [
  tenantRevision: string,
  prunedRevision: string,
  parentKnown: boolean | null,
  connectionId: string | null,
  bank: string,
  asOf: string | null,
  pending: boolean,
  blocked: boolean,
  errored: boolean,
  rowCount: string | null,
  totals: Readonly<Record<string, string>> | null,
  items: string | null,
  overdue: boolean | null,
  oldest: string | null,
  newest: string | null,
  groups: readonly GroupTotal[] | null,
  unlisted?: string,
];
type GroupTotal = [
  currency: string,
  first: string | null,
  second: string | null,
  portfolioName: string | null,
  rows: number,
  valued: number,
  notional: number,
  balance: string | null,
];

/** The portfolio or holding that a read is limited to. */
export interface Parent {
  readonly field: "portfolio_id" | "investment_id";
  readonly id: string;
}

/** Combines the parts of an answer, or returns why there is none. `asked` are the requested connections, null = all of the tenant. */
export function pageOfParts(
  parts: readonly DataPart[],
  asked: readonly string[] | null,
  revision: string | null,
  parent: Parent | null,
  groups: readonly DataGroup[] = [],
): DataPage {
  const [current, pruned, parentKnown] = parts[0] ?? ["0", "0", false];
  if (revision !== null && !(BigInt(pruned) <= BigInt(revision) && BigInt(revision) <= BigInt(current))) {
    return { kind: "revision_gone" };
  }
  const sources = new Map<string, SourceState>();
  const items: string[] = [];
  let total = 0;
  for (const part of parts) {
    if (part[3] !== null) sources.set(part[3], sourceOf(part));
    if (part[11] !== null) items.push(part[11]);
    total += Number(part[9]);
  }
  const unknown = asked?.filter((id) => !sources.has(id)) ?? [];
  if (unknown.length > 0) return { kind: "unknown", field: "credentials_token", ids: unknown };
  if (parent && !parentKnown) return { kind: "unknown", field: parent.field, ids: [parent.id] };
  return {
    kind: "page",
    // A single connection's text is used as it is: `join` would copy it.
    items_json: `[${items.length === 1 ? items[0] : items.join()}]`,
    total,
    totals: groups.length === 0 ? totalsOf(parts) : (parts[0]?.[15] ?? []).map((total) => groupTotal(total, groups)),
    as_of: asOfOf(parts),
    sources: asked ? asked.flatMap((id) => sources.get(id) ?? []) : [...sources.values()],
    unlisted: Number(parts[0]?.[16] ?? 0),
    revision: revision ?? current,
  };
}

function sourceOf([, , , connectionId, bank, as_of, pending, blocked, errored, , , , overdue]: DataPart): SourceState {
  return {
    credentials_token: String(connectionId),
    bank,
    as_of,
    pending,
    blocked,
    errored,
    is_overdue: overdue ?? false,
  };
}

/** Days and times are compared as text: each kind has one form. */
function asOfOf(parts: readonly DataPart[]): AsOf {
  let oldest: string | null = null;
  let newest: string | null = null;
  for (const part of parts) {
    const [from, to] = [part[13], part[14]];
    if (from !== null && (oldest === null || from < oldest)) oldest = from;
    if (to !== null && (newest === null || to > newest)) newest = to;
  }
  return { oldest, newest };
}

function groupTotal(
  [currency, first, second, name, rows, valued, notional, balance]: GroupTotal,
  groups: readonly DataGroup[],
): CurrencyTotal {
  const known = groups.map((group, index) => {
    const value = index === 0 ? first : second;
    return [group, group === "portfolio" ? { id: value, name } : value];
  });
  return {
    currency,
    ...Object.fromEntries(known),
    balance,
    rows,
    ...(rows > valued && { rows_without_balance: rows - valued }),
    ...(notional > 0 && { rows_notional: notional }),
  };
}

/** Totals over all connections, by currency code; their names are those of `totals_of` (SQL). */
function totalsOf(parts: readonly DataPart[]): readonly CurrencyTotal[] {
  const totals = new Map<string, string>();
  for (const part of parts) {
    for (const [name, value] of Object.entries(part[10] ?? {})) {
      const total = totals.get(name);
      totals.set(name, total === undefined ? value : addDecimals(total, value));
    }
  }
  const currencies = [...totals.keys()].flatMap((name) => (name.endsWith(" rows") ? name.slice(0, -5) : []));
  return currencies.sort().map((currency) => ({
    currency,
    balance: totals.get(currency) ?? null,
    rows: Number(totals.get(`${currency} rows`)),
    ...countOf("rows_without_balance", totals.get(`${currency} without`)),
    ...countOf("rows_notional", totals.get(`${currency} notional`)),
  }));
}

function countOf(name: "rows_without_balance" | "rows_notional", count: string | undefined) {
  return count === undefined || count === "0" ? {} : { [name]: Number(count) };
}
