import type { z } from "zod";

/** An id as stores create and keep it: a lower-case UUID. Check text from outside with {@link isUuid}. */
export type Uuid = string & z.$brand<"Uuid">;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is a valid id. */
export function isUuid(text: string): text is Uuid {
  return UUID.test(text);
}

/** Generates random bytes, such as `randomBytes` of `node:crypto`. */
export type RandomBytes = (count: number) => Uint8Array;

/** Creates a time-ordered id (RFC 9562 §5.7): ids close in time are neighbours in an index. */
export function uuidV7(at: Date, random: RandomBytes): Uuid {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.set(random(10), 6);
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  return formatUuid(bytes);
}

/** Formats 16 bytes as a UUID. */
export function formatUuid(bytes: Buffer): Uuid {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Uuid;
}

/** Returns the 16 bytes of a UUID. */
export function bytesOfUuid(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}
