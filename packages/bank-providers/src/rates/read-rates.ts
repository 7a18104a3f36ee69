import { type ExchangeRate, MAX_RATE_FILE_BYTES, normaliseDecimal } from "@org/core";
import { FeedRefusal, isCalendarDate, utcDay } from "@org/provider-kit";
import { decodeUtf8 } from "../decoding.js";
import { quotedText } from "../feed-warnings.js";
import { Attributes } from "../markup/attributes.js";
import { type MarkupElement, placeOf, refuse } from "../markup/element.js";
import { childrenOf } from "../markup/values.js";
import { readXml } from "../markup/xml-document.js";

type StatedRate = Omit<ExchangeRate, "source">;

const DAY_MS = 86_400_000;

/**
 * Reads a file of exchange rates, rate by rate: `eurofxref` of the European Central Bank, daily or history, as CSV or XML, or CSV with the columns
 * date, base, quote and rate.
 * @param now rates of the day after it are taken, since a day begins earlier elsewhere; later ones are refused
 * @throws FeedRefusal naming the line, and the field where it is one
 */
export function* readRates(file: Uint8Array, now: Date): Generator<StatedRate, void, void> {
  if (file.byteLength > MAX_RATE_FILE_BYTES)
    throw new FeedRefusal("file", `is larger than ${MAX_RATE_FILE_BYTES / 1024 / 1024} MiB`);
  const lastDay = utcDay(new Date(now.getTime() + DAY_MS));
  const text = decodeUtf8(file);
  if (text === null) throw new FeedRefusal("file", "holds bytes that are not UTF-8");
  const rates = /^\s*</.test(text) ? xmlRates(file, lastDay) : csvRates(text, lastDay);
  let count = 0;
  for (const rate of rates) {
    count += 1;
    yield rate;
  }
  if (count === 0) throw new FeedRefusal("file", "must hold at least one rate");
}

/** `Envelope/Cube/Cube[time]/Cube[currency, rate]`, where the time is a date. */
function* xmlRates(file: Uint8Array, lastDay: string): Generator<StatedRate> {
  const root = readXml(file);
  if (root.name !== "Envelope")
    throw refuse(root, "is no eurofxref of the European Central Bank: Envelope was expected");
  for (const cube of childrenOf(root, "Cube"))
    for (const day of childrenOf(cube, "Cube")) {
      const date = checkedDate(requiredAttribute(day, "time"), lastDay, () => `${placeOf(day)}.time`);
      for (const stated of childrenOf(day, "Cube")) {
        const at = (name: string) => () => `${placeOf(stated)}.${name}`;
        const quote = checkedCode(requiredAttribute(stated, "currency"), at("currency"));
        const rate = requiredAttribute(stated, "rate");
        if (rate !== NOT_AVAILABLE) yield checkedPair({ date, base: EURO, quote, rate }, at("currency"), at("rate"));
      }
    }
}

function requiredAttribute(element: MarkupElement, name: string): string {
  return new Attributes(element).required(name);
}

function csvRates(text: string, lastDay: string): Generator<StatedRate> {
  const lines = text.split(/\r\n|\n|\r/);
  const first = Math.max(
    0,
    lines.findIndex((line) => line.trim() !== ""),
  );
  const names = cellsOf(lines[first] ?? "");
  const isOwn = ownColumns.every((name, index) => names[index]?.toLowerCase() === name);
  if (isOwn && names.length === ownColumns.length) return ownRates(lines, first + 1, lastDay);
  if (names[0]?.toLowerCase() === "date") return tableRates(lines, first, lastDay);
  throw new FeedRefusal(
    `line ${first + 1}`,
    "must be the heading date,base,quote,rate, or of a eurofxref of the European Central Bank: Date, USD, JPY, …",
  );
}

const ownColumns = ["date", "base", "quote", "rate"] as const;

