import { FeedRefusal } from "@org/provider-kit";
import { type AccountValues, accountValues } from "./accounts.js";
import { toUtf8 } from "./decoding.js";
import { type Item, type ReadRule, readRule } from "./items.js";
import type { FeedMapping, MappingTable } from "./mapping.js";
import type { ColumnReference, MappingCondition } from "./mapping-value.js";
import { excerptText, type ReadingContext, readCondition, readValue } from "./reading-values.js";
import { hasNames, isHeader, MAX_LINES_ABOVE } from "./recognise.js";
import { type FixedColumn, normalizeLineBreaks, readRecords } from "./records.js";
import { Header, type Row } from "./row.js";
import type { MappingWarnings } from "./warnings.js";

/** Receives the rows of a file. */
export interface Visitor {
  /** Called for each item of a row, which may have several; null = the mapping ignores the row. */
  item(item: Item | null, row: Row, values: AccountValues): void;
  /** Called when a table that states holdings begins. */
  holdingsTable(row: Row, values: AccountValues): void;
  /** Called for a fault of the file, such as a line that is cut off; throwing ends the reading. */
  fault(refusal: FeedRefusal, row: Row): void;
  /** Called for a row that states what an account holds, and cannot be read. */
  refused(refusal: FeedRefusal, row: Row, values: AccountValues): void;
  /** Called for a movement that cannot be read; throwing ends the reading. */
  leftOut(refusal: FeedRefusal): void;
}

/**
 * Goes through a file's rows in linear time.
 * @throws FeedRefusal for a fault of the file as a whole
 */
export function walkFile(
  file: Uint8Array,
  mapping: FeedMapping,
  fileName: string,
  visitor: Visitor,
  warnings: MappingWarnings,
): void {
  const utf8 = normalizeLineBreaks(toUtf8(file, mapping.encoding ?? "utf-8"));
  const { above, body, firstLine } = withoutLinesAbove(utf8, mapping);
  const unread = tableIn(above, mapping);
  if (unread !== null) warnings.add(`line ${unread}`, "begins a table above the one of the mapping; it is not read");
  const context = new Map<string, string>();
  for (const [name, { line: beginning }] of Object.entries(mapping.context ?? {}))
    if (beginning !== undefined) context.set(name, lineAfter(above, beginning, mapping));
  const around = { mapping, fileName: fileName.replace(/^.*[/\\]/, ""), context, lookups: new Map() };
  const records = (onRecord: (row: Row) => void) =>
    readRecords(body, mapping, fixedColumns(mapping), cleaned(mapping, onRecord), firstLine);
  if (mapping.sections) gather(records, around);
  const walk = new Walk(
    around,
    visitor,
    warnings,
    mapping.ragged || mapping.tables.length > 1 ? openLastLine(body, firstLine) : null,
  );
  records((row) => walk.take(row));
  walk.end();
}

type FileContext = Omit<ReadingContext, "header" | "context" | "lookups"> & {
  readonly context: Map<string, string>;
  readonly lookups: Map<string, Map<string, Map<string, string>>>;
};

/** The number of the last line if no line break follows it, because the file may be cut off within it; otherwise null. */
function openLastLine(body: Buffer, firstLine: number): number | null {
  if (body.at(-1) === 10) return null;
  let line = firstLine;
  for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) line += 1;
  return line;
}

/** The line in which a row ends: its texts may have line breaks. */
function lastLineOf({ columns, line }: Row): number {
  return line + columns.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
}

/** Separates the lines above the table from the rest. */
function withoutLinesAbove(utf8: Buffer, mapping: FeedMapping) {
  const { first = 0 } = mapping.skip ?? {};
  const above: string[] = [];
  let start = 0;
  const most = first === "header" ? MAX_LINES_ABOVE : first;
  while (above.length < most && start < utf8.length) {
    const found = utf8.indexOf(10, start);
    const end = found < 0 ? utf8.length : found;
    const line = utf8.toString("utf8", start, Math.min(end, start + 65_536));
    if (first === "header" && isHeader(line, mapping)) break;
    above.push(line);
    start = end + 1;
  }
  if (first === "header" && (start >= utf8.length || above.length === most))
    throw new FeedRefusal("file", `has no header as the mapping knows it within its first ${MAX_LINES_ABOVE} lines`);
  return { above, body: utf8.subarray(start), firstLine: above.length + 1 };
}

