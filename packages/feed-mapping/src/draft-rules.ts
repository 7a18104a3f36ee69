import type { TransactionKind } from "@org/provider-kit";
import type { DraftColumn } from "./draft-columns.js";
import type { Notes } from "./draft-notes.js";
import { type ColumnRole, kindWords, statusWords, totalWords } from "./header-words.js";

/** What a draft says of one table. */
export interface DraftTable {
  readonly isMovement: boolean;
  readonly taken: ReadonlyMap<ColumnRole, DraftColumn>;
  readonly columns: readonly DraftColumn[];
  readonly kinds: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  /** The values of all rows: a dividend's units are those that it was paid for, and do not move. */
  readonly shared: Readonly<Record<string, unknown>>;
}

/** The rules of a table. Rows of totals do not count, and a status column decides which others do. */
export function draftRules(table: DraftTable, index: number, notes: Notes): readonly object[] {
  const at = `tables[${index}].rows`;
  return [...totalRules(table, at, notes), ...rowRules(table, at, notes)];
}

function totalRules({ columns }: DraftTable, at: string, notes: Notes): readonly object[] {
  return columns.flatMap(({ name, reference, texts }) => {
    const found = [...new Set(texts.filter((text) => totalWords.includes(text.toLowerCase())))];
    if (found.length === 0) return [];
    notes.guess(at, found, "likely", `rows whose ${name === "" ? reference : name} is this are totals`);
    return [{ when: { column: reference, is: found }, is: "ignored" }];
  });
}

function rowRules({ isMovement, taken, kinds, values }: DraftTable, at: string, notes: Notes): readonly object[] {
  const rules = isMovement ? movementRules(kinds, taken, values, at, notes) : [{ is: "holding" }];
  const status = taken.get("status");
  const words = [...new Set(status?.texts.filter((text) => text !== "") ?? [])].slice(0, 100);
  if (!status || words.length === 0) return rules;
  const list = (known: readonly string[]) => words.filter((word) => known.includes(word.toLowerCase()));
  const [done, undone] = [list(statusWords.done), list(statusWords.undone)];
  if (done.length < words.length)
    notes.decide(
      at,
      `rows whose ${status.name} is ${quoted(undone)} are left out, rows whose ${status.name} is ${quoted(done)} are read, and others are refused: is that right?`,
      words,
    );
  const counts = { column: status.reference, is: done.length > 0 ? done : ["Executed"] };
  return [
    ...rules.map((rule) => ({ ...rule, when: "when" in rule ? { all: [counts, rule.when] } : counts })),
    ...(undone.length > 0 ? [{ when: { column: status.reference, is: undone }, is: "ignored" }] : []),
  ];
}

function quoted(words: readonly string[]): string {
  const list = words.slice(0, 20).map((word) => JSON.stringify(word));
  return list.length === 0 ? "a word that is yet to be named" : list.join(", ");
}

function movementRules(
  words: readonly string[],
  taken: DraftTable["taken"],
  values: Readonly<Record<string, unknown>>,
  at: string,
  notes: Notes,
): readonly object[] {
  const column = taken.get("kind_word");
  const moved = Object.fromEntries(
    (["units", "price"] as const).flatMap((field) => (values[field] === undefined ? [] : [[field, values[field]]])),
  );
  const isUnsigned = taken.has("cash") && isUnsignedColumn(taken.get("cash"));
  if (column === undefined) {
    notes.decide(at, "no column says what a row is: all are movements of kind other");
    if (taken.has("units") && isUnsignedColumn(taken.get("units"))) {
      notes.decide(
        `${at}[0].values.units`,
        "no column says whether units were received or delivered; they are left out",
      );
      return [{ is: "transaction", kind: "other" }];
    }
    return [{ is: "transaction", kind: "other", ...given(moved) }];
  }
  const byKind = new Map<TransactionKind, string[]>();
  const unknown: string[] = [];
  for (const word of words) {
    const kind = kindInWord(word);
    if (kind === null || (IN_KIND.has(kind) && hasAmount(word, taken))) unknown.push(word);
    else byKind.set(kind, [...(byKind.get(kind) ?? []), word]);
  }
  if (unknown.length > 0)
    notes.decide(
      at,
      `what are rows whose ${column.name} is ${quoted(unknown)}? They are refused until a rule takes them`,
    );
  return [...byKind].map(([kind, is], index) => {
    notes.guess(`${at}[${index}].kind`, kind, "likely", `by the words ${is.slice(0, 5).join(", ")}`);
    const rule = { when: { column: column.reference, is }, is: "transaction", kind };
    if (!MOVING_UNITS.has(kind))
      return isUnsigned && PAID.has(kind)
        ? { ...rule, values: { cash: { ...(values.cash as object), sign: "minus" } } }
        : rule;
    const signs =
      kind === "buy" ? { units: "plus", cash: "minus" } : kind === "sell" ? { units: "minus", cash: "plus" } : {};
    const signed = Object.entries(signs).flatMap(([field, sign]) => {
      const value = values[field];
      return value === undefined ? [] : [[field, { ...(value as object), sign }] as const];
    });
    return { ...rule, ...given({ ...moved, ...Object.fromEntries(signed) }) };
  });
}

/** Whether no number of a column has a minus or brackets. */
function isUnsignedColumn(column: DraftColumn | undefined): boolean {
  return !(column?.texts.some((text) => /^[(\-\u2212]|[-\u2212]$/.test(text)) ?? false);
}

/** Transactions in which units are received or delivered. */
const MOVING_UNITS: ReadonlySet<TransactionKind> = new Set([
  ...(["buy", "sell", "transfer_in", "transfer_out", "split", "spin_off", "merger", "redemption"] as const),
]);

/** Transactions in which securities move, and no money: an amount beside them is most often what they are worth. */
const IN_KIND: ReadonlySet<TransactionKind> = new Set(["split", "transfer_in", "transfer_out"]);

/** Whether a row of this kind names a security and has an amount of money. */
function hasAmount(word: string, taken: DraftTable["taken"]): boolean {
  const isGiven = (role: ColumnRole, row: number) => (taken.get(role)?.texts[row] ?? "") !== "";
  return (taken.get("kind_word")?.texts ?? []).some(
    (text, row) => text === word && isGiven("cash", row) && (isGiven("isin", row) || isGiven("ticker", row)),
  );
}

/** Transactions that are paid, and so negative if the file has no signs. */
const PAID: ReadonlySet<TransactionKind> = new Set(["withdrawal", "fee", "tax"]);

function given(values: object): { values?: object } {
  return Object.keys(values).length === 0 ? {} : { values };
}

/** The kind of transaction that a word stands for; null if it is not known. */
export function kindInWord(word: string) {
  const plain = word.toLowerCase();
  return kindWords.find(([, beginnings]) => beginnings.some((beginning) => plain.startsWith(beginning)))?.[0] ?? null;
}
