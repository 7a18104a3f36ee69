import { isDeepStrictEqual } from "node:util";
import { amountNames, isFormula, snapshotLists, termsOf } from "./expected-rows.js";
import { mapTexts, textsIn } from "./json-values.js";
import { type ExpectedRow, NUMBER, type RecordedAnswer, type Recording } from "./recording.js";

/** A number as a text of its own, without its sign. */
const plainNumber = /^-?\d+(?:\.\d+)?$/;
/** The values of attributes and elements of XML: name, opening, value. */
const xmlValue = /([\w:.-]+)(="|>)([^"<>]*)(?=["<])/g;
const isoDate = /^\d{4}-\d\d-\d\d/;

/**
 * A recording whose amounts have digits that a float spoils, in the answers and in what is expected of them. An amount that is expected and that
 * no answer has, has to be a formula. @param serial makes the digits differ @param kept exchanges whose answers stay, with each amount that they have
 */
export function withExactNumbers(
  recording: Recording,
  serial = 0,
  kept: ReadonlySet<Recording["exchanges"][number]> = new Set(),
): Recording {
  const amounts = new Set(amountsOf(recording));
  const inAnswers = new Set(
    recording.exchanges
      .flatMap(({ answer }) => leavesOf(answer, recording.codes))
      .filter((text) => plainNumber.test(text))
      .map(unsigned),
  );
  const staying = new Set([...kept].flatMap(({ answer }) => leavesOf(answer, [])).map(unsigned));
  const multiplied = multipliedNumbers(recording);
  const others = new Map(
    [...amounts]
      .filter((amount) => inAnswers.has(amount) && !staying.has(amount))
      .map((amount, index) => [amount, spoiltByFloats(amount, serial + index, multiplied.has(amount))]),
  );
  const rewritten = (text: string) => {
    const other = plainNumber.test(text) ? others.get(unsigned(text)) : undefined;
    return other === undefined ? text : `${text.startsWith("-") ? "-" : ""}${other}`;
  };
  const formula = (text: string) =>
    `= ${termsOf(text)
      .map((factors) => factors.map(rewritten).join(" * "))
      .join(" + ")}`;
  return {
    ...recording,
    exchanges: recording.exchanges.map((one) => ({
      ...one,
      answer: mapAnswer(one.answer, recording.codes, rewritten),
    })),
    expect: mapExpected(recording.expect, (text, name) =>
      !amountNames.has(name) ? text : isFormula(text) ? formula(text) : rewritten(text),
    ),
    totals: [],
  };
}

/** The amounts that are expected and that neither an answer has nor a formula computes: nothing can be said of their digits. */
export function unexplainedAmounts(recording: Recording): readonly string[] {
  const inAnswers = new Set(recording.exchanges.flatMap(({ answer }) => leavesOf(answer, [])).map(unsigned));
  return [...new Set(amountsOf(recording))].filter(
    (amount) => /[1-9]/.test(amount) && !isPowerOfTen(amount) && !inAnswers.has(amount),
  );
}

/** Currencies that no code of a provider names, instead of those of the recording. */
const otherCurrencies = ["SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "ISK"];
/** Currencies with a minor unit of their own name, which is not rewritten with them. */
const withMinorUnits: ReadonlySet<string> = new Set(["GBP", "ZAR", "ILS"]);

/** A recording with other names, descriptions and currencies, in the answers and in what is expected of them. */
export function withOtherTexts(recording: Recording): Recording {
  const rows = rowsOfExpectation(recording);
  const leaves = new Set(recording.exchanges.flatMap(({ answer }) => leavesOf(answer, recording.codes)));
  // An account's number may be its name: what is also a key stays.
  const keys = new Set(rows.flatMap(({ key, ref_account, isin }) => textsIn([key, ref_account, isin])));
  const said = [...new Set(rows.flatMap(({ name, description }) => textsIn([name, description])))].filter(
    (text) => text.length >= 4 && leaves.has(text) && !keys.has(text),
  );
  const currencies = [
    ...new Set(rows.flatMap(({ currency, price_currency }) => textsIn([currency, price_currency]))),
  ].filter(
    (code) => leaves.has(code) && !withMinorUnits.has(code) && ![...leaves].some((leaf) => isPairWith(code, leaf)),
  );
  const free = otherCurrencies.filter((code) => !leaves.has(code));
  const others = new Map([
    ...said.map((text) => [text, `${text} II`] as const),
    ...currencies.map((code, index) => [code, free[index] ?? code] as const),
  ]);
  const rewritten = (text: string) => others.get(text) ?? text;
  // A provider writes currencies into names, such as that of cash.
  const withCodes = (text: string) =>
    text.replace(/\b[A-Z]{3}\b/g, (code) =>
      [...leaves].some((leaf) => leaf !== code && text.includes(leaf) && hasWord(leaf, code)) ? code : rewritten(code),
    );
  // A description may be put together of several texts.
  const composed = (text: string) => {
    const longest = said.filter((one) => text.includes(one)).sort((one, other) => other.length - one.length)[0];
    if (longest === undefined) return withCodes(text);
    const at = text.indexOf(longest);
    return `${withCodes(text.slice(0, at))}${longest} II${withCodes(text.slice(at + longest.length))}`;
  };
  return {
    ...recording,
    exchanges: recording.exchanges.map((one) => ({
      ...one,
      answer: mapAnswer(one.answer, recording.codes, rewritten),
    })),
    expect: mapExpected(recording.expect, (text, name) => {
      if (name === "name" || name === "description") return composed(text);
      // A provider makes keys with currencies for cash.
      if (name === "key" || name === "holding_key")
        return leaves.has(text) ? text : text.replace(/\b[A-Z]{3}\b/g, rewritten);
      return name === "currency" || name === "price_currency" ? rewritten(text) : text;
    }),
    totals: [],
  };
}

function hasWord(text: string, code: string): boolean {
  return text.split(/[^A-Za-z0-9]+/).includes(code);
}

/** Whether a text is a name in which a currency stands, such as `BTC/USD`, from which a provider may read it: such a currency is not rewritten. */
function isPairWith(code: string, text: string): boolean {
  return text !== code && !/\s/.test(text) && hasWord(text, code);
}

/**
 * The same recording of another customer: their credentials, tokens, accounts and amounts differ. An exchange that says nothing of a
 * customer, such as one for prices, stays as it is: neither credentials nor keys nor units of a row. @param secrets further texts of this customer
 */
export function asAnotherCustomer(recording: Recording, secrets: readonly string[]): Recording {
  const { first = {}, login = {} } = recording.expect;
  const own = [
    ...Object.values(recording.customer.fields),
    ...Object.values(recording.customer.params ?? {}),
    ...textsIn(login.user_key),
    ...(first.portfolios ?? []).flatMap(({ key, ref_account }) => textsIn([key, ref_account])),
    ...[...(first.transactions ?? []), ...(first.withdrawn ?? [])].flatMap(({ key }) => textsIn(key)),
    ...secrets,
  ];
  const sent = recording.exchanges.flatMap(({ request: { headers, body } }) => textsIn([headers, body]));
  const said = recording.exchanges.flatMap(({ answer }) => leavesOf(answer, recording.codes));
  // What the institution says and is told again, such as a token. A word without digits, such as Bearer, is none.
  const repeated = said.filter((text) => /\d/.test(text) && text.length >= 6 && sent.some((one) => one.includes(text)));
  const all = recording.exchanges.flatMap(({ request }) => textsIn(request)).concat(said);
  const personal = [...new Set([...own, ...repeated])]
    .filter((text) => text.length >= 4 && !isoDate.test(text) && all.some((one) => one.includes(text)))
    .sort((one, other) => other.length - one.length);
  const anothers = new Map(personal.map((text) => [text, anothersText(text)]));
  const pattern =
    personal.length === 0
      ? null
      : new RegExp(personal.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");
  const rewritten = (text: string) =>
    pattern === null ? text : text.replace(pattern, (one) => anothers.get(one) ?? one);
  const units = new Set(rowsOfExpectation(recording).flatMap(({ amount }) => textsIn(amount).map(unsigned)));
  const isAnybodys = ({ request, answer }: Recording["exchanges"][number]) =>
    isDeepStrictEqual(mapTexts({ request, answer }, rewritten), { request, answer }) &&
    !leavesOf(answer, recording.codes).some((text) => units.has(unsigned(text)));
  const shared = new Set(recording.exchanges.filter(isAnybodys));
  const { exchanges, expect, customer } = withExactNumbers(recording, 500, shared);
  const others = mapTexts({ exchanges, expect, customer }, rewritten) as Pick<
    Recording,
    "exchanges" | "expect" | "customer"
  >;
  return {
    ...recording,
    ...others,
    exchanges: recording.exchanges.map((one, index) => (shared.has(one) ? one : (others.exchanges[index] ?? one))),
  };
}

/** A text of the same shape: other digits, and other letters where there are none. */
function anothersText(text: string): string {
  const digits = text.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10));
  return digits === text ? text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? "x" : "X")) : digits;
}

