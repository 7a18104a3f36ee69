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

function readDelimited(
  utf8: Buffer,
  delimiter: string,
  { quote = '"', loose_quotes }: Pick<FeedMapping, "quote" | "loose_quotes">,
  onRecord: OnRecord,
  firstLine: number,
): void {
  let line = firstLine;
  try {
    parse(utf8, {
      delimiter,
      quote: quote === "" ? null : quote,
      relax_quotes: loose_quotes === true,
      relax_column_count: true,
      max_record_size: MAX_LINE_BYTES,
      record_delimiter: ["\n"],
      on_record(columns: string[], { lines }: { lines: number }) {
        const begun = line;
        line = firstLine + lines;
        if (columns.length > MAX_COLUMNS)
          throw new FeedRefusal(`line ${begun}`, `has more than ${MAX_COLUMNS} columns`);
        hand(columns, begun, onRecord);
        return null;
      },
    });
  } catch (error) {
    throw error instanceof CsvError ? new FeedRefusal(`line ${line}`, wordsOf(error)) : error;
  }
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
