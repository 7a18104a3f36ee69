import { isUtf8 } from "node:buffer";
import { randomInt } from "node:crypto";

/**
 * Maximum number of values in one body. Real requests have a few thousand, and the largest accepted list has ten thousand. Many tiny
 * values take many times their size once parsed and checked.
 */
export const MAX_VALUES = 25_000;

/**
 * Maximum number of distinct member names in one body. Real requests have a few dozen. Each new name costs the parser, and code that
 * iterates over the members, many times what a value does: a megabyte of them takes the server half a second.
 */
export const MAX_JSON_NAMES = 1_000;

/**
 * Maximum nesting below the outermost value, in every body of the product: recursive code behind this, such as `JSON.stringify`,
 * breaks on deep nesting. The deepest format of our own, a connector filter, needs eight.
 */
export const MAX_JSON_DEPTH = 32;

/** Far longer than any real name. A fault repeats its path, so a long name would be sent back with every fault inside it. */
const MAX_NAME_LENGTH = 200;

/** Further faults are not listed. */
const MAX_FAULTS = 1_000;

/**
 * Why bytes are not valid JSON. `position` is a character offset when the parser reports one; the parser's message quotes the body and is
 * dropped.
 */
export type JsonError =
  | { readonly code: "empty" | "not_utf8" | "too_many_values" | "too_many_names" }
  | { readonly code: "not_json"; readonly position: number | null };

/** Result of parsing. */
export type ParsedJson = { readonly value: unknown } | { readonly error: JsonError };

/**
 * Parses a body within {@link MAX_VALUES}, or `maxValues`, and {@link MAX_JSON_NAMES}. It must be UTF-8. A byte order mark is ignored, as
 * RFC 8259 §8.1 allows, or makes the body invalid with `byteOrderMark: "refused"`. Depth and hazards are checked later.
 */
export function parseJson(
  bytes: Buffer,
  {
    byteOrderMark = "ignored",
    maxValues = MAX_VALUES,
  }: { byteOrderMark?: "ignored" | "refused"; maxValues?: number } = {},
): ParsedJson {
  if (bytes.length === 0) return { error: { code: "empty" } };
  const excess = excessOf(bytes, maxValues);
  if (excess !== null) return { error: { code: excess } };
  if (!isUtf8(bytes)) return { error: { code: "not_utf8" } };
  const text = bytes.toString("utf8");
  try {
    return { value: JSON.parse(byteOrderMark === "ignored" && text.startsWith("\ufeff") ? text.slice(1) : text) };
  } catch (error) {
    const position = / position (\d+)/.exec(String(error))?.[1];
    return { error: { code: "not_json", position: position === undefined ? null : Number(position) } };
  }
}

/** Whether a parsed value is nested deeper than {@link MAX_JSON_DEPTH}. The check itself goes no deeper. */
export function isTooDeep(value: unknown): boolean {
  return isDeeperThan(value, MAX_JSON_DEPTH);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  if (levels < 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/** Something in a JSON value that is valid JSON but unacceptable everywhere. */
export interface JsonFault {
  /** Dotted path, such as `rules[0].value`; empty for the outermost value. */
  readonly path: string;
  /** What the value must be, worded for a client. */
  readonly rule: string;
}

/**
 * Lists what is valid JSON but unacceptable everywhere: excessive nesting, a `__proto__` key, text that cannot be stored (NUL,
 * lone surrogates), numbers that JavaScript changes when reading, overlong names. One fault each, with its path, at most 1,000.
 */
export function jsonFaults(value: unknown): readonly JsonFault[] {
  const faults: JsonFault[] = [];
  const trail: (string | number)[] = [];
  visit(value);
  return faults;

  function visit(current: unknown): void {
    if (typeof current === "string") {
      if (!isSoundText(current)) refuse("must be text without NUL characters and lone surrogates");
    } else if (typeof current === "number") {
      if (!isExact(current)) refuse("is a number too large to be read exactly");
    } else if (typeof current === "object" && current !== null) {
      if (trail.length > MAX_JSON_DEPTH) refuse(`must be nested at most ${MAX_JSON_DEPTH} deep`);
      else if (Array.isArray(current))
        for (let index = 0; index < current.length; index += 1) enter(index, current[index]);
      else for (const [name, member] of Object.entries(current)) enterMember(name, member);
    }
  }

  function enter(step: string | number, member: unknown): void {
    if (faults.length >= MAX_FAULTS) return;
    trail.push(step);
    visit(member);
    trail.pop();
  }

  function enterMember(name: string, member: unknown): void {
    const rule = faultOfName(name);
    if (rule === null) enter(name, member);
    else if (faults.length < MAX_FAULTS) {
      trail.push(name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name);
      refuse(rule);
      trail.pop();
    }
  }

  function refuse(rule: string): void {
    if (faults.length < MAX_FAULTS) faults.push({ path: pathOf(trail), rule });
  }
}

function faultOfName(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH) return `names of fields have at most ${MAX_NAME_LENGTH} characters`;
  if (name === "__proto__") return "__proto__ is not a name of a field";
  if (!isSoundText(name)) return "names of fields must be text without NUL characters and lone surrogates";
  return null;
}

function pathOf(trail: readonly (string | number)[]): string {
  return trail.reduce<string>(
    (path, step) => (typeof step === "number" ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`),
    "",
  );
}

/** Whether every database can store the text. */
function isSoundText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Every JSON parser rounds fractions; integers must stay exact. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

const [QUOTE, BACKSLASH, COMMA, COLON, LIST, OBJECT] = Buffer.from('"\\,:[{') as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
];
/** Bits of a name's hash: few enough to be fast, enough to distinguish as many names as are allowed. */
const NAME_BITS = 16;
/** Differs per process, so that nobody can prepare names with colliding hashes. */
const seed = randomInt(2 ** 31);

/**
 * Returns which limit a JSON text exceeds, without parsing it: it counts separators, opening brackets and names. For bytes that are not
 * JSON the result is arbitrary, and takes the same time.
 */
function excessOf(bytes: Buffer, maxValues: number): "too_many_values" | "too_many_names" | null {
  // The text is too short to exceed either: a value takes at least one character, and a member four.
  if (bytes.length <= Math.min(maxValues, 4 * MAX_JSON_NAMES)) return null;
  const names = new Uint8Array(1 << NAME_BITS);
  let values = 0;
  let different = 0;
  /** Hash of the last string, which is a name if a colon follows. */
  let hash = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      hash = seed;
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
        if (bytes[at] === BACKSLASH) at += 1;
        hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
      }
    } else if (byte === COMMA || byte === LIST || byte === OBJECT) {
      values += 1;
      if (values > maxValues) return "too_many_values";
    } else if (byte === COLON) {
      const slot = Math.imul(hash, 0x9e3779b1) >>> (32 - NAME_BITS);
      if (names[slot] === 0) {
        names[slot] = 1;
        different += 1;
        if (different > MAX_JSON_NAMES) return "too_many_names";
      }
    }
  }
  return null;
}
