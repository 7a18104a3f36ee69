import type { FeedWarnings } from "../feed-warnings.js";
import type { MarkupElement } from "../markup/element.js";
import { isNotGiven } from "../markup/not-given.js";
import { FlexRow } from "./values.js";

/**
 * The rows of a section at the finest level of detail that the query has, so that nothing counts twice.
 * @param levels the levels of detail for each row name, finest first; a row without a level has the first one
 */
export function mostDetailed(
  section: MarkupElement | null,
  levels: Readonly<Record<string, readonly string[]>>,
): FlexRow[] {
  const order = [...new Set(Object.values(levels).flat())];
  const rows: FlexRow[] = [];
  let finestOfAll = order.length;
  for (const child of section?.children ?? []) {
    const own = Object.hasOwn(levels, child.name) ? levels[child.name] : undefined;
    if (!own) continue;
    const row = new FlexRow(child);
    const level = order.indexOf(row.get("levelOfDetail")?.toUpperCase() ?? own[0] ?? "");
    if (level < 0 || level > finestOfAll) continue;
    if (level < finestOfAll) rows.length = 0;
    finestOfAll = level;
    rows.push(row);
  }
  return rows;
}

/** Reads each row as a movement. One that cannot be read is left out. */
export function readEach<T>(rows: readonly FlexRow[], warnings: FeedWarnings, read: (row: FlexRow) => T): T[] {
  return rows.flatMap((row) => warnings.movement(() => read(row)) ?? []);
}

/** The name of a row's security; null if the query leaves names out. */
export function nameOf(row: FlexRow, warnings: FeedWarnings): string | null {
  const name = row.words("description", warnings.at(row.element));
  return name === null || isNotGiven(name) ? row.given("symbol") : name;
}

export function underTitle(title: string, name: string | null): string {
  return name === null ? title : `${title}: ${name}`;
}

/** IBKR's description of a row: its type and description. */
export function wordsOf(row: FlexRow, warnings: FeedWarnings): string {
  const words = [row.get("type"), row.words("description", warnings.at(row.element))];
  return words.filter((part) => part !== null).join(": ") || "Cash movement";
}

/**
 * IBKR's id of the row; transactions and trades are numbered separately. Null if the query leaves the ids out: `actionID` is one of a
 * corporate action, whose rows share it.
 */
export function keyOf(row: FlexRow, suffix = ""): string | null {
  for (const name of ["transactionID", "tradeID", "ibExecID"]) {
    const id = row.given(name);
    if (id !== null) return `${name}:${id}${suffix}`;
  }
  return null;
}

/** IBKR's id of a row that is no trade; null if the query leaves it out. `tradeID` names the trade there, which several rows may share. */
export function keyBesideTrade(row: FlexRow): string | null {
  const id = row.get("transactionID");
  return id && `transactionID:${id}`;
}
