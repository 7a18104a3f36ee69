import { addDecimals, FeedRefusal, isDecimalString, memoize, multiplyDecimals, negateDecimal } from "@org/provider-kit";
import { type DateReader, dateReader } from "./dates.js";
import type { FeedMapping } from "./mapping.js";
import type { ColumnReference, MappingCondition, MappingValue } from "./mapping-value.js";
import { numberReader, type ReadNumber, unsigned } from "./numbers.js";
import { MAX_LINE_BYTES } from "./records.js";
import type { Header, Row } from "./row.js";

/** What a mapping's values need besides a row. */
export interface ReadingContext {
  readonly mapping: FeedMapping;
  readonly header: Header;
  readonly fileName: string;
  readonly context: ReadonlyMap<string, string>;
  readonly lookups: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, string>>>;
}

/** A value of the mapping, resolved for the rows of one table. An absent value is the empty text, or null. */
export interface ReadValue {
  readonly text: (row: Row) => string;
  /** @throws FeedRefusal if the text is not a number */
  readonly number: (row: Row) => string | null;
  /** @throws FeedRefusal if the text is not a day in the formats of the mapping */
  readonly day: (row: Row) => string | null;
  /** The value's place in a line, for messages. */
  readonly place: (row: Row) => string;
}

/**
 * Resolves a value's columns once for all rows of a table.
 * @throws FeedRefusal if the table lacks a column
 */
export function readValue(value: MappingValue, around: ReadingContext): ReadValue {
  const { mapping, header } = around;
  const label = labelOf(value, header);
  const place = (row: Row) => `line ${row.line}${label === null ? "" : `, ${label}`}`;
  const text = cutAndMapped(value, textOf(value, around), place);
  // Created on demand, as most values are only texts.
  let number: ((row: Row) => string | null) | undefined;
  let dayOf: ((text: string) => string | null) | undefined;
  return {
    text,
    place,
    number(row) {
      number ??= numberOf(value, around, text, place);
      return number(row);
    },
    day(row) {
      dayOf ??= memoize(dayReader(value.dates ?? mapping.dates ?? ["yyyy-MM-dd"]));
      const said = text(row);
      if (!isNumberGiven(said)) return null;
      const day = dayOf(said);
      if (day === null)
        throw new FeedRefusal(place(row), `${excerptText(said)} is no date in the formats of the mapping`);
      return day;
    },
  };
}

function textOf(value: MappingValue, around: ReadingContext): (row: Row) => string {
  if (value.column !== undefined) return columnText(value.column, value.optional ?? false, around.header);
  if (value.constant !== undefined) return constant(value.constant);
  if (value.context !== undefined) return constant(around.context.get(value.context) ?? "");
  if (value.file_name) return constant(around.fileName);
  if (value.concat) {
    const parts = value.concat.map((part) => readValue(part, around));
    return (row) => {
      const texts = parts.map((part) => part.text(row)).filter(isTextGiven);
      if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_LINE_BYTES)
        throw new FeedRefusal(`line ${row.line}`, "is longer than a line may be where the mapping joins parts of it");
      return texts.join(value.with ?? " ");
    };
  }
  if (value.first_of) {
    const parts = value.first_of.map((part) => readValue(part, around));
    return (row) => {
      for (const part of parts) {
        const found = part.text(row);
        if (isTextGiven(found)) return found;
      }
      return "";
    };
  }
  if (value.lookup) {
    const table = around.lookups.get(value.lookup.table);
    const { take } = value.lookup;
    const by = readValue(value.lookup.by, around);
    return (row) => table?.get(by.text(row).toLowerCase())?.get(take) ?? "";
  }
  return constant("");
}

/** Whether a text says something: banks also write `N/A` and `--` where they do not know a value. */
export function isTextGiven(text: string): boolean {
  return text !== "" && !(mayBeNothing(text) && /^(?:n\/a|-+)$/i.test(text));
}

