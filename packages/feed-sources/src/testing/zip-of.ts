import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive, with false values that its entry states instead of the true ones. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly flags?: number;
  readonly method?: number;
  readonly size?: number;
  readonly crc?: number;
  readonly attributes?: number;
  /** Sizes and checksum follow the data, as when an archive is written to a pipe. */
  readonly streamed?: boolean;
}

/** Writes a zip archive (APPNOTE 6.3, 4.3), possibly with false statements. @param count the number of entries that its end record states */
export function zipOf(entries: readonly ZipEntry[], count = entries.length): Buffer {
  const written: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { name, bytes, method = 8, streamed = false, attributes = 0 } = entry;
    const flags = (entry.flags ?? 0) | 0x800 | (streamed ? 8 : 0);
    const data = method === 8 ? deflateRawSync(bytes) : Buffer.from(bytes);
    const sums = [entry.crc ?? crc32(bytes), data.byteLength, entry.size ?? bytes.byteLength];
    const nameBytes = Buffer.from(name);
    const common = (now: readonly number[]) => [
      ...[20, flags, method, 0, 0x21].map(two),
      ...now.map(four),
      two(nameBytes.byteLength),
      two(0),
    ];
    const local = [four(0x04034b50), ...common(streamed ? [0, 0, 0] : sums), nameBytes, data];
    if (streamed) local.push(four(0x08074b50), ...sums.map(four));
    directory.push(
      Buffer.concat([
        four(0x02014b50),
        two(0x031e),
        ...common(sums),
        two(0),
        two(0),
        two(0),
        four(attributes),
        four(at),
        nameBytes,
      ]),
    );
    const file = Buffer.concat(local);
    written.push(file);
    at += file.byteLength;
  }
  const central = Buffer.concat(directory);
  const end = [four(0x06054b50), two(0), two(0), two(count), two(count), four(central.byteLength), four(at), two(0)];
  return Buffer.concat([...written, central, ...end]);
}

function two(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value & 0xffff);
  return bytes;
}

function four(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
