import { utcDay } from "@org/provider-kit";
import type { HoldingRow, TransactionRow } from "../../data/snapshot-store.js";
import { addDecimals, compareDecimals } from "../../decimal.js";
import type { FeedDifferenceStore, PositionDifference, StatementPair } from "../../feeds/feed-difference-store.js";
import { compareText, type StoredAccount, type TenantState } from "../state.js";
import { holdingsOf } from "./feed-accounts.js";

/** {@link FeedDifferenceStore} over a draft. */
export function memoryFeedDifferences(state: TenantState): FeedDifferenceStore {
  const accountsOf = (connectionId: string, ids: readonly string[]) =>
    ids.flatMap((id) => state.feedAccounts.get(`${connectionId} ${id}`) ?? []);
  const keyOf = (connectionId: string, { portfolio_id, to_day, holding_id }: PositionDifference) =>
    [connectionId, portfolio_id, to_day, holding_id].join(" ");
  const of = <Row>(rows: ReadonlyMap<string, Row>, connectionId: string) =>
    [...rows].filter(([key]) => key.startsWith(`${connectionId} `)).map(([, row]) => row);

  return {
    async pairs(connectionId, portfolioIds) {
      return accountsOf(connectionId, portfolioIds).flatMap((account) => pairOf(account) ?? []);
    },

    async compare(connectionId, portfolioIds, limit) {
      const movements = (state.snapshots.find(
        ({ connection_id, product, until }) =>
          connection_id === connectionId && product === "transaction" && until === null,
      )?.rows ?? []) as readonly TransactionRow[];
      const found = accountsOf(connectionId, portfolioIds).flatMap((account) => {
        const pair = pairOf(account);
        if (!pair) return [];
        const own = movements.filter(({ portfolio_id }) => portfolio_id === account.portfolio_id);
        const now = holdingsOf(state, connectionId, account.portfolio_id);
        const latest = comparedOf(account, pair, now, own);
        const earlier = of(state.feedDifferences, connectionId).filter(
          ({ portfolio_id, to_day }) => portfolio_id === account.portfolio_id && to_day !== pair.to_day,
        );
        return [...latest, ...earlier].flatMap((one) => {
          const { from_day, to_day } = one;
          const within = (day: string) => day > from_day && day <= to_day;
          const sum = (dayOfMovement: (row: TransactionRow) => string) =>
            own
              .filter((row) => row.holding_id === one.holding_id && within(dayOfMovement(row)))
              .reduce((all, row) => addDecimals(all, unitsMoved(row, account) ?? "0"), "0");
          const explains = (moved: string) => compareDecimals(addDecimals(one.before, moved), one.stated) === 0;
          const moved = sum(({ operation_date }) => operation_date);
          const settled = sum(({ operation_date, facts }) => facts?.settlement_date ?? operation_date);
          return explains(moved) || explains(settled) ? [] : [{ ...one, moved }];
        });
      });
      return found.sort(newestFirst).slice(0, limit);
    },

    async keep(connectionId, portfolioIds, found, { now, limit }) {
      const keys = new Set(found.map((one) => keyOf(connectionId, one)));
      for (const [key, one] of state.feedDifferences)
        if (key.startsWith(`${connectionId} `) && portfolioIds.includes(one.portfolio_id) && !keys.has(key))
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

function pairOf({ portfolio_id, before, as_of }: StoredAccount): StatementPair | null {
  return before && { portfolio_id, from_day: before.day, to_day: utcDay(as_of) };
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
  account: StoredAccount,
  pair: StatementPair,
  now: readonly HoldingRow[],
  movements: readonly TransactionRow[],
): readonly PositionDifference[] {
  const compared = new Map<string, PositionDifference>();
  const held = (rows: readonly HoldingRow[], as: "before" | "stated") => {
    for (const row of rows) {
      const units = unitsHeld(row, account);
      if (units === null) continue;
      const known = compared.get(row.holding_id) ?? { before: "0", stated: "0", moved: "0" };
      const { holding_id, name, isin } = row;
      compared.set(holding_id, { ...known, ...pair, holding_id, name, isin, [as]: units });
    }
  };
  held(account.before?.holdings ?? [], "before");
  held(now, "stated");
  const known = new Set([...compared.keys(), ...now.map(({ holding_id }) => holding_id)]);
  for (const { holding_id, operation_date, description, ...row } of movements) {
    if (holding_id === null || known.has(holding_id) || unitsMoved(row, account) === null) continue;
    if (operation_date <= pair.from_day || operation_date > pair.to_day) continue;
    const name = compared.get(holding_id)?.name ?? description;
    const first = compareText(name, description) <= 0 ? name : description;
    compared.set(holding_id, { ...pair, holding_id, name: first, isin: null, before: "0", stated: "0", moved: "0" });
  }
  return [...compared.values()];
}

/** Units of a security, or the cash of a cash account; null if there is nothing to compare. */
function unitsHeld({ amount, balance, type }: HoldingRow, { is_cash }: StoredAccount): string | null {
  if (type !== "L") return amount;
  return is_cash ? (amount ?? balance) : null;
}

function unitsMoved({ amount, balance }: Pick<TransactionRow, "amount" | "balance">, { is_cash }: StoredAccount) {
  return amount ?? (is_cash ? balance : null);
}