/** The same for a number or a day, where `NA` is no name either. */
function isNumberGiven(text: string): boolean {
  return text !== "" && !(mayBeNothing(text) && /^(?:n\/?a|-+)$/i.test(text));
}

/** A cheap look at the first character, as most texts say something. */
function mayBeNothing(text: string): boolean {
  return text[0] === "-" || text[0] === "N" || text[0] === "n";
}

function constant(text: string): () => string {
  return () => text;
}

function columnText(reference: ColumnReference, optional: boolean, header: Header): (row: Row) => string {
  const index = header.indexOf(reference, optional);
  return index === null ? constant("") : (row) => row.columns[index] ?? "";
}

/** Cuts the text between marks and translates it with the value's `map`. */
function cutAndMapped(
  value: MappingValue,
  source: (row: Row) => string,
  place: (row: Row) => string,
): (row: Row) => string {
  const after = value.after === undefined ? null : listOf(value.after);
  const before = value.before === undefined ? null : listOf(value.before);
  const words = value.map && new Map(Object.entries(value.map).map(([from, to]) => [from.toLowerCase(), to]));
  if (!after && !before && !words) return source;
  return (row) => {
    const cut = cutText(source(row), after, before);
    if (!words || cut === "") return cut;
    const found = words.get(cut.toLowerCase()) ?? value.else;
    if (found === undefined && !isTextGiven(cut)) return "";
    if (found === undefined)
      throw new FeedRefusal(place(row), `${excerptText(cut)} is not among the words of the mapping`);
    return found;
  };
}

function cutText(text: string, after: readonly string[] | null, before: readonly string[] | null): string {
  let rest = text;
  if (after) {
    const mark = after.find((candidate) => rest.includes(candidate));
    if (mark === undefined) return "";
    rest = rest.slice(rest.indexOf(mark) + mark.length);
  }
  if (before) {
    const ends = before.map((mark) => rest.indexOf(mark)).filter((at) => at >= 0);
    if (ends.length > 0) rest = rest.slice(0, Math.min(...ends));
  }
  return rest.trim();
}

function numberOf(
  value: MappingValue,
  around: ReadingContext,
  text: (row: Row) => string,
  place: (row: Row) => string,
): (row: Row) => string | null {
  const { mapping } = around;
  const read = numberReader({
    decimal: listOf(value.decimal ?? mapping.decimal ?? "."),
    thousands: listOf(value.thousands ?? mapping.thousands ?? []).filter((sign) => sign !== ""),
    strip: mapping.strip ?? [],
  });
  const plain =
    reckoned(value, around) ??
    ((row) => (isNumberGiven(text(row)) ? numberOrRefuse(read(text(row)), text, place, row) : null));
  const isMinus = value.minus_when && readCondition(value.minus_when, around);
  const { sign } = value;
  if (!isMinus && sign === undefined) return plain;
  return (row) => {
    const number = plain(row);
    if (number === null) return null;
    if (sign === "reversed") return negateDecimal(number);
    return (isMinus ? isMinus(row) : sign === "minus") ? negateDecimal(unsigned(number)) : unsigned(number);
  };
}

function numberOrRefuse(result: ReadNumber, text: (row: Row) => string, place: (row: Row) => string, row: Row): string {
  if ("value" in result) return result.value;
  throw new FeedRefusal(place(row), `${excerptText(text(row))} ${result.fault}`);
}

