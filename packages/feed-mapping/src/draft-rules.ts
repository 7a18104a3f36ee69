import { type TransactionKind, transactionKinds } from "@org/provider-kit";
import type { DraftColumn } from "./draft-columns.js";
import type { DraftAnswer, Notes } from "./draft-notes.js";
import { type ColumnRole, kindWords, statusWords, totalWords } from "./header-words.js";
import { wordKey } from "./name-key.js";

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
  return [...totalRules(table, at, notes), ...rowRules(table, index, at, notes)];
}

function totalRules({ columns }: DraftTable, at: string, notes: Notes): readonly object[] {
  return columns.flatMap(({ name, reference, texts }) => {
    const found = [...new Set(texts.filter((text) => totalWords.includes(wordKey(text))))];
    if (found.length === 0) return [];
    notes.guess(at, found, "likely", `rows whose ${name === "" ? reference : name} is this are totals`);
    return [{ when: { column: reference, is: found }, is: "ignored" }];
  });
}

function rowRules(table: DraftTable, index: number, at: string, notes: Notes): readonly object[] {
  const { isMovement, taken } = table;
  const status = taken.get("status");
  const words = [...new Set(status?.texts.filter((text) => text !== "") ?? [])].slice(0, 100);
  const list = (known: readonly string[]) => words.filter((word) => known.includes(wordKey(word)));
  const [done, undone] = [list(statusWords.done), list(statusWords.undone)];
  const isStated = status !== undefined && words.length > 0;
  const counts = { column: status?.reference, is: done.length > 0 ? done : ["Executed"] };
  const counted = (rule: object) =>
    isStated ? { ...rule, when: "when" in rule ? { all: [counts, rule.when] } : counts } : rule;
  const rules = isMovement ? movementRules(table, index, at, counted, notes) : [{ is: "holding" }];
  if (!isStated) return rules;
  if (done.length < words.length)
    notes.decide(
      at,
      `rows whose ${status.name} is ${quoted(undone)} are left out, rows whose ${status.name} is ${quoted(done)} are read, and others are refused: is that right?`,
      {
        ...{ code: "status", about: [status.name, done.join(", "), undone.join(", ")], options: words },
        answers: [{ says: "yes", value: "", edits: [] }],
      },
    );
  return [
    ...rules.map(counted),
    ...(undone.length > 0 ? [{ when: { column: status.reference, is: undone }, is: "ignored" }] : []),
  ];
}

function quoted(words: readonly string[]): string {
  const list = words.slice(0, 20).map((word) => JSON.stringify(word));
  return list.length === 0 ? "a word that is yet to be named" : list.join(", ");
}

function movementRules(
  { kinds: words, taken, values, columns }: DraftTable,
  table: number,
  at: string,
  counted: (rule: object) => object,
  notes: Notes,
): readonly object[] {
  const column = taken.get("kind_word");
  const moved = Object.fromEntries(
    (["units", "price"] as const).flatMap((field) => (values[field] === undefined ? [] : [[field, values[field]]])),
  );
  const isUnsigned = taken.has("cash") && isUnsignedColumn(taken.get("cash"));
  if (column === undefined) {
    notes.decide(at, "no column says what a row is: all are movements of kind other", {
      code: "kind_column",
      answers: [
        { says: "yes", value: "", edits: [] },
        ...columns.filter(isOfWords).map(({ name, reference }) => ({
          ...{ says: "column" as const, value: name },
          edits: [{ column: reference, role: "kind_word" as const, table }],
        })),
      ],
    });
    if (taken.has("units") && isUnsignedColumn(taken.get("units"))) {
      notes.decide(
        `${at}[0].values.units`,
        "no column says whether units were received or delivered; they are left out",
        { code: "units_sign", about: [taken.get("units")?.name ?? ""], answers: unitsAnswers(taken, at) },
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
  for (const word of unknown.slice(0, MAX_WORDS_ASKED))
    notes.decide(
      at,
      `what are rows whose ${column.name} is ${quoted([word])}? They are refused until a rule takes them`,
      {
        ...{ code: "kind_word", about: [column.name, word], options: [...transactionKinds, "ignored"] },
        answers: [...transactionKinds, "ignored" as const].map((kind) => ({
          ...{ says: "kind" as const, value: kind },
          edits: [{ table, rule: counted(kind === "ignored" ? ignoring(word) : ruleOf(kind, [word])) }],
        })),
      },
    );
  if (unknown.length > MAX_WORDS_ASKED)
    notes.decide(at, `what are rows whose ${column.name} is ${quoted(unknown.slice(MAX_WORDS_ASKED))}?`, {
      ...{ code: "more_words", about: [column.name, String(unknown.length - MAX_WORDS_ASKED)] },
    });
  return [...byKind].map(([kind, is], index) => {
    notes.guess(`${at}[${index}].kind`, kind, "likely", `by the words ${is.slice(0, 5).join(", ")}`);
    return ruleOf(kind, is);
  });

  function ignoring(word: string): object {
    return { when: { column: column?.reference, is: [word] }, is: "ignored" };
  }

  function ruleOf(kind: TransactionKind, is: readonly string[]): object {
    const rule = { when: { column: column?.reference, is }, is: "transaction", kind };
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
  }
}

/** The most words of one column that are asked about one by one. */
const MAX_WORDS_ASKED = 8;
/** A column of kinds has few different words. */
const MAX_KINDS = 12;

/** Whether a column without a role has few different words, and so may say what a row is. */
export function isOfWords({ role, name, texts }: DraftColumn): boolean {
  const words = new Set(texts.filter((text) => text !== ""));
  return (
    role === null &&
    name !== "" &&
    words.size > 0 &&
    words.size <= MAX_KINDS &&
    [...words].every((word) => !/^[-+(]?\d/.test(word))
  );
}

/** Units received, delivered, or by the money beside them: what was paid for was received. */
function unitsAnswers(taken: DraftTable["taken"], at: string): readonly DraftAnswer[] {
  const column = taken.get("units")?.reference;
  const cash = taken.get("cash");
  const path = `${at}[0].values.units`;
  return [
    ...(cash && !isUnsignedColumn(cash)
      ? [
          {
            ...{ says: "by_money" as const, value: cash.name },
            edits: [{ path, value: { column, minus_when: { column: cash.reference, number: "positive" } } }],
          },
        ]
      : []),
    { says: "no", value: "", edits: [] },
  ];
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
  const plain = wordKey(word);
  return kindWords.find(([, beginnings]) => beginnings.some((beginning) => plain.startsWith(beginning)))?.[0] ?? null;
}
