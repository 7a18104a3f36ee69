import { branchesOf, type JsonSchema } from "./json-schema.js";

/** JSON text with exactly one fault. */
export interface BrokenJson {
  readonly what: string;
  /** Dotted path of the fault, which a refusal must name. */
  readonly field: string;
  readonly json: string;
}

type Path = readonly (string | number)[];

/** Placeholder for text that JSON.stringify would not write. */
const MARK = "\u{10ffff}raw\u{10ffff}";

const samples: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  integer: 7,
  number: 1.5,
  string: "text",
  array: [],
  object: {},
};

/** Values that are valid JSON but unacceptable everywhere, as JSON text. */
const hostile: Readonly<Record<string, string>> = {
  "text with NUL": '"a\\u0000b"',
  "half a surrogate pair": '"a\\ud800b"',
  "1e400": "1e400",
  "lists nested 25 deep": "[".repeat(25) + "]".repeat(25),
  "an object with __proto__": '{"__proto__":{"admin":true}}',
};

/** Breaks `sound` in one place in every way that the schema covers: wrong type, missing, out of bounds, unknown, hostile. */
export function brokenJson(schema: JsonSchema, sound: object): BrokenJson[] {
  const found: BrokenJson[] = [];
  const add = (what: string, path: Path, value: unknown) =>
    found.push({ what, field: dotted(path), json: JSON.stringify(withValue(sound, path, value)) });
  const addRaw = (what: string, path: Path, raw: string) =>
    found.push({
      what,
      field: dotted(path),
      json: JSON.stringify(withValue(sound, path, MARK)).replace(JSON.stringify(MARK), () => raw),
    });

  visit(schema, []);
  return found;

  function visit(at: JsonSchema, path: Path): void {
    const branches = branchesOf(at);
    if (path.length > 0) {
      for (const type of otherTypes(branches)) add(`as ${type}`, path, samples[type]);
      for (const [what, raw] of Object.entries(hostile)) addRaw(what, path, raw);
      if (branches.every(isBounded)) add("text of 100,000 characters", path, "x".repeat(100_000));
    }
    for (const branch of branches) {
      // A value out of one alternative's bounds may be within those of another with the same type.
      if (branches.filter(({ type }) => type === branch.type).length === 1) bounds(branch, path);
      if (branch.properties) properties(branch, path);
      if (typeof branch.additionalProperties === "object") record(branch, branch.additionalProperties, path);
      if (branch.items) visit(branch.items, [...path, 0]);
    }
  }

  function properties(at: JsonSchema, path: Path): void {
    for (const name of at.required ?? []) add("missing", [...path, name], undefined);
    if (at.additionalProperties === false) {
      add("unknown", [...path, "surprise"], 1);
      addRaw("an own __proto__", [...path, "__proto__"], '{"admin":true}');
    }
    for (const [name, property] of Object.entries(at.properties ?? {})) visit(property, [...path, name]);
  }

  function record(at: JsonSchema, values: JsonSchema, path: Path): void {
    if (at.propertyNames?.pattern) add("with a bad name", [...path, "no good"], "x");
    visit(values, [...path, "sample"]);
  }

  function bounds(at: JsonSchema, path: Path): void {
    if (at.enum) add("outside its values", path, "no such value");
    if (at.minLength) add("too short", path, "x".repeat(at.minLength - 1));
    if (at.maxLength !== undefined) add("too long", path, "x".repeat(at.maxLength + 1));
    if (at.minimum !== undefined && at.minimum > Number.MIN_SAFE_INTEGER) add("too small", path, at.minimum - 1);
    if (at.maximum !== undefined && at.maximum < Number.MAX_SAFE_INTEGER) add("too large", path, at.maximum + 1);
    if (at.type === "integer") add("not whole", path, (at.minimum ?? 0) + 0.5);
    if (at.minItems) add("with too few items", path, []);
    if (at.maxItems !== undefined) add("with too many items", path, Array(at.maxItems + 1).fill("x"));
    if (at.pattern ?? at.format) add("in another form", path, otherForm(at.pattern));
  }
}

/** Whether a refusal at `named` locates the fault: it may name the list instead of its items, or a place below the field. */
export function namesPlace(named: string, field: string): boolean {
  return [field, field.replace(/(\[0\])+$/, "")].some(
    (place) => named === place || named.startsWith(`${place}.`) || named.startsWith(`${place}[`),
  );
}

function otherTypes(branches: readonly JsonSchema[]): string[] {
  const allowed = new Set(branches.flatMap(({ type = [] }) => type));
  if (allowed.size === 0) return [];
  return Object.keys(samples).filter((type) => !allowed.has(type) && !(type === "integer" && allowed.has("number")));
}

/** Whether a schema limits the length of a string. */
function isBounded({ type, maxLength, ...schema }: JsonSchema): boolean {
  return type !== "string" || maxLength !== undefined || ["enum", "pattern", "format"].some((rule) => rule in schema);
}

/** Returns a copy of `root` with another value at `path` (removed when undefined), creating missing parents. */
function withValue(root: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") return [withValue(Array.isArray(root) ? root[step] : undefined, rest, value)];
  const base = root !== null && typeof root === "object" && !Array.isArray(root) ? root : {};
  const entries = Object.entries(base).filter(([name]) => name !== step);
  const before = (base as Record<string, unknown>)[step];
  // Built from entries, because a literal would treat __proto__ as the prototype.
  return Object.fromEntries([...entries, [step, withValue(before, rest, value)]]);
}

function dotted(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );
}

/** Returns a text that a pattern refuses: words, or two lines if the pattern allows words. */
function otherForm(pattern: string | undefined): string {
  const words = "neither this nor that";
  return pattern !== undefined && new RegExp(pattern, "u").test(words) ? "neither this\nnor that" : words;
}
