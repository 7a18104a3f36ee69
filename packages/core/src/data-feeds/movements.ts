import type { TransactionData } from "@org/provider-kit";
import type { MovementStatement } from "../ports/movement-store.js";
import type { TransactionSlice } from "../ports/snapshot-store.js";
import type { TenantStores } from "../ports/storage.js";
import type { Uuid } from "../schemas/identifier.js";
import { stableId, transactionRow, transactionRows } from "../services/publication.js";
import { isMessage, isRow, type Message, messageSlices, nameOf } from "./message-slices.js";
import { MAX_EVENT, MAX_SHARING, transactionsOf } from "./movement-merging.js";
import { slicesOf } from "./slices.js";

/**
 * What the transactions of a file do to the history, slice by slice: first those that stand for themselves, then those that other
 * messages tell of, too. Slices are made when they are asked for, and each one counts on what came of those before being stored.
 */
export async function* transactionSlices(
  stores: Pick<TenantStores, "movements">,
  connectionId: Uuid,
  transactions: readonly TransactionData[],
  size?: number,
): AsyncGenerator<TransactionSlice> {
  const rowsOf = transactionRows(connectionId);
  const isPlain = (one: TransactionData) => !isMessage(one);
  for await (const slice of slicesOf(transactions, isPlain, size)) yield { transactions: rowsOf(slice), withdrawn: [] };
  const merge = merging(stores, connectionId);
  for await (const { messages, wide } of messageSlices(transactions, size))
    yield await merge(
      messages.map((message) => statementOf(connectionId, message)),
      wide.map(({ portfolio_key, reference }) => referenceId(connectionId, portfolio_key, reference)),
    );
}

/**
 * Puts messages about movements together with what others have said of the same events. One event is one transaction, whatever
 * messages tell of it in whatever order, and however often. What is returned takes the messages of one slice after the other, with those of
 * their references that too many messages of the file have, and returns rows that are new or say more than before, and what they take
 * the place of.
 */
function merging({ movements }: Pick<TenantStores, "movements">, connectionId: Uuid) {
  /** What is known was made with these left out, as far as slices before have told of them. */
  const ignored = new Set<string>();
  return async (stated: readonly MovementStatement[], wide: readonly string[]): Promise<TransactionSlice> => {
    const asked = { mostSharing: MAX_SHARING, mostTelling: MAX_EVENT, ignored };
    const { statements: known, shared } = await movements.related(connectionId, stated, asked);
    const seen = new Set(known.map(({ statement_id }) => statement_id));
    const added = stated.filter(({ statement_id }) => !seen.has(statement_id) && seen.add(statement_id));
    if (added.length === 0) return { transactions: [], withdrawn: [] };
    await movements.keep(connectionId, added);
    const rowsBefore = transactionsOf(known, new Set([...shared, ...ignored]));
    const before = new Map(rowsBefore.map((row) => [row.transaction_id, JSON.stringify(row)]));
    for (const reference of wide) ignored.add(reference);
    const after = transactionsOf([...known, ...added], new Set([...shared, ...ignored]));
    const same = new Set(
      after.flatMap((row) => {
        const shown = before.get(row.transaction_id);
        return shown !== undefined && shown === JSON.stringify(row) ? [row.transaction_id] : [];
      }),
    );
    return {
      transactions: after.filter(({ transaction_id }) => !same.has(transaction_id)),
      withdrawn: [...before.keys()].filter((id) => !same.has(id)),
    };
  };
}

function statementOf(connectionId: Uuid, message: Message): MovementStatement {
  const { stated, references, cancels, occurrence, copy, twin } = message;
  const { portfolio_key, key, stage = "posted" } = stated;
  const row = transactionRow(connectionId, stated, occurrence);
  const idOf = (reference: string) => referenceId(connectionId, portfolio_key, reference);
  const name = nameOf(stated, row.holding_id);
  const { transaction_id } = row;
  return {
    statement_id: stableId(connectionId, "statement", JSON.stringify(stated), String(copy)),
    references: references.map(idOf),
    cancels: cancels.map(idOf),
    key: key === null ? null : idOf(key),
    stage,
    slot: JSON.stringify(isRow(stated) ? [...name, twin] : name),
    // A trade and its settlement may have one number.
    row: stage === "posted" ? row : { ...row, transaction_id: stableId(connectionId, stage, transaction_id) },
  };
}

function referenceId(connectionId: Uuid, portfolioKey: string, reference: string): string {
  return stableId(connectionId, "reference", portfolioKey, reference);
}
