import { type Fault, invalidValue, isStorableText } from "@org/core";

const MAX_DEPTH = 32;
/** Far longer than any name that a request has. A fault repeats its path, and a long name would come back with every value in it. */
const MAX_NAME = 200;
/** More are not listed anyway. */
const MAX_FAULTS = 1_000;

/**
 * What a parsed JSON value holds that is valid JSON but no good anywhere: nesting without end, a `__proto__` key, text that
 * cannot be stored (NUL, lone surrogates), numbers that JavaScript changes on reading, names longer than any. One fault each, with
 * its path; at most 1,000 of them.
 */
export function jsonHazards(value: unknown): Fault[] {
  const faults: Fault[] = [];
  visit(value, "", 0);
  return faults;

  function visit(current: unknown, path: string, depth: number): void {
    if (faults.length >= MAX_FAULTS) return;
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
    if (faults.length >= MAX_FAULTS) return;
    const name = key.length > MAX_NAME ? `${key.slice(0, MAX_NAME)}…` : key;
    const path = parent === "" ? name : `${parent}.${name}`;
    if (name !== key) {
      faults.push(invalidValue(path, `names of fields have at most ${MAX_NAME} characters`));
      return;
    }
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
