/** A value of a row; the members of a list are joined. */
export type CsvCell = string | number | boolean | null | undefined | readonly string[];

/**
 * Rows as CSV (RFC 4180), each of them ended. What a spreadsheet would take for a formula gets an apostrophe in front, for labels and
 * contacts are texts of strangers; so does what stands behind a `;` within a text, where many countries' spreadsheets begin a cell.
 */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(fieldOf).join(",")}\r\n`).join("");
}

function fieldOf(value: CsvCell): string {
  const text = Array.isArray(value) ? value.join("; ") : String(value ?? "");
  const safe = typeof value === "number" ? text : text.replace(FORMULA, "'$&").replaceAll(CELL_WITHIN, "$&'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Where a cell begins that would be a formula, to a program that takes `;` for what separates them. */
const CELL_WITHIN = /;[\s"]*(?=[=+\-@\uff0b\uff0d\uff1d\uff20])/gu;
/** How a formula begins, for some programs in wide characters or behind spaces too. A decimal may have its sign. */
const FORMULA = /^(?![+-]?\d+(?:\.\d+)?$)\s*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/u;
