import { FeedRefusal } from "@org/provider-kit";
import { type AmountCurrency, currencyOfAmount, type DraftColumn, numberRoles } from "./draft-columns.js";
import { areDays, draftDates, draftNumbers } from "./draft-formats.js";
import { type DraftAnswer, type DraftedLine, type MappingDraft, Notes } from "./draft-notes.js";
import { draftPriceUnit } from "./draft-prices.js";
import { type DraftTable, draftRules, kindInWord } from "./draft-rules.js";
import { type DraftGiven, delimiterOf, encodingOf, type FoundTable, recordsOf, tablesIn } from "./draft-tables.js";
import { type ColumnRole, columnRoles, totalWords } from "./header-words.js";
import { nameKey, wordKey } from "./name-key.js";
import { headLines } from "./recognise.js";

/** Amounts beside the one that counts, whose currency a transaction has a field for. */
const SIDE_AMOUNTS = ["price", "fees", "taxes"] as const;

/** How much of a file a draft reads: enough for rare kinds of rows, and for the one value that tells which sign is before decimals. */
const READ = { bytes: 2 * 1024 * 1024, lines: 20_000 };

/**
 * Proposes a mapping from a file's encoding, columns, header words in seven languages and rows.
 * @param fileName names the mapping
 * @throws FeedRefusal if the file is not a table
 */
export function draftMapping(file: Uint8Array, fileName = "draft", given: DraftGiven = {}): MappingDraft {
  const unknown = Object.values(given.roles ?? {}).find((role) => role !== null && !isRole(role));
  if (unknown !== undefined) throw new FeedRefusal("roles", `${JSON.stringify(unknown)} is no role of a column`);
  const notes = new Notes();
  const encoding = encodingOf(file, notes);
  const lines = headLines(file, encoding, READ);
  const delimiter = delimiterOf(lines.slice(0, 200), notes);
  const records = recordsOf(lines, delimiter, file.byteLength > READ.bytes);
  const found = tablesIn(records, given, notes);
  const isAlone = found.length === 1;
  const pathOf = (index: number) => (isAlone ? "" : `tables[${index}].`);
  const tables = found.map(({ columns }, index) => draftTable(columns, index, pathOf(index), notes));
  const textsOf = (...roles: ColumnRole[]) =>
    tables
      .flatMap(({ taken }) => roles.flatMap((role) => taken.get(role)?.texts ?? []))
      .filter((text) => text !== "" && !totalWords.includes(wordKey(text)));
  const days = textsOf("date", "settlement_date");
  // Whoever then says which column has the days need not say how they are written.
  const unread = found.flatMap(({ columns }) => columns).find(({ role, texts }) => role === null && areDays(texts));
  const accounts = [...new Set(tables.flatMap(({ taken }) => taken.get("account")?.reference ?? []))];
  if (accounts.length === 0)
    notes.decide(
      "account.number",
      "no column names the account: without one, all rows belong to one portfolio of the connection",
      { code: "account", answers: [answer("yes", ""), ...unreadColumns(found[0]?.columns ?? [], "account", 0)] },
    );
  const numbers = draftNumbers(textsOf(...numberRoles), notes);
  const shared = tables.map((table, index) => ({
    ...table.shared,
    ...draftPriceUnit(table, pathOf(index), numbers, notes),
  }));
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
      ...numbers,
      ...draftDates(days.length > 0 ? days : (unread?.texts.filter((text) => text !== "") ?? []), notes),
      ...(accounts.length > 0 && { account: { number: { column: accounts.length === 1 ? accounts[0] : accounts } } }),
      ...(isAlone && { values: shared[0] }),
      tables: tables.map((table, index) => ({
        ...(!isAlone && { recognise: namesOf(found[index]?.columns ?? []), values: shared[index] }),
        rows: draftRules(table, index, notes),
      })),
    },
    guesses: notes.guesses,
    to_decide: notes.toDecide,
    tables: found.map(({ line, columns, rows }) => ({
      line,
      columns: columns.slice(0, MAX_SHOWN.columns).map(({ name, reference, role }) => ({ name, reference, role })),
      rows: rows.slice(0, MAX_SHOWN.rows).map(shownLine),
    })),
    lines: records.slice(0, MAX_SHOWN.above).map(shownLine),
  };
}

function isRole(name: string): boolean {
  return columnRoles.some((role) => role === name);
}

/** The most of a file that a draft shows. */
const MAX_SHOWN = { rows: 100, columns: 60, characters: 120, above: 15 };

function shownLine({ line, columns }: Pick<FoundTable, "line"> & { readonly columns: readonly string[] }): DraftedLine {
  return { line, cells: columns.slice(0, MAX_SHOWN.columns).map((text) => text.slice(0, MAX_SHOWN.characters)) };
}

function answer(says: DraftAnswer["says"], value: string, edits: DraftAnswer["edits"] = []): DraftAnswer {
  return { says, value, edits };
}

