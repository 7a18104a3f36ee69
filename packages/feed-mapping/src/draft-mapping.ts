import { isUtf8 } from "node:buffer";
import { FeedRefusal } from "@org/provider-kit";
import { dateReader } from "./dates.js";
import {
  type AmountCurrency,
  currencyOfAmount,
  type DraftColumn,
  draftColumns,
  numberRoles,
  roleOf,
} from "./draft-columns.js";
import { type Confidence, type MappingDraft, Notes } from "./draft-notes.js";
import { type DraftTable, draftRules, kindInWord } from "./draft-rules.js";
import { type ColumnRole, totalWords } from "./header-words.js";
import { numberReader } from "./numbers.js";
import { HEAD_BYTES, headLines } from "./recognise.js";
import { readRecords } from "./records.js";
import { nameKey } from "./row.js";

const DELIMITERS = [";", ",", "\t", "|"] as const;
const DATE_FORMATS = [
  ...[
    "yyyy-MM-dd",
    "yyyy-MM-dd*",
    "dd.MM.yyyy",
    "dd.MM.yyyy*",
    "yyyyMMdd",
    "yyyy/MM/dd",
    "dd-MMM-yyyy",
    "d MMM yyyy",
    "MMMM d, yyyy",
  ],
  ...[
    "dd-MM-yyyy",
    "MM-dd-yyyy",
    "dd/MM/yyyy",
    "MM/dd/yyyy",
    "d/M/yyyy",
    "M/d/yyyy",
    "dd-MM-yyyy*",
    "MM-dd-yyyy*",
    "dd/MM/yyyy*",
    "MM/dd/yyyy*",
  ],
  ...["dd.MM.yy", "dd/MM/yy", "MM/dd/yy", "dd/MM/yy*", "MM/dd/yy*"],
] as const;
/** If no format reads all days of the first rows, the share of them that a format must read. */
const MAX_DAYS = 0.9;
/** Amounts beside the one that counts, whose currency a transaction has a field for. */
const SIDE_AMOUNTS = ["price", "fees", "taxes"] as const;

/**
 * Proposes a mapping from a file's encoding, columns, header words in seven languages and first rows.
 * @param fileName names the mapping
 * @throws FeedRefusal if the file is not a table
 */
export function draftMapping(file: Uint8Array, fileName = "draft"): MappingDraft {
  const notes = new Notes();
  const encoding = encodingOf(file, notes);
  const lines = headLines(file, encoding);
  const delimiter = delimiterOf(lines, notes);
  const found = tablesIn(recordsOf(lines, delimiter, file.byteLength > HEAD_BYTES), notes);
  const isAlone = found.length === 1;
  const tables = found.map(({ columns }, index) => draftTable(columns, isAlone ? "" : `tables[${index}].`, notes));
  const textsOf = (...roles: ColumnRole[]) =>
    tables
      .flatMap(({ taken }) => roles.flatMap((role) => taken.get(role)?.texts ?? []))
      .filter((text) => text !== "" && !totalWords.includes(text.toLowerCase()));
  const accounts = [...new Set(tables.flatMap(({ taken }) => taken.get("account")?.reference ?? []))];
  if (accounts.length === 0)
    notes.decide(
      "account.number",
      "no column names the account: without one, all rows belong to one portfolio of the connection",
    );
  const [first] = found;
  return {
    mapping: {
      language: 1,
      name: nameOf(fileName),
      title: nameOf(fileName),
      recognise: { header: namesOf(first?.columns ?? []).slice(0, 6) },
      encoding,
      delimiter,
      ...((first?.line ?? 1) > 1 && { skip: { first: "header" } }),
      ...numbersOf(textsOf(...numberRoles), notes),
      ...datesOf(textsOf("date", "settlement_date"), notes),
      ...(accounts.length > 0 && { account: { number: { column: accounts.length === 1 ? accounts[0] : accounts } } }),
      ...(isAlone && { values: tables[0]?.shared }),
      tables: tables.map((table, index) => ({
        ...(!isAlone && { recognise: namesOf(found[index]?.columns ?? []), values: table.shared }),
        rows: draftRules(table, index, notes),
      })),
    },
    guesses: notes.guesses,
    to_decide: notes.toDecide,
  };
}

