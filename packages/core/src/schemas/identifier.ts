import { z } from "zod";

/** An id that a caller passes back. It is opaque, so an unknown id and a malformed one get the same answer (contract §9). */
export const opaqueId = z.string("must be a string");

/** Whether a text has neither NUL nor lone surrogates, which PostgreSQL cannot store. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** One of our ids as stored: a UUID in lower case. {@link parseUuid}, {@link uuidField} and `Runtime.newId` make them. */
export type Uuid = string & z.$brand<"Uuid">;

/**
 * Parses an id from outside; null if it cannot be one of ours. Callers treat such an id as unknown (contract §9) without asking the
 * storage, which would refuse it. Upper case is not accepted: where case does not matter, lower the text first.
 */
export function parseUuid(text: string): Uuid | null {
  return canonical.test(text) ? (text as Uuid) : null;
}

/** A UUID that no object has. */
const NOTHING = "00000000-0000-0000-0000-000000000000" as Uuid;

/**
 * A field that refers to an object by id. A text that cannot be one of our ids becomes the id of no object, so that it is unknown like any
 * other (contract §9).
 */
export const idField = opaqueId.transform((text) => parseUuid(text.toLowerCase()) ?? NOTHING);

/** A field that must be a UUID, in upper or lower case (S2 §7: anything else is an invalid value). The output is in lower case. */
export const uuidField = z
  .guid("must be a UUID")
  .overwrite((text) => text.toLowerCase())
  .brand<"Uuid">();
