import { FeedRefusal } from "@org/provider-kit";
import type { FeedMapping } from "./mapping.js";

/** The longest line in characters, quoted ends of lines included; of a file in fixed columns in bytes. */
const MAX_LINE = 256 * 1024;
/** Lines are told apart in blocks of so many bytes: a text for each line would take longer. Above the longest line. */
const BLOCK_BYTES = 1024 * 1024;
/** The most columns of a line. */
const MAX_COLUMNS = 1_000;

/** A line of a table: its columns, trimmed, and the line of the file that it begins in, from 1. */
export type OnRecord = (columns: readonly string[], line: number) => void;

/** Columns of a file in fixed columns. */
export interface FixedColumn {
  readonly from: number;
  readonly length: number;
}

/** The bytes with `\n` at the end of each line, whatever ends were mixed. */
export function withPlainEnds(utf8: Buffer): Buffer {
  let at = utf8.indexOf(13);
  if (at < 0) return utf8;
  const plain = Buffer.allocUnsafe(utf8.length);
  let [written, from] = [0, 0];
  while (at >= 0) {
    written += utf8.copy(plain, written, from, at);
    plain[written] = 10;
    written += 1;
    from = utf8[at + 1] === 10 ? at + 2 : at + 1;
    at = utf8.indexOf(13, from);
  }
  return plain.subarray(0, written + utf8.copy(plain, written, from));
}

/**
 * Hands on a file's lines one after the other, in linear time; lines in which nothing stands are left out.
 * @param utf8 without a mark, as {@link withPlainEnds} has it
 * @param fixed where there is no delimiter
 * @throws FeedRefusal for an unclosed quote, and for lines that are longer or wider than any bank's
 */
export function readRecords(
  utf8: Buffer,
  mapping: Pick<FeedMapping, "delimiter" | "quote" | "loose_quotes">,
  fixed: readonly FixedColumn[],
  onRecord: OnRecord,
  firstLine = 1,
): void {
  if (mapping.delimiter === undefined) readFixed(utf8, fixed, onRecord, firstLine);
  else readDelimited(utf8, mapping.delimiter, mapping, onRecord, firstLine);
}

function readDelimited(
  utf8: Buffer,
  delimiter: string,
  { quote = '"', loose_quotes }: Pick<FeedMapping, "quote" | "loose_quotes">,
  onRecord: OnRecord,
  firstLine: number,
): void {
  const format = { delimiter, quote, isLoose: loose_quotes === true };
  let line = firstLine;
  /** The beginning of a record that goes on in the next block. */
  let rest = "";
  for (let start = 0; start < utf8.length; ) {
    const end = endOfLine(utf8, Math.min(start + BLOCK_BYTES, utf8.length) - 1);
    const text = rest + utf8.toString("utf8", start, end);
    start = end;
    let at = 0;
    while (at < text.length) {
      const record = recordAt(text, at, format, line);
      if ((record?.end ?? text.length) - at > MAX_LINE)
        throw new FeedRefusal(`line ${line}`, `is longer than ${MAX_LINE / 1024} KiB; a quote may be open`);
      if (record === null) break;
      if (record.columns.length > MAX_COLUMNS)
        throw new FeedRefusal(`line ${line}`, `has more than ${MAX_COLUMNS} columns`);
      hand(record.columns, line, onRecord);
      line += record.lines;
      at = record.end;
    }
    rest = text.slice(at);
  }
  if (rest !== "") throw new FeedRefusal(`line ${line}`, "has a quote that nothing closes");
}

/** Behind the end of the line that a byte is in. */
function endOfLine(utf8: Buffer, offset: number): number {
  const found = utf8.indexOf(10, offset);
  return found < 0 ? utf8.length : found + 1;
}

/** How columns are told apart. Without quotes `quote` is empty. */
interface Delimited {
  readonly delimiter: string;
  readonly quote: string;
  readonly isLoose: boolean;
}