function namesOf(columns: readonly DraftColumn[]): readonly string[] {
  return columns.flatMap(({ name }) => (name === "" ? [] : name)).slice(0, 40);
}

function draftTable(columns: readonly DraftColumn[], at: string, notes: Notes): DraftTable {
  const taken = new Map<ColumnRole, DraftColumn>();
  for (const column of columns)
    if (column.role !== null && column.role !== "currency" && !taken.has(column.role)) taken.set(column.role, column);
  const kinds = [...new Set(taken.get("kind_word")?.texts.filter((text) => text !== "") ?? [])].slice(0, 100);
  const isMovement =
    taken.has("cash") ||
    (taken.has("date") && taken.has("settlement_date")) ||
    kinds.some((word) => kindInWord(word) !== null);
  const values: Record<string, unknown> = {};
  const { left, currencies, open } = currenciesOf(taken, columns, isMovement);
  for (const [role, { name, reference }] of taken) {
    if (role === "account" || role === "kind_word" || role === "status" || left.has(role)) continue;
    values[role] = { column: reference };
    notes.guess(`${at}values.${role}`, name, "likely", `the column is called ${JSON.stringify(name)}`);
  }
  for (const [field, value] of Object.entries(currencies)) {
    values[field] = value;
    notes.guess(
      `${at}values.${field}`,
      Object.values(value)[0],
      "likely",
      "by the names of the columns and their order",
    );
  }
  for (const [field, question, options] of open) notes.decide(`${at}values.${field}`, question, options);
  if (open.some(([field]) => field === "currency")) values.currency = { constant: "XXX" };
  const cash = taken.get("cash");
  const others = columns.filter(({ name, role }) => cash && (role === "cash" || isMore(name, cash.name)));
  if (cash && others.length > 1)
    notes.decide(
      `${at}values.cash`,
      `several columns could be what was paid or received; ${JSON.stringify(cash.name)} is read: is it the one?`,
      others.map(({ name }) => name),
    );
  if (isMovement && !cash)
    notes.decide(
      `${at}values.cash`,
      "no column with what was paid or received was found: which is it?",
      columns.filter(({ role }) => role === "value").map(({ name }) => name),
    );
  if (!isMovement && !taken.has("units") && !taken.has("value"))
    notes.decide(`${at}values.units`, "no column with units or values was found: which is it?");
  if (!isMovement && !SECURITY.some((role) => taken.has(role)))
    notes.decide(`${at}values.name`, "no column names the security: which is it?");
  if (!taken.has("date") && (isMovement || !taken.has("settlement_date")))
    notes.decide(`${at}values.date`, "no column with days was found: which is it, or as_of of the mapping?");
  const { units: _, price: __, ...shared } = values;
  return { isMovement, taken, columns, kinds, values, shared: isMovement ? shared : values };
}

/** Roles of columns that name a security. */
const SECURITY: readonly ColumnRole[] = ["isin", "name", "ticker", "valor", "wkn", "cusip", "sedol"];

/** Whether a name is another one with more words: `Nettobetrag in der Währung des Kontos` and `Nettobetrag`. */
function isMore(name: string, other: string): boolean {
  return nameKey(name) === nameKey(other) || nameKey(name).startsWith(`${nameKey(other)} `);
}

/**
 * The currency of the row, and those of its other amounts if they have their own. An amount whose currency the columns leave open is left out, and
 * asked about.
 */
