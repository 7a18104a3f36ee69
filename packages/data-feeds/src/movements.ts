import type { MovementStatement, StoredCounts, TenantStores, TransactionRow, TransactionSlice, Uuid } from "@org/core";
import {
  correctionSlices,
  type RowIds,
  rowIds,
  slicesOf,
  stableId,
  transactionRow,
  transactionRows,
  transactionText,
  yieldToEventLoop,
} from "@org/core";
import type { ReadFeed, TransactionData, TransactionKeys } from "@org/provider-kit";
import { isMessage, isRow, type Message, messageSlices, movementGroupKey } from "./message-slices.js";
import {
  isLatestOnly,
  latestOnly,
  MAX_EVENT,
  MAX_SHARING,
  toldTransactions,
  transactionsOf,
} from "./movement-merging.js";

/** Counts of the transactions that a file states. Each is counted in exactly one of these. */
export interface HistoryCounts {
  /** Stored now. */
  readonly transactions: number;
  /** Said again by the same file. */
  readonly repeated: number;
  /** What changes, completes or takes back a transaction, of an earlier file or of this one. */
  readonly corrected: number;
  /** Of earlier files, unchanged. */
  readonly kept: number;
}

/** What a file says of transactions. */
type StatedHistory = Pick<ReadFeed, "keys" | "corrections"> & { readonly transactions: readonly TransactionData[] };

/**
 * The changes that a file's transactions make to the history, slice by slice: first transactions that stand alone, then corrections of what
 * an earlier file told, then transactions that other messages describe too. Slices are made on demand, and each one relies on the slices
 * before it being stored.
 * @param count called with what became of each slice
 */
