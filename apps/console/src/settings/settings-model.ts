/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/** What the page has for a setting. */
export type Control =
  | { readonly kind: "text"; readonly isLong: boolean; readonly isSecret: boolean }
  | { readonly kind: "number" | "check" | "fixed" | "json" }
  | { readonly kind: "choice"; readonly options: readonly (string | number | boolean)[] }
  | { readonly kind: "group"; readonly members: readonly Member[] }
  | { readonly kind: "list"; readonly element: Schema }
  | { readonly kind: "named"; readonly element: Schema }
  | { readonly kind: "kinds"; readonly kinds: readonly Schema[]; readonly chosen: number };

/** A member of a group. */
export interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Stands where a secret is stored. */
export const STORED = "set";

/** Where references of a schema lead, and how deep a schema may contain itself. */
const MAX_REFERENCES = 20;

/** The control for a value; `json` for what has none, and for a value that the schema does not describe. */
export function controlFor(given: Schema, value: unknown, root: Schema): Control {
  const schema = resolved(given, root);
  const kinds = kindsOf(schema, root);
  if (kinds !== null) {
    const fitting = kinds.findIndex((kind) => fits(kind, value, root));
    if (value !== undefined && fitting < 0) return { kind: "json" };
    return { kind: "kinds", kinds, chosen: fitting };
  }
  if (value !== undefined && !isOfType(schema, value)) return { kind: "json" };
  if ("const" in schema) return { kind: "fixed" };
  if (Array.isArray(schema.enum)) {
    const options = schema.enum.filter(isPlain);
    const isWhole =
      options.length === schema.enum.length && (value === undefined || value === "" || schema.enum.includes(value));
    return isWhole ? { kind: "choice", options } : { kind: "json" };
  }
  if (schema.type === "string") {
    const isLong = schema.contentMediaType !== undefined || (typeof value === "string" && value.includes("\n"));
    return { kind: "text", isLong, isSecret: schema.secret === true };
  }
  if (schema.type === "number" || schema.type === "integer") return { kind: "number" };
  if (schema.type === "boolean") return { kind: "check" };
  if (schema.type === "array" && isSchema(schema.items)) return { kind: "list", element: schema.items };
  if (schema.type !== "object") return { kind: "json" };
  if (isSchema(schema.properties)) return { kind: "group", members: membersOf(schema, value) };
  return isSchema(schema.additionalProperties)
    ? { kind: "named", element: schema.additionalProperties }
    : { kind: "json" };
}

/** What a value is before anything is typed: only what cannot be otherwise, so that nothing is sent that nobody wanted. */
export function beginningOf(given: Schema, root: Schema, depth = 0): unknown {
  const schema = resolved(given, root);
  if ("const" in schema) return schema.const;
  const [first] = kindsOf(schema, root) ?? [];
  if (first && depth < MAX_REFERENCES) return beginningOf(first, root, depth + 1);
  if (schema.type === "array") return [];
  if (schema.type === "string") return "";
  if (schema.type === "boolean") return false;
  if (schema.type !== "object") return null;
  const members = membersOf(schema, undefined).flatMap(({ name, schema: member, isRequired }) => {
    const its = resolved(member, root);
    const isBegun = "const" in its || its.type === "object" || its.type === "array";
    return isRequired && isBegun && depth < MAX_REFERENCES ? [[name, beginningOf(its, root, depth + 1)]] : [];
  });
  return Object.fromEntries(members);
}

/** Another kind with what was typed before, where both have it. */
export function asKind(kind: Schema, before: unknown, root: Schema): unknown {
  const beginning = beginningOf(kind, root);
  if (!isRecord(before) || !isRecord(beginning)) return beginning;
  const names = new Set(membersOf(resolved(kind, root), undefined).map(({ name }) => name));
  const kept = Object.entries(before).filter(([name]) => names.has(name) && !isFixed(kind, name, root));
  return { ...beginning, ...Object.fromEntries(kept) };
}

/** What tells a kind from the others: the fixed text of a member, its title, or its type. */
export function nameOfKind(given: Schema, root: Schema): string {
  const schema = resolved(given, root);
  if (typeof schema.title === "string") return schema.title;
  if ("const" in schema) return String(schema.const);
  const fixed = membersOf(schema, undefined).find(({ name }) => isFixed(schema, name, root));
  return fixed ? String(resolved(fixed.schema, root).const) : String(schema.type ?? "");
}