function* ownRates(lines: readonly string[], from: number, lastDay: string): Generator<StatedRate> {
  for (const [number, cells] of rowsFrom(lines, from)) {
    if (cells.length !== ownColumns.length)
      throw new FeedRefusal(`line ${number}`, `must have ${ownColumns.length} columns, not ${cells.length}`);
    const [stated, base = "", quote = "", rate = ""] = cells;
    const at = (name: (typeof ownColumns)[number]) => () => `line ${number}.${name}`;
    const date = checkedDate(stated ?? "", lastDay, at("date"));
    const pair = { date, base: checkedCode(base, at("base")), quote: checkedCode(quote, at("quote")), rate };
    yield checkedPair(pair, at("quote"), at("rate"));
  }
}

/** A column for each currency, and a comma behind the last one. */
function* tableRates(lines: readonly string[], heading: number, lastDay: string): Generator<StatedRate> {
  const [, ...names] = withoutLast(cellsOf(lines[heading] ?? ""));
  const codes = names.map((name) => checkedCode(name, () => `line ${heading + 1}`));
  for (const [number, all] of rowsFrom(lines, heading + 1)) {
    const [stated = "", ...rates] = withoutLast(all);
    if (rates.length !== codes.length)
      throw new FeedRefusal(`line ${number}`, `must have ${codes.length + 1} columns, not ${rates.length + 1}`);
    const date = checkedDate(dateInWords(stated), lastDay, () => `line ${number}.Date`);
    for (const [index, rate] of rates.entries()) {
      const quote = codes[index] as string;
      const at = () => `line ${number}.${quote}`;
      if (rate !== NOT_AVAILABLE) yield checkedPair({ date, base: EURO, quote, rate }, at, at);
    }
  }
}

const EURO = "EUR";
/** A currency without a rate on that day. */
const NOT_AVAILABLE = "N/A";

function* rowsFrom(lines: readonly string[], from: number): Generator<[number: number, cells: string[]]> {
  for (const [index, line] of lines.entries())
    if (index >= from && line.trim() !== "") yield [index + 1, cellsOf(line)];
}

function cellsOf(line: string): string[] {
  return line.split(",").map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
}

function withoutLast(cells: readonly string[]): readonly string[] {
  return cells.at(-1) === "" ? cells.slice(0, -1) : cells;
}

const months = "January February March April May June July August September October November December".split(" ");

/** `27 November 2026`, as the daily file has it, as `2026-11-27`; any other text stays. */
function dateInWords(text: string): string {
  const [, day = "", name = "", year] = /^(\d{1,2}) ([A-Za-z]+) (\d{4})$/.exec(text) ?? [];
  const month = months.indexOf(name) + 1;
  return month === 0 ? text : `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** Makes a place only for a fault: a file has many rates. */
type Place = () => string;

function checkedDate(text: string, lastDay: string, place: Place): string {
  if (!isCalendarDate(text)) throw new FeedRefusal(place(), `must be a date that exists, not ${quotedText(text)}`);
  if (text > lastDay) throw new FeedRefusal(place(), `must not be in the future, as ${text} is`);
  return text;
}

function checkedCode(text: string, place: Place): string {
  if (!/^[A-Z]{3}$/.test(text))
    throw new FeedRefusal(place(), `must be a currency of three capital letters, not ${quotedText(text)}`);
  return text;
}

function checkedPair(stated: StatedRate, placeOfQuote: Place, placeOfRate: Place): StatedRate {
  if (stated.base === stated.quote)
    throw new FeedRefusal(placeOfQuote(), `must be another currency than ${stated.base}`);
  const rate = /^\d{1,20}(?:\.\d{1,20})?$/.test(stated.rate) ? normaliseDecimal(stated.rate) : null;
  if (rate === null || !/[1-9]/.test(rate))
    throw new FeedRefusal(
      placeOfRate(),
      `must be a number above 0 with at most 20 digits on each side of the point, not ${quotedText(stated.rate)}`,
    );
  return { ...stated, rate };
}
