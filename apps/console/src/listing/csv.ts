import { csvLines } from "@org/core/csv";

/** A column: its heading and its cell for a row. */
export interface CsvColumn<R> {
  readonly header: string;
  readonly text: (row: R) => string | number | boolean | null | undefined;
}

/** Rows as CSV (RFC 4180) with a header. Digits are unchanged; text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export function csvOf<R>(columns: readonly CsvColumn<R>[], rows: readonly R[]): string {
  return csvLines([columns.map(({ header }) => header), ...rows.map((row) => columns.map(({ text }) => text(row)))]);
}
