/** The containers that can be opened. */
export type ContainerKind = "zip" | "gzip" | "pgp";

/** How far into a file an armoured message may start: some senders write a few lines before it. */
const ARMOUR_WITHIN = 2_000;

/** The kind of container, by the file's first bytes; null for anything else, including workbooks, which are zip archives too. */
export function containerKind(bytes: Uint8Array): ContainerKind | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, ARMOUR_WITHIN)).toString(
    "latin1",
  );
  if (head.startsWith("PK\u0003\u0004")) return workbook.test(head.slice(FIRST_NAME_AT)) ? null : "zip";
  if (head.startsWith("PK\u0005\u0006")) return "zip";
  if (head.startsWith("\u001f\u008b")) return "gzip";
  return armour.test(head) || isPgpPacket(bytes) ? "pgp" : null;
}

/** The offset of the first file name in a zip archive. */
const FIRST_NAME_AT = 30;
const workbook = /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|word\/|mimetype)/;

/** At the start of a line (RFC 9580 §6.2). */
const armour = /(?:^|[\r\n\u00bf])[ \t]*-----BEGIN PGP (?:MESSAGE|SIGNED MESSAGE)/;

/**
 * Packet types that start a message, and the allowed first byte of each: a version, or a compression algorithm (RFC 9580 §5). Text never has these
 * bytes there.
 */
const firstBytes: ReadonlyMap<number, readonly number[]> = new Map([
  // A session key, for a public key or a password.
  [1, [3, 6]],
  [3, [4, 5, 6]],
  // A one-pass signature.
  [4, [3, 6]],
  // Compressed data: zip, zlib, bzip2.
  [8, [1, 2, 3]],
  // Encrypted data without recipients.
  [18, [1, 2]],
]);

/** Checks the header of the first packet, in the old and the new format (RFC 9580 §4.2). */
function isPgpPacket(bytes: Uint8Array): boolean {
  const [start = 0, length = 0] = bytes;
  if ((start & 0x80) === 0) return false;
  const isNew = (start & 0x40) !== 0;
  const tag = isNew ? start & 0x3f : (start >> 2) & 0x0f;
  const body = 1 + (isNew ? newLengthBytes(length) : ([1, 2, 4, 0][start & 0x03] as number));
  return firstBytes.get(tag)?.includes(bytes[body] ?? 0) ?? false;
}

function newLengthBytes(first: number): number {
  if (first === 255) return 5;
  return first >= 192 && first < 224 ? 2 : 1;
}