/** Numbers computed from others; null if the value is not computed. */
function reckoned(value: MappingValue, around: ReadingContext): ((row: Row) => string | null) | null {
  const partsOf = (parts: readonly MappingValue[]) => parts.map((part) => readValue(part, around));
  if (value.sum) {
    const parts = partsOf(value.sum);
    return (row) => {
      const numbers = parts.map((part) => part.number(row)).filter((number) => number !== null);
      return numbers.length === 0 ? null : bounded(numbers.reduce(addDecimals), row);
    };
  }
  if (value.product) {
    const parts = partsOf(value.product);
    return (row) => {
      const numbers = parts.map((part) => part.number(row));
      if (numbers.includes(null)) return null;
      return bounded((numbers as string[]).reduce(multiplyDecimals), row);
    };
  }
  if (value.first_of) {
    const parts = partsOf(value.first_of);
    return (row) => parts.find((part) => isTextGiven(part.text(row)) || part.number(row) !== null)?.number(row) ?? null;
  }
  if (!value.debit || !value.credit) return null;
  const [debit, credit] = partsOf([value.debit, value.credit]) as [ReadValue, ReadValue];
  return (row) => {
    const [out, into] = [debit.number(row), credit.number(row)].map((number) =>
      /[1-9]/.test(number ?? "") ? number : null,
    );
    if (out && into) throw new FeedRefusal(debit.place(row), "has both a debit and a credit");
    return into ?? (out ? negateDecimal(unsigned(out)) : (credit.number(row) ?? debit.number(row)));
  };
}

function bounded(number: string, { line }: Row): string {
  if (isDecimalString(number)) return number;
  throw new FeedRefusal(`line ${line}`, "a sum or product of this line has too many digits");
}

/** Parses a day with the first format that fits; null if none does. */
function dayReader(formats: readonly string[]): DateReader {
  const readers = formats.map(dateReader);
  return (text) => {
    for (const read of readers) {
      const day = read(text);
      if (day !== null) return day;
    }
    return null;
  };
}

/** Resolves a condition of the mapping for the rows of a table. */
export function readCondition(condition: MappingCondition, around: ReadingContext): (row: Row) => boolean {
  if (condition.all) {
    const parts = condition.all.map((part) => readCondition(part, around));
    return (row) => parts.every((holds) => holds(row));
  }
  if (condition.any) {
    const parts = condition.any.map((part) => readCondition(part, around));
    return (row) => parts.some((holds) => holds(row));
  }
  if (condition.not) {
    const holds = readCondition(condition.not, around);
    return (row) => !holds(row);
  }
  const value = readValue(condition.value ?? { column: condition.column, optional: condition.optional }, around);
  const { empty, number: sign } = condition;
  if (empty !== undefined) return (row) => !isTextGiven(value.text(row)) === empty;
  if (sign !== undefined) return (row) => signOf(value.number(row)) === sign;
  const wanted = listOf(condition.is ?? condition.starts ?? condition.ends ?? condition.contains ?? []).map((each) =>
    each.toLowerCase(),
  );
  if (condition.is !== undefined) {
    const known = new Set(wanted);
    return (row) => known.has(value.text(row).toLowerCase());
  }
  const test = condition.starts !== undefined ? "startsWith" : condition.ends !== undefined ? "endsWith" : "includes";
  return (row) => {
    const text = value.text(row).toLowerCase();
    return wanted.some((each) => text[test](each));
  };
}

function signOf(number: string | null): "positive" | "negative" | "zero" | null {
  if (number === null) return null;
  if (!/[1-9]/.test(number)) return "zero";
  return number.startsWith("-") ? "negative" : "positive";
}

/** Label of the first column that a value is read from. */
function labelOf(value: MappingValue, header: Header): string | null {
  if (value.column !== undefined) {
    const index = header.indexOf(value.column, true);
    return index === null ? null : header.label(index);
  }
  const single = [value.debit, value.credit, value.lookup?.by];
  const parts = [value.concat, value.first_of, value.sum, value.product].flatMap((list) => list ?? []);
  for (const part of [...parts, ...single]) {
    const label = part && labelOf(part, header);
    if (label) return label;
  }
  return null;
}

function listOf(one: string | readonly string[]): readonly string[] {
  return typeof one === "string" ? [one] : one;
}

/** Quotes text of the file for a message: without invisible characters, and shortened. */
export function excerptText(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu, "");
  return JSON.stringify(clean.length > 60 ? `${clean.slice(0, 60)}…` : clean);
}
