import { isAscii } from "node:buffer";
import { FeedRefusal } from "@org/provider-kit";
import { CsvError, parse } from "csv-parse/sync";
import type { FeedMapping } from "./mapping.js";

/** Maximum length of a record in bytes of UTF-8, including quoted line breaks. */
export const MAX_LINE_BYTES = 256 * 1024;
/** Maximum number of columns of a record. */
const MAX_COLUMNS = 1_000;

/** Called for each record with its columns, trimmed, and the line of the file in which it begins, from 1. */
export type OnRecord = (columns: readonly string[], line: number) => void;

/** One column of a file with fixed columns. */
export interface FixedColumn {
  readonly from: number;
  readonly length: number;
}

/** Ends every line with `\n`, whatever line ends the file mixes: the parser is several times slower if it must accept several. */
export function normalizeLineBreaks(utf8: Buffer): Buffer {
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
 * Passes on a file's records one by one, in linear time. Empty lines are left out.
 * @param utf8 without a byte order mark, with line breaks from {@link normalizeLineBreaks}
 * @param fixed the columns if there is no delimiter
 * @throws FeedRefusal for an unclosed quote, and for lines longer or wider than any bank's
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
 * Splits well-formed records here, by searching for delimiters, quotes and line ends. From the first irregular record on, csv-parse takes over,
 * which goes through the file character by character and knows what to refuse.
 */
function readDelimited(utf8: Buffer, delimiter: string, quoting: Quoting, onRecord: OnRecord, firstLine: number): void {
  const { quote = '"', loose_quotes } = quoting;
  if (loose_quotes === true || !(quote === '"' || quote === "")) {
    parseDelimited(utf8, delimiter, quoting, onRecord, firstLine);
    return;
  }
  const text = isAscii(utf8) ? utf8.toString("latin1") : utf8.toString("utf8");
  const cutter = new RecordCutter(text, delimiter, quote);
  let line = firstLine;
  while (cutter.at < text.length) {
    const start = cutter.at;
    const columns = cutter.next();
    if (columns === null) {
      parseDelimited(Buffer.from(text.slice(start)), delimiter, quoting, onRecord, line);
      return;
    }
    take(columns, line, onRecord);
    line += cutter.lines;
  }
}

/** A UTF-16 code unit takes at most three bytes of UTF-8; a character of four bytes is two units. */
const SHORT_LINE_CHARACTERS = Math.floor(MAX_LINE_BYTES / 3);

/** Splits a text into records and columns. Each next delimiter, quote and line end is searched for once, so the time is linear. */
class RecordCutter {
  /** Start of the next record. */
  at = 0;
  /** Number of lines of the last record. */
  lines = 0;
  readonly #text: string;
  readonly #delimiter: string;
  readonly #quote: string;
  /** The text's length if there are no more quotes. */
  #nextQuote: number;
  #nextDelimiter = -1;

  constructor(text: string, delimiter: string, quote: string) {
    this.#text = text;
    this.#delimiter = delimiter;
    this.#quote = quote;
    this.#nextQuote = quote === "" ? text.length : this.#find(quote, 0);
  }

  /** The columns of the next record; null if it may be too long or its quotes are irregular. */
  next(): string[] | null {
    const start = this.at;
    const end = this.#find("\n", start);
    if (this.#nextQuote > end) {
      this.at = end + 1;
      this.lines = 1;
      return end - start > SHORT_LINE_CHARACTERS ? null : this.#text.slice(start, end).split(this.#delimiter);
    }
    const columns = this.#quoted(start, end);
    return this.at - start > SHORT_LINE_CHARACTERS ? null : columns;
  }

  #quoted(start: number, firstEnd: number): string[] | null {
    const text = this.#text;
    const columns: string[] = [];
    let [at, end] = [start, firstEnd];
    this.lines = 1;
    for (;;) {
      let behind: number;
      if (this.#nextQuote === at) {
        behind = this.#behindQuotes(at);
        if (behind < 0) return null;
        const value = text.slice(at + 1, behind - 1);
        columns.push(value.includes(this.#quote) ? value.replaceAll(this.#quote + this.#quote, this.#quote) : value);
        for (; end < behind; end = this.#find("\n", end + 1)) this.lines += 1;
        if (behind !== end && !text.startsWith(this.#delimiter, behind)) return null;
      } else {
        if (this.#nextDelimiter < at) this.#nextDelimiter = this.#find(this.#delimiter, at);
        behind = Math.min(this.#nextDelimiter, end);
        if (this.#nextQuote < behind) return null;
        columns.push(text.slice(at, behind));
      }
      if (behind === end) break;
      at = behind + this.#delimiter.length;
    }
    this.at = end + 1;
    return columns;
  }

  /** The position after the quote that closes the one at `at`; -1 if none does. */
  #behindQuotes(at: number): number {
    const text = this.#text;
    let closing = this.#find(this.#quote, at + 1);
    while (closing < text.length && text[closing + 1] === this.#quote) closing = this.#find(this.#quote, closing + 2);
    if (closing >= text.length) return -1;
    this.#nextQuote = this.#find(this.#quote, closing + 1);
    return closing + 1;
  }

  #find(sign: string, from: number): number {
    const found = this.#text.indexOf(sign, from);
    return found < 0 ? this.#text.length : found;
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
