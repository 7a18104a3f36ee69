import {
  type FetchedSnapshot,
  type HoldingData,
  type Placed,
  type PortfolioData,
  type SnapshotData,
  type Steps,
  significantDecimal,
  type TransactionCorrection,
  type TransactionData,
  type TransactionKeys,
} from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";
import { cleanName } from "../schemas/stated-text.js";
import { digestSteps, isStatedAgain } from "./digests.js";
import { createKeyCounter } from "./key-counter.js";
import { portfolioIdOf, type RowIds, rowIds, stableId } from "./row-ids.js";
import type { KnownHoldingFacts, TransactionFacts } from "./rows.js";
import {
  type Digests,
  type HoldingRow,
  type LatestSnapshots,
  type PortfolioRow,
  type Product,
  type Publication,
  products,
  type TransactionRow,
} from "./snapshot-store.js";

/** A publication whose corrections still have to find what they correct: `publishData` does. */
export interface PreparedPublication extends Publication {
  readonly transactions?: readonly TransactionRow[];
  readonly corrections?: readonly TransactionCorrection[];
}

/**
 * Turns the data of a provider into rows with stable ids and clean texts, one row in a step. Ids are computed from the texts before cleaning,
 * so that they survive a change of the cleaning rules. A product that could not be read is left out and so keeps its last good rows.
 */
export function* publicationSteps(
  connectionId: Uuid,
  snapshot: FetchedSnapshot,
  now: Date,
  digests?: Digests,
): Steps<PreparedPublication> {
  const { portfolios, holdings, transactions, complete_from } = snapshot;
  const { corrections = [], ...history } = transactions
    ? yield* historySteps(connectionId, snapshot, transactions)
    : {};
  return {
    connection_id: connectionId,
    as_of: snapshot.as_of,
    published_at: now,
    ...(portfolios && { portfolios: yield* rowSteps(portfolios, (row) => portfolioRow(connectionId, row)) }),
    ...(holdings && { holdings: yield* rowSteps(holdings, holdingRow(connectionId)) }),
    ...history,
    ...(corrections.length > 0 && { corrections }),
    ...(transactions && complete_from !== undefined && { complete_from }),
    digests: digests ?? (yield* digestSteps(snapshot)),
  };
}

function* rowSteps<Data, Row>(stated: readonly Data[], rowOf: (one: Data) => Row): Steps<Row[]> {
  const rows: Row[] = [];
  for (const one of stated) {
    yield;
    rows.push(rowOf(one));
  }
  return rows;
}

/** Rows of the transactions that stand as they are, the last of each key, apart from those that a snapshot corrects or withdraws. */
function* historySteps(
  connectionId: Uuid,
  { corrected = [], withdrawn = [] }: FetchedSnapshot,
  stated: readonly TransactionData[],
): Steps<Required<Pick<PreparedPublication, "transactions" | "corrections">>> {
  /** What corrections name, by portfolio and key, with what is stated under the key. */
  const named = new Map<string, Map<string | null, TransactionData | null>>();
  const name = (portfolioKey: string, key: string) => {
    const keys = named.get(portfolioKey);
    if (keys) keys.set(key, null);
    else named.set(portfolioKey, new Map([[key, null]]));
  };
  for (const { portfolio_key, key } of withdrawn) {
    yield;
    name(portfolio_key, key);
  }
  for (const { portfolio_key, key, by } of corrected) {
    yield;
    name(portfolio_key, key);
    name(portfolio_key, by);
  }
  const ids = rowIds(connectionId);
  const unkeyed = unkeyedRow(connectionId, ids);
  const rows = new Map<string, TransactionRow>();
  for (const one of stated) {
    yield;
    const { portfolio_key, key } = one;
    const keys = named.get(portfolio_key);
    if (keys?.has(key)) keys.set(key, one);
    else {
      const row = key === null ? unkeyed(one) : transactionRow(connectionId, one, [portfolio_key, key, "0"], ids);
      rows.set(row.transaction_id, row);
    }
  }
  const corrections: TransactionCorrection[] = [];
  for (const { portfolio_key, key, by } of corrected) {
    yield;
    corrections.push({ portfolio_key, key, by: named.get(portfolio_key)?.get(by) ?? null });
  }
  for (const { portfolio_key, key } of withdrawn) {
    yield;
    corrections.push({ portfolio_key, key, by: null });
  }
  return { transactions: [...rows.values()], corrections };
}

