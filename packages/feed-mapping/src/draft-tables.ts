import { isUtf8 } from "node:buffer";
import { FeedRefusal } from "@org/provider-kit";
import { type DraftColumn, draftColumns, roleOf } from "./draft-columns.js";
import type { Confidence, Notes } from "./draft-notes.js";
import { readRecords } from "./records.js";

const DELIMITERS = [";", ",", "\t", "|"] as const;
/** The most tables of one file that are drafted. */
const MAX_TABLES = 40;

/** What a person says of a file before it is drafted. */
export interface DraftGiven {
  /** The line, from 1, that has the names of the columns. */
  readonly header_line?: number | undefined;
  /** Roles of columns of the first table, by position from 1; null: it has none. */
  readonly roles?: Readonly<Record<string, string | null>> | undefined;
}

/** The encoding that the bytes are in. */
export function encodingOf(file: Uint8Array, notes: Notes): string {
  const [first, second] = file;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || second === 0;
  const isAscii = file.every((byte) => byte < 0x80);
  const encoding = isWide ? "utf-16" : isUtf8(file) ? "utf-8" : "windows-1252";
  const sure: Confidence = isWide || (encoding === "utf-8" && !isAscii) ? "certain" : "likely";
  notes.guess(
    "encoding",
    encoding,
    sure,
    isAscii ? "the file holds ASCII only" : "the bytes say so, or leave only this",
  );
  return encoding;
}

/** The sign between columns. @throws FeedRefusal if there is none */
export function delimiterOf(lines: readonly string[], notes: Notes): string {
  const best = DELIMITERS.map((sign) => {
    const widths = new Map<number, number>();
    for (const line of lines) {
      const width = line.split(sign).length;
      if (width > 1) widths.set(width, (widths.get(width) ?? 0) + 1);
    }
    return {
      sign,
      ...[...widths].reduce(
        (top, [width, count]) => (count * width > top.score ? { score: count * width, width } : top),
        { score: 0, width: 0 },
      ),
    };
  }).sort((one, other) => other.score - one.score);
  const [first, second] = best;
  if (!first || first.score === 0)
    throw new FeedRefusal("file", "no sign stands between columns: describe fixed columns by hand");
  notes.guess(
    "delimiter",
    first.sign,
    first.score > 3 * (second?.score ?? 0) ? "certain" : "likely",
    `lines have ${first.width} columns by it`,
  );
  return first.sign;
}

/** The records of the lines; of a file that is cut, without the last line. */
export function recordsOf(lines: readonly string[], delimiter: string, isCut: boolean) {
  const records: { columns: readonly string[]; line: number }[] = [];
  const text = (isCut ? lines.slice(0, Math.max(2, lines.length - 1)) : lines).join("\n");
  readRecords(Buffer.from(text), { delimiter, loose_quotes: true }, [], (columns, line) =>
    records.push({ columns: [...columns], line }),
  );
  return records;
}

/** A table of a file: the line of its header, its columns and its rows. */
export interface FoundTable {
  readonly line: number;
  readonly columns: readonly DraftColumn[];
  readonly rows: readonly { readonly columns: readonly string[]; readonly line: number }[];
}

/** The tables of a file: the one below the record with the most words that headers use, and others whose headers are as clear. */
export function tablesIn(
  records: readonly { columns: readonly string[]; line: number }[],
  { header_line, roles = {} }: DraftGiven,
  notes: Notes,
): readonly FoundTable[] {
  const scores = records.map(({ columns }) =>
    isData(columns) ? 0 : columns.filter((name) => roleOf(name) !== null).length,
  );
  const stated = records.findIndex(({ line }) => line === header_line);
  const known = scores.slice(0, 60).reduce((top, score, index) => (score > (scores[top] ?? 0) ? index : top), 0);
  const isUnknown = stated < 0 && (scores[known] ?? 0) === 0;
  const best = stated >= 0 ? stated : isUnknown ? widest(records) : known;
  if (isUnknown)
    notes.decide("skip.first", "no line names columns that are known: which line has the names?", { code: "header" });
  const heads = records
    .flatMap(({ columns }, index) =>
      index === best || ((stated < 0 || index > best) && (scores[index] ?? 0) >= MIN_HEADER_WORDS && !isData(columns))
        ? index
        : [],
    )
    .slice(0, MAX_TABLES);
  notes.guess(
    "skip.first",
    (records[heads[0] ?? 0]?.line ?? 1) - 1,
    stated >= 0 || (scores[best] ?? 0) > 2 ? "certain" : "guess",
    "the line below it has the names of columns",
  );
  if (heads.length > 1) {
    const lines = heads.map((at) => records[at]?.line).join(", ");
    notes.guess("tables", heads.length, "likely", `each of these lines has the names of columns: ${lines}`);
  }
  return heads.map((at, index) => {
    const { columns: names = [], line = 1 } = records[at] ?? {};
    const rows = records.slice(at + 1, heads[index + 1]).filter(({ columns }) => {
      return columns.length >= names.length && columns.slice(names.length).every((text) => text === "");
    });
    return {
      ...{ line, rows },
      columns: draftColumns(
        names,
        rows.map(({ columns }) => columns),
        index === 0 ? roles : {},
      ),
    };
  });
}

/** The first of the records with the most columns. */
function widest(records: readonly { columns: readonly string[] }[]): number {
  const filled = records.slice(0, 60).map(({ columns }) => columns.filter((text) => text !== "").length);
  return Math.max(0, filled.indexOf(Math.max(...filled)));
}

/** Another table's header has at least this many words that headers use. */
const MIN_HEADER_WORDS = 3;

function isData(columns: readonly string[]): boolean {
  return columns.some((text) => /^[-+(]?\d/.test(text));
}
