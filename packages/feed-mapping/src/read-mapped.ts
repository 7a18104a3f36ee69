import type { FeedContent, FeedRefusal, ReadFeed } from "@org/provider-kit";
import { Accounts } from "./accounts.js";
import type { Item } from "./items.js";
import type { FeedMapping } from "./mapping.js";
import { findMapping } from "./recognise.js";
import { walkFile } from "./walk-file.js";

/**
 * Reads a file by a mapping, as a whole or not at all.
 * @param fileName for values that are taken from it
 * @throws FeedRefusal with line and column of the first fault
 */
export function readMapped(file: Uint8Array, mapping: FeedMapping, fileName = ""): FeedContent {
  const accounts = new Accounts(mapping);
  const warnings = walkFile(file, mapping, fileName, {
    item: (item, row, values) => item && accounts.add(item, row, values),
    holdingsTable: (row, values) => accounts.stateEmpty(row, values),
    fault(refusal) {
      throw refusal;
    },
  });
  return { ...accounts.snapshot(), warnings };
}

/**
 * Reads a file by the first mapping that recognises it; null if none does. The format is `mapping:<name>`.
 * @param mappings best first
 * @throws FeedRefusal as {@link readMapped}
 */
export function readByMapping(file: Uint8Array, mappings: readonly FeedMapping[], fileName = ""): ReadFeed | null {
  const mapping = findMapping(file, mappings);
  if (mapping === null) return null;
  const { warnings, ...snapshot } = readMapped(file, mapping, fileName);
  return { format: `mapping:${mapping.name}`, snapshot, warnings };
}

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
  /** The first 50 faults, in file order, and the number of all. A file with a fault would be refused. */
  readonly faults: readonly { readonly place: string; readonly reason: string }[];
  readonly faults_total: number;
  readonly warnings: readonly { readonly place: string; readonly message: string }[];
  readonly portfolios: readonly {
    readonly number: string | null;
    readonly name: string;
    readonly currency: string;
    readonly balance: string | null;
  }[];
}

const MAX_FAULTS = 50;

/**
 * Shows what a file would be read as, with the place of each fault.
 * @param limit maximum number of rows to show
 */
export function testMapping(file: Uint8Array, mapping: FeedMapping, { fileName = "", limit = 50 } = {}): MappingTest {
  const accounts = new Accounts(mapping);
  const rows: TestedRow[] = [];
  const counts = { holding: 0, transaction: 0, cash: 0, ignored: 0 };
  const faults: { place: string; reason: string }[] = [];
  let total = 0;
  const fault = ({ place, reason }: FeedRefusal) => {
    total += 1;
    if (faults.length < MAX_FAULTS) faults.push({ place, reason });
  };
  const collected = attempt(
    () =>
      walkFile(file, mapping, fileName, {
        item(item, row, values) {
          if (item) accounts.add(item, row, values);
          const is = item?.is ?? "ignored";
          counts[is] += 1;
          if (rows.length < limit) rows.push({ line: row.line, is, values: item ? valuesOf(item) : {} });
        },
        holdingsTable: (row, values) => accounts.stateEmpty(row, values),
        fault,
      }),
    fault,
  );
  const snapshot = total > 0 ? null : attempt(() => accounts.snapshot(), fault);
  const portfolios = (snapshot?.portfolios ?? []).map(({ ref_account, name, currency, balance }) => ({
    number: ref_account,
    name,
    currency,
    balance,
  }));
  return { rows, counts, faults, faults_total: total, warnings: collected ?? [], portfolios };
}

function valuesOf(item: Item): Readonly<Record<string, unknown>> {
  const { key: _, portfolio_key: _account, ...values } = item.is === "transaction" ? item.transaction : item.holding;
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
