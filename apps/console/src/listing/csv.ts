/** A column of a file: its heading, and what of a row stands in it. */
export interface CsvColumn<R> {
  readonly header: string;
  readonly text: (row: R) => string | number | boolean | null | undefined;
}

/** Spreadsheets take these for the beginning of a formula; a number may begin with a sign. */
const FORMULA = /^[=@\t\r]|^[+-](?!\d+(\.\d+)?$)/;

/** Rows as CSV (RFC 4180) with a heading. Digits stay as they are; text that a spreadsheet would run as a formula gets an apostrophe. */
export function csvOf<R>(columns: readonly CsvColumn<R>[], rows: readonly R[]): string {
  const lines = [columns.map(({ header }) => header), ...rows.map((row) => columns.map(({ text }) => text(row)))];
  return lines.map((line) => `${line.map(cellOf).join(",")}\r\n`).join("");
}

function cellOf(value: string | number | boolean | null | undefined): string {
  const text = String(value ?? "");
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