/** A group with one member changed; what is empty is left out. */
export function withMember(group: unknown, name: string, value: unknown): Readonly<Record<string, unknown>> {
  const before = isRecord(group) ? group : {};
  if (value !== undefined) return { ...before, [name]: value };
  return Object.fromEntries(Object.entries(before).filter(([each]) => each !== name));
}

/** The path of a member as the server writes it: `settings.banks[0].id`; without a dot below nothing. */
export const below = (path: string, step: string | number) =>
  typeof step === "number" ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`;

/** The paths of all fields that are there for a value. */
export function pathsIn(schema: Schema, value: unknown, path: string, root: Schema, isRequired = true): string[] {
  const control = controlFor(schema, value, root);
  if (control.kind === "fixed") return [];
  if (value === undefined && !isRequired) return [path];
  const under = (each: Schema, its: unknown, step: string | number, needed = true) =>
    pathsIn(each, its, below(path, step), root, needed);
  const inside = () => {
    if (control.kind === "group")
      return control.members.flatMap((member) =>
        under(member.schema, isRecord(value) ? value[member.name] : undefined, member.name, member.isRequired),
      );
    if (control.kind === "list" && Array.isArray(value))
      return value.flatMap((each, index) => under(control.element, each, index));
    if (control.kind === "named" && isRecord(value))
      return Object.entries(value).flatMap(([name, each]) => under(control.element, each, name));
    const kind = control.kind === "kinds" ? control.kinds[control.chosen] : undefined;
    return kind ? pathsIn(kind, value, path, root) : [];
  };
  return [path, ...inside()];
}

/** A schema without references. */
export function resolved(given: Schema, root: Schema): Schema {
  let schema = given;
  for (let count = 0; typeof schema.$ref === "string" && count < MAX_REFERENCES; count += 1) {
    const { $ref, ...own } = schema;
    const found = $ref
      .replace(/^#\/?/, "")
      .split("/")
      .filter((step) => step !== "")
      .reduce<unknown>((at, step) => (isRecord(at) ? at[step.replaceAll("~1", "/").replaceAll("~0", "~")] : {}), root);
    schema = { ...(isRecord(found) ? found : {}), ...own };
  }
  return schema;
}

function kindsOf(schema: Schema, root: Schema): readonly Schema[] | null {
  const kinds = schema.oneOf ?? schema.anyOf;
  return Array.isArray(kinds) && kinds.every(isSchema) ? kinds.map((kind) => resolved(kind, root)) : null;
}

/** The members of a group, then those in the value that the schema does not know, so that they are seen and can be removed. */
function membersOf(schema: Schema, value: unknown): readonly Member[] {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const known = Object.entries(properties).map(([name, each]) => ({
    name,
    schema: isSchema(each) ? each : {},
    isRequired: required.includes(name),
  }));
  const others = Object.keys(isRecord(value) ? value : {}).filter((name) => !Object.hasOwn(properties, name));
  return [...known, ...others.map((name) => ({ name, schema: {}, isRequired: false }))];
}

function isFixed(kind: Schema, name: string, root: Schema): boolean {
  const member = isRecord(kind.properties) ? kind.properties[name] : undefined;
  return isSchema(member) && "const" in resolved(member, root);
}

/** Whether a value is of a kind: of its type, with its fixed members. What else is wrong with it the server says at its field. */
function fits(kind: Schema, value: unknown, root: Schema): boolean {
  if (!isOfType(kind, value)) return false;
  if (Array.isArray(kind.enum) && !kind.enum.includes(value)) return false;
  if (!isRecord(value)) return true;
  return membersOf(kind, undefined).every(
    ({ name, schema }) => !isFixed(kind, name, root) || value[name] === resolved(schema, root).const,
  );
}

function isOfType(schema: Schema, value: unknown): boolean {
  if ("const" in schema) return value === schema.const;
  if (schema.type === "array") return Array.isArray(value);
  if (schema.type === "object") return isRecord(value);
  if (schema.type === "null") return value === null;
  if (schema.type === "integer" || schema.type === "number") return typeof value === "number";
  return schema.type === undefined || typeof value === schema.type;
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);

const isSchema = (value: unknown): value is Schema => isRecord(value);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
