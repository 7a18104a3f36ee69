import { FeedRefusal } from "@org/provider-kit";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readRecords } from "./records.js";

type Records = readonly (readonly [columns: readonly string[], line: number])[];

function read(text: string, mapping: Parameters<typeof readRecords>[1]): Records | string {
  const records: [readonly string[], number][] = [];
  try {
    readRecords(Buffer.from(text), mapping, [], (columns, line) => records.push([columns, line]));
  } catch (error) {
    if (error instanceof FeedRefusal) return error.place;
    throw error;
  }
  return records;
}

/** The same by csv-parse. */
function expected(text: string, quote: string, isLoose: boolean): Records | string {
  const records: [readonly string[], number][] = [];
  let line = 1;
  try {
    parse(text, {
      ...{ delimiter: ";", quote: quote === "" ? null : quote, escape: quote, record_delimiter: "\n" },
      ...{ relax_quotes: isLoose, relax_column_count: true },
      on_record(columns: string[], { lines }: { lines: number }) {
        const trimmed = columns.map((column) => column.trim());
        if (trimmed.some((column) => column !== "")) records.push([trimmed, line]);
        line = 1 + lines;
        return null;
      },
    });
  } catch {
    return `line ${line}`;
  }
  return records;
}

const pieces = fc.array(fc.constantFrom(";", '"', '""', "'", "a", "\u00fc", " ", "\n"), { maxLength: 24 });

it("[C-9.192] lines and columns are those of csv-parse, as is the line that is refused", () => {
  fc.assert(
    fc.property(pieces, fc.constantFrom('"', "'", ""), fc.boolean(), (parts, quote, isLoose) => {
      const text = parts.join("");
      const mapping = { delimiter: ";", quote, ...(isLoose && { loose_quotes: true as const }) } as const;
      expect(read(text, mapping)).toEqual(expected(text, quote, isLoose));
    }),
    { numRuns: 2_000 },
  );
});

it("[C-9.192] a record may go over the end of a block, and none may be longer than 256 KiB", () => {
  const filler = `${"x".repeat(99)};${"y".repeat(99)}\n`.repeat(5_242);
  const over = `${filler}"one\ntwo";"${"\u00fc".repeat(2_000)}\n"\nlast;3`;
  const records = read(over, { delimiter: ";" }) as Records;
  expect(records).toHaveLength(5_244);
  expect(records.slice(-2)).toEqual([
    [["one\ntwo", "\u00fc".repeat(2_000)], 5_243],
    [["last", "3"], 5_246],
  ]);
  expect(read(`a;b\n"${"x\n".repeat(200_000)}`, { delimiter: ";" })).toBe("line 2");
  expect(read(`a;b\n${"x".repeat(300_000)}`, { delimiter: ";" })).toBe("line 2");
});
