import { MAX_FORMER_VERSIONS, ofVersions } from "../../data/rows.js";
import type { Publication, TransactionRow } from "../../data/snapshot-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { FormerTransaction, TenantState } from "../state.js";

/** Notes what a publication has replaced and withdrawn, and when the rows that are there now were read. */
export function noteVersions(
  state: TenantState,
  { connection_id, published_at }: Publication,
  before: readonly TransactionRow[],
  now: ReadonlyMap<string, TransactionRow>,
  isSame: (a: TransactionRow, b: TransactionRow) => boolean,
  origins: ReadonlyMap<string, Pick<FormerTransaction, "file" | "place">>,
): void {
  const ended: FormerTransaction[] = [];
  const keyOf = (id: string) => `${connection_id} ${id}`;
  for (const row of before) {
    const next = now.get(row.transaction_id);
    if (next && isSame(row, next)) continue;
    const known = state.transactionsRead.get(keyOf(row.transaction_id));
    if (!known) throw new Error("a stored transaction was read once");
    state.transactionsRead.delete(keyOf(row.transaction_id));
    ended.push({ ...{ connection_id, row }, ...known, until: state.revision, ended_at: published_at });
  }
  for (const id of now.keys())
    if (!state.transactionsRead.has(keyOf(id)))
      state.transactionsRead.set(keyOf(id), { from: state.revision, read_at: published_at, ...origins.get(id) });
  state.formerTransactions = [...state.formerTransactions, ...ended];
}

/** How many former versions of a transaction are shown. */
export function countFormerVersions(state: TenantState, transactionId: string): number {
  const kept = state.formerTransactions.filter(({ row }) => row.transaction_id === transactionId);
  return Math.min(kept.length, MAX_FORMER_VERSIONS);
}

/** The versions of a transaction, see `DataReader`. */
export function readTransactionVersions(state: TenantState, connectionId: Uuid, transactionId: Uuid): string | null {
  if (!state.connections.has(connectionId)) return null;
  const snapshot = state.snapshots.find(
    (one) => one.connection_id === connectionId && one.product === "transaction" && one.until === null,
  );
  const rows = (snapshot?.rows ?? []) as readonly TransactionRow[];
  const now = rows.find((row) => row.transaction_id === transactionId);
  const known = state.transactionsRead.get(`${connectionId} ${transactionId}`);
  const current = now && known ? [{ row: now, until: null, ended_at: null, ...known }] : [];
  const former = state.formerTransactions
    .filter((one) => one.connection_id === connectionId && one.row.transaction_id === transactionId)
    .toSorted((a, b) => b.until - a.until)
    .slice(0, MAX_FORMER_VERSIONS);
  const versions = [...current, ...former];
  return JSON.stringify(
    versions.map(({ row, until, read_at, ended_at }, index) => {
      const isReplaced = index > 0 && versions[index - 1]?.from === until;
      const all: Readonly<Record<string, unknown>> = {
        ...row.facts,
        ...row,
        ...{ operationDate: row.operation_date, unitPrice: row.unit_price, investment_id: row.holding_id },
        ...{ read_at, ended_at, ended_by: ended_at && (isReplaced ? "replaced" : "withdrawn") },
      };
      return Object.fromEntries(ofVersions.shown.map((field) => [field, all[field] ?? null]));
    }),
  );
}
