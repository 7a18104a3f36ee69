import { utcDay } from "@org/provider-kit";
import type { HoldingRow, TransactionRow } from "../../data/snapshot-store.js";
import { addDecimals, compareDecimals } from "../../decimal.js";
import type { FeedDifferenceStore, PositionDifference, StatementPair } from "../../feeds/feed-difference-store.js";
import { compareText, type StoredValuation, type TenantState } from "../state.js";

/** {@link FeedDifferenceStore} over a draft. */
export function memoryFeedDifferences(state: TenantState): FeedDifferenceStore {
  const keyOf = (connectionId: string, { portfolio_id, to_day, holding_id }: PositionDifference) =>
    [connectionId, portfolio_id, to_day, holding_id].join(" ");
  const of = <Row>(rows: ReadonlyMap<string, Row>, connectionId: string) =>
    [...rows].filter(([key]) => key.startsWith(`${connectionId} `)).map(([, row]) => row);

  return {
    async pairs(connectionId, stated, { revision, now }) {
      const ids = new Set(stated.map(({ portfolio_id }) => portfolio_id));
      const changed = [
        ...movementsOf(state, connectionId).filter(({ transaction_id }) => {
          const read = state.transactionsRead.get(`${connectionId} ${transaction_id}`);
          return read && read.read_at >= now && read.from >= Number(revision);
        }),
        ...state.formerTransactions
          .filter(({ connection_id, until }) => connection_id === connectionId && until >= Number(revision))
          .map(({ row }) => row),
      ].filter(({ portfolio_id, holding_id }) => ids.has(portfolio_id) && holding_id !== null);
      const pairs = new Map<string, StatementPair>();
      const add = (portfolio_id: string, day: string) => {
        const days = statementsOf(state, connectionId, portfolio_id).map((one) => one.day);
        const [from_day, to_day] = [days.findLast((one) => one < day), days.find((one) => one >= day)];
        if (from_day && to_day) pairs.set(`${portfolio_id} ${to_day}`, { portfolio_id, from_day, to_day });
      };
      for (const { portfolio_id, day } of stated)
        if (day !== null) for (const days of [0, 1]) add(portfolio_id, dayAfter(day, days));
      for (const { portfolio_id, operation_date, facts } of changed)
        for (const day of [operation_date, facts?.settlement_date ?? operation_date]) add(portfolio_id, day);
      return [...pairs.values()];
    },

    async compare(connectionId, pairs, limit) {
      const movements = movementsOf(state, connectionId);
      const found = pairs.flatMap((pair) => {
        const { portfolio_id, from_day, to_day } = pair;
        const statements = statementsOf(state, connectionId, portfolio_id);
        const [before, now] = [from_day, to_day].map((one) => statements.find(({ day }) => day === one));
        if (!before || !now) return [];
        const own = movements.filter((row) => row.portfolio_id === portfolio_id);
        return comparedOf(pair, { before, now }, own).flatMap((one) => {
          const within = (day: string) => day > from_day && day <= to_day;
          const sum = (dayOfMovement: (row: TransactionRow) => string) =>
            own
              .filter((row) => row.holding_id === one.holding_id && within(dayOfMovement(row)))
              .reduce((all, row) => addDecimals(all, unitsMoved(row, now) ?? "0"), "0");
          const explains = (moved: string) => compareDecimals(addDecimals(one.before, moved), one.stated) === 0;
          const moved = sum(({ operation_date }) => operation_date);
          const settled = sum(({ operation_date, facts }) => facts?.settlement_date ?? operation_date);
          return explains(moved) || explains(settled) ? [] : [{ ...one, moved }];
        });
      });
      return found.sort(newestFirst).slice(0, limit);
    },

    async keep(connectionId, pairs, found, { now, limit }) {
      const keys = new Set(found.map((one) => keyOf(connectionId, one)));
      const compared = new Set(pairs.map(({ portfolio_id, to_day }) => `${portfolio_id} ${to_day}`));
      for (const [key, { portfolio_id, to_day }] of state.feedDifferences)
        if (key.startsWith(`${connectionId} `) && compared.has(`${portfolio_id} ${to_day}`) && !keys.has(key))
          state.feedDifferences.delete(key);
      for (const one of found) {
        const key = keyOf(connectionId, one);
        state.feedDifferences.set(key, { ...one, found_at: state.feedDifferences.get(key)?.found_at ?? now });
      }
      const all = of(state.feedDifferences, connectionId).sort(newestFirst);
      for (const one of all.slice(limit)) state.feedDifferences.delete(keyOf(connectionId, one));
    },

    async storeGaps(connectionId, gaps, now) {
      for (const gap of gaps) {
        const key = `${connectionId} ${gap.portfolio_id} ${gap.to_day}`;
        if (!state.feedGaps.has(key)) state.feedGaps.set(key, { ...gap, found_at: now });
      }
    },

    async fillGaps(connectionId, days) {
      for (const [key, gap] of state.feedGaps) {
        const came = days.filter(({ portfolio_id }) => portfolio_id === gap.portfolio_id).map(({ day }) => day);
        const rest = gap.days.filter((day) => !came.includes(day));
        if (!key.startsWith(`${connectionId} `)) continue;
        if (rest.length === 0) state.feedGaps.delete(key);
        else state.feedGaps.set(key, { ...gap, days: rest });
      }
    },

    async list(connectionId, limit) {
      const plain = of(state.feedDifferences, connectionId).map(
        ({ portfolio_id, holding_id, from_day, to_day, ...one }) => ({
          portfolio_id,
          holding_id,
          from_day,
          to_day,
          ...one,
        }),
      );
      return {
        differences: plain.sort(newestFirst).slice(0, limit),
        gaps: of(state.feedGaps, connectionId)
          .sort((a, b) => compareText(b.to_day, a.to_day) || compareText(a.portfolio_id, b.portfolio_id))
          .slice(0, limit),
        left_out: leftOutOf(state, connectionId).slice(0, limit),
      };
    },
  };
}