function rowsOfExpectation({ expect: { first = {} } }: Recording): readonly ExpectedRow[] {
  return snapshotLists.flatMap((list) => first[list] ?? []);
}

function amountsOf(recording: Recording): readonly string[] {
  return rowsOfExpectation(recording).flatMap((row) => amountsOfRow(row));
}

function amountsOfRow(row: ExpectedRow): readonly string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    if (!amountNames.has(name) || typeof value !== "string") return [];
    const figures = isFormula(value) ? termsOf(value).flat() : [value];
    return figures.map(unsigned).filter((figure) => /[1-9]/.test(figure) && !isPowerOfTen(figure));
  });
}

/** Factors such as -1 and 0.01 are constants of a formula. */
function isPowerOfTen(number: string): boolean {
  return /^(?:0\.0*1|10*)$/.test(unsigned(number));
}

function unsigned(number: string): string {
  return number.replace(/^-/, "").replace(NUMBER, "").replace(/^-/, "");
}

/**
 * Nineteen digits, and a zero at the end of a fraction; sixteen of a whole number. One that a formula multiplies with another whole number has thirteen:
 * the product, in contracts of 100 units, has to fit into the 28 digits that an amount may have before the point.
 */
function spoiltByFloats(number: string, serial: number, isMultiplied: boolean): string {
  if (number.includes(".")) return `${1_000_000_003 + serial}.1${String(serial + 1).padStart(8, "0")}0`;
  return String((isMultiplied ? 1_000_000_000_003n : 9_007_199_254_740_993n) + 2n * BigInt(serial));
}

