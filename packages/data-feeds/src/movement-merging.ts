import type { MovementStatement, TransactionFacts, TransactionRow } from "@org/core";
import { createGroups, negateDecimal, significantDecimal } from "@org/core";
import type { TransactionStage } from "@org/provider-kit";
import { groupBy } from "./group-by.js";

/**
 * Merges messages into the transactions to show. The result depends on the set of messages and not on their order: which message came
 * first only decides a movement's id, so that the id stays the same while further messages complete it.
 *
 *   1. A cancellation of something not settled removes the message that it names; a cancelled settlement is a movement of its own.
 *   2. Messages of one stage about the same movement are merged.
 *   3. From the latest stage to the earliest, messages of one event about the same security and quantity become one movement.
 *   4. A trade that settles in parts gives its parts its date and price, and is not a movement itself.
 *
 * A reference that more than {@link MAX_SHARING} messages have belongs to a mandate or a client and identifies no event. If an event has
 * more than {@link MAX_EVENT} messages, each of them becomes a movement, so that time stays proportional to the input.
 *
 * @param statements in the order in which they came
 * @param shared references that too many messages have, most of which are not among `statements`
 */
export function transactionsOf(
  statements: readonly MovementStatement[],
  shared: ReadonlySet<string> = new Set(),
): TransactionRow[] {
  return toldTransactions(statements, shared).map(({ row }) => row);
}

/** A transaction to show, and the messages that it is made of. */
interface ToldTransaction {
  readonly row: TransactionRow;
  readonly statements: readonly MovementStatement[];
}

/** {@link transactionsOf}, each with its messages. */
export function toldTransactions(
  statements: readonly MovementStatement[],
  shared: ReadonlySet<string> = new Set(),
): ToldTransaction[] {
  const arrivals = new Map(statements.map(({ statement_id }, index) => [statement_id, index]));
  return eventsOf(statements, shared).flatMap((event) => {
    const slots = slotsOf(withReversalsTurned(withoutCancelled(event)));
    const movements =
      event.length > MAX_EVENT ? slots.map((slot): Movement => ({ slots: [slot], trades: [] })) : movementsOf(slots);
    return movements.map((movement) => ({
      row: rowOf(movement, arrivals),
      statements: movement.slots.flatMap((slot) => slot.statements),
    }));
  });
}

/** Maximum number of messages that may share a reference of an event. */
export const MAX_SHARING = 200;
/** Maximum number of references kept of a message; real messages have about ten. */
export const MAX_REFERENCES = 50;
/** Maximum number of messages of one event. */
export const MAX_EVENT = 1_000;

/** References that too many messages have to identify an event. */
function sharedTooWidely(statements: readonly MovementStatement[], shared: ReadonlySet<string>): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { references, cancels } of statements)
    for (const reference of new Set([...references, ...cancels]))
      counts.set(reference, (counts.get(reference) ?? 0) + 1);
  return new Set([...shared, ...[...counts].flatMap(([reference, count]) => (count > MAX_SHARING ? [reference] : []))]);
}

/** Groups messages into events: those that share a reference, directly or through others. */
function eventsOf(
  statements: readonly MovementStatement[],
  shared: ReadonlySet<string>,
): (readonly MovementStatement[])[] {
  const ignored = sharedTooWidely(statements, shared);
  const groups = createGroups();
  for (const { references, cancels } of statements)
    groups.add([...references, ...cancels].filter((reference) => !ignored.has(reference)));
  return [...groupBy(statements, (_, index) => groups.groupOf(index)).values()];
}

/** Whether the stage is before settlement. */
function isPending(stage: TransactionStage): boolean {
  return stage === "traded" || stage === "instructed";
}

