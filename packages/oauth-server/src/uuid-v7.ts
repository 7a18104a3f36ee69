/** Random bytes; `node:crypto`'s `randomBytes` is one. */
export type RandomBytes = (count: number) => Uint8Array;

/** A time-ordered id (RFC 9562 §5.7): neighbours in time are neighbours in an index. */
export function uuidV7(at: Date, random: RandomBytes): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.set(random(10), 6);
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  return uuidOf(bytes);
}

/** Writes 16 bytes as a UUID. */
export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The 16 bytes of a UUID. */
export function bytesOfUuid(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}