export async function* transactionSlices(
  stores: Pick<TenantStores, "movements">,
  connectionId: Uuid,
  { transactions, keys, corrections = [] }: StatedHistory,
  { size, count = () => undefined }: { readonly size?: number; readonly count?: (counts: HistoryCounts) => void } = {},
): AsyncGenerator<TransactionSlice> {
  const rowsOf = transactionRows(connectionId, keys);
  const isPlain = (one: TransactionData) => !isMessage(one);
  for await (const slice of slicesOf(transactions, isPlain, size)) {
    const { rows, repeated } = rowsOf(slice);
    // Of rows that correct one another only the last is stored.
    const superseded = slice.length - repeated - rows.length;
    const onStored = ({ added, corrected }: StoredCounts) => {
      const kept = rows.length - added - corrected;
      count({ transactions: added, repeated, corrected: corrected + superseded, kept });
    };
    yield { transactions: rows, withdrawn: [], onStored, ...(keys === "corrected" && { replaces: true }) };
  }
  let superseded = corrections.length;
  for await (const corrected of correctionSlices(stores, connectionId, corrections, size)) {
    const { length } = corrected.transactions;
    superseded -= length + corrected.withdrawn.length;
    const onStored = ({ added, ...stored }: StoredCounts) =>
      count({
        transactions: added,
        repeated: 0,
        corrected: stored.corrected + stored.withdrawn,
        kept: length - added - stored.corrected,
      });
    yield { ...corrected, onStored };
  }
  // Of several corrections of one transaction the last counts.
  count({ transactions: 0, repeated: 0, corrected: superseded, kept: 0 });
  const { merge, storeUnmerged } = merging(stores, connectionId, count);
  let tries = 0;
  for await (const { messages, wide } of messageSlices(transactions, size)) {
    tries += TRIES;
    const parts = [messages];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const statements = await statementsOf(connectionId, part, keys);
      const idsOf = (some: readonly Message[]) =>
        wide(some).map(({ portfolio_key, reference }) => referenceId(connectionId, portfolio_key, reference));
      const merged = await merge(statements, {
        places: placesOf(statements, part),
        wideOf: (added) => idsOf(part.filter((_, index) => added.has(statements[index]))),
      });
      if (merged !== null) yield merged;
      else if (part.length === 1 || tries === 0) {
        const unmerged = await statementsOf(connectionId, part.map(alone), keys);
        yield await storeUnmerged(unmerged, placesOf(unmerged, part));
      } else {
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
  const nobodys = JSON.stringify([transactionText(message.stated), message.copy]);
  return { ...message, references: [], cancels: message.cancels.length > 0 ? [nobodys] : [] };
}

/** In small slices, because computing the ids of references is slow: fifty of them take as long as the rest of a message. */
async function statementsOf(
  connectionId: Uuid,
  messages: readonly Message[],
  keys: TransactionKeys | undefined,
): Promise<MovementStatement[]> {
  const statements: MovementStatement[] = [];
  const ids = rowIds(connectionId);
  for await (const some of slicesOf(messages, undefined, SOME))
    for (const message of some) statements.push(statementOf(connectionId, message, ids, keys));
  return statements;
}

const SOME = 100;

/**
 * Merges messages with stored ones of the same events, so that one event is one transaction, whatever messages describe it, in whatever order and
 * however often. `merge` takes one slice after the other, with the references that too many messages of the file have. It returns rows that are
 * new or changed and the ids that they replace, or null if too many stored messages are related to be read. `storeUnmerged` takes messages that
 * name no event.
 */
function merging(
  { movements }: Pick<TenantStores, "movements">,
  connectionId: Uuid,
  count: (counts: HistoryCounts) => void,
) {
  /** References that earlier slices found to be too widely shared; the stored result was made without them. */
  const ignored = new Set<string>();
  return {
    async merge(
      stated: readonly MovementStatement[],
      {
        places,
        wideOf,
      }: {
        readonly places: Places;
        readonly wideOf: (added: ReadonlySet<MovementStatement | undefined>) => readonly string[];
      },
    ): Promise<TransactionSlice | null> {
      const unknown = await movements.unknown(connectionId, stated);
      const asked = { maxSharing: MAX_SHARING, maxMessages: MAX_EVENT, maxFound: MAX_FOUND, ignored };
      const looked = [...new Set([...unknown, ...stated.filter(({ slot }) => isLatestOnly(slot))])];
      const related = looked.length === 0 ? noneRelated : await movements.related(connectionId, looked, asked);
      if (related === null) return null;
      const { statements: known, shared } = related;
      const added = [...unknown, ...toldAgain(connectionId, stated, { unknown, known, places })];
      const kept = stated.length - added.length;
      if (added.length === 0) {
        count({ transactions: 0, repeated: 0, corrected: 0, kept });
        return { transactions: [], withdrawn: [] };
      }
      await movements.keep(connectionId, added);
      const rowsBefore = transactionsOf(known, new Set([...shared, ...ignored]));
      const before = new Map(rowsBefore.map((row) => [row.transaction_id, JSON.stringify(row)]));
      for (const reference of wideOf(new Set(added))) ignored.add(reference);
      await yieldToEventLoop();
      const after = toldTransactions([...known, ...added], new Set([...shared, ...ignored]));
      const same = new Set(
        after.flatMap(({ row }) => {
          const shown = before.get(row.transaction_id);
          return shown !== undefined && shown === JSON.stringify(row) ? [row.transaction_id] : [];
        }),
      );
      const transactions = after.flatMap((told) =>
        same.has(told.row.transaction_id) ? [] : [placedRow(told, places)],
      );
      const withdrawn = [...before.keys()].filter((id) => !same.has(id));
      count({ transactions: 0, repeated: 0, corrected: 0, kept });
      count(becameOf(added, after, { before, same }));
      return { transactions, withdrawn };
    },
    async storeUnmerged(stated: readonly MovementStatement[], places: Places): Promise<TransactionSlice> {
      const added = await movements.unknown(connectionId, stated);
      await movements.keep(connectionId, added);
      count({ transactions: added.length, repeated: 0, corrected: 0, kept: stated.length - added.length });
      return { transactions: toldTransactions(added).map((told) => placedRow(told, places)), withdrawn: [] };
    },
  };
}

/** Where messages of the file stand in it, by the id of the statement. */
type Places = Map<string, string>;

function placesOf(statements: readonly MovementStatement[], messages: readonly Message[]): Places {
  const places = new Map<string, string>();
  for (const [index, { statement_id }] of statements.entries()) {
    const place = messages[index]?.stated.place;
    if (place !== undefined) places.set(statement_id, place);
  }
  return places;
}

/** A transaction with the place of the latest of its messages that is in the file. */
function placedRow({ row, statements }: ReturnType<typeof toldTransactions>[number], places: Places): TransactionRow {
  const inFile = statements.find(({ statement_id }) => places.has(statement_id));
  const place = inFile && places.get(inFile.statement_id);
  return place === undefined ? row : { ...row, place };
}

const noneRelated = { statements: [], shared: new Set<string>() };

/** Known messages that the file tells last of their transaction while others have corrected them since: they correct it back, as new ones. */
function toldAgain(
  connectionId: Uuid,
  stated: readonly MovementStatement[],
  {
    unknown,
    known,
    places,
  }: {
    readonly unknown: readonly MovementStatement[];
    readonly known: readonly MovementStatement[];
    readonly places: Places;
  },
): MovementStatement[] {
  const lastOf = (some: readonly MovementStatement[]) =>
    new Map(some.flatMap((one) => (isLatestOnly(one.slot) ? [[one.row.transaction_id, one] as const] : [])));
  const isNew = new Set(unknown);
  const before = lastOf([...known, ...unknown]);
  const told = ({ statement_id: _, ...content }: MovementStatement) => JSON.stringify(content);
  return [...lastOf(stated)].flatMap(([id, last]) => {
    const other = before.get(id);
    if (isNew.has(last) || other === undefined || told(other) === told(last)) return [];
    const statement_id = stableId(connectionId, "statement", last.statement_id, other.statement_id);
    const place = places.get(last.statement_id);
    if (place !== undefined) places.set(statement_id, place);
    return [{ ...last, statement_id }];
  });
}

/**
 * What became of new messages. One of those of a new transaction is that transaction; whatever else completes, corrects or takes back one
 * counts as corrected, and one that changes nothing as kept.
 */
function becameOf(
  added: readonly MovementStatement[],
  after: ReturnType<typeof toldTransactions>,
  { before, same }: { readonly before: ReadonlyMap<string, string>; readonly same: ReadonlySet<string> },
): HistoryCounts {
  const ids = new Map<string, string>();
  for (const { row, statements } of after)
    for (const { statement_id } of statements) ids.set(statement_id, row.transaction_id);
  const counts = { transactions: 0, repeated: 0, corrected: 0, kept: 0 };
  const told = new Set<string>();
  const begun = new Set<string>();
  // From the last one on, which counts where messages correct one another.
  for (const { statement_id, ...content } of added.toReversed()) {
    const id = ids.get(statement_id);
    const text = JSON.stringify(content);
    const isNew = id !== undefined && !before.has(id) && !begun.has(id);
    if (isNew) begun.add(id);
    counts[
      isNew ? "transactions" : told.has(text) ? "repeated" : id !== undefined && same.has(id) ? "kept" : "corrected"
    ] += 1;
    told.add(text);
  }
  return counts;
}

function statementOf(
  connectionId: Uuid,
  message: Message,
  ids: RowIds,
  keys: TransactionKeys | undefined,
): MovementStatement {
  const { stated, references, cancels, copy, twin } = message;
  const { place: _, ...content } = stated;
  const { portfolio_key, holding_key, key, stage = "posted" } = content;
  const idOf = (reference: string) => referenceId(connectionId, portfolio_key, reference);
  const holding = holding_key === null ? null : ids.holding(portfolio_key, holding_key);
  const name = movementGroupKey(stated, holding);
  const isLatestOnly = key !== null && keys === "corrected";
  const slot = isLatestOnly ? latestOnly(key) : JSON.stringify(isRow(stated) ? [...name, twin] : name);
  return {
    statement_id: stableId(connectionId, "statement", transactionText(stated), String(copy)),
    references: references.map(idOf),
    cancels: cancels.map(idOf),
    key: key === null ? null : idOf(key),
    stage,
    slot,
    // A trade and its settlement may have one number.
    row: transactionRow(connectionId, content, ["movement", portfolio_key, stage, slot], ids),
  };
}

function referenceId(connectionId: Uuid, portfolioKey: string, reference: string): string {
  return stableId(connectionId, "reference", portfolioKey, reference);
}