/** A cancellation says what the message says that it takes back: another one whose sender has used the key again stays. */
function withoutCancelled(event: readonly MovementStatement[]): MovementStatement[] {
  const cancelling = new Map<string, TransactionRow[]>();
  for (const { cancels, row } of event)
    for (const reference of cancels) cancelling.set(reference, [...(cancelling.get(reference) ?? []), row]);
  const isTakenBack = (reference: string, row: TransactionRow) =>
    cancelling.get(reference)?.some((by) => isSaidAgain(by, row)) ?? false;
  return event.filter(({ stage, cancels, key, references, row }) => {
    if (!isPending(stage)) return true;
    if (cancels.length > 0) return false;
    return key === null ? !references.some((reference) => isTakenBack(reference, row)) : !isTakenBack(key, row);
  });
}

/**
 * Whether two messages agree on security and units, and on the day or the cash. What one of them leaves open does not tell them apart; nor does
 * the sign, which some custodians turn.
 */
function isSaidAgain(a: TransactionRow, b: TransactionRow): boolean {
  const size = (decimal: string) => canonicalDecimal(decimal).replace("-", "");
  const agree = (one: string | null, other: string | null) =>
    one === null || other === null || size(one) === size(other);
  if (a.holding_id !== null && b.holding_id !== null && a.holding_id !== b.holding_id) return false;
  return agree(a.amount, b.amount) && (a.operation_date === b.operation_date || agree(a.balance, b.balance));
}

/**
 * A reversal moves in the opposite direction of its original. Some custodians write the original's direction in it, others the reversal's own; if
 * the original is known, comparing the two shows which was meant.
 */
function withReversalsTurned(event: readonly MovementStatement[]): readonly MovementStatement[] {
  const isReversal = ({ stage, cancels }: MovementStatement) => stage === "settled" && cancels.length > 0;
  const told = (reference: string, { holding_id, amount, balance }: TransactionRow) =>
    JSON.stringify([reference, holding_id, canonicalDecimal(amount), canonicalDecimal(balance)]);
  const cancelled = new Set(event.filter(isReversal).flatMap(({ cancels }) => cancels));
  if (cancelled.size === 0) return event;
  // Looked up in a set, not compared pair by pair: an event may connect the messages of a whole file.
  const originals = new Set(
    event.flatMap(({ stage, cancels, references, row }) =>
      stage === "settled" && cancels.length === 0
        ? references.filter((reference) => cancelled.has(reference)).map((reference) => told(reference, row))
        : [],
    ),
  );
  return event.map((statement) => {
    if (!isReversal(statement)) return statement;
    const cancelsAgain = statement.cancels.some((reference) => originals.has(told(reference, statement.row)));
    return cancelsAgain ? { ...statement, row: turned(statement.row) } : statement;
  });
}

function turned(row: TransactionRow): TransactionRow {
  const { fees, taxes, gross, ...facts } = row.facts ?? {};
  const costs = { fees, taxes, gross };
  const known = Object.entries(costs).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, negateDecimal(value)]],
  );
  return {
    ...row,
    amount: row.amount && negateDecimal(row.amount),
    balance: row.balance && negateDecimal(row.balance),
    ...(row.facts && { facts: { ...facts, ...Object.fromEntries(known) } }),
  };
}

/** The messages of one stage about one movement, the most detailed first. */
interface Slot {
  /** Index among the slots of the event. */
  readonly at: number;
  readonly stage: TransactionStage;
  readonly name: string;
  readonly statements: readonly MovementStatement[];
  readonly references: ReadonlySet<string>;
  readonly holding: string | null;
  /** Units without insignificant zeros. */
  readonly amount: string | null;
  readonly cash: string | null;
  readonly day: string;
}