function movementsOf(state: TenantState, connectionId: string): readonly TransactionRow[] {
  const isNow = (one: TenantState["snapshots"][number]) =>
    one.connection_id === connectionId && one.product === "transaction" && one.until === null;
  return (state.snapshots.find(isNow)?.rows ?? []) as readonly TransactionRow[];
}

/** Statements of files that list holdings, ascending by day. */
function statementsOf(state: TenantState, connectionId: string, portfolioId: string): readonly StoredValuation[] {
  return [...(state.valuations.get(`${connectionId} ${portfolioId}`)?.values() ?? [])]
    .filter(({ arrival, holdings }) => arrival > 0 && holdings !== null)
    .sort((a, b) => compareText(a.day, b.day));
}

function dayAfter(day: string, days: number): string {
  return utcDay(new Date(Date.parse(day) + days * 24 * 60 * 60 * 1_000));
}

function leftOutOf(state: TenantState, connectionId: string) {
  return [...state.feedFiles.values()]
    .filter((file) => file.connection_id === connectionId)
    .sort((a, b) => b.taken_at.getTime() - a.taken_at.getTime() || compareText(a.sha256, b.sha256))
    .flatMap(({ name, left_out = [] }) => left_out.map((one) => ({ file: name, ...one })));
}

function newestFirst(a: PositionDifference, b: PositionDifference): number {
  return (
    compareText(b.to_day, a.to_day) ||
    compareText(a.portfolio_id, b.portfolio_id) ||
    compareText(a.name, b.name) ||
    compareText(a.holding_id, b.holding_id)
  );
}

/** Every holding of an account that was held, is held or was moved in between. */
function comparedOf(
  pair: StatementPair,
  sides: { readonly before: StoredValuation; readonly now: StoredValuation },
  movements: readonly TransactionRow[],
): readonly PositionDifference[] {
  const compared = new Map<string, PositionDifference>();
  const listed = new Set<string>();
  const held = (statement: StoredValuation, as: "before" | "stated") => {
    for (const row of JSON.parse(statement.holdings?.items ?? "[]") as readonly (HoldingRow & { id: string })[]) {
      const { id: holding_id, name } = row;
      listed.add(holding_id);
      const units = unitsHeld(row, sides.now);
      if (units === null) continue;
      const known = compared.get(holding_id) ?? { before: "0", stated: "0", moved: "0", isin: null };
      compared.set(holding_id, { ...known, ...pair, holding_id, name, isin: row.isin ?? known.isin, [as]: units });
    }
  };
  held(sides.before, "before");
  held(sides.now, "stated");
  for (const { holding_id, operation_date, description, ...row } of movements) {
    if (holding_id === null || listed.has(holding_id) || unitsMoved(row, sides.now) === null) continue;
    if (operation_date <= pair.from_day || operation_date > pair.to_day) continue;
    const name = compared.get(holding_id)?.name ?? description;
    const first = compareText(name, description) <= 0 ? name : description;
    compared.set(holding_id, { ...pair, holding_id, name: first, isin: null, before: "0", stated: "0", moved: "0" });
  }
  return [...compared.values()];
}

/** Units of a security, or the cash of a cash account; null if there is nothing to compare. */
function unitsHeld({ amount, balance, type }: HoldingRow, { is_cash }: StoredValuation): string | null {
  if (type !== "L") return amount;
  return is_cash ? (amount ?? balance) : null;
}

function unitsMoved({ amount, balance }: Pick<TransactionRow, "amount" | "balance">, { is_cash }: StoredValuation) {
  return amount ?? (is_cash ? balance : null);
}
