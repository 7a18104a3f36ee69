/** A value of a row; the members of a list are joined. */
export type CsvCell = string | number | boolean | null | undefined | readonly string[];

/**
 * Formats rows as CSV (RFC 4180), each with its line ending. A text that a spreadsheet would take for a formula gets an apostrophe in
 * front, because labels and contacts are untrusted. So does a formula after a `;` within a text, where spreadsheets of many countries begin
 * a cell.
 */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(fieldOf).join(",")}\r\n`).join("");
}

function fieldOf(value: CsvCell): string {
  const text = Array.isArray(value) ? value.join("; ") : String(value ?? "");
  const safe = typeof value === "number" ? text : text.replace(FORMULA, "'$&").replaceAll(CELL_WITHIN, "$&'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The start of a formula within a text, for programs that separate cells by `;`. */
const CELL_WITHIN = /;[\s"]*(?=[=+\-@\uff0b\uff0d\uff1d\uff20])/gu;
/** The start of a formula; some programs also accept full-width characters, or spaces before it. A signed decimal is not a formula. */
const FORMULA = /^(?![+-]?\d+(?:\.\d+)?$)\s*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/u;