function slotsOf(event: readonly MovementStatement[]): Slot[] {
  return [...groupBy(event, ({ stage, slot }) => `${stage} ${slot}`)]
    .map(([name, all]) => {
      const found = isLatestOnly(all[0]?.slot ?? "") ? all.slice(-1) : all;
      const statements = found.toSorted((a, b) => facts(b) - facts(a) || compare(a.statement_id, b.statement_id));
      const first = <T>(field: (row: TransactionRow) => T | null) =>
        firstOf(
          statements.map(({ row }) => row),
          field,
        );
      const stage = statements[0]?.stage ?? "posted";
      return {
        stage,
        name,
        statements,
        references: new Set(all.flatMap(({ references }) => references)),
        holding: first((row) => row.holding_id),
        amount: canonicalDecimal(first((row) => row.amount)),
        cash: first((row) => (row.balance === null ? null : `${row.currency} ${canonicalDecimal(row.balance)}`)),
        day: first((row) => row.facts?.settlement_date ?? row.operation_date) ?? "",
      };
    })
    .toSorted((a, b) => compare(a.day, b.day) || compare(a.name, b.name))
    .map((slot, at) => ({ ...slot, at }));
}

/** The slot of messages of which the one that came last counts: those before it are what it corrects. */
export function latestOnly(key: string): string {
  return `latest ${key}`;
}

export function isLatestOnly(slot: string): boolean {
  return slot.startsWith("latest ");
}

/** How many details a message states. */
function facts({ row }: MovementStatement): number {
  const told = [row.holding_id, row.amount, row.balance, row.unit_price].filter((value) => value !== null).length;
  return told + Object.keys(row.facts ?? {}).length;
}

/** One movement: the slots it consists of, latest stage first, and the trades of which it is a part. */
interface Movement {
  readonly slots: Slot[];
  readonly trades: Slot[];
}

/** Latest stage first. */
const stages: readonly TransactionStage[] = ["posted", "settled", "instructed", "traded"];

function movementsOf(slots: readonly Slot[]): Movement[] {
  const shared = sharedBetween(slots);
  const movements: Movement[] = [];
  for (const stage of stages) {
    const before = [...movements];
    const left: Slot[] = [];
    for (const slot of slots.filter((one) => one.stage === stage)) {
      const found = best(
        slot,
        before.filter((movement) => movement.slots.every((one) => one.stage !== stage && isSame(one, slot))),
        shared,
      );
      if (found) found.slots.push(slot);
      else left.push(slot);
    }
    for (const slot of left) {
      const parts = isPending(stage) ? before.filter((movement) => isPartOf(movement, slot, shared)) : [];
      for (const part of parts) part.trades.push(slot);
      if (parts.length === 0) movements.push({ slots: [slot], trades: [] });
    }
  }
  return movements;
}

/** The movement that shares most references with the slot; on a tie one of the same day, then the first. */
function best(slot: Slot, movements: readonly Movement[], shared: Shared): Movement | undefined {
  let found: Movement | undefined;
  let highest = -1;
  for (const movement of movements) {
    const { slots } = movement;
    const isOfDay = slots.some(({ day }) => day === slot.day);
    const rank = 2 * Math.max(...slots.map((one) => shared(one, slot))) + (isOfDay ? 1 : 0);
    if (rank > highest) [found, highest] = [movement, rank];
  }
  return found;
}

/** Whether two slots of one event may be about the same movement: they agree on what both state. */
function isSame(a: Slot, b: Slot): boolean {
  const agree = (x: string | null, y: string | null) => x === null || y === null || x === y;
  if (!agree(a.holding, b.holding)) return false;
  return a.amount === null && b.amount === null ? agree(a.cash, b.cash) : agree(a.amount, b.amount);
}

/** Whether a movement is part of a trade: they share a reference, the holding and the direction. */
function isPartOf({ slots }: Movement, trade: Slot, shared: Shared): boolean {
  if (slots.some(({ stage }) => stage === trade.stage)) return false;
  return slots.some(
    (slot) =>
      shared(slot, trade) > 0 &&
      slot.holding === trade.holding &&
      slot.amount !== null &&
      trade.amount !== null &&
      slot.amount.startsWith("-") === trade.amount.startsWith("-"),
  );
}

/** The number of references that two slots of an event share. */
type Shared = (a: Slot, b: Slot) => number;