function currenciesOf(taken: DraftTable["taken"], columns: readonly DraftColumn[], isMovement: boolean) {
  const main = taken.get("cash") ?? taken.get("value") ?? taken.get("price") ?? taken.get("units");
  const own = main
    ? currencyOfAmount(main, columns, true)
    : { open: columns.filter(({ role }) => role === "currency") };
  const currencies: Record<string, object> = {};
  const left = new Set<ColumnRole>();
  const open: (readonly [field: string, question: string, options?: readonly string[]])[] = [];
  const named = (those: readonly DraftColumn[]) => those.map(({ name }) => name);
  if (!("open" in own)) currencies.currency = currencyValue(own);
  else if (own.open.length === 0)
    open.push(["currency", "no column names a currency: which is it?", ["CHF", "EUR", "GBP", "USD"]]);
  else open.push(["currency", `which column has the currency of ${JSON.stringify(main?.name)}?`, named(own.open)]);
  for (const role of isMovement ? SIDE_AMOUNTS : (["price", "cost", "accrued_interest"] as const)) {
    const side = taken.get(role);
    const other = side && side !== main ? currencyOfAmount(side, columns, false) : null;
    if (!side || other === null || ("open" in other ? other.open.length === 0 : isSame(other, own))) continue;
    if (!("open" in other) && role !== "cost" && role !== "accrued_interest") {
      currencies[`${role}_currency`] = currencyValue(other);
      continue;
    }
    left.add(role);
    const question = `is ${JSON.stringify(side.name)} in the currency of ${JSON.stringify(main?.name)}? ${"open" in other ? "No column says so" : "Its own may be another"}; it is left out until then`;
    open.push("open" in other ? [role, question, named(other.open)] : [role, question]);
  }
  return { left, currencies, open };
}

function currencyValue(currency: { readonly column: DraftColumn } | { readonly code: string }): object {
  return "code" in currency ? { constant: currency.code } : { column: currency.column.reference };
}

function isSame(one: AmountCurrency, other: AmountCurrency): boolean {
  if ("code" in one && "code" in other) return one.code === other.code;
  return "column" in one && "column" in other && one.column === other.column;
}