/** The whole numbers that a formula multiplies with each other. */
function multipliedNumbers(recording: Recording): ReadonlySet<string> {
  const products = rowsOfExpectation(recording)
    .flatMap((row) => Object.values(row).filter(isFormula).flatMap(termsOf))
    .map((factors) => factors.map(unsigned).filter((factor) => !factor.includes(".") && !isPowerOfTen(factor)));
  return new Set(products.filter((whole) => whole.length > 1).flat());
}

/** The texts and numbers of a body, without the values of codes. */
function leavesOf({ json, text = "" }: RecordedAnswer, codes: readonly string[]): readonly string[] {
  const found: string[] = [];
  const note = (value: string, name: string) => {
    if (!codes.includes(name)) found.push(value.replace(NUMBER, ""));
    return value;
  };
  mapTexts(json, note);
  for (const [, name = "", , value = ""] of text.matchAll(xmlValue)) note(value, name);
  return found;
}

function mapAnswer(answer: RecordedAnswer, codes: readonly string[], change: (text: string) => string): RecordedAnswer {
  const changed = (text: string, name: string) => {
    if (codes.includes(name)) return text;
    return text.startsWith(NUMBER) ? `${NUMBER}${change(text.slice(NUMBER.length))}` : change(text);
  };
  return {
    ...answer,
    ...(answer.json !== undefined && { json: mapTexts(answer.json, changed) }),
    ...(answer.text !== undefined && {
      text: answer.text.replace(
        xmlValue,
        (_, name: string, opening: string, value: string) => `${name}${opening}${changed(value, name)}`,
      ),
    }),
  };
}

function mapExpected(expect: Recording["expect"], change: (text: string, name: string) => string): Recording["expect"] {
  return mapTexts(expect, change) as Recording["expect"];
}
