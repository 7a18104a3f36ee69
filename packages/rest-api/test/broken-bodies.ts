import type { JsonSchema } from "./json-schema.js";
import { branchesOf, formatBreakers, typesOf } from "./json-schema.js";

/** A body with one thing wrong in it: `field` is what a refusal has to name. */
export interface BrokenBody {
  readonly name: string;
  readonly field: string;
  readonly body: object;
}

type Path = readonly (string | number)[];

/** Every way to break a body in one place that its JSON Schema knows of: wrong type, missing, out of bounds, unknown. */
export function brokenBodies(schema: JsonSchema, valid: object): BrokenBody[] {
  const found: BrokenBody[] = [];
  const report = (name: string, path: Path, value: unknown) =>
    found.push({ name: `${dotted(path)} ${name}`, field: dotted(path), body: withValue(valid, path, value) as object });

  visit(schema, []);
  return found;

  function visit(at: JsonSchema, path: Path): void {
    const branches = branchesOf(at);
    if (path.length > 0) for (const [type, value] of wrongTypes(branches)) report(`as ${type}`, path, value);
    for (const branch of branches) {
      if (branches.filter(({ type }) => type === branch.type).length === 1) bounds(branch, path);
      if (branch.properties) object(branch, path);
      if (typeof branch.additionalProperties === "object") record(branch, branch.additionalProperties, path);
      if (branch.items) visit(branch.items, [...path, 0]);
    }
  }

  function object(at: JsonSchema, path: Path): void {
    for (const name of at.required ?? []) report("missing", [...path, name], undefined);
    if (at.additionalProperties === false) report("unknown", [...path, "surprise"], 1);
    for (const [name, property] of Object.entries(at.properties ?? {})) visit(property, [...path, name]);
  }

  function record(at: JsonSchema, values: JsonSchema, path: Path): void {
    if (at.propertyNames?.pattern) report("with a bad name", [...path, "no good"], "x");
    visit(values, [...path, "sample"]);
  }

  function bounds(at: JsonSchema, path: Path): void {
    if (at.enum && typeof at.enum[0] === "string") report("outside its values", path, "no such value");
    if (at.minLength) report("too short", path, "x".repeat(at.minLength - 1));
    if (at.maxLength !== undefined) report("too long", path, "x".repeat(at.maxLength + 1));
    if (at.minimum !== undefined) report("too small", path, at.minimum - 1);
    if (at.maximum !== undefined && at.maximum < Number.MAX_SAFE_INTEGER) report("too large", path, at.maximum + 1);
    if (at.type === "integer") report("not whole", path, (at.minimum ?? 0) + 0.5);
    if (at.minItems) report("with too few items", path, []);
    if (at.maxItems !== undefined) report("with too many items", path, Array(at.maxItems + 1).fill("x"));
    for (const text of formatBreakers(at)) report(`as ${JSON.stringify(text)}`, path, text);
  }
}

const sampleOf = { null: null, boolean: true, integer: 7, number: 1.5, string: "text", array: [], object: {} } as const;

function wrongTypes(branches: readonly JsonSchema[]): [string, unknown][] {
  const allowed = new Set(branches.flatMap(typesOf));
  if (allowed.size === 0) return [];
  return Object.entries(sampleOf).filter(
    ([type]) => !allowed.has(type) && !(type === "integer" && allowed.has("number")),
  );
}

/** A copy of `root` with another value at `path` (none when undefined), making what is not there on the way. */
function withValue(root: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") return [withValue(Array.isArray(root) ? root[step] : undefined, rest, value)];
  const base =
    root !== null && typeof root === "object" && !Array.isArray(root) ? (root as Record<string, unknown>) : {};
  return { ...base, [step]: withValue(base[step], rest, value) };
}

function dotted(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );
}
