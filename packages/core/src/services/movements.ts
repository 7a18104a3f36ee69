import type { SnapshotData, TransactionData } from "@org/provider-kit";
import type { MovementStatement } from "../ports/movement-store.js";
import type { Publication, TransactionRow } from "../ports/snapshot-store.js";
import type { TenantStores } from "../ports/storage.js";
import type { Uuid } from "../schemas/identifier.js";
import { MAX_REFERENCES, MAX_SHARING, plainDecimal, transactionsOf } from "./movement-merging.js";
import { publicationOf, stableId } from "./publication.js";

/** Transactions of a file that other messages tell of, too, apart from those that stand for themselves. */
export function apartByReference(transactions: readonly TransactionData[]): {
  readonly plain: readonly TransactionData[];
  readonly moved: readonly TransactionData[];
} {
  const [plain, moved] = [[] as TransactionData[], [] as TransactionData[]];
  for (const one of transactions) (one.references?.length || one.cancels?.length ? moved : plain).push(one);
  return { plain, moved };
}

/**
 * Puts what a file says of movements together with what other files have said of the same events. One event is one transaction,
 * whatever messages tell of it in whatever order, and however often.
 * @returns rows that are new or say more than before, and what they take the place of
 */
export async function mergeMovements(
  stores: TenantStores,
  connectionId: Uuid,
  { transactions, ...snapshot }: SnapshotData & { readonly transactions: readonly TransactionData[] },
  now: Date,
): Promise<Required<Pick<Publication, "transactions" | "withdrawn">>> {
  if (transactions.length === 0) return { transactions: [], withdrawn: [] };
  const told = publicationOf(connectionId, { ...snapshot, transactions }, now).transactions ?? [];
  const stated = statementsOf(connectionId, transactions, told);
  const { statements: known, shared } = await stores.movements.related(connectionId, stated, MAX_SHARING);
  const seen = new Set(known.map(({ statement_id }) => statement_id));
  const added = stated.filter(({ statement_id }) => !seen.has(statement_id) && seen.add(statement_id));
  if (added.length === 0) return { transactions: [], withdrawn: [] };
  await stores.movements.keep(connectionId, added);
  const before = new Map(transactionsOf(known, shared).map((row) => [row.transaction_id, JSON.stringify(row)]));
  const after = transactionsOf([...known, ...added], shared);
  const same = new Set(
    after.flatMap((row) => (before.get(row.transaction_id) === JSON.stringify(row) ? [row.transaction_id] : [])),
  );
  return {
    transactions: after.filter(({ transaction_id }) => !same.has(transaction_id)),
    withdrawn: [...before.keys()].filter((id) => !same.has(id)),
  };
}

/** @param rows what would be shown of each, in their order */
function statementsOf(
  connectionId: Uuid,
  transactions: readonly TransactionData[],
  rows: readonly TransactionRow[],
): MovementStatement[] {
  const twins = new Map<string, number>();
  const copies = new Map<string, number>();
  const count = (counts: Map<string, number>, key: string) => {
    const n = counts.get(key) ?? 0;
    counts.set(key, n + 1);
    return n;
  };
  return transactions.flatMap((stated, index) => {
    const row = rows[index];
    if (!row) return [];
    const { portfolio_key, key, references = [], cancels = [], stage = "posted" } = stated;
    const idOf = (reference: string) => stableId(connectionId, "reference", portfolio_key, reference);
    const content = JSON.stringify(stated);
    const day = stated.settlement_date ?? stated.operation_date;
    const cash = row.amount === null && row.balance !== null ? `${row.currency} ${plainDecimal(row.balance)}` : null;
    const what = [references[0] ?? null, row.holding_id, plainDecimal(row.amount), cash, day];
    const named = key === null ? what : [key];
    // A message that comes twice in a file is one; rows of a statement that look alike are two.
    const isRow = key === null || stage === "posted";
    const slot = isRow ? [...named, count(twins, JSON.stringify([portfolio_key, ...named]))] : named;
    const { transaction_id } = row;
    return {
      statement_id: stableId(connectionId, "statement", content, String(count(copies, content))),
      references: references.slice(0, MAX_REFERENCES).map(idOf),
      cancels: cancels.slice(0, MAX_REFERENCES).map(idOf),
      key: key === null ? null : idOf(key),
      stage,
      slot: JSON.stringify(slot),
      // A trade and its settlement may have one number.
      row: stage === "posted" ? row : { ...row, transaction_id: stableId(connectionId, stage, transaction_id) },
    };
  });
}
