import { holdingSubtypes, holdingTypes, transactionKinds } from "@org/provider-kit";
import { zodMessages } from "@org/validation-messages";
import { z } from "zod";
import { type FeedMapping, type Fields, feedMappingSchema, type MappingRule } from "./mapping.js";
import type { MappingValue } from "./mapping-value.js";

/** One fault of a mapping: its path, such as `tables[0].rows[2].when`, and a message. */
export interface MappingFault {
  readonly path: string;
  readonly message: string;
}

/** Thrown for an invalid mapping, with every fault. */
export class FeedMappingError extends Error {
  override readonly name = "FeedMappingError";
  readonly faults: readonly MappingFault[];

  constructor(faults: readonly MappingFault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join("; "));
    this.faults = faults;
  }
}

/** Maximum nesting depth, deeper than a person would write. */
const MAX_DEPTH = 24;
/** Maximum number of texts, numbers, lists and objects in a mapping. */
const MAX_PARTS = 20_000;

/**
 * Checks a mapping's form, and that each rule has the values that its rows need.
 * @throws FeedMappingError with every fault of form, or else with the faults of rules and names. Checking stops at a thousand faults of rules,
 * because thousands of rules may share a fault.
 */
export function parseFeedMapping(stated: unknown): FeedMapping {
  refuseHuge(stated);
  const result = feedMappingSchema.safeParse(stated, { error: zodMessages });
  if (!result.success) throw new FeedMappingError(faultsOf(result.error.issues));
  const faults = faultsOfRules(result.data);
  if (faults.length > 0) throw new FeedMappingError(faults);
  return result.data;
}

/** The JSON Schema of a mapping (draft 2020-12), for editors and other programs. */
export function feedMappingJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(feedMappingSchema, { io: "input" });
}

function refuseHuge(stated: unknown): void {
  let parts = 0;
  const count = (value: unknown, depth: number) => {
    parts += 1;
    if (depth > MAX_DEPTH || parts > MAX_PARTS)
      throw new FeedMappingError([{ path: "mapping", message: "is larger or deeper than a mapping may be" }]);
    if (typeof value === "object" && value !== null) for (const part of Object.values(value)) count(part, depth + 1);
  };
  count(stated, 0);
}

function faultsOf(issues: readonly z.core.$ZodIssue[]): MappingFault[] {
  return issues.flatMap((issue): MappingFault[] => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: dotted([...issue.path, key]), message: "is not a field here" }));
    if (issue.code === "invalid_union") {
      const best = issue.errors.flat().find((inner) => inner.path.length > 0);
      if (best) return faultsOf([{ ...best, path: [...issue.path, ...best.path] }]);
    }
    return [{ path: dotted(issue.path), message: issue.message }];
  });
}

function dotted(path: readonly PropertyKey[]): string {
  let text = "";
  for (const step of path) text += typeof step === "number" ? `[${step}]` : `${text === "" ? "" : "."}${String(step)}`;
  return text === "" ? "mapping" : text;
}

/** Faults of rules that cannot work, whatever the file holds. */
function faultsOfRules(mapping: FeedMapping): MappingFault[] {
  const faults: MappingFault[] = [];
  const unknownWords = unknownWordsOf();
  if (mapping.skip?.first === "header" && !mapping.recognise.header)
    faults.push({ path: "recognise.header", message: "is required where skip.first is header" });
  for (const [index, table] of mapping.tables.entries()) {
    for (const [at, rule] of table.rows.entries()) {
      if (rule.is === "ignored") continue;
      const fields: Fields = { ...mapping.values, ...table.values, ...rule.values };
      const path = `tables[${index}].rows[${at}]`;
      for (const message of lacksOf(rule, fields, mapping)) faults.push({ path: `${path}.values`, message });
      for (const [field, words] of wordLists)
        for (const word of unknownWords(fields[field], words))
          faults.push({
            path: `${path}.values.${field}`,
            message: `${JSON.stringify(word)} is none of ${words.join(", ")}`,
          });
      if (faults.length >= ENOUGH_FAULTS) return faults;
    }
  }
  return [...faults, ...faultsOfNames(mapping)];
}

const wordLists: readonly (readonly [field: "kind" | "type" | "subtype", words: readonly string[]])[] = [
  ["kind", transactionKinds],
  ["type", holdingTypes],
  ["subtype", holdingSubtypes],
];

function lacksOf({ is }: MappingRule, fields: Fields, { account }: FeedMapping): string[] {
  const has = (...names: (keyof Fields)[]) => names.some((name) => fields[name] !== undefined);
  const lacks: string[] = [];
  if (!has("currency") && !account?.currency) lacks.push("must have currency, or the account has to have one");
  if (is === "transaction" && !has("date")) lacks.push("must have date");
  if (is === "transaction" && !has("units", "cash")) lacks.push("must have units or cash");
  if (is === "holding" && !has("units", "value")) lacks.push("must have units or value");
  if (is === "holding" && !has("isin", "name", "ticker", "valor", "wkn", "cusip", "sedol", "figi"))
    lacks.push("must name the security: isin, another number, ticker or name");
  if (is === "cash" && !has("value", "cash")) lacks.push("must have value");
  return lacks;
}

/** Stop after this many faults of rules: thousands of rules may share a value with as many wrong words. */
const ENOUGH_FAULTS = 1_000;

/** Finds the words of a value that are not in a list: once per value, as hundreds of rules may share it, and only as many as are reported. */
function unknownWordsOf() {
  const found = new WeakMap<MappingValue, readonly string[]>();
  return (value: MappingValue | undefined, words: readonly string[]): readonly string[] => {
    if (!value) return [];
    const unknown =
      found.get(value) ??
      saidBy(value)
        .filter((word) => !words.includes(word))
        .slice(0, ENOUGH_FAULTS);
    found.set(value, unknown);
    return unknown;
  };
}

/** The words that a value can produce, as far as the mapping itself contains them. */
function saidBy(value: MappingValue): string[] {
  if (value.map) return [...Object.values(value.map), ...(value.else === undefined ? [] : [value.else])];
  if (value.constant !== undefined) return [value.constant];
  return (value.first_of ?? []).flatMap(saidBy);
}

/** References to names that the mapping does not define. */
function faultsOfNames(mapping: FeedMapping): MappingFault[] {
  const faults: MappingFault[] = [];
  const columns = mapping.tables.length === 1 && mapping.tables[0]?.header === false ? mapping.tables[0].columns : null;
  const known = columns && new Set(columns.map(({ name }) => name.toLowerCase()));
  const visit = (value: unknown, path: (string | number)[]) => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      if (key === "context" && typeof part === "string" && !mapping.context?.[part])
        faults.push({ path: dotted(at), message: `${JSON.stringify(part)} is not in context` });
      if (
        key === "lookup" &&
        typeof part === "object" &&
        part !== null &&
        "table" in part &&
        !mapping.lookups?.[String(part.table)]
      )
        faults.push({ path: dotted([...at, "table"]), message: `${JSON.stringify(part.table)} is not in lookups` });
      if (known && key === "column" && path[0] !== "sections")
        for (const name of Array.isArray(part) ? part : [part])
          if (typeof name === "string" && !known.has(name.toLowerCase()))
            faults.push({ path: dotted(at), message: `${JSON.stringify(name)} is not among columns` });
      visit(part, at);
    }
  };
  visit(mapping, []);
  return faults;
}
