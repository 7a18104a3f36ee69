import type { MovementStatement, TenantStores, TransactionSlice, Uuid } from "@org/core";
import { type RowIds, rowIds, stableId, transactionRow, transactionRows, yieldToEventLoop } from "@org/core";
import type { TransactionData } from "@org/provider-kit";
import { isMessage, isRow, type Message, messageSlices, movementGroupKey } from "./message-slices.js";
import { MAX_EVENT, MAX_SHARING, transactionsOf } from "./movement-merging.js";
import { slicesOf } from "./slices.js";

/**
 * The changes that a file's transactions make to the history, slice by slice: first transactions that stand alone, then those that other messages
 * describe too. Slices are made on demand, and each one relies on the slices before it being stored.
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
  const { merge, storeUnmerged } = merging(stores, connectionId);
  let tries = 0;
  for await (const { messages, wide } of messageSlices(transactions, size)) {
    tries += TRIES;
    const parts = [messages];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const statements = await statementsOf(connectionId, part);
      const idsOf = (some: readonly Message[]) =>
        wide(some).map(({ portfolio_key, reference }) => referenceId(connectionId, portfolio_key, reference));
      const merged = await merge(statements, (added) => idsOf(part.filter((_, index) => added.has(statements[index]))));
      if (merged !== null) yield merged;
      else if (part.length === 1 || tries === 0)
        yield await storeUnmerged(await statementsOf(connectionId, part.map(alone)));
      else {
        tries -= 1;
        const half = Math.ceil(part.length / 2);
        parts.push(part.slice(half), part.slice(0, half));
      }
    }
  }
}

/** Maximum number of stored messages read with a slice or a part of it: twice those of one event. */
export const MAX_FOUND = 2 * MAX_EVENT;

/**
 * How often, per slice, a part for which too many stored messages are found is halved to find the messages responsible. This suffices for events
 * with a hundred stored messages per message of the slice. After that all messages stand alone, so that a file made to cause many reads takes
 * time proportional to its size.
 */
const TRIES = 32;

/**
 * Detaches a message from its event, because more related messages are known than any custodian would send. A cancellation then cancels something
 * that no message names, and is no movement itself.
 */
function alone(message: Message): Message {
  const nobodys = JSON.stringify([message.stated, message.copy]);
  return { ...message, references: [], cancels: message.cancels.length > 0 ? [nobodys] : [] };
}

/** In small slices, because computing the ids of references is slow: fifty of them take as long as the rest of a message. */
async function statementsOf(connectionId: Uuid, messages: readonly Message[]): Promise<MovementStatement[]> {
  const statements: MovementStatement[] = [];
  const ids = rowIds(connectionId);
  for await (const some of slicesOf(messages, undefined, SOME))
    for (const message of some) statements.push(statementOf(connectionId, message, ids));
  return statements;
}

const SOME = 100;

/**
 * Merges messages with stored ones of the same events, so that one event is one transaction, whatever messages describe it, in whatever order and
 * however often. `merge` takes one slice after the other, with the references that too many messages of the file have. It returns rows that are
 * new or changed and the ids that they replace, or null if too many stored messages are related to be read. `storeUnmerged` takes messages that
 * name no event.
 */
function merging({ movements }: Pick<TenantStores, "movements">, connectionId: Uuid) {
  /** References that earlier slices found to be too widely shared; the stored result was made without them. */
  const ignored = new Set<string>();
  return {
    async merge(
      stated: readonly MovementStatement[],
      wideOf: (added: ReadonlySet<MovementStatement | undefined>) => readonly string[],
    ): Promise<TransactionSlice | null> {
      const added = await movements.unknown(connectionId, stated);
      if (added.length === 0) return { transactions: [], withdrawn: [] };
      const asked = { maxSharing: MAX_SHARING, maxMessages: MAX_EVENT, maxFound: MAX_FOUND, ignored };
      const related = await movements.related(connectionId, added, asked);
      if (related === null) return null;
      const { statements: known, shared } = related;
      await movements.keep(connectionId, added);
      const rowsBefore = transactionsOf(known, new Set([...shared, ...ignored]));
      const before = new Map(rowsBefore.map((row) => [row.transaction_id, JSON.stringify(row)]));
      for (const reference of wideOf(new Set(added))) ignored.add(reference);
      await yieldToEventLoop();
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
    },
    async storeUnmerged(stated: readonly MovementStatement[]): Promise<TransactionSlice> {
      const added = await movements.unknown(connectionId, stated);
      await movements.keep(connectionId, added);
      return { transactions: transactionsOf(added), withdrawn: [] };
    },
  };
}

function statementOf(connectionId: Uuid, message: Message, ids: RowIds): MovementStatement {
  const { stated, references, cancels, number, copy, twin } = message;
  const { portfolio_key, key, stage = "posted" } = stated;
  const row = transactionRow(connectionId, stated, number, ids);
  const idOf = (reference: string) => referenceId(connectionId, portfolio_key, reference);
  const name = movementGroupKey(stated, row.holding_id);
  const { transaction_id } = row;
  return {
    statement_id: stableId(connectionId, "statement", JSON.stringify(stated), String(copy)),
    references: references.map(idOf),
    cancels: cancels.map(idOf),
    key: key === null ? null : idOf(key),
    stage,
    slot: JSON.stringify(isRow(stated) ? [...name, twin] : name),
    // A trade and its settlement may have the same number.
    row: stage === "posted" ? row : { ...row, transaction_id: stableId(connectionId, stage, transaction_id) },
  };
}

function referenceId(connectionId: Uuid, portfolioKey: string, reference: string): string {
  return stableId(connectionId, "reference", portfolioKey, reference);
}