interface CutRecord {
  readonly columns: string[];
  /** Where the next one begins. */
  readonly end: number;
  /** Lines that it takes. */
  readonly lines: number;
}

/** The record that begins at an offset; null where a quote is still open at the end of the text. */
function recordAt(text: string, at: number, format: Delimited, line: number): CutRecord | null {
  const found = text.indexOf("\n", at);
  const first = text.slice(at, found < 0 ? text.length : found);
  if (format.quote === "" || !first.includes(format.quote))
    return { columns: first.split(format.delimiter), end: at + first.length + 1, lines: 1 };
  return quotedRecordAt(text, at, format, line);
}

function quotedRecordAt(text: string, start: number, format: Delimited, line: number): CutRecord | null {
  const columns: string[] = [];
  let at = start;
  let lines = 1;
  for (;;) {
    const column = text.startsWith(format.quote, at)
      ? quotedAt(text, at, format, line)
      : plainAt(text, at, format, line);
    if (column === null) return null;
    columns.push(column.text);
    lines += column.text.split("\n").length - 1;
    at = column.end;
    if (at >= text.length || text[at] === "\n") return { columns, end: at + 1, lines };
    at += format.delimiter.length;
  }
}

interface CutColumn {
  readonly text: string;
  /** Where the delimiter or the end of the line is that follows it. */
  readonly end: number;
}

function plainAt(text: string, at: number, format: Delimited, line: number): CutColumn {
  const end = endOfColumn(text, at, format);
  const column = text.slice(at, end);
  if (!format.isLoose && column.includes(format.quote)) throw quoteWithinText(line);
  return { text: column, end };
}

/** A quote in quotes is written twice. Null where nothing closes the first one. */
function quotedAt(text: string, at: number, format: Delimited, line: number): CutColumn | null {
  const { delimiter, quote, isLoose } = format;
  let column = "";
  for (let from = at + 1; ; ) {
    const close = text.indexOf(quote, from);
    if (close < 0) return null;
    column += text.slice(from, close);
    const behind = close + 1;
    if (behind >= text.length || text[behind] === "\n" || text.startsWith(delimiter, behind))
      return { text: column, end: behind };
    if (text[behind] !== quote) {
      if (!isLoose) throw quoteWithinText(line);
      // The quotes are those of a word: they belong to the text.
      const end = endOfColumn(text, behind, format);
      return { text: quote + column + text.slice(close, end), end };
    }
    column += quote;
    from = close + 2;
  }
}

function endOfColumn(text: string, from: number, { delimiter }: Delimited): number {
  let at = from;
  while (at < text.length && text[at] !== "\n" && !text.startsWith(delimiter, at)) at += 1;
  return at;
}

function quoteWithinText(line: number): FeedRefusal {
  return new FeedRefusal(`line ${line}`, "has a quote within a text; loose_quotes of the mapping allows it");
}

function readFixed(utf8: Buffer, columns: readonly FixedColumn[], onRecord: OnRecord, firstLine: number): void {
  let line = firstLine;
  for (let start = 0; start < utf8.length; line += 1) {
    const found = utf8.indexOf(10, start);
    const end = found < 0 ? utf8.length : found;
    if (end - start > MAX_LINE) throw new FeedRefusal(`line ${line}`, `is longer than ${MAX_LINE / 1024} KiB`);
    const text = utf8.toString("utf8", start, end);
    hand(
      columns.map(({ from, length }) => text.slice(from - 1, from - 1 + length)),
      line,
      onRecord,
    );
    start = end + 1;
  }
}

function hand(columns: string[], line: number, onRecord: OnRecord): void {
  let isEmpty = true;
  for (let index = 0; index < columns.length; index += 1) {
    const text = (columns[index] as string).trim();
    columns[index] = text;
    if (text !== "") isEmpty = false;
  }
  if (!isEmpty) onRecord(columns, line);
}