/** Columns without a role, as answers that give them one; at most six. */
function unreadColumns(columns: readonly DraftColumn[], role: ColumnRole, table: number): readonly DraftAnswer[] {
  const fits = (text: string) => text === "" || /^[-+(]?\d/.test(text) === numberRoles.has(role);
  return columns
    .filter(({ name, texts, ...column }) => {
      const isFit = role === "date" ? areDays(texts) || texts.every((text) => text === "") : texts.every(fits);
      return column.role === null && name !== "" && isFit;
    })
    .slice(0, 6)
    .map(({ name, reference }) => answer("column", name, [{ column: reference, role, table }]));
}

function namesOf(columns: readonly DraftColumn[]): readonly string[] {
  return columns.flatMap(({ name }) => (name === "" ? [] : name)).slice(0, 40);
}

function draftTable(columns: readonly DraftColumn[], table: number, at: string, notes: Notes): DraftTable {
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
  for (const [field, question, rest] of open)
    notes.decide(`${at}values.${field}`, question, {
      ...rest,
      answers: rest.answers.map((one) => ({
        ...one,
        edits: one.edits.map((edit) => ("path" in edit ? { ...edit, path: `${at}${edit.path}` } : { ...edit, table })),
      })),
    });
  if (open.some(([field]) => field === "currency")) values.currency = { constant: "XXX" };
  const cash = taken.get("cash");
  const others = columns.filter(({ name, role }) => cash && (role === "cash" || isMore(name, cash.name)));
  if (cash && others.length > 1)
    notes.decide(
      `${at}values.cash`,
      `several columns could be what was paid or received; ${JSON.stringify(cash.name)} is read: is it the one?`,
      {
        ...{ code: "cash_column", about: [cash.name], options: others.map(({ name }) => name) },
        answers: others.map(({ name, reference }) =>
          answer("column", name, reference === cash.reference ? [] : [{ column: reference, role: "cash", table }]),
        ),
      },
    );
  if (isMovement && !cash)
    notes.decide(`${at}values.cash`, "no column with what was paid or received was found: which is it?", {
      ...{ code: "cash_missing", options: columns.filter(({ role }) => role === "value").map(({ name }) => name) },
      answers: [
        ...columns.filter(({ role }) => role === "value").map((each) => columnAnswer(each, "cash", table)),
        ...unreadColumns(columns, "cash", table),
      ],
    });
  if (!isMovement && !taken.has("units") && !taken.has("value"))
    notes.decide(`${at}values.units`, "no column with units or values was found: which is it?", {
      ...{ code: "amount_missing", answers: unreadColumns(columns, "units", table) },
    });
  if (!isMovement && !SECURITY.some((role) => taken.has(role)))
    notes.decide(`${at}values.name`, "no column names the security: which is it?", {
      ...{ code: "security_missing", answers: unreadColumns(columns, "name", table) },
    });
  if (!taken.has("date") && (isMovement || !taken.has("settlement_date")))
    notes.decide(`${at}values.date`, "no column with days was found: which is it, or as_of of the mapping?", {
      ...{ code: "date_missing", answers: unreadColumns(columns, "date", table) },
    });
  const { units: _, price: __, ...shared } = values;
  return { isMovement, taken, columns, kinds, values, shared: isMovement ? shared : values };
}

function columnAnswer({ name, reference }: DraftColumn, role: ColumnRole, table: number): DraftAnswer {
  return answer("column", name, [{ column: reference, role, table }]);
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
  const open: (readonly [field: string, question: string, rest: OpenCurrency])[] = [];
  const named = (those: readonly DraftColumn[]) => those.map(({ name }) => name);
  const currencyEdit = (field: string, value: object) => ({ path: `values.${field}`, value });
  if (!("open" in own)) currencies.currency = currencyValue(own);
  else if (own.open.length === 0)
    open.push([
      "currency",
      "no column names a currency: which is it?",
      {
        ...{ code: "currency", about: [], options: CURRENCIES },
        answers: CURRENCIES.map((constant) => answer("value", constant, [currencyEdit("currency", { constant })])),
      },
    ]);
  else
    open.push([
      "currency",
      `which column has the currency of ${JSON.stringify(main?.name)}?`,
      {
        ...{ code: "currency_column", about: [main?.name ?? ""], options: named(own.open) },
        answers: own.open.map(({ name, reference }) =>
          answer("column", name, [currencyEdit("currency", { column: reference })]),
        ),
      },
    ]);
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
    const read = { column: side.reference, role };
    const columnsFor =
      "open" in other && other.open.length > 0 && (role === "price" || role === "fees" || role === "taxes");
    open.push([
      role,
      question,
      {
        ...{ code: "side_currency", about: [side.name, main?.name ?? ""] },
        ...("open" in other && { options: named(other.open) }),
        answers: [
          ...(columnsFor
            ? other.open.map(({ name, reference }) =>
                answer("column", name, [read, currencyEdit(`${role}_currency`, { column: reference })]),
              )
            : [answer("yes", "", [read])]),
          answer("no", ""),
        ],
      },
    ]);
  }
  return { left, currencies, open };
}

/** A question about currencies, with edits within its table. */
type OpenCurrency = Parameters<Notes["decide"]>[2] & { readonly answers: readonly DraftAnswer[] };

const CURRENCIES = ["CHF", "EUR", "GBP", "USD"];

function currencyValue(currency: { readonly column: DraftColumn } | { readonly code: string }): object {
  return "code" in currency ? { constant: currency.code } : { column: currency.column.reference };
}

function isSame(one: AmountCurrency, other: AmountCurrency): boolean {
  if ("code" in one && "code" in other) return one.code === other.code;
  return "column" in one && "column" in other && one.column === other.column;
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
