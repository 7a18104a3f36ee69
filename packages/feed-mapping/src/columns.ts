import type { ColumnRole } from "./header-words.js";
import { nameKey } from "./name-key.js";

/**
 * A mapping as its columns: which role each has, and how it is written. Works on the JSON document, in browsers too, and keeps whatever it does
 * not understand.
 */
export type MappingDocument = Readonly<Record<string, unknown>>;

/** A column of a table, as a mapping refers to it: its name or, from 1, its position. */
export interface ColumnName {
  readonly name: string;
  readonly reference: string | number;
  /** From 0. */
  readonly index: number;
}

/** A change to a mapping: a column gets a role, a place of the document gets a value, or a table gets a rule. */
export type MappingEdit =
  | { readonly column: string | number; readonly role: ColumnRole | null; readonly table?: number }
  | { readonly path: string; readonly value: unknown }
  | { readonly rule: object; readonly table: number };

type Fields = Record<string, unknown>;
interface Rule {
  is?: unknown;
  kind?: unknown;
  when?: unknown;
  values?: Fields;
}
interface Table {
  values?: Fields;
  rows?: Rule[];
}
interface Document extends Record<string, unknown> {
  account?: { number?: unknown };
  values?: Fields;
  tables?: Table[];
}

/** The role of each column of a table by the mapping; null for those that it does not read. */
export function columnRolesOf(
  mapping: MappingDocument,
  table: number,
  columns: readonly ColumnName[],
): readonly (ColumnRole | null)[] {
  const document = mapping as Document;
  return columns.map((column) => {
    for (const fields of fieldsOf(document, table))
      for (const [role, value] of Object.entries(fields)) if (refersTo(value, column)) return role as ColumnRole;
    if (refersTo(document.account?.number, column)) return "account";
    const rules = rulesOf(document, table).filter(({ is }) => is !== "ignored");
    return rules.some(({ when }) => refersTo(when, column)) ? "kind_word" : null;
  });
}

/** The mapping after these changes. */
export function withEdits(mapping: MappingDocument, edits: readonly MappingEdit[]): MappingDocument {
  const document = structuredClone(mapping) as Document;
  for (const edit of edits) {
    if ("path" in edit) setAt(document, edit.path, edit.value);
    else if ("rule" in edit) addRule(document, edit.table, edit.rule);
    else giveRole(document, edit.table ?? 0, edit.column, edit.role);
  }
  return document;
}

/** How a column is written; what the mapping does not say of it applies to the whole file. */
export interface ColumnFormat {
  readonly decimal: string;
  readonly thousands: string;
  readonly dates: readonly string[];
  readonly sign: string;
}

/** How a column is written by the mapping. */
export function formatOf(mapping: MappingDocument, table: number, column: ColumnName): ColumnFormat {
  const document = mapping as Document;
  const value = (fieldsOf(document, table)
    .flatMap(Object.values)
    .find((each) => refersTo(each, column)) ?? {}) as Fields;
  return {
    decimal: first(value.decimal ?? document.decimal) ?? ".",
    thousands: first(value.thousands ?? document.thousands) ?? "",
    dates: (value.dates ?? document.dates ?? ["yyyy-MM-dd"]) as readonly string[],
    sign: first(value.sign) ?? "",
  };
}

/** The mapping with another format of one column. */
export function withFormat(
  mapping: MappingDocument,
  table: number,
  column: ColumnName,
  format: Partial<ColumnFormat>,
): MappingDocument {
  const document = structuredClone(mapping) as Document;
  for (const fields of fieldsOf(document, table))
    for (const value of Object.values(fields) as Fields[])
      if (refersTo(value, column))
        for (const [name, wanted] of Object.entries(format)) {
          if (wanted === "" || (name in document && JSON.stringify(document[name]) === JSON.stringify(wanted)))
            delete value[name];
          else value[name] = wanted;
          // A file without thousands signs differs from one that has some.
          if (name === "thousands" && wanted === "" && document.thousands !== undefined) value[name] = "";
        }
  return document;
}

/** What the rows of a table are, if one rule reads them all; null if several do. */
export function rowKindOf(mapping: MappingDocument, table: number): string | null {
  const rules = rulesOf(mapping as Document, table).filter(({ is }) => is !== "ignored");
  const [only] = rules;
  return rules.length === 1 && only && only.when === undefined && typeof only.is === "string" ? only.is : null;
}

/** The mapping after a change of what the rows of a table are; only where {@link rowKindOf} is not null. */
export function withRowKind(mapping: MappingDocument, table: number, is: string): MappingDocument {
  const document = structuredClone(mapping) as Document;
  const rule = rulesOf(document, table).find((each) => each.is !== "ignored");
  if (!rule) return mapping;
  rule.is = is;
  if (is === "transaction") rule.kind ??= "other";
  else delete rule.kind;
  return document;
}

/** What the rules of a mapping lack that a row needs. */
export type MappingLack =
  | "currency"
  | "date"
  | "security"
  | "holding_amount"
  | "movement_amount"
  | "cash_value"
  | "rows";

/** Names a security. */
const SECURITY = ["isin", "cusip", "sedol", "wkn", "valor", "figi", "ticker", "name"] as const;

