import type { ConnectorFilter, ConnectorFilterRule } from "./connector.js";

/** One fault of a filter. */
export interface ConnectorFilterIssue {
  /** Where it is, from `connector_filter`: `connector_filter.rules[2].value`. */
  readonly path: string;
  readonly error_type: "RequiredField" | "InvalidValue" | "UnknownField";
  readonly message: string;
}

/** Says that something is no connector filter; `issues` holds every fault, `message` the first. */
export class ConnectorFilterError extends Error {
  override readonly name = "ConnectorFilterError";
  readonly code = "INVALID_CONNECTOR_FILTER";

  constructor(readonly issues: readonly ConnectorFilterIssue[]) {
    super(`${issues[0]?.path} ${issues[0]?.message}${issues.length > 1 ? ` (and ${issues.length - 1} more)` : ""}`);
  }
}

const parsed = new WeakSet<object>();

/**
 * Reads a filter from unknown input, such as parsed JSON, under the rules of S2 §2 and §4.
 *
 * The answer is a frozen copy that stays right once found right: given to this function again, it comes back as it is.
 * Every other function of the package reads its filter through this one.
 *
 * @throws ConnectorFilterError with every fault
 */
export function parseConnectorFilter(value: unknown): ConnectorFilter {
  if (parsed.has(value as object)) return value as ConnectorFilter;
  const issues: ConnectorFilterIssue[] = [];
  const filter = readFilter(value, "connector_filter", issues);
  if (issues.length > 0) throw new ConnectorFilterError(issues);
  parsed.add(filter);
  return filter;
}

// Each reader adds the faults that it finds; what it returns holds only if there were none.

function readFilter(value: unknown, path: string, issues: ConnectorFilterIssue[]): ConnectorFilter {
  const filter = readObject(value, path, ["rules"], issues);
  const rules: unknown[] = Array.isArray(filter?.rules) ? filter.rules : [];
  if (filter) expect(rules === filter.rules, filter.rules, `${path}.rules`, "a list of rules", issues);
  // Array.from also visits the holes of a sparse list.
  return Object.freeze({
    rules: Object.freeze(Array.from(rules, (rule, index) => readRule(rule, `${path}.rules[${index}]`, issues))),
  });
}

function readRule(value: unknown, path: string, issues: ConnectorFilterIssue[]): ConnectorFilterRule {
  const rule = readObject(value, path, ["action", "field", "value"], issues);
  if (!rule) return rule as never;
  const { action, field } = rule;
  expectOneOf(["include", "exclude"], action, `${path}.action`, issues);
  expectOneOf(["connector_id", "countries", "type"], field, `${path}.field`, issues);
  const list = Array.isArray(rule.value) ? Object.freeze(Array.from<unknown>(rule.value)) : undefined;
  expectTexts(list ?? [rule.value], field, rule.value, `${path}.value`, issues);
  return Object.freeze({ action, field, value: list ?? rule.value }) as ConnectorFilterRule;
}

/** Own properties only, so that a polluted prototype adds nothing to a filter. */
function readObject(value: unknown, path: string, keys: string[], issues: ConnectorFilterIssue[]): Record<string, unknown> | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!expect(isObject, value, path, `an object with ${keys.join(", ")}`, issues)) return;
  const own: Record<string, unknown> = { __proto__: null, ...(value as object) };
  for (const key in own) {
    if (!keys.includes(key)) issues.push({ path: `${path}.${key}`, error_type: "UnknownField", message: "is not a known field" });
  }
  return own;
}

function expectTexts(texts: readonly unknown[], field: unknown, value: unknown, path: string, issues: ConnectorFilterIssue[]): void {
  const fault = texts.length === 0 ? 0 : texts.findIndex((text) => typeof text !== "string" || text === "");
  if (expect(fault < 0, value, path, "a non-empty string or a non-empty list of them", issues)) {
    expect(!texts.includes("*") || (texts.length === 1 && field !== "countries" && field !== "type"), value, path, '"*" only alone and with connector_id', issues);
  }
}

const expectOneOf = (choices: unknown[], value: unknown, path: string, issues: ConnectorFilterIssue[]): boolean =>
  expect(choices.includes(value), value, path, `one of ${choices.join(", ")}`, issues);

function expect(fine: boolean, value: unknown, path: string, wanted: string, issues: ConnectorFilterIssue[]): boolean {
  if (!fine) issues.push({ path, error_type: value === undefined ? "RequiredField" : "InvalidValue", message: `must be ${wanted}` });
  return fine;
}
