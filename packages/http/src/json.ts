import { isUtf8 } from "node:buffer";
import { randomInt } from "node:crypto";

/**
 * Values in one body at most. Real requests have some thousands, and the largest list that is taken has ten thousand; many tiny ones cost
 * many times their size once parsed and checked.
 */
export const MAX_VALUES = 25_000;

/**
 * Different names of members in one body at most. Real requests have some dozens. Each new name costs the parser, and whoever goes
 * through the members after it, many times what a value does: a megabyte of them takes the server half a second.
 */
export const MAX_JSON_NAMES = 1_000;

/**
 * How deep a value may lie below the outermost one, in every body of the product: recursive code further in, `JSON.stringify`
 * for one, breaks on deep nesting. The deepest of our own shapes, a connector filter, needs eight.
 */
export const MAX_JSON_DEPTH = 32;

/** Far longer than any name that a request has. A fault repeats its path, and a long name would come back with every value in it. */
const MAX_NAME_LENGTH = 200;

/** More faults than these are not listed. */
const MAX_FAULTS = 1_000;

/** Why bytes are no JSON text. `position` is an offset in characters where the parser tells one; its words quote the body and stay here. */
export type JsonError =
  | { readonly code: "empty" | "not_utf8" | "too_many_values" | "too_many_names" }
  | { readonly code: "not_json"; readonly position: number | null };

/** What parsing came to. */
export type ParsedJson = { readonly value: unknown } | { readonly error: JsonError };

/**
 * Parses a body within {@link MAX_VALUES}, or `maxValues`, and {@link MAX_NAMES}. It has to be UTF-8. A byte order mark is ignored, as RFC 8259 §8.1 allows, or no
 * JSON where `byteOrderMark` says so. Depth and hazards are looked at afterwards.
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

/** Whether a parsed value goes deeper than {@link MAX_DEPTH}; looking goes no deeper than that itself. */
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

/** Something in a JSON value that is valid and no good anywhere. */
export interface JsonFault {
  /** Dotted, such as `rules[0].value`; empty for the outermost value. */
  readonly path: string;
  /** What the value has to be, for a client. */
  readonly rule: string;
}

/**
 * What a parsed JSON value holds that is valid JSON but no good anywhere: nesting without end, a `__proto__` key, text that
 * cannot be stored (NUL, lone surrogates), numbers that JavaScript changes on reading, names longer than any. One fault each,
 * with its path, at most 1,000 of them.
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

/** Text that every database takes. */
function isSoundText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Fractions are rounded by every reader of JSON; whole numbers must come out as they were written. */
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
/** Names are told apart by so many bits: few enough to be quick, and enough to tell apart as many as there may be. */
const NAME_BITS = 16;
/** Differs in each process, so that nobody finds names that are taken for one. */
const seed = randomInt(2 ** 31);

/**
 * What a JSON text has too much of, without parsing it: what separates and opens values, and names. Of bytes that are no JSON text it may
 * say anything, in the same time.
 */
function excessOf(bytes: Buffer, maxValues: number): "too_many_values" | "too_many_names" | null {
  // Neither is possible then: a value needs a sign, and a member four.
  if (bytes.length <= Math.min(maxValues, 4 * MAX_JSON_NAMES)) return null;
  const names = new Uint8Array(1 << NAME_BITS);
  let values = 0;
  let different = 0;
  /** Of the last string, which is a name when a colon follows. */
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
