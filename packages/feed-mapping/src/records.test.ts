import { FeedRefusal } from "@org/provider-kit";
import { CsvError, parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readRecords } from "./records.js";

/** Rows with their lines, and whether the text was refused after them. */
type Read = readonly [rows: readonly (readonly [line: number, columns: readonly string[]])[], isRefused: boolean];

function read(text: string, quote?: "" | '"'): Read {
  const rows: [number, readonly string[]][] = [];
  try {
    readRecords(Buffer.from(text), { delimiter: ",", ...(quote !== undefined && { quote }) }, [], (columns, line) =>
      rows.push([line, columns]),
    );
    return [rows, false];
  } catch (error) {
    expect(error).toBeInstanceOf(FeedRefusal);
    return [rows, true];
  }
}

function readByParserAlone(text: string, quote: string | null = '"'): Read {
  const rows: [number, string[]][] = [];
  let line = 1;
  try {
    parse(text, {
      quote,
      relax_column_count: true,
      record_delimiter: ["\n"],
      on_record(columns: string[], { lines }: { lines: number }) {
        const trimmed = columns.map((column) => column.trim());
        if (trimmed.some((column) => column !== "")) rows.push([line, trimmed]);
        line = 1 + lines;
        return null;
      },
    });
    return [rows, false];
  } catch (error) {
    expect(error).toBeInstanceOf(CsvError);
    return [rows, true];
  }
}

const pieces = fc.constantFrom(
  '"',
  '""',
  ",",
  "\n",
  "a",
  " b ",
  '"x,y"',
  '"p\nq"',
  '"he said ""no"""',
  "ü",
  "\n\n",
  ",\n",
);
const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(""));

it("lines without a quote, which the parser never sees, are what it would make of them; so are all others", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(read(text)).toEqual(readByParserAlone(text));
      expect(read(text, "")).toEqual(readByParserAlone(text, null));
    }),
    { numRuns: 2_000 },
  );
});

it("records of several lines, and what is wrong, keep their lines over many blocks", () => {
  const plain = "1,2,3\n".repeat(30_000);
  const sound = `${plain}"a\n\nb",c,d\n${plain}`;
  expect(read(sound)).toEqual(readByParserAlone(sound));
  const broken = `${sound}x,"y"z,\n${plain}`;
  const [rows, isRefused] = read(broken);
  expect([rows.length, isRefused]).toEqual([60_001, true]);
  expect(read(`${plain}"${plain}`)).toEqual(readByParserAlone(`${plain}"${plain}`));
});
