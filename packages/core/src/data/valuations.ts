import { addDecimals, type EarlierDay, type FetchedSnapshot, type Steps, utcDay } from "@org/provider-kit";
import { sumsOfHoldings } from "@org/wealth";
import type { Uuid } from "../schemas/identifier.js";
import { softwareVersion } from "../software-version.js";
import { holdingRow, NEVER_STATED, statedAccounts } from "./publication.js";
import type { HoldingRow, StatedValuation, StatedValuations, ValuationSource } from "./snapshot-store.js";

/** What a provider's snapshot states, one row in a step; null if it has no portfolios. The days before come first. */
export function* valuationSteps(
  connectionId: Uuid,
  snapshot: FetchedSnapshot,
  provider: string,
  readAt: Date,
): Steps<StatedValuations | null> {
  const { as_of, portfolios, holdings, earlier_days = [] } = snapshot;
  const accounts: StatedValuation[] = [];
  for (const day of earlier_days)
    for (const one of yield* earlierSteps(connectionId, day, provider)) accounts.push(one);
  if (portfolios === null && accounts.length === 0) return null;
  for (const account of statedAccounts(connectionId, { ...snapshot, portfolios: portfolios ?? [] })) {
    yield;
    if (account.as_of !== NEVER_STATED) accounts.push(valuationOf(account, holdings && "shown", sourceOf(provider)));
  }
  return { read_at: readAt, arrival: 0, complete_on: portfolios === null ? null : utcDay(as_of), accounts };
}

function* earlierSteps(connectionId: Uuid, day: EarlierDay, provider: string): Steps<readonly StatedValuation[]> {
  const rowOf = holdingRow(connectionId);
  const rows = new Map<string, HoldingRow[]>();
  for (const holding of day.holdings) {
    yield;
    const row = rowOf(holding);
    const others = rows.get(row.portfolio_id);
    if (others) others.push(row);
    else rows.set(row.portfolio_id, [row]);
  }
  const as_of = new Date(`${day.date}T00:00:00Z`);
  const stated = {
    as_of,
    portfolios: day.portfolios.map(({ as_of: _, ...one }) => one),
    holdings: null,
    transactions: null,
  };
  return statedAccounts(connectionId, stated).map((account) =>
    valuationOf(account, rows.get(account.portfolio_id) ?? [], sourceOf(provider)),
  );
}

function sourceOf(provider: string): ValuationSource {
  return { kind: "provider", provider, version: softwareVersion };
}

/** The valuation of an account as a snapshot or file states it. */
export function valuationOf(
  { number: _, place: __, ...account }: ReturnType<typeof statedAccounts>[number],
  holdings: StatedValuation["holdings"],
  source: ValuationSource,
): StatedValuation {
  return { ...account, day: utcDay(account.as_of), holdings, source };
}

/** Holdings as they stand in a valuation. */
export interface ValuedHoldings {
  /** A JSON array: the fields of a stored item, its facts, and `is_notional` if it is true. */
  readonly items: string;
  /** A JSON array: `HoldingSum` of them. */
  readonly sums: string;
  /** Sums by currency; null = one of them has no value. */
  readonly value: Readonly<Record<string, string>> | null;
  readonly lists_securities: boolean;
  readonly lists_cash: boolean;
}

/** The notional of a contract is not what it is worth. */
export function valuedHoldings(rows: readonly HoldingRow[]): ValuedHoldings {
  const value: Record<string, string> = {};
  let isValued = true;
  for (const { balance, currency, is_notional } of rows)
    if (balance === null || is_notional) isValued = false;
    else value[currency] = addDecimals(value[currency] ?? "0", balance);
  return {
    items: JSON.stringify(rows.map(valuedItem)),
    sums: JSON.stringify(sumsOfHoldings(rows)),
    value: isValued ? value : null,
    lists_securities: rows.some(({ type }) => type !== "L"),
    lists_cash: rows.some(({ type }) => type === "L"),
  };
}

function valuedItem({ holding_id, portfolio_id: _, is_notional, facts, ...row }: HoldingRow): object {
  const { name, isin, amount, balance, currency, valuation_date, type, subtype } = row;
  return {
    ...{ id: holding_id, name, isin, amount, balance, currency, valuation_date, type, subtype },
    ...facts,
    ...(is_notional && { is_notional }),
  };
}
