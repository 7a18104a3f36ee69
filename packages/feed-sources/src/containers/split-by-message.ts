import type { ContainedFile } from "./unzip.js";

/** Where a message begins: its basic and application header, whose type is the last of the groups (SWIFT FIN, blocks 1 and 2). */
const header = /\{1:[A-Z]\d\d[A-Z0-9]{0,30}\}\s*(?:\{2:[IO](\d{3})[^{}]{0,60}\})/g;

/** Files that do not begin like this, possibly after `$` of RJE, have no headers to tell types by. */
const beginning = /^[^\w{:]{0,16}\{1:/;

/**
 * SWIFT messages of several types in one file (RJE), one file for each type, in the order in which types come first: what reads
 * statements of holdings does not read account statements. Messages of one type stay together, for pages of one statement are
 * messages of their own; those of types that nobody reads stay with the first that somebody does, whose format says so. Any other file
 * is itself.
 */
export function splitByMessage(
  file: ContainedFile,
  recognises: (file: Uint8Array) => boolean,
): readonly ContainedFile[] {
  const text = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  if (!beginning.test(text.subarray(0, 64).toString("latin1"))) return [file];
  // One character a byte, so that offsets are those of the file.
  const messages = [...text.toString("latin1").matchAll(header)];
  const types = new Set(messages.map(([, type]) => type));
  if (types.size < 2) return [file];
  const groups = [...types].map((type) => ({ type, bytes: bytesOf(new Set([type])) }));
  const read = groups.filter(({ bytes }) => recognises(bytes));
  const [first] = read;
  if (first === undefined || read.length === 1) return [file];
  const unread = groups.flatMap(({ type }) => (read.some((group) => group.type === type) ? [] : type));
  return read.map((group) => ({
    name: `${file.name} (MT${group.type})`,
    bytes: group === first && unread.length > 0 ? bytesOf(new Set([group.type, ...unread])) : group.bytes,
  }));

  function bytesOf(wanted: ReadonlySet<string | undefined>): Buffer {
    return Buffer.concat(
      messages.flatMap((message, index) => {
        if (!wanted.has(message[1])) return [];
        const from = index === 0 ? 0 : message.index;
        return [text.subarray(from, messages[index + 1]?.index ?? text.byteLength)];
      }),
    );
  }
}
