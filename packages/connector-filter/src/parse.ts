import type { ConnectorFilter, ConnectorFilterRule } from "./connector.js";

/** One fault in a filter. */
export interface ConnectorFilterIssue {
  /** Location of the fault, starting at `connector_filter`: `connector_filter.rules[2].value`. */
  readonly path: string;
  readonly error_type: "RequiredField" | "InvalidValue" | "UnknownField";
  readonly message: string;
}

/** The input is not a valid connector filter. `issues` has every fault, `message` the first few. */
export class ConnectorFilterError extends Error {
  override readonly name = "ConnectorFilterError";

  constructor(readonly issues: readonly ConnectorFilterIssue[]) {
    super(
      issues
        .map(({ path, message }) => `${path} ${message}`)
        .slice(0, 5)
        .join("; "),
    );
  }
}

/** Filters that were parsed, and parts of such filters; they are not checked again. */
export const parsed = new WeakSet<object>();

/**
 * Parses a filter from unknown input, such as parsed JSON, by the rules of S2 §2 and §4.
 *
 * The result is a frozen copy. Passing it to this function again returns it unchanged, without a second check.
 * Every other function of the package reads its filter through this one.
 *
 * @throws ConnectorFilterError with every fault
 */
export function parseConnectorFilter(value: unknown): ConnectorFilter {
  if (parsed.has(value as object)) return value as ConnectorFilter;
  const issues: ConnectorFilterIssue[] = [];
  const filter = readFilter(value, (fine, found, path, message) => {
    const error_type =
      message === unknownField ? "UnknownField" : found === undefined ? "RequiredField" : "InvalidValue";
    if (!fine) issues.push({ path: `connector_filter${path}`, error_type, message });
    return fine;
  });
  if (issues.length > 0) throw new ConnectorFilterError(issues);
  parsed.add(filter);
  return filter;
}

/** Records a fault unless `fine`. `found` distinguishes a missing value from a wrong one. */
type Check = (fine: boolean, found: unknown, path: string, message: string) => boolean;

const unknownField = "is unknown";

const choices = {
  action: ["include", "exclude"],
  field: ["connector_id", "countries", "type"],
};

// The return values of the readers below are only valid if no check failed.

function readFilter(value: unknown, check: Check): ConnectorFilter {
  const filter = readObject(value, "", ["rules"], check);
  const list = filter?.rules;
  const rules: unknown[] = Array.isArray(list) ? list : [];
  if (filter) check(rules === list, list, ".rules", "must be a list of rules");
  // Spreading turns the holes of a sparse list into undefined; `map` and `every` would skip them.
  return Object.freeze({
    rules: Object.freeze([...rules].map((rule, index) => readRule(rule, `.rules[${index}]`, check))),
  });
}

function readRule(value: unknown, path: string, check: Check): ConnectorFilterRule {
  const rule = readObject(value, path, ["action", "field", "value"], check);
  if (rule) {
    for (const [key, allowed] of Object.entries(choices)) {
      check(allowed.includes(rule[key] as string), rule[key], `${path}.${key}`, `must be ${allowed.join(" or ")}`);
    }
    rule.value = readValue(rule.value, rule.field, `${path}.value`, check);
  }
  return Object.freeze({ ...rule }) as unknown as ConnectorFilterRule;
}

function readValue(value: unknown, field: unknown, path: string, check: Check): unknown {
  const texts: unknown[] = Array.isArray(value) ? [...value] : [value];
  const fine = texts.length > 0 && texts.every((text) => text && typeof text === "string");
  if (check(fine, value, path, "must be a non-empty string or list of such")) {
    const alone = texts.length === 1 && field !== "countries" && field !== "type";
    check(alone || !texts.includes("*"), value, path, 'may have "*" alone, for connector_id');
  }
  return Array.isArray(value) ? Object.freeze(texts) : value;
}

/** Copies own properties only, so that a polluted prototype adds nothing to a filter. */
function readObject(value: unknown, path: string, keys: string[], check: Check): Record<string, unknown> | undefined {
  const isObject = Object(value) === value && !Array.isArray(value);
  if (!check(isObject, value, path, "must be an object")) return undefined;
  const own: Record<string, unknown> = { __proto__: null, ...(value as object) };
  for (const key in own) check(keys.includes(key), value, `${path}.${key}`, unknownField);
  return own;
}
