import { isAscii } from "node:buffer";
import { FeedRefusal } from "@org/provider-kit";
import { CsvError, parse } from "csv-parse/sync";
import type { FeedMapping } from "./mapping.js";

/** The longest line, in bytes of UTF-8, quoted ends of lines included. */
const MAX_LINE_BYTES = 256 * 1024;
/** The most columns of a line. */
const MAX_COLUMNS = 1_000;

/** A line of a table: its columns, trimmed, and the line of the file that it begins in, from 1. */
export type OnRecord = (columns: readonly string[], line: number) => void;

/** Columns of a file in fixed columns. */
export interface FixedColumn {
  readonly from: number;
  readonly length: number;
}

/** The bytes with `\n` at the end of each line, whatever ends were mixed: the parser takes several times as long for a choice of ends. */
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

type Quoting = Pick<FeedMapping, "quote" | "loose_quotes">;

/**
 * Lines without a quote are cut by their delimiter; those with one are the parser's, which goes through them sign by sign. Where quotes are
 * not in order everything is.
 */
function readDelimited(utf8: Buffer, delimiter: string, quoting: Quoting, onRecord: OnRecord, firstLine: number): void {
  const { quote = '"', loose_quotes } = quoting;
  if (loose_quotes === true || !(quote === '"' || quote === "")) {
    parseDelimited(utf8, delimiter, quoting, onRecord, firstLine);
    return;
  }
  const text = isAscii(utf8) ? utf8.toString("latin1") : utf8.toString("utf8");
  let line = firstLine;
  for (let at = 0; at < text.length; ) {
    const block = cutBlock(text, at, quote);
    const quoted = block && parseQuoted(block.quoted, delimiter, quote);
    if (!quoted) {
      parseDelimited(Buffer.from(text.slice(at)), delimiter, quoting, onRecord, line);
      return;
    }
    let next = 0;
    for (const record of block.records) {
      const columns = record.isQuoted ? (quoted[next] as string[]) : record.text.split(delimiter);
      if (record.isQuoted) next += 1;
      take(columns, line, onRecord);
      line += record.lines;
    }
    at = block.end;
  }
}

/** Lines of a file, as many as are taken at once. */
interface Block {
  readonly records: readonly { readonly text: string; readonly lines: number; readonly isQuoted: boolean }[];
  readonly quoted: readonly string[];
  /** Where the next block begins. */
  readonly end: number;
}

const BLOCK_CHARACTERS = 65_536;
/** A character has three bytes at most; one of four bytes is two. */
const SURELY_SHORT = Math.floor(MAX_LINE_BYTES / 3);

/** Null where a record may be too long, or a quote may be open to the end. */
function cutBlock(text: string, start: number, quote: string): Block | null {
  const records: Block["records"][number][] = [];
  const quoted: string[] = [];
  let at = start;
  let nextQuote = quote === "" ? -1 : text.indexOf(quote, at);
  while (at < text.length && at - start < BLOCK_CHARACTERS) {
    let end = endOfLine(text, at);
    let lines = 1;
    const isQuoted = nextQuote >= 0 && nextQuote < end;
    // A line may end within quotes: the record goes on as long as their number is odd.
    for (let isOpen = false; nextQuote >= 0 && nextQuote < end; ) {
      isOpen = !isOpen;
      nextQuote = text.indexOf(quote, nextQuote + 1);
      while (isOpen && (nextQuote < 0 || nextQuote > end)) {
        if (end === text.length || end - at > SURELY_SHORT) return null;
        end = endOfLine(text, end + 1);
        lines += 1;
      }
    }
    if (end - at > SURELY_SHORT) return null;
    const record = { text: text.slice(at, end), lines, isQuoted };
    records.push(record);
    if (isQuoted) quoted.push(record.text);
    at = end + 1;
  }
  return { records, quoted, end: at };
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf("\n", from);
  return found < 0 ? text.length : found;
}

/** The columns of records with quotes; null where these are not in order. */
function parseQuoted(records: readonly string[], delimiter: string, quote: string): string[][] | null {
  if (records.length === 0) return [];
  try {
    const parsed: string[][] = parse(records.join("\n"), { ...parserOptions, delimiter, quote });
    return parsed.length === records.length ? parsed : null;
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

const parserOptions = { relax_column_count: true, max_record_size: MAX_LINE_BYTES, record_delimiter: ["\n"] };

function parseDelimited(
  utf8: Buffer,
  delimiter: string,
  { quote = '"', loose_quotes }: Quoting,
  onRecord: OnRecord,
  firstLine: number,
): void {
  let line = firstLine;
  try {
    parse(utf8, {
      ...parserOptions,
      delimiter,
      quote: quote === "" ? null : quote,
      relax_quotes: loose_quotes === true,
      on_record(columns: string[], { lines }: { lines: number }) {
        const begun = line;
        line = firstLine + lines;
        take(columns, begun, onRecord);
        return null;
      },
    });
  } catch (error) {
    throw error instanceof CsvError ? new FeedRefusal(`line ${line}`, wordsOf(error)) : error;
  }
}

function take(columns: string[], line: number, onRecord: OnRecord): void {
  if (columns.length > MAX_COLUMNS) throw new FeedRefusal(`line ${line}`, `has more than ${MAX_COLUMNS} columns`);
  hand(columns, line, onRecord);
}

function wordsOf({ code }: CsvError): string {
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return "has a quote that nothing closes";
    case "CSV_MAX_RECORD_SIZE":
      return `is longer than ${MAX_LINE_BYTES / 1024} KiB; a quote may be open`;
    case "CSV_INVALID_CLOSING_QUOTE":
    case "INVALID_OPENING_QUOTE":
      return "has a quote within a text; loose_quotes of the mapping allows it";
    default:
      return "cannot be told apart into columns";
  }
}

function readFixed(utf8: Buffer, columns: readonly FixedColumn[], onRecord: OnRecord, firstLine: number): void {
  let line = firstLine;
  for (let start = 0; start < utf8.length; line += 1) {
    const found = utf8.indexOf(10, start);
    const end = found < 0 ? utf8.length : found;
    if (end - start > MAX_LINE_BYTES)
      throw new FeedRefusal(`line ${line}`, `is longer than ${MAX_LINE_BYTES / 1024} KiB`);
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
