import { createHash, hash } from "node:crypto";
import {
  type HoldingData,
  memoize,
  type PortfolioData,
  type SnapshotData,
  type TransactionData,
} from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";
import { cleanName } from "../schemas/stated-text.js";
import { createKeyCounter } from "./key-counter.js";
import type { HoldingFacts, TransactionFacts } from "./rows.js";
import type { HoldingRow, PortfolioRow, Publication, TransactionRow } from "./snapshot-store.js";

/**
 * Turns what a provider or a custodian's file states into rows with stable ids and clean texts. Ids are made of what was stated as it
 * was, so that they outlive a change of the cleaning. A product that could not be read is left out and so keeps its last good rows.
 */
export function publicationOf(connectionId: Uuid, snapshot: SnapshotData, now: Date): Publication {
  return {
    connection_id: connectionId,
    as_of: snapshot.as_of,
    published_at: now,
    ...(snapshot.portfolios && {
      portfolios: snapshot.portfolios.map((portfolio) => portfolioRow(connectionId, portfolio)),
    }),
    ...(snapshot.holdings && { holdings: holdingRows(connectionId)(snapshot.holdings) }),
    ...(snapshot.transactions && transactionsOf(connectionId, snapshot.transactions)),
  };
}

function transactionsOf(connectionId: Uuid, stated: readonly TransactionData[]) {
  const transactions = transactionRows(connectionId)(stated);
  return { transactions, digest: digestOf(transactions) };
}

/** Rows of which a digest takes the text at a time. */
const DIGESTED = 1_000;

/** SHA-256, hex, of rows as this version makes them: one that makes others of the same data has another digest. */
function digestOf(rows: readonly TransactionRow[]): string {
  const digest = createHash("sha256");
  for (let start = 0; start < rows.length; start += DIGESTED)
    digest.update(JSON.stringify(rows.slice(start, start + DIGESTED)));
  return digest.digest("hex");
}

/** Makes rows of holdings as {@link transactionRows} does of transactions. */
export function holdingRows(connectionId: Uuid): (slice: readonly HoldingData[]) => HoldingRow[] {
  const { add: occurrenceOf } = createKeyCounter();
  const ids = rowIds(connectionId);
  return (slice) =>
    slice.map(({ key, portfolio_key, ...stated }) => {
      const { price, price_currency, price_unit, cost, identifiers, accrued_interest, ...row } = stated;
      const occurrence = occurrenceOf(JSON.stringify([portfolio_key, key]));
      return {
        holding_id: ids.holding(portfolio_key, occurrence === 0 ? key : `${key}#${occurrence}`),
        portfolio_id: ids.portfolio(portfolio_key),
        ...row,
        name: cleanName(row.name),
        isin: row.isin && cleanName(row.isin),
        ...factsOf<HoldingFacts>({ price, price_currency, price_unit, cost, identifiers, accrued_interest }),
      };
    });
}

/**
 * Makes rows of what is stated of transactions, of all at once or of one slice after the other: those that are alike are counted over
 * all slices, and so have the same ids however they are sliced.
 */
export function transactionRows(connectionId: Uuid): (slice: readonly TransactionData[]) => TransactionRow[] {
  const numberOf = transactionNumbers();
  const ids = rowIds(connectionId);
  return (slice) => slice.map((transaction) => transactionRow(connectionId, transaction, numberOf(transaction), ids));
}

/** The place of a transaction among those that are like it. */
export interface TransactionNumber {
  /** How many that are alike come before it. */
  readonly occurrence: number;
  /** Whether one comes before it that has another holding and is else like it: then its own is part of its id. */
  readonly isOfAnotherHolding: boolean;
}

/**
 * Numbers transactions in the order of a file, for those that are alike are told apart by nothing but that.
 * @param isByStage counts those with one key for each stage, whose ids have it in them
 */