/** The products that a snapshot states as the latest one did, and the publication of the others; null if there are none. */
export interface SnapshotDifference {
  readonly same: Digests;
  readonly publication: PreparedPublication | null;
}

/** Compares a snapshot with the latest ones; no rows are made of a product that is stated as before. */
export function* differenceSteps(
  connectionId: Uuid,
  snapshot: FetchedSnapshot,
  now: Date,
  latest: LatestSnapshots,
): Steps<SnapshotDifference> {
  const digests = yield* digestSteps(snapshot);
  const isSame = (product: Product) => isStatedAgain(digests[product], latest[product]?.digest);
  const others = {
    ...snapshot,
    portfolios: isSame("portfolio") ? null : snapshot.portfolios,
    holdings: isSame("investment") ? null : snapshot.holdings,
    transactions: isSame("transaction") ? null : snapshot.transactions,
  };
  const same = Object.fromEntries(products.filter(isSame).map((product) => [product, latest[product]?.digest]));
  const hasOthers = others.portfolios !== null || others.holdings !== null || others.transactions !== null;
  return { same, publication: hasOthers ? yield* publicationSteps(connectionId, others, now, digests) : null };
}

/** Returns a function that turns holdings into rows, one after the other: identical ones are counted. */
export function holdingRow(connectionId: Uuid): (holding: HoldingData) => HoldingRow {
  const { add: occurrenceOf } = createKeyCounter();
  const ids = rowIds(connectionId);
  return ({ key, portfolio_key, place, ...stated }) => {
    const { price, price_currency, price_unit, cost, identifiers, accrued_interest, ...row } = stated;
    const occurrence = occurrenceOf(JSON.stringify([portfolio_key, key]));
    return {
      holding_id: ids.holding(portfolio_key, occurrence === 0 ? key : `${key}#${occurrence}`),
      portfolio_id: ids.portfolio(portfolio_key),
      ...row,
      name: cleanName(row.name),
      isin: row.isin && cleanName(row.isin),
      ...placed(place),
      ...factsOf<KnownHoldingFacts>({ price, price_currency, price_unit, cost, identifiers, accrued_interest }),
    };
  };
}

/** Rows of some transactions, and how many transactions repeated an earlier one with the same key. */
export interface NumberedRows {
  readonly rows: readonly TransactionRow[];
  readonly repeated: number;
}

/**
 * Returns a function that turns transactions into rows, all at once or slice by slice. Identical transactions are counted over all slices,
 * so their ids do not depend on the slicing. The id of a transaction with a key is computed from the key. If the same key comes with other
 * facts, `keys` says what that means:
 * - `corrected`: a correction; within one slice the last row counts.
 * - absent or `unique`: another transaction, for which the row has `another_id`.
 * @param keys `unique`: a transaction with the key and facts of an earlier one is a repetition and gets no row; `corrected`: only
 * one that is equal to the last one with its key is. Absent: every transaction gets a row
 */
