import { createHash } from "node:crypto";
import type { FeedContent, FeedRefusal, ReadFeed } from "@org/provider-kit";
import { Accounts } from "./accounts.js";
import type { Item } from "./items.js";
import type { FeedMapping } from "./mapping.js";
import { excerptText } from "./reading-values.js";
import { findMapping } from "./recognise.js";
import { type Visitor, walkFile } from "./walk-file.js";
import { MAX_LEFT_OUT, MappingWarnings } from "./warnings.js";

/**
 * Reads a file by a mapping. A movement that cannot be read is left out, an account whose holdings cannot be read is refused, and both are said.
 * @param fileName for values that are taken from it
 * @throws FeedRefusal with line and column of a fault that concerns the whole file, or all of its accounts
 */
export function readMapped(file: Uint8Array, mapping: FeedMapping, fileName = ""): FeedContent {
  const accounts = new Accounts(mapping);
  const warnings = new MappingWarnings();
  const visitor: Visitor = {
    item: (item, row, values) => item && accounts.add(item, row, values),
    holdingsTable: (row, values) => accounts.stateEmpty(row, values),
    refused: (refusal, row, values) => accounts.refuse(refusal, row, values),
    leftOut: (refusal) => warnings.leaveOut(refusal),
    fault(refusal) {
      throw refusal;
    },
  };
  walkFile(file, mapping, fileName, visitor, warnings);
  if (accounts.isEmpty && warnings.firstLeftOut) throw warnings.firstLeftOut;
  const snapshot = accounts.snapshot();
  for (const [number, { place, reason }] of accounts.refused)
    warnings.add(place, `${reason}; the account ${excerptText(number)} is refused, the others are taken`);
  const refused_accounts = [...accounts.refused.keys()];
  return {
    ...snapshot,
    warnings: warnings.list(),
    ...warnings.leftOut(),
    ...(refused_accounts.length > 0 && { refused_accounts }),
  };
}

/**
 * Reads a file by the first mapping that recognises it; null if none does. The format is `mapping:<name>`.
 * @param mappings best first
 * @throws FeedRefusal as {@link readMapped}
 */
export function readByMapping(file: Uint8Array, mappings: readonly FeedMapping[], fileName = ""): ReadFeed | null {
  const mapping = findMapping(file, mappings);
  if (mapping === null) return null;
  const { as_of, portfolios, holdings, transactions, ...rest } = readMapped(file, mapping, fileName);
  const format_version = createHash("sha256").update(JSON.stringify(mapping)).digest("hex").slice(0, VERSION_DIGITS);
  const snapshot = { as_of, portfolios, holdings, transactions };
  return { format: `mapping:${mapping.name}`, format_version, snapshot, ...rest };
}

/** Enough to tell the mappings of one name apart. */
const VERSION_DIGITS = 12;

/** The result of reading one row. */
export interface TestedRow {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly is: Item["is"] | "ignored";
  /** The row's values as the tools will return them; empty if the row is ignored. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The result of reading a file on trial. */
export interface MappingTest {
  /** The first rows, in file order. */
  readonly rows: readonly TestedRow[];
  /** Counts of all rows. */
  readonly counts: Readonly<Record<TestedRow["is"], number>>;
  /** The first 50 faults, in file order, and the number of all. */
  readonly faults: readonly MappingTestFault[];
  readonly faults_total: number;
  /** How many of all faults only leave out their row. Any other one refuses an account, or the file. */
  readonly left_out: number;
  readonly warnings: readonly { readonly place: string; readonly message: string }[];
  readonly portfolios: readonly {
    readonly number: string | null;
    readonly name: string;
    readonly currency: string;
    readonly balance: string | null;
  }[];
}

/** A fault of a file, with the line, from 1, and the name or position of the column, where it has them. */
export interface MappingTestFault {
  readonly place: string;
  readonly reason: string;
  readonly line: number | null;
  readonly column: string | null;
}

const MAX_FAULTS = 50;

function cellOf(place: string): Pick<MappingTestFault, "line" | "column"> {
  const [, line, column] = /^line (\d+)(?:, column (.*))?$/s.exec(place) ?? [];
  return { line: line === undefined ? null : Number(line), column: column?.replace(/^"|"$/g, "") ?? null };
}

/**
 * Shows what a file would be read as, with the place of each fault.
 * @param limit maximum number of rows to show
 */
export function testMapping(file: Uint8Array, mapping: FeedMapping, { fileName = "", limit = 50 } = {}): MappingTest {
  const accounts = new Accounts(mapping);
  const rows: TestedRow[] = [];
  const counts = { holding: 0, transaction: 0, cash: 0, ignored: 0 };
  const faults: MappingTestFault[] = [];
  let total = 0;
  const fault = ({ place, reason }: FeedRefusal) => {
    total += 1;
    if (faults.length < MAX_FAULTS) faults.push({ place, reason, ...cellOf(place) });
  };
  let leftOut = 0;
  const warnings = new MappingWarnings();
  const visitor: Visitor = {
    item(item, row, values) {
      if (item) accounts.add(item, row, values);
      const is = item?.is ?? "ignored";
      counts[is] += 1;
      if (rows.length < limit) rows.push({ line: row.line, is, values: item ? valuesOf(item) : {} });
    },
    holdingsTable: (row, values) => accounts.stateEmpty(row, values),
    fault,
    refused: fault,
    leftOut(refusal) {
      leftOut += 1;
      fault(refusal);
    },
  };
  attempt(() => walkFile(file, mapping, fileName, visitor, warnings), fault);
  const snapshot = total > leftOut || accounts.isEmpty ? null : attempt(() => accounts.snapshot(), fault);
  const portfolios = (snapshot?.portfolios ?? []).map(({ ref_account, name, currency, balance }) => ({
    number: ref_account,
    name,
    currency,
    balance,
  }));
  const left_out = leftOut > MAX_LEFT_OUT || accounts.isEmpty ? 0 : leftOut;
  return { rows, counts, faults, faults_total: total, left_out, warnings: warnings.list(), portfolios };
}

function valuesOf(item: Item): Readonly<Record<string, unknown>> {
  const {
    key: _,
    portfolio_key: _account,
    place: _line,
    ...values
  } = item.is === "transaction" ? item.transaction : item.holding;
  return values;
}

function attempt<T>(work: () => T, onFault: (refusal: FeedRefusal) => void): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "FeedRefusal") throw error;
    onFault(error as FeedRefusal);
    return null;
  }
}
