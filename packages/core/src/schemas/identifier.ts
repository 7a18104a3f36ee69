import { z } from "zod";

/** Any id that a caller hands back: opaque, so that an unknown and a malformed one are told apart by nobody (contract §9). */
export const opaqueId = z.string("must be a string");

/** Text without NUL or lone surrogates, which PostgreSQL cannot store. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id of ours, as it is stored: a UUID in lower case. Only {@link uuidOf} and `Runtime.newId` make one. */
export type Uuid = string & z.$brand<"Uuid">;

/**
 * The id that a text from outside is, or null when it can be none of ours: then it is as unknown as any other (contract §9), and
 * nobody asks the storage, which would refuse it. Ids are compared as written; where case does not matter, lower it first.
 */
export function parseUuid(text: string): Uuid | null {
  return canonical.test(text) ? (text as Uuid) : null;
}

/** A UUID that nothing has. */
const NOTHING = "00000000-0000-0000-0000-000000000000" as Uuid;

/** A field that names something by its id: a text that is no id of ours names nothing, and is as unknown as any other (contract §9). */
export const idField = opaqueId.transform((text) => parseUuid(text.toLowerCase()) ?? NOTHING);

/** A field that has to be a UUID (S2 §7: what is none is an invalid value), in whatever case; it comes out as an id of ours. */
export const uuidField = z
  .guid("must be a UUID")
  .overwrite((text) => text.toLowerCase())
  .brand<"Uuid">();