export function transactionRows(
  connectionId: Uuid,
  keys?: TransactionKeys,
): (slice: readonly TransactionData[]) => NumberedRows {
  const twins = createKeyCounter();
  const ids = rowIds(connectionId);
  const unkeyed = unkeyedRow(connectionId, ids);
  const versions = createKeyCounter();
  /** Null for what the last one with this key says too; what an earlier one said corrects the last one back. */
  const corrected = (transaction: TransactionData, key: string): TransactionRow | null => {
    const { portfolio_key } = transaction;
    const name = JSON.stringify([portfolio_key, key]);
    const told = transactionText(transaction);
    const before = versions.add(name);
    const isRepeated = before > 0 && twins.of(`${before} ${told}`) > 0;
    twins.add(`${before + 1} ${told}`);
    if (isRepeated) return null;
    return transactionRow(connectionId, transaction, [portfolio_key, key, "0"], ids);
  };
  const keyed = (transaction: TransactionData, key: string): TransactionRow | null => {
    if (keys === "corrected") return corrected(transaction, key);
    const { portfolio_key } = transaction;
    const facts = distinguishingFacts(transaction);
    const twin = twins.add(JSON.stringify([portfolio_key, key, ...facts]));
    if (twin > 0 && keys !== undefined) return null;
    const row = transactionRow(connectionId, transaction, [portfolio_key, key, String(twin)], ids);
    return { ...row, another_id: stableId(connectionId, "transaction", portfolio_key, key, ...facts, String(twin)) };
  };
  return (slice) => {
    const rows = new Map<string, TransactionRow>();
    let repeated = 0;
    for (const transaction of slice) {
      const { key } = transaction;
      const row = key === null ? unkeyed(transaction) : keyed(transaction, key);
      if (row === null) repeated += 1;
      else rows.set(row.another_id ?? row.transaction_id, row);
    }
    return { rows: [...rows.values()], repeated };
  };
}

/** Returns a function that turns transactions without keys into rows, one after the other: identical ones are numbered. */
function unkeyedRow(connectionId: Uuid, ids: RowIds): (transaction: TransactionData) => TransactionRow {
  const numberOf = transactionNumbers();
  return (transaction) => {
    const { portfolio_key, holding_key } = transaction;
    const told = JSON.stringify(contentOf(transaction));
    const { occurrence, isOfAnotherHolding } = numberOf(JSON.stringify([portfolio_key, told]), holding_key);
    const named = [portfolio_key, told, String(occurrence), ...(isOfAnotherHolding ? [holding_key ?? ""] : [])];
    return transactionRow(connectionId, transaction, named, ids);
  };
}

/** The facts that distinguish the movements of an account: day, units, cash with its currency, and security. */
export function distinguishingFacts({
  operation_date,
  amount,
  balance,
  currency,
  holding_key,
}: TransactionData): readonly string[] {
  const number = (decimal: string | null) => (decimal === null ? "" : significantDecimal(decimal));
  return [operation_date, number(amount), number(balance), currency, holding_key ?? ""];
}

/**
 * Gives rows their `another_id` if a different transaction has their id, or if they are stored under it: what had their id then may have been
 * taken back since.
 * @param known stored rows with the ids of `rows`, both of each, by id
 */
export function withoutReusedIds(
  rows: readonly TransactionRow[],
  known: ReadonlyMap<string, MovementFacts>,
): TransactionRow[] {
  const taken = new Map<string, MovementFacts>(known);
  return rows.map(({ another_id, ...row }) => {
    const other = another_id === undefined ? undefined : taken.get(row.transaction_id);
    const isAnother = other ? !isSameMovement(other, row) : another_id !== undefined && taken.has(another_id);
    if (isAnother && another_id !== undefined) return { ...row, transaction_id: another_id };
    taken.set(row.transaction_id, row);
    return row;
  });
}

/** The columns that distinguish one movement from another. */
export type MovementFacts = Pick<TransactionRow, "operation_date" | "amount" | "balance" | "currency" | "holding_id">;

function isSameMovement(one: MovementFacts, other: MovementFacts): boolean {
  const number = (decimal: string | null) => decimal && significantDecimal(decimal);
  return (
    one.operation_date === other.operation_date &&
    number(one.amount) === number(other.amount) &&
    number(one.balance) === number(other.balance) &&
    one.currency === other.currency &&
    one.holding_id === other.holding_id
  );
}

/** The number of a transaction without a key among identical ones. */
interface TransactionNumber {
  /** How many identical transactions come before it. */
  readonly occurrence: number;
  /** Whether a transaction that differs only in its holding came first; the holding is then part of the id. */
  readonly isOfAnotherHolding: boolean;
}

