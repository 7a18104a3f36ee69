/** The value at a JSON pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((inner, name) => memberOf(inner, name), value);
}

/** A copy with another value at a JSON pointer. */
export function replacedAt(value: unknown, pointer: string, by: unknown): unknown {
  const [, name, ...rest] = pointer.split("/");
  if (name === undefined) return by;
  const inner = replacedAt(memberOf(value, name), rest.length === 0 ? "" : `/${rest.join("/")}`, by);
  if (Array.isArray(value)) return value.map((each, index) => (String(index) === name ? inner : each));
  return { ...(value as object), [name]: inner };
}

/** A copy with every text changed, at any depth. `name` is that of the nearest member. */
export function mapTexts(value: unknown, change: (text: string, name: string) => string, name = ""): unknown {
  if (typeof value === "string") return change(value, name);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, name));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change, key)]));
}

/** Every text in a value, at any depth. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (value instanceof Date || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
