import { divideDecimals, normaliseDecimal } from "@org/provider-kit/decimal";

/** The content of a cell. */
export type Cell = string | number | boolean | null | undefined | readonly string[];

const GAP = "  ";

/** Rows under a heading, without lines or colours, so that other programs can split them too. A catalogue has 40,000 rows. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return aligned([head.map((word) => word.toUpperCase()), ...rows.map((row) => row.map(textOf))]);
}

/** One object: a field and its value on each line. */
export function details(fields: Readonly<Record<string, Cell>>): string {
  return aligned(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));
}

/** A fraction with six decimals in percent, exactly: "0.020100" is "2.0100%". */
export function percent(fraction: string | null | undefined): Cell {
  const decimal = fraction && normaliseDecimal(fraction);
  return decimal ? `${divideDecimals(decimal, "0.01", 4)}%` : fraction;
}

/** The line below a page of a list. */
export function pageLine({ page, pages, total }: { page: number; pages: number; total: number }, what: string): string {
  return total === 0 ? `no ${what}` : `page ${page} of ${pages}, ${counted(total, what)}`;
}

/** A number with its noun. @param what the noun's plural, which ends in "s" */
export function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what.replace(/ies$/, "ys").slice(0, -1) : what}`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(text));
  const padded = (text: string, column: number) => text + " ".repeat((widths[column] ?? 0) - widthOf(text));
  return rows.map((row) => row.map(padded).join(GAP).trimEnd()).join("\n");
}

/** Columns that a text takes on a terminal: two for wide characters of East Asian scripts (UAX #11), none for combining ones. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  const wide = text.match(
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/gu,
  );
  return [...text.replace(/\p{M}/gu, "")].length + (wide?.length ?? 0);
}

/** Values come from outside, so control characters are removed. */
function textOf(value: Cell): string {
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return text === "" ? "-" : printable(text);
}

/** Text without control characters, which a terminal obeys, and without bidirectional ones. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, " ");
}
