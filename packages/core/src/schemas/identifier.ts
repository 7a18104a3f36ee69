import { z } from "zod";

/** Any id that a caller hands back: opaque, so that an unknown and a malformed one are told apart by nobody (contract §9). */
export const opaqueId = z
  .string("must be a string")
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters");

/** Text without NUL or lone surrogates, which PostgreSQL cannot store. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether an id can be one of ours at all; whatever else is unknown without asking the storage. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