/** The first line of a table among the lines above the mapping's; null if there is none. Two lines with three texts each are one. */
function tableIn(above: readonly string[], { delimiter, sections }: FeedMapping): number | null {
  if (delimiter === undefined || sections) return null;
  const isRow = above.map((line) => line.split(delimiter).filter((text) => /[^\s"]/.test(text)).length >= 3);
  const at = isRow.findIndex((is, index) => is && isRow[index + 1] === true);
  return at < 0 ? null : at + 1;
}

function lineAfter(above: readonly string[], beginning: string, { delimiter = "" }: FeedMapping): string {
  const line =
    above
      .find((each) => each.trimStart().startsWith(beginning))
      ?.trim()
      .slice(beginning.length) ?? "";
  const ends = delimiter === "" ? [] : [delimiter];
  let rest = line.trim();
  for (const sign of ends) {
    while (rest.startsWith(sign)) rest = rest.slice(sign.length).trim();
    while (rest.endsWith(sign)) rest = rest.slice(0, -sign.length).trim();
  }
  return rest.replace(/^"(.*)"$/, "$1");
}

function fixedColumns({ delimiter, tables }: FeedMapping): readonly FixedColumn[] {
  if (delimiter !== undefined) return [];
  return (tables[0]?.columns ?? []).map(({ from = 1, length = 1 }) => ({ from, length }));
}

/** Empties texts that the mapping declares as `empty`. */
function cleaned({ empty = [] }: FeedMapping, onRecord: (row: Row) => void) {
  const nothing = new Set(empty);
  if (nothing.size === 0) return (columns: readonly string[], line: number) => onRecord({ columns, line });
  return (columns: readonly string[], line: number) =>
    onRecord({ columns: columns.map((text) => (nothing.has(text) ? "" : text)), line });
}

/** Gathers values stated once for the whole file and rows that others look up: both may come after the rows that need them. */
function gather(records: (onRecord: (row: Row) => void) => void, around: FileContext): void {
  const { mapping, context, lookups } = around;
  const { sections } = mapping;
  const wanted = Object.entries(mapping.context ?? {}).filter(([, { take }]) => take !== undefined);
  if (!sections || wanted.length + Object.keys(mapping.lookups ?? {}).length === 0) return;
  const headers = new Map<string, Header>();
  records((row) => {
    const section = row.columns[sections.column - 1] ?? "";
    const mark = row.columns[sections.mark - 1] ?? "";
    if (sections.header.includes(mark)) headers.set(section, new Header(row.columns, row.line));
    const header = headers.get(section);
    if (!header || !sections.data.includes(mark)) return;
    const here = { ...around, header };
    for (const [name, { section: from, when, take }] of wanted)
      if (take && from === section && !context.has(name) && (!when || readCondition(when, here)(row)))
        context.set(name, readValue(take, here).text(row));
    for (const [name, { section: from, key, values }] of Object.entries(mapping.lookups ?? {})) {
      if (from !== section) continue;
      const rows = lookups.get(name) ?? new Map<string, Map<string, string>>();
      lookups.set(name, rows);
      const texts = Object.entries(values).map(([field, value]) => [field, readValue(value, here).text(row)] as const);
      rows.set(readValue(key, here).text(row).toLowerCase(), new Map(texts));
    }
  });
}

/** A row that no rule takes refuses the file, unless the mapping says otherwise. */
class UnknownRow extends FeedRefusal {}

/** The index of the column that most rules of a table look at; null if they look at none. */
function conditionColumn({ rows }: MappingTable, header: Header): number | null {
  const columnsOf = ({ all = [], any = [], not, column, value }: MappingCondition): readonly ColumnReference[] => [
    ...[column, value?.column].filter((each) => each !== undefined),
    ...[...all, ...any, ...(not ? [not] : [])].flatMap(columnsOf),
  ];
  const counts = new Map<number, number>();
  for (const { when } of rows)
    for (const column of when ? columnsOf(when) : []) {
      const index = header.indexOf(column, true);
      if (index !== null) counts.set(index, (counts.get(index) ?? 0) + 1);
    }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/** A table whose columns are known. */
interface OpenTable {
  readonly table: MappingTable;
  readonly header: Header;
  readonly rules: readonly ReadRule[];
  readonly values: AccountValues;
  skipped: number;
}

class Walk {
  readonly #around: FileContext;
  readonly #openLine: number | null;
  readonly #visitor: Visitor;
  readonly #warnings: MappingWarnings;
  readonly #open = new Map<string, OpenTable>();
  readonly #unread = new Set<string>();
  readonly #held: Row[] = [];
  #firstTitle: Row | null = null;
  #titles = 0;
  #ignored = 0;
  #unmatched = 0;
  #firstUnmatched = 0;

  /** @param openLine line that may not lack columns, even if `ragged` allows others to; null = none */
  constructor(around: FileContext, visitor: Visitor, warnings: MappingWarnings, openLine: number | null) {
    this.#openLine = openLine;
    this.#around = around;
    this.#visitor = visitor;
    this.#warnings = warnings;
  }

  take(row: Row): void {
    const last = this.#around.mapping.skip?.last ?? 0;
    if (last === 0) {
      this.#place(row);
      return;
    }
    this.#held.push(row);
    const ready = this.#held.length > last ? this.#held.shift() : undefined;
    if (ready) this.#place(ready);
  }

  /** Adds warnings about what was left out. */
  end(): void {
    const { mapping } = this.#around;
    if (this.#open.size === 0) throw new FeedRefusal("file", "has none of the tables of the mapping");
    if (this.#unread.size > 0)
      this.#warnings.add(
        "file",
        `tables that the mapping does not name were left out: ${[...this.#unread].map((name) => excerptText(name)).join(", ")}`,
      );
    if (this.#firstTitle) {
      const { columns, line } = this.#firstTitle;
      this.#warnings.add(
        `line ${line}`,
        `${excerptText(columns.join(" ").trim())} stands between tables; lines of this kind that are left out: ${this.#titles}`,
      );
    }
    if (this.#ignored > 0)
      this.#warnings.add("file", `${this.#ignored} rows are left out, as the mapping ${mapping.name} says`);
    if (this.#unmatched > 0)
      this.#warnings.add(
        `line ${this.#firstUnmatched}`,
        `${this.#unmatched} rows that no rule takes were left out; this is the first`,
      );
  }

  #place(row: Row): void {
    const { mapping } = this.#around;
    const { sections } = mapping;
    if (!sections) {
      const begun = this.#tableAt(row);
      const open = this.#open.get("");
      if (begun) this.#begin("", begun, row);
      else if (open && this.#isTitle(open, row)) {
        this.#firstTitle ??= row;
        this.#titles += 1;
      } else if (open) this.#row(open, row);
      else throw new FeedRefusal(`line ${row.line}`, "comes before the tables of the mapping");
      return;
    }
    const section = row.columns[sections.column - 1] ?? "";
    const mark = row.columns[sections.mark - 1] ?? "";
    const table = mapping.tables.find((each) => each.section === section);
    const open = this.#open.get(section);
    if (!table) this.#unknown(section, row);
    else if (sections.header.includes(mark)) this.#begin(section, table, row);
    else if (sections.data.includes(mark) && open) this.#row(open, row);
    else if (sections.data.includes(mark)) this.#begin(section, table, row);
  }

  /** The table that a row begins, in a file without sections: of several that fit, the one with the most names. */
  #tableAt({ columns }: Row): MappingTable | undefined {
    const { tables } = this.#around.mapping;
    const [first] = tables;
    if (first && !first.recognise) return this.#open.size === 0 ? first : undefined;
    let best: MappingTable | undefined;
    for (const table of tables) {
      const { recognise = [] } = table;
      if (recognise.length <= (best?.recognise?.length ?? 0)) continue;
      if (columns.some(({ length }) => length === recognise[0]?.length) && hasNames(columns, recognise)) best = table;
    }
    return best;
  }

  /** Whether a row of a file with several tables is a line between two of them, such as `Umsätze Depot`. */
  #isTitle({ header }: OpenTable, row: Row): boolean {
    const isOpen = this.#openLine !== null && lastLineOf(row) >= this.#openLine;
    const isShort = row.columns.length < header.width && row.columns.filter((text) => text !== "").length === 1;
    return this.#around.mapping.tables.length > 1 && isShort && !isOpen;
  }

  #unknown(section: string, row: Row): void {
    const { mapping } = this.#around;
    const isRead = [...Object.values(mapping.context ?? {}), ...Object.values(mapping.lookups ?? {})].some(
      (each) => each.section === section,
    );
    if (isRead) return;
    if (mapping.sections?.unread === "refused")
      throw new FeedRefusal(
        `line ${row.line}`,
        `begins a table ${excerptText(section)} that the mapping does not name`,
      );
    if (this.#unread.size < 40) this.#unread.add(section);
  }

  #begin(section: string, table: MappingTable, row: Row): void {
    const { mapping } = this.#around;
    const hasHeader = table.header ?? mapping.delimiter !== undefined;
    const names = table.columns?.map(({ name }) => name);
    const header = new Header(hasHeader && mapping.delimiter !== undefined ? row.columns : (names ?? []), row.line);
    const around = { ...this.#around, header };
    const shared = { ...mapping.values, ...table.values };
    const rules = table.rows.map((rule) => readRule(rule, shared, around, this.#warnings));
    const values = accountValues(mapping, around);
    const open = { table, header, rules, values, skipped: hasHeader ? (mapping.skip?.after_header ?? 0) : 0 };
    this.#open.set(section, open);
    if (table.rows.some(({ is }) => is === "holding" || is === "cash"))
      this.#attempt(row, () => this.#visitor.holdingsTable({ columns: [], line: row.line }, values));
    if (!hasHeader) this.#row(open, row);
  }

  #row(open: OpenTable, row: Row): void {
    if (open.skipped > 0) {
      open.skipped -= 1;
      return;
    }
    this.#attempt(row, () => {
      this.#checkWidth(open, row);
      let isMovement = !open.table.rows.some(({ is }) => is === "holding" || is === "cash");
      try {
        const items: (Item | null)[] = [];
        for (const rule of open.rules) {
          if (!rule.holds(row)) continue;
          isMovement = rule.is === "transaction" || rule.is === "ignored";
          items.push(rule.read?.(row) ?? null);
          if (!rule.goesOn) break;
        }
        if (items.length === 0) this.#notTaken(open, row);
        for (const item of items) {
          if (item === null) this.#ignored += 1;
          this.#visitor.item(item, row, open.values);
        }
      } catch (error) {
        if (!(error instanceof FeedRefusal) || error instanceof UnknownRow) throw error;
        if (isMovement) this.#visitor.leftOut(error);
        else this.#visitor.refused(error, row, open.values);
      }
    });
  }

  #notTaken({ table, values, header }: OpenTable, row: Row): void {
    if (table.unmatched === "ignored") {
      if (this.#unmatched === 0) this.#firstUnmatched = row.line;
      this.#unmatched += 1;
      this.#visitor.item(null, row, values);
      return;
    }
    if (table.unmatched !== "left_out")
      throw new UnknownRow(
        `line ${row.line}`,
        `no rule of the mapping takes this row: ${excerptText(row.columns.join(" | "))}`,
      );
    const index = conditionColumn(table, header);
    const label = index === null ? "" : `, ${header.label(index)}`;
    const text = index === null ? row.columns.join(" | ") : (row.columns[index] ?? "");
    this.#visitor.leftOut(
      new FeedRefusal(
        `line ${row.line}${label}`,
        `${excerptText(text)} is a kind of row that the mapping does not know`,
      ),
    );
  }

  #checkWidth({ header, rules }: OpenTable, row: Row): void {
    const { columns, line } = row;
    const { width } = header;
    if (width === 0 || columns.length === width) return;
    const isOpen = this.#openLine !== null && columns.length < width && lastLineOf(row) >= this.#openLine;
    if (columns.length < width && (!this.#around.mapping.ragged || isOpen)) {
      const cut = isOpen ? "; the file ends within it" : "";
      throw new FeedRefusal(`line ${line}`, `has ${columns.length} columns, and its table has ${width}${cut}`);
    }
    const more = columns.findIndex((text, index) => index >= header.names.length && text !== "");
    // Notes below a table may have other columns.
    if (more >= 0 && rules.find(({ holds }) => holds(row))?.read !== null)
      throw new FeedRefusal(`line ${line}, column ${more + 1}`, "is beyond the columns of its table");
  }

  #attempt(row: Row, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof FeedRefusal)) throw error;
      this.#visitor.fault(error, row);
    }
  }
}
