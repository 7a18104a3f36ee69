import { isUtf8 } from "node:buffer";
import { FeedRefusal, type TransactionKind } from "@org/provider-kit";
import { dateReader } from "./dates.js";
import { type ColumnRole, headerWords, kindWords } from "./header-words.js";
import { numberReader } from "./numbers.js";
import { headLines } from "./recognise.js";
import { readRecords } from "./records.js";
import { nameKey } from "./row.js";

/** How certain a guess is. */
export type Confidence = "certain" | "likely" | "guess";

/** A proposed mapping, how certain each part of it is, and what remains to be decided. */
export interface MappingDraft {
  /** To be corrected and tested; it may lack what only a person knows. */
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly guesses: readonly {
    readonly path: string;
    readonly value: unknown;
    readonly sure: Confidence;
    readonly why: string;
  }[];
  readonly to_decide: readonly {
    readonly path: string;
    readonly question: string;
    readonly options?: readonly unknown[];
  }[];
}

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
const NUMBERS: ReadonlySet<ColumnRole> = new Set([
  "units",
  "price",
  "value",
  "cash",
  "fees",
  "taxes",
  "accrued_interest",
  "cost",
]);

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
  const records = recordsOf(lines, delimiter);
  const at = headerAt(records, notes);
  const header = records[at]?.columns ?? [];
  const rows = records.slice(at + 1).filter(({ columns }) => columns.length === header.length);
  const columns = header.map((name, index) => ({
    name,
    role: roleOf(name),
    texts: rows.map((row) => row.columns[index] ?? ""),
  }));
  const taken = new Map<ColumnRole, (typeof columns)[number]>();
  for (const column of columns) if (column.role !== null && !taken.has(column.role)) taken.set(column.role, column);
  const money = taken.get("cash") ?? taken.get("value");
  const ownCurrency = columns.find(({ name, role }) => role === "currency" && money && isOf(name, money.name));
  if (ownCurrency) taken.set("currency", ownCurrency);
  if (taken.size === 0)
    throw new FeedRefusal("file", "no line of it names columns that are known; write the mapping by hand");
  const textsOf = (role: ColumnRole) => (taken.get(role)?.texts ?? []).filter((text) => text !== "");

  const values: Record<string, unknown> = {};
  for (const [role, { name }] of taken) {
    if (role === "account" || role === "kind_word") continue;
    values[role] = { column: name };
    notes.guess(`values.${role}`, name, "likely", `the column is called ${JSON.stringify(name)}`);
  }
  const kinds = [...new Set(textsOf("kind_word"))].slice(0, 100);
  const isMovement = taken.has("cash") || kinds.some((word) => kindOf(word) !== null);
  const account = taken.get("account");
  if (!taken.has("currency"))
    notes.decide("values.currency", "no column names a currency: which is it?", ["CHF", "EUR", "GBP", "USD"]);
  if (isMovement && !taken.has("cash"))
    notes.decide("values.cash", "no column with what was paid or received was found: which is it?");
  if (!isMovement && !taken.has("units") && !taken.has("value"))
    notes.decide("values.units", "no column with units or values was found: which is it?");
  if (!taken.has("date") && (isMovement || !taken.has("settlement_date")))
    notes.decide("values.date", "no column with days was found: which is it, or as_of of the mapping?");
  if (!account)
    notes.decide(
      "account.number",
      "no column names the account: without one, all rows belong to one portfolio of the connection",
    );
  // A dividend's units are those that it was paid for; they do not move.
  const { units: _, price: __, ...shared } = values;
  return {
    mapping: {
      language: 1,
      name: nameOf(fileName),
      title: nameOf(fileName),
      recognise: { header: header.filter((name) => name !== "").slice(0, 6) },
      encoding,
      delimiter,
      ...((records[at]?.line ?? 1) > 1 && { skip: { first: "header" } }),
      ...numbersOf(
        [...taken].flatMap(([role, { texts }]) => (NUMBERS.has(role) ? texts : [])),
        notes,
      ),
      ...datesOf([...textsOf("date"), ...textsOf("settlement_date")], notes),
      ...(account && { account: { number: { column: account.name } } }),
      values: { ...(!taken.has("currency") && { currency: { constant: "XXX" } }), ...(isMovement ? shared : values) },
      tables: [
        { rows: isMovement ? movementRules(kinds, taken.get("kind_word")?.name, values, notes) : [{ is: "holding" }] },
      ],
    },
    guesses: notes.guesses,
    to_decide: notes.toDecide,
  };
}

class Notes {
  readonly guesses: MappingDraft["guesses"][number][] = [];
  readonly toDecide: MappingDraft["to_decide"][number][] = [];

