import { type Fault, invalidValue, isStorableText } from "@org/core";

const MAX_DEPTH = 32;

/**
 * What a parsed JSON value holds that is valid JSON but no good anywhere: nesting without end, a `__proto__` key, text that
 * cannot be stored (NUL, lone surrogates), numbers that JavaScript changes on reading. One fault each, with its path.
 */
export function jsonHazards(value: unknown): Fault[] {
  const faults: Fault[] = [];
  visit(value, "", 0);
  return faults;

  function visit(current: unknown, path: string, depth: number): void {
    const refuse = (rule: string) => faults.push(invalidValue(path, rule));
    if (typeof current === "string") {
      if (!isStorableText(current)) refuse("must be text without NUL characters and lone surrogates");
    } else if (typeof current === "number") {
      if (!isExact(current)) refuse("is a number too large to be read exactly");
    } else if (typeof current === "object" && current !== null) {
      if (depth > MAX_DEPTH) refuse(`must be nested at most ${MAX_DEPTH} deep`);
      else if (Array.isArray(current))
        for (const [index, item] of current.entries()) visit(item, `${path}[${index}]`, depth + 1);
      else for (const [key, item] of Object.entries(current)) visitField(key, item, path, depth);
    }
  }

  function visitField(key: string, item: unknown, parent: string, depth: number): void {
    const path = parent === "" ? key : `${parent}.${key}`;
    if (key === "__proto__") faults.push(invalidValue(path, "__proto__ is not a name of a field"));
    else if (!isStorableText(key))
      faults.push(invalidValue(path, "names of fields must be text without NUL characters and lone surrogates"));
    else visit(item, path, depth + 1);
  }
}

/** Fractions are rounded by every reader of JSON; whole numbers must come out as they were written. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
