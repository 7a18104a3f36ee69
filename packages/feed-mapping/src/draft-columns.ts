import { type ColumnRole, currencyWords, headerWords } from "./header-words.js";
import { nameKey, wordKey } from "./name-key.js";

/** A column of the table that a mapping is drafted for. */
export interface DraftColumn {
  readonly name: string;
  /** Its name as a mapping refers to it: the position, from 1, if another column has the same name. */
  readonly reference: string | number;
  readonly index: number;
  readonly role: ColumnRole | null;
  /** Its texts in the first rows. */
  readonly texts: readonly string[];
  /** What a column of currencies belongs to, by its name; empty if the name does not say, null for all other columns. */
  readonly currencyOf: string | null;
}

/**
 * The columns of a table, with what their names say.
 * @param given roles that a person has given, by position from 1
 */
export function draftColumns(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  given: Readonly<Record<string, string | null>> = {},
): readonly DraftColumn[] {
  const keys = names.map(nameKey);
  return names.map((name, index) => {
    const texts = rows.map((row) => row[index] ?? "");
    const stated = given[index + 1] as ColumnRole | null | undefined;
    const isCodes = texts.every((text) => text === "" || /^[A-Z]{3}$/i.test(text));
    const currencyOf = stated === "currency" ? "" : stated === undefined && isCodes ? qualified(name) : null;
    const role = stated === undefined ? roleByTexts(roleOf(name), texts) : stated;
    return {
      name,
      reference: keys.filter((key) => key === keys[index]).length > 1 ? index + 1 : name,
      index,
      role: currencyOf !== null ? "currency" : role === "currency" ? null : role,
      texts,
      currencyOf,
    };
  });
}

/** In Spanish and Portuguese `Valor` is the name of a security, in Switzerland its number. */
function roleByTexts(role: ColumnRole | null, texts: readonly string[]): ColumnRole | null {
  return role === "valor" && texts.some((text) => /\D/.test(text)) ? "name" : role;
}

/** What is known about the currency of an amount: the column that has it, a code in the amount's own name, or the columns that it may be. */
export type AmountCurrency =
  | { readonly column: DraftColumn }
  | { readonly code: string }
  | { readonly open: readonly DraftColumn[] };

/**
 * Finds the currency of an amount: in its own name (`Betrag (EUR)`), in the column named after it (`Currency (Total)`), in the column beside it
 * if several have the same name, or in the only one.
 * @param isMain of the row: an unnamed currency column is its own even if other amounts have theirs
 */
export function currencyOfAmount(
  amount: DraftColumn,
  columns: readonly DraftColumn[],
  isMain: boolean,
): AmountCurrency {
  const code = codeIn(amount.name);
  if (code !== null) return { code };
  const currencies = columns.filter(({ role }) => role === "currency");
  const key = withoutBrackets(wordKey(amount.name));
  const own = currencies.find(({ currencyOf }) => currencyOf === wordKey(amount.name) || currencyOf === key);
  if (own) return { column: own };
  const unnamed = currencies.filter(({ currencyOf }) => currencyOf === "");
  const beside = unnamed.find(({ index }) => index === amount.index + sideOf(unnamed, columns));
  if (unnamed.length > 1 && beside) return { column: beside };
  const [only] = unnamed;
  if (only && unnamed.length === 1 && (isMain ? !isRivals(only, amount, columns) : currencies.length === 1))
    return { column: only };
  return { open: currencies };
}

/**
 * Whether a currency may be that of another amount instead: of a price left of it (`Price;Currency;Amount`), or of one with the same name
 * (`Importo;Importo Divisa;Divisa`). One that ends a run of amounts is that of them all.
 */
function isRivals(currency: DraftColumn, amount: DraftColumn, columns: readonly DraftColumn[]): boolean {
  const left = columns[currency.index - 1];
  if (!left || left === amount) return false;
  const first = wordKey(amount.name).split(" ")[0] ?? "";
  if (wordKey(left.name).startsWith(`${first} `)) return true;
  let begin = currency.index;
  while (isAmount(columns[begin - 1])) begin -= 1;
  return left.role !== null && sideRoles.has(left.role) && !(amount.index >= begin && amount.index < currency.index);
}

function isAmount(column: DraftColumn | undefined): boolean {
  if (!column) return false;
  const { role, texts } = column;
  return role === null ? texts.some((text) => /^[-+(]?\d/.test(text)) : numberRoles.has(role);
}

const sideRoles: ReadonlySet<ColumnRole> = new Set(["price", "fees", "taxes", "cost", "accrued_interest"]);

/** Whether currencies are to the right of their amounts (1) or to the left (-1); 0 if it may be both. */
function sideOf(currencies: readonly DraftColumn[], columns: readonly DraftColumn[]): number {
  const [right, left] = [-1, 1].map((step) => currencies.every(({ index }) => isAmount(columns[index + step])));
  return right === left ? 0 : right ? 1 : -1;
}

/** Columns of numbers. */
export const numberRoles: ReadonlySet<ColumnRole> = new Set([
  ...(["units", "price", "value", "cash", "fees", "taxes", "accrued_interest", "cost"] as const),
]);

/** The meaning of a column by its name, without brackets and a currency at its end. */
export function roleOf(name: string): ColumnRole | null {
  const whole = wordKey(name.replaceAll("_", " "));
  const key = withoutBrackets(whole);
  const code = codeIn(name);
  const end = [code?.toLowerCase(), "euro"].find((each) => each !== undefined && key.endsWith(` ${each}`));
  const plain = end === undefined ? key : key.slice(0, -end.length).trimEnd().replace(/ in$/, "");
  for (const each of [whole, key, plain]) {
    const role = headerWords.find(([, words]) => words.includes(each))?.[0];
    if (role) return role;
  }
  return null;
}

/** What the name of a currency column says that it belongs to; null if it does not name a currency. */
function qualified(name: string): string | null {
  const key = wordKey(name);
  if (headerWords.some(([role, words]) => role === "currency" && words.includes(key))) return "";
  for (const word of currencyWords) {
    const isFirst = key.startsWith(`${word} `) || key.startsWith(`${word}(`);
    if (!isFirst && !key.endsWith(word)) continue;
    const rest = (isFirst ? key.slice(word.length) : key.slice(0, -word.length)).trim();
    if (rest !== "") return rest.replace(/^\((.*)\)$/, "$1").replace(/^(?:of|de|du|der|des|del|della) /, "");
  }
  return null;
}

const codes = new Set(Intl.supportedValuesOf("currency"));

/** The currency in an amount's own name: `Total EUR`, `Betrag in EUR`, `Courtage (SEK)`, `Price (€)`; GBX for pence. */
function codeIn(name: string): string | null {
  const code = /[ (]([A-Z]{3})\)?$/.exec(name)?.[1];
  if (code !== undefined && codes.has(code)) return code;
  if (/ euro$|\(\u20ac\)$/i.test(name)) return "EUR";
  if (/\((?:p|pence)\)$/i.test(name)) return "GBX";
  return name.endsWith("(£)") ? "GBP" : null;
}

/** Removes a bracketed part at the end. */
function withoutBrackets(name: string): string {
  if (!name.endsWith(")")) return name;
  const begins = name.indexOf("(", name.lastIndexOf(")", name.length - 2) + 1);
  return begins < 0 ? name : name.slice(0, begins).trimEnd();
}