  guess(path: string, value: unknown, sure: Confidence, why: string): void {
    this.guesses.push({ path, value, sure, why });
  }

  decide(path: string, question: string, options?: readonly unknown[]): void {
    this.toDecide.push({ path, question, ...(options && { options }) });
  }
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

function recordsOf(lines: readonly string[], delimiter: string) {
  const records: { columns: readonly string[]; line: number }[] = [];
  // The last line of the head may be cut off.
  const text = lines.slice(0, Math.max(2, lines.length - 1)).join("\n");
  readRecords(Buffer.from(text), { delimiter, loose_quotes: true }, [], (columns, line) =>
    records.push({ columns: [...columns], line }),
  );
  return records;
}

/** Index of the record with the most words that headers use. */
function headerAt(records: readonly { columns: readonly string[]; line: number }[], notes: Notes): number {
  const scores = records.slice(0, 60).map(({ columns }) => columns.filter((name) => roleOf(name) !== null).length);
  const best = scores.reduce((top, score, index) => (score > (scores[top] ?? 0) ? index : top), 0);
  notes.guess(
    "skip.first",
    (records[best]?.line ?? 1) - 1,
    (scores[best] ?? 0) > 2 ? "certain" : "guess",
    "the line below it has the names of columns",
  );
  return best;
}

function roleOf(name: string): ColumnRole | null {
  const key = withoutBrackets(nameKey(name));
  return headerWords.find(([, words]) => words.includes(key))?.[0] ?? null;
}

/** Removes a bracketed part at the end. */
function withoutBrackets(name: string): string {
  if (!name.endsWith(")")) return name;
  const begins = name.indexOf("(", name.lastIndexOf(")", name.length - 2) + 1);
  return begins < 0 ? name : name.slice(0, begins).trimEnd();
}

/** Whether a column qualifies another one, as "Currency (Total)" does "Total". */
function isOf(name: string, other: string): boolean {
  return nameKey(name).endsWith(`(${nameKey(other)})`);
}

function kindOf(word: string) {
  const plain = word.toLowerCase();
  return kindWords.find(([, beginnings]) => beginnings.some((beginning) => plain.startsWith(beginning)))?.[0] ?? null;
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

function movementRules(
  words: readonly string[],
  column: string | undefined,
  values: Readonly<Record<string, unknown>>,
  notes: Notes,
): readonly object[] {
  const moved = Object.fromEntries(
    (["units", "price"] as const).flatMap((field) => (values[field] === undefined ? [] : [[field, values[field]]])),
  );
  if (column === undefined) {
    notes.decide("tables[0].rows", "no column says what a row is: all are movements of kind other");
    return [{ is: "transaction", kind: "other", ...given(moved) }];
  }
  const byKind = new Map<TransactionKind, string[]>();
  const unknown: string[] = [];
  for (const word of words) {
    const kind = kindOf(word);
    if (kind === null) unknown.push(word);
    else byKind.set(kind, [...(byKind.get(kind) ?? []), word]);
  }
  if (unknown.length > 0)
    notes.decide(
      "tables[0].rows",
      `what are rows whose ${column} is ${unknown
        .slice(0, 20)
        .map((word) => JSON.stringify(word))
        .join(", ")}? They are refused until a rule takes them`,
    );
  return [...byKind].map(([kind, is], index) => {
    notes.guess(`tables[0].rows[${index}].kind`, kind, "likely", `by the words ${is.slice(0, 5).join(", ")}`);
    const rule = { when: { column, is }, is: "transaction", kind };
    if (!MOVING_UNITS.has(kind)) return rule;
    const signs =
      kind === "buy" ? { units: "plus", cash: "minus" } : kind === "sell" ? { units: "minus", cash: "plus" } : {};
    const signed = Object.entries(signs).flatMap(([field, sign]) => {
      const value = values[field];
      return value === undefined ? [] : [[field, { ...(value as object), sign }] as const];
    });
    return { ...rule, ...given({ ...moved, ...Object.fromEntries(signed) }) };
  });
}

/** Written with an escape so that bundles stay Latin-1, which V8 stores in half the memory. */
const MONEY_SIGNS = /[$\u20ac£¥]/g;
/** Transactions in which units are received or delivered. */
const MOVING_UNITS: ReadonlySet<TransactionKind> = new Set([
  ...(["buy", "sell", "transfer_in", "transfer_out", "split", "spin_off", "merger", "redemption"] as const),
]);

function given(values: object): { values?: object } {
  return Object.keys(values).length === 0 ? {} : { values };
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