export function transactionNumbers(isByStage = false): (transaction: TransactionData) => TransactionNumber {
  const [alike, kin, apart] = [createKeyCounter(), createKeyCounter(), createKeyCounter()];
  return (transaction) => {
    const [{ key, portfolio_key, holding_key, ...stated }] = splitFacts(transaction);
    if (key !== null) {
      const stage = isByStage ? [stated.stage ?? "posted"] : [];
      return { occurrence: alike.add(JSON.stringify([portfolio_key, key, ...stage])), isOfAnotherHolding: false };
    }
    const told = JSON.stringify([portfolio_key, stated]);
    const describedWithHolding = told + JSON.stringify(holding_key);
    const occurrence = alike.add(describedWithHolding);
    if (occurrence > 0) return { occurrence, isOfAnotherHolding: apart.of(describedWithHolding) > 0 };
    const isOfAnotherHolding = kin.add(told) > 0;
    if (isOfAnotherHolding) apart.add(describedWithHolding);
    return { occurrence, isOfAnotherHolding };
  };
}

/** @param number its place among those of its file, or of its file and stage ({@link transactionNumbers}) */
export function transactionRow(
  connectionId: Uuid,
  transaction: TransactionData,
  { occurrence, isOfAnotherHolding }: TransactionNumber,
  ids: RowIds,
): TransactionRow {
  const [{ key, portfolio_key, holding_key, ...stated }, facts] = splitFacts(transaction);
  const { references, stage: _, cancels: __, ...row } = stated;
  const own = key ?? JSON.stringify(references === undefined ? row : { ...row, references });
  const named = [portfolio_key, own, String(occurrence), ...(isOfAnotherHolding ? [holding_key ?? ""] : [])];
  return {
    transaction_id: stableId(connectionId, "transaction", ...named),
    portfolio_id: ids.portfolio(portfolio_key),
    holding_id: holding_key === null ? null : ids.holding(portfolio_key, holding_key),
    ...row,
    description: cleanName(row.description),
    ...factsOf<TransactionFacts>(facts),
  };
}

/** A transaction without a key of its own has an id of what was stated, to which facts do not belong: they may be told later on. */
function splitFacts({ kind, settlement_date, fees, taxes, gross, identifiers, ...row }: TransactionData) {
  return [row, { kind, settlement_date, fees, taxes, gross, identifiers }] as const;
}

/** Facts that are known, with clean texts; nothing where none is. */
function factsOf<Facts>(stated: { readonly [Name in keyof Facts]: Facts[Name] | undefined }): { facts?: Facts } {
  const known = Object.entries(stated).flatMap(([name, value]) => {
    const clean = cleanFact(value);
    return clean === null ? [] : [[name, clean] as const];
  });
  return known.length === 0 ? {} : { facts: Object.fromEntries(known) as Facts };
}

/** A text, or the numbers of a security; null where there is none. */
function cleanFact(value: unknown): string | object | null {
  if (typeof value === "string") return cleanName(value);
  if (typeof value !== "object" || value === null) return null;
  const numbers = Object.entries(value).flatMap(([scheme, number]) =>
    typeof number === "string" ? [[scheme, cleanName(number)] as const] : [],
  );
  return numbers.length === 0 ? null : Object.fromEntries(numbers);
}

/**
 * The accounts that a file states, each by itself, with the ids that {@link publicationOf} gives them. One of which a file tells
 * movements only is older than anything that states its holdings.
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
  { key, name, balance, currency, ref_account, type }: PortfolioData,
): PortfolioRow {
  return {
    portfolio_id: portfolioIdOf(connectionId, key),
    name: cleanName(name),
    balance,
    currency,
    ref_account: ref_account && cleanName(ref_account),
    type,
  };
}

/** Before anything that states what a portfolio holds. */
export const NEVER_STATED = new Date(0);

function portfolioIdOf(connectionId: string, key: string): string {
  return stableId(connectionId, "portfolio", key);
}

/** Ids of the portfolios and holdings that rows name. */
export type RowIds = ReturnType<typeof rowIds>;

/** Many rows name the same portfolios and holdings, whose ids are worked out once for all of them. */
export function rowIds(connectionId: string) {
  const holding = memoize((keys) => stableId(connectionId, "holding", ...(JSON.parse(keys) as string[])));
  return {
    portfolio: memoize((key) => portfolioIdOf(connectionId, key)),
    holding: (portfolioKey: string, key: string) => holding(JSON.stringify([portfolioKey, key])),
  };
}

/** A UUIDv8 (RFC 9562 §5.8) of a connection's item: the same connection, kind and key give the same id in every snapshot. */
export function stableId(connectionId: string, kind: string, ...key: readonly string[]): string {
  const digest = hash("sha256", JSON.stringify([connectionId, kind, ...key]));
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
