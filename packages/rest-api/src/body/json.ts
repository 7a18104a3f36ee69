import { type CoreError, invalid, invalidAll, invalidValue } from "@org/core";
import { jsonHazards } from "./json-hazards.js";

/** Values in one body at most. Real requests have some thousands; millions of tiny ones cost many times their size once parsed. */
const MAX_VALUES = 100_000;

/**
 * Parses the body of a request: one JSON object in UTF-8 that is safe to check and to store.
 * @param isCut whether something was taken out of it, so that positions in it mean nothing to who sent it
 * @throws CoreError VALIDATION_ERROR on `body`, or on the path of every value that is not safe
 */
export function parseJsonObject(bytes: Uint8Array, { isCut = false } = {}): object {
  if (bytes.length === 0) throw invalid({ field: "body", error_type: "RequiredField", message: "is required" });
  if (valuesExceed(bytes, MAX_VALUES)) throw refusedBody(`must hold at most ${MAX_VALUES} values`);
  const value = parse(decode(bytes), isCut);
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw refusedBody("must be a JSON object");
  const hazards = jsonHazards(value);
  if (hazards.length > 0) throw invalidAll(hazards);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw refusedBody("must be UTF-8");
    throw error;
  }
}

function parse(text: string, isCut: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine's own words quote the body, and a body may hold a letter.
    const position = / position (\d+)/.exec(error.message)?.[1];
    throw refusedBody(`must be valid JSON${position === undefined || isCut ? "" : ` (fault at position ${position})`}`);
  }
}

/** Counts what separates and opens values without parsing; text that holds such characters counts too, which the limit allows for. */
function valuesExceed(bytes: Uint8Array, limit: number): boolean {
  let found = 0;
  for (const sign of [",", "[", "{"].map((character) => character.charCodeAt(0)))
    for (let at = bytes.indexOf(sign); at >= 0; at = bytes.indexOf(sign, at + 1)) if (++found > limit) return true;
  return false;
}

/** A refusal of a body as such, and not of a field in it. */
export function refusedBody(rule: string): CoreError {
  return invalid(invalidValue("body", rule));
}
