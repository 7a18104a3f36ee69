import type { DraftColumn } from "./draft-columns.js";
import type { draftNumbers } from "./draft-formats.js";
import type { DraftAnswer, Notes } from "./draft-notes.js";
import { type DraftTable, isOfWords } from "./draft-rules.js";
import { numberReader } from "./numbers.js";

type PriceUnit = "currency" | "percent";

/**
 * The unit of the prices of a table of holdings: units times price are the value, or a hundred times as much if the prices are in percent. It is
 * asked if rows differ, or if no row says so and a price could be a percentage.
 * @returns the value of the field `price_unit`; nothing for prices in currency
 */
export function draftPriceUnit(
  { isMovement, taken, columns, values }: DraftTable,
  at: string,
  { decimal, thousands, strip = [] }: ReturnType<typeof draftNumbers>,
  notes: Notes,
): { price_unit?: { constant: PriceUnit } } {
  const [price, units] = [taken.get("price"), taken.get("units")];
  // A price with a currency of its own, such as pence, is no percentage.
  if (isMovement || !price || !units || values.price === undefined || values.price_currency !== undefined) return {};
  const read = numberReader({ decimal: [decimal ?? "."], thousands: thousands ? [thousands] : [], strip });
  const numberIn = (column: DraftColumn | undefined, row: number) => {
    const found = read(column?.texts[row] ?? "");
    return "value" in found ? Math.abs(Number(found.value)) : 0;
  };
  const rows = price.texts.map((_, row) => {
    const quote = numberIn(price, row);
    return { row, quote, unit: unitBy(numberIn(taken.get("value"), row) / (numberIn(units, row) * quote)) };
  });
  const rowsIn = (unit: PriceUnit) => rows.filter((row) => row.unit === unit);
  const [inCurrency, inPercent] = [rowsIn("currency"), rowsIn("percent")];
  const path = `${at}values.price_unit`;
  if (inPercent.length === 0 && (inCurrency.length > 0 || (decimal !== undefined && !rows.some(isPercentage))))
    return {};
  if (inCurrency.length === 0 && inPercent.length > 0 && inPercent.every(isPercentage)) {
    notes.guess(path, "percent", "likely", "a hundredth of units times price is the value");
    return { price_unit: { constant: "percent" } };
  }
  const textsOf = ({ texts }: DraftColumn, those: typeof rows) => [
    ...new Set(those.map(({ row }) => texts[row] ?? "")),
  ];
  const telling = inPercent.length === 0 ? [] : columns.filter((column) => isOfWords(column));
  const answers: DraftAnswer[] = telling.flatMap((column) => {
    const [words, others] = [textsOf(column, inPercent), textsOf(column, inCurrency)];
    if (words.some((word) => word === "" || others.includes(word))) return [];
    const map = Object.fromEntries(words.map((word) => [word, "percent"]));
    const value = { column: column.reference, map, else: "currency" };
    return { says: "column", value: column.name, edits: [{ path, value }] };
  });
  notes.decide(path, `is ${JSON.stringify(price.name)} in currency, or in percent of the nominal value?`, {
    ...{ code: "price_unit", about: [price.name], options: ["currency", "percent"] },
    answers: [
      ...answers,
      { says: "value", value: "currency", edits: [] },
      { says: "value", value: "percent", edits: [{ path, value: { constant: "percent" } }] },
    ],
  });
  return {};
}

/** The unit by the value of a row over its units times its price; null if neither fits. Accrued interest is part of some values. */
function unitBy(ratio: number): PriceUnit | null {
  const fits = (expected: number) => Math.abs(ratio / expected - 1) < 0.05;
  return fits(1) ? "currency" : fits(0.01) ? "percent" : null;
}

/** Whether a price is within what bonds are quoted at. */
function isPercentage({ quote }: { readonly quote: number }): boolean {
  return quote >= 20 && quote <= 200;
}