/** Counts by reference. Comparing slots pair by pair would be quadratic, with as many references in each as its sender likes. */
function sharedBetween(slots: readonly Slot[]): Shared {
  const first = new Map<string, Slot>();
  const having = new Map<string, Slot[]>();
  for (const slot of slots)
    for (const reference of slot.references) {
      const other = first.get(reference);
      const others = having.get(reference);
      if (others) others.push(slot);
      else if (other) having.set(reference, [other, slot]);
      else first.set(reference, slot);
    }
  const counts = new Uint32Array(slots.length * slots.length);
  const place = (a: Slot, b: Slot) => a.at * slots.length + b.at;
  for (const named of having.values())
    if (named.length <= MAX_SHARING)
      for (const a of named) for (const b of named) counts[place(a, b)] = (counts[place(a, b)] ?? 0) + 1;
  return (a, b) => counts[place(a, b)] ?? 0;
}

/** Kinds that state only a direction. */
const vague: ReadonlySet<string> = new Set(["deposit", "withdrawal", "transfer_in", "transfer_out", "other"]);

function rowOf({ slots, trades }: Movement, arrivals: ReadonlyMap<string, number>): TransactionRow {
  const statements = slots.flatMap((slot) => slot.statements);
  const rows = statements.map(({ row }) => row);
  const told = [...rows, ...trades.flatMap((slot) => slot.statements.map(({ row }) => row))];
  const arrival = ({ statement_id }: MovementStatement) => arrivals.get(statement_id) ?? 0;
  const first = statements.reduce((a, b) => (arrival(b) < arrival(a) ? b : a));
  const [latest = first.row] = rows;
  // A booking often has only its settlement date, and only a direction as its kind: an earlier message says more.
  const traded = told.find((row) => row.facts?.settlement_date !== row.operation_date) ?? latest;
  const named = told.find(({ facts: known }) => known?.kind !== undefined && !vague.has(known.kind)) ?? latest;
  const paid = rows.find(({ balance }) => balance !== null);
  const currency = (paid ?? rows.find((row) => row.currency !== "XXX") ?? latest).currency;
  const inCurrency = rows.filter((row) => row.currency === currency);
  const known: TransactionFacts = {
    kind: named.facts?.kind,
    settlement_date: firstOf(rows, (row) => row.facts?.settlement_date),
    fees: firstOf(inCurrency, (row) => row.facts?.fees),
    taxes: firstOf(inCurrency, (row) => row.facts?.taxes),
    gross: firstOf(inCurrency, (row) => row.facts?.gross),
    identifiers: identifiersOf(told),
  } as TransactionFacts;
  const stated = Object.fromEntries(
    Object.entries(known).filter(([, value]) => value !== undefined && value !== null),
  ) as TransactionFacts;
  return {
    transaction_id: first.row.transaction_id,
    portfolio_id: latest.portfolio_id,
    holding_id: firstOf(rows, (row) => row.holding_id),
    operation_date: traded.operation_date,
    description: named.description,
    amount: firstOf(rows, (row) => row.amount),
    balance: paid?.balance ?? null,
    currency,
    unit_price: firstOf(told, (row) => row.unit_price),
    ...(Object.keys(stated).length > 0 && { facts: stated }),
  };
}

function identifiersOf(rows: readonly TransactionRow[]): TransactionFacts["identifiers"] {
  const found: Record<string, string | undefined> = {};
  for (const row of rows)
    for (const [scheme, number] of Object.entries(row.facts?.identifiers ?? {})) found[scheme] ??= number;
  const inOrder = Object.entries(found).toSorted(([a], [b]) => compare(a, b));
  return inOrder.length === 0 ? undefined : Object.fromEntries(inOrder);
}

function firstOf<T>(rows: readonly TransactionRow[], field: (row: TransactionRow) => T | null | undefined): T | null {
  for (const row of rows) {
    const value = field(row);
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

/** Normalises with `significantDecimal`: `2.50` and `2.5` are the same. */
export function canonicalDecimal<Text extends string | null>(decimal: Text): Text {
  return (decimal === null ? null : significantDecimal(decimal)) as Text;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