/** What a mapping lacks to be whole, in the order in which a person would look for it. */
export function lacksOf(mapping: MappingDocument): readonly MappingLack[] {
  const document = mapping as Document;
  const found = new Set<MappingLack>();
  const tables = document.tables ?? [];
  for (const [index, table] of tables.entries()) {
    const rules = rulesOf(document, index).filter(({ is }) => is !== "ignored");
    if (rules.length === 0) found.add("rows");
    for (const rule of rules) {
      const fields = { ...document.values, ...table.values, ...rule.values };
      const has = (...names: readonly string[]) => names.some((name) => fields[name] !== undefined);
      if (rule.is === "transaction" && !has("date")) found.add("date");
      if (rule.is === "holding" && !has(...SECURITY)) found.add("security");
      if (rule.is === "holding" && !has("units", "value")) found.add("holding_amount");
      if (rule.is === "transaction" && !has("units", "cash")) found.add("movement_amount");
      if (rule.is === "cash" && !has("value", "cash")) found.add("cash_value");
      const account = document.account as Fields | undefined;
      const { constant } = (fields.currency ?? {}) as { constant?: unknown };
      if ((!has("currency") && account?.currency === undefined) || constant === UNKNOWN_CURRENCY) found.add("currency");
    }
  }
  return [...found];
}

/** The code for no currency (ISO 4217), which a draft writes where the file leaves it open. */
export const UNKNOWN_CURRENCY = "XXX";

function rulesOf({ tables }: Document, table: number): Rule[] {
  const rows = tables?.[table]?.rows;
  return Array.isArray(rows) ? rows : [];
}

/** All lists of fields that count for a table, the most special first. */
function fieldsOf(document: Document, table: number): Fields[] {
  const lists = [...rulesOf(document, table).map(({ values }) => values), document.tables?.[table]?.values];
  return [...lists, document.values].filter((fields): fields is Fields => isObject(fields));
}

/** Whether a value or condition takes something from a column. */
function refersTo(value: unknown, column: ColumnName): boolean {
  if (Array.isArray(value)) return value.some((each) => refersTo(each, column));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, part]) =>
    name === "column" ? isNamed(part, column) : typeof part === "object" && refersTo(part, column),
  );
}

function isNamed(reference: unknown, { name, index }: ColumnName): boolean {
  if (Array.isArray(reference)) return reference.some((each) => isNamed(each, { name, index, reference: name }));
  if (typeof reference === "number") return reference === index + 1;
  return typeof reference === "string" && name !== "" && nameKey(reference) === nameKey(name);
}

function giveRole(document: Document, table: number, reference: string | number, role: ColumnRole | null): void {
  const column: ColumnName =
    typeof reference === "number"
      ? { name: "", reference, index: reference - 1 }
      : { name: reference, reference, index: -1 };
  for (const fields of fieldsOf(document, table))
    for (const [name, value] of Object.entries(fields))
      if (name !== role && refersTo(value, column)) delete fields[name];
  if (role !== "account" && refersTo(document.account?.number, column)) {
    delete document.account?.number;
    if (Object.keys(document.account ?? {}).length === 0) delete document.account;
  }
  if (role === null || role === "kind_word" || role === "status") return;
  if (role === "account") {
    document.account = { ...document.account, number: { column: reference } };
    return;
  }
  let isThere = false;
  for (const fields of fieldsOf(document, table)) {
    const value = fields[role];
    if (value === undefined) continue;
    // A sign or a format that belongs to the role stays; a constant does not.
    const kept = isObject(value) ? Object.entries(value).filter(([name]) => name === "sign") : [];
    fields[role] = { column: reference, ...Object.fromEntries(kept) };
    isThere = true;
  }
  if (isThere) return;
  const moving = rulesOf(document, table).filter(({ is }) => is !== "ignored");
  if ((role === "units" || role === "price") && moving.every(({ is }) => is === "transaction")) {
    for (const rule of moving)
      if (rule.kind === undefined || MOVING.has(String(rule.kind)))
        rule.values = { ...rule.values, [role]: { column: reference, ...signFor(role, rule.kind) } };
    return;
  }
  const whole = document.tables?.[table];
  if (whole && (document.tables?.length ?? 0) > 1) whole.values = { ...whole.values, [role]: { column: reference } };
  else document.values = { ...document.values, [role]: { column: reference } };
}

/** Kinds of movements in which units move; those of a dividend are only what it was paid for. */
const MOVING: ReadonlySet<string> = new Set([
  ...["buy", "sell", "transfer_in", "transfer_out", "split", "spin_off", "merger", "redemption", "other"],
]);

function signFor(role: string, kind: unknown): { sign?: string } {
  if (role !== "units") return {};
  return kind === "buy" ? { sign: "plus" } : kind === "sell" ? { sign: "minus" } : {};
}

/** Adds a rule above one that reads every row, or in place of one for the same rows: an answer may be changed. */
function addRule(document: Document, table: number, rule: object): void {
  const rules = rulesOf(document, table);
  const same = rules.findIndex(({ when }) => JSON.stringify(when) === JSON.stringify((rule as Rule).when));
  if (same >= 0) {
    rules[same] = rule as Rule;
    return;
  }
  const all = rules.findIndex(({ when }) => when === undefined);
  rules.splice(all < 0 ? rules.length : all, 0, rule as Rule);
}

/** Sets a place of the document, such as `tables[0].values.units`, and what leads to it. */
function setAt(document: Document, path: string, value: unknown): void {
  const names = path.split(/[.[\]]+/).filter((name) => name !== "");
  let at: Record<string, unknown> = document;
  for (const name of names.slice(0, -1)) {
    if (!isObject(at[name]) && !Array.isArray(at[name])) at[name] = {};
    at = at[name] as Record<string, unknown>;
  }
  const last = names.at(-1);
  if (last !== undefined) at[last] = value;
}

function first(value: unknown): string | null {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === "string" ? one : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