function encodingOf(file: Uint8Array, notes: Notes): string {
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

function delimiterOf(lines: readonly string[], notes: Notes): string {
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

function recordsOf(lines: readonly string[], delimiter: string, isCut: boolean) {
  const records: { columns: readonly string[]; line: number }[] = [];
  const text = (isCut ? lines.slice(0, Math.max(2, lines.length - 1)) : lines).join("\n");
  readRecords(Buffer.from(text), { delimiter, loose_quotes: true }, [], (columns, line) =>
    records.push({ columns: [...columns], line }),
  );
  return records;
}

/** The tables of a file: the one below the record with the most words that headers use, and others whose headers are as clear. */
function tablesIn(records: readonly { columns: readonly string[]; line: number }[], notes: Notes) {
  const scores = records.map(({ columns }) => columns.filter((name) => roleOf(name) !== null).length);
  const best = scores.slice(0, 60).reduce((top, score, index) => (score > (scores[top] ?? 0) ? index : top), 0);
  if ((scores[best] ?? 0) === 0)
    throw new FeedRefusal("file", "no line of it names columns that are known; write the mapping by hand");
  const heads = records.flatMap(({ columns }, index) =>
    index === best || ((scores[index] ?? 0) >= MIN_HEADER_WORDS && !isData(columns)) ? index : [],
  );
  notes.guess(
    "skip.first",
    (records[heads[0] ?? 0]?.line ?? 1) - 1,
    (scores[best] ?? 0) > 2 ? "certain" : "guess",
    "the line below it has the names of columns",
  );
  if (heads.length > 1) {
    const lines = heads.map((at) => records[at]?.line).join(", ");
    notes.guess("tables", heads.length, "likely", `each of these lines has the names of columns: ${lines}`);
  }
  return heads.map((at, index) => {
    const { columns: names = [], line = 1 } = records[at] ?? {};
    const rows = records.slice(at + 1, heads[index + 1]).flatMap(({ columns }) => {
      const isWhole = columns.length >= names.length && columns.slice(names.length).every((text) => text === "");
      return isWhole ? [columns] : [];
    });
    return { line, columns: draftColumns(names, rows) };
  });
}

/** Another table's header has at least this many words that headers use. */
const MIN_HEADER_WORDS = 3;

function isData(columns: readonly string[]): boolean {
  return columns.some((text) => /^[-+(]?\d/.test(text));
}

function numbersOf(texts: readonly string[], notes: Notes): { decimal?: string; thousands?: string; strip?: string[] } {
  const signs = [...new Set(texts.join("").match(MONEY_SIGNS) ?? [])];
  const numbers = texts.map((text) => text.replace(MONEY_SIGNS, "").trim()).filter((text) => /\d/.test(text));
  const fits = ([".", ","] as const).filter((decimal) => {
    const read = numberReader({
      decimal: [decimal],
      thousands: decimal === "." ? [",", "'", " "] : [".", "'", " "],
      strip: [],
    });
    const readOne = (text: string) => [",", "'", " ", "."].some((sign) => sign !== decimal && text.includes(sign));
    const one = numberReader({ decimal: [decimal], thousands: [], strip: [] });
    return numbers.every(
      (text) => "value" in (readOne(text) ? readGrouped(text, decimal) : one(text)) || "value" in read(text),
    );
  });
  const strip = signs.length > 0 ? { strip: signs } : {};
  const [decimal] = fits;
  if (decimal === undefined || (fits.length > 1 && numbers.some((text) => /[.,]/.test(text)))) {
    notes.decide("decimal", "which sign is before decimals? The values could be read either way, or neither", [
      ".",
      ",",
    ]);
    return strip;
  }
  const thousands = [",", ".", "'", " "].find(
    (sign) => sign !== decimal && numbers.some((text) => text.includes(sign)),
  );
  notes.guess("decimal", decimal, "certain", "no other reading fits all values");
  return { decimal, ...(thousands !== undefined && { thousands }), ...strip };
}

/** Written with an escape so that bundles stay Latin-1, which V8 stores in half the memory. */
const MONEY_SIGNS = /[$\u20ac£¥]/g;
function readGrouped(text: string, decimal: "." | ",") {
  const sign = [",", ".", "'", " "].find((each) => each !== decimal && text.includes(each)) ?? "";
  return numberReader({ decimal: [decimal], thousands: [sign], strip: [] })(text);
}

function datesOf(texts: readonly string[], notes: Notes): { dates?: string[] } {
  if (texts.length === 0) return {};
  const formatsOf = (share: number) =>
    DATE_FORMATS.filter((format) => {
      const read = dateReader(format);
      return texts.filter((text) => read(text) !== null).length >= texts.length * share;
    });
  const whole = formatsOf(1);
  // A day that does not exist, or a line below the table, is reported when the draft is tested.
  const fits = whole.length > 0 ? whole : formatsOf(MAX_DAYS);
  const [first] = fits;
  const other = first && fits.find((format) => format !== first && isOtherOrder(first, format));
  if (first !== undefined && other === undefined) {
    const odd = texts.find((text) => dateReader(first)(text) === null);
    const [sure, why]: [Confidence, string] =
      odd === undefined
        ? ["certain", "all days of the first rows are written so, and no other order of day and month fits"]
        : ["likely", `nearly all days of the first rows are written so, and not ${JSON.stringify(odd.slice(0, 30))}`];
    notes.guess("dates", first, sure, why);
    return { dates: [first] };
  }
  const question =
    first === undefined ? "how are days written?" : "does the day or the month come first? The first rows fit both";
  notes.decide("dates", question, first === undefined ? undefined : [first, other]);
  return {};
}

function isOtherOrder(one: string, other: string): boolean {
  return (
    one.indexOf("d") < one.indexOf("M") !== other.indexOf("d") < other.indexOf("M") &&
    one.includes("/") === other.includes("/")
  );
}

function nameOf(fileName: string): string {
  const base = fileName
    .replace(/^.*[/\\]/, "")
    .replace(/\.[^.]*$/, "")
    .toLowerCase();
  const name = base
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  return name === "" ? "draft" : name;
}