/** Numbers transactions without keys in file order, because nothing else distinguishes identical ones. */
function transactionNumbers(): (told: string, holdingKey: string | null) => TransactionNumber {
  const [alike, kin, apart] = [createKeyCounter(), createKeyCounter(), createKeyCounter()];
  return (told, holdingKey) => {
    const textWithHolding = told + JSON.stringify(holdingKey);
    const occurrence = alike.add(textWithHolding);
    if (occurrence > 0) return { occurrence, isOfAnotherHolding: apart.of(textWithHolding) > 0 };
    const isOfAnotherHolding = kin.add(told) > 0;
    if (isOfAnotherHolding) apart.add(textWithHolding);
    return { occurrence, isOfAnotherHolding };
  };
}

/** @param named the parts that the id is computed from */
export function transactionRow(
  connectionId: Uuid,
  transaction: TransactionData,
  named: readonly string[],
  ids: RowIds,
): TransactionRow {
  const { portfolio_key, holding_key, kind, settlement_date, fees, taxes, gross, identifiers } = transaction;
  const row = contentOf(transaction);
  return {
    transaction_id: stableId(connectionId, "transaction", ...named),
    portfolio_id: ids.portfolio(portfolio_key),
    holding_id: holding_key === null ? null : ids.holding(portfolio_key, holding_key),
    ...row,
    description: cleanName(row.description),
    ...placed(transaction.place),
    ...factsOf<TransactionFacts>({ kind, settlement_date, fees, taxes, gross, identifiers }),
  };
}

/** What a source states of a transaction, as text: equal for the same statement, wherever in a file it stands. */
export function transactionText(transaction: TransactionData): string {
  return JSON.stringify(transaction.place === undefined ? transaction : { ...transaction, place: undefined });
}

function placed(place: string | undefined): Placed {
  return place === undefined ? {} : { place: cleanName(place) };
}

/** The fields that the id of a transaction without a key is computed from. Facts are not among them, because a source may add them later. */
function contentOf(transaction: TransactionData) {
  const { operation_date, description, amount, balance, currency, unit_price } = transaction;
  return { operation_date, description, amount, balance, currency, unit_price };
}

/** The known facts with clean texts; an empty object if there are none. */
function factsOf<Facts>(stated: { readonly [Name in keyof Facts]: Facts[Name] | undefined }): { facts?: Facts } {
  const facts: Record<string, unknown> = {};
  let isKnown = false;
  for (const name in stated) {
    const clean = cleanFact(stated[name]);
    if (clean === null) continue;
    facts[name] = clean;
    isKnown = true;
  }
  return isKnown ? { facts: facts as Facts } : {};
}

/** Cleans a text or the identifiers of a security; null if there is nothing to keep. */
function cleanFact(value: unknown): string | object | null {
  if (typeof value === "string") return cleanName(value);
  if (typeof value !== "object" || value === null) return null;
  const numbers = Object.entries(value).flatMap(([scheme, number]) =>
    typeof number === "string" ? [[scheme, cleanName(number)] as const] : [],
  );
  return numbers.length === 0 ? null : Object.fromEntries(numbers);
}

/**
 * The accounts that a file states, with the ids that {@link publicationSteps} gives their portfolios. An account of which the file has only
 * movements gets {@link NEVER_STATED}, which is older than any statement of its holdings.
 */
export function statedAccounts(connectionId: string, snapshot: SnapshotData) {
  return (snapshot.portfolios ?? []).map((portfolio) => {
    const { key, cash_account, as_of = snapshot.as_of, holdings_unknown } = portfolio;
    const row = portfolioRow(connectionId, portfolio);
    return {
      ...row,
      number: row.ref_account ?? cleanName(key),
      is_cash: cash_account ?? row.type === "L",
      as_of: holdings_unknown ? NEVER_STATED : as_of,
    };
  });
}

function portfolioRow(
  connectionId: string,
  { key, name, balance, currency, ref_account, type, place }: PortfolioData,
): PortfolioRow {
  return {
    portfolio_id: portfolioIdOf(connectionId, key),
    name: cleanName(name),
    balance,
    currency,
    ref_account: ref_account && cleanName(ref_account),
    type,
    ...placed(place),
  };
}

/** The date of a portfolio whose holdings were never stated: earlier than any statement. */
export const NEVER_STATED = new Date(0);
