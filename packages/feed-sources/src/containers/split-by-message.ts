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
  const starts: number[] = [];
  const byType = new Map<string, number[]>();
  for (const { index, 1: type = "" } of text.toString("latin1").matchAll(header)) {
    const others = byType.get(type);
    if (others) others.push(starts.length);
    else byType.set(type, [starts.length]);
    starts.push(index);
  }
  if (byType.size < 2) return [file];
  const groups = [...byType].map(([type, messages]) => ({ type, messages, bytes: bytesOf(messages) }));
  const read = groups.filter(({ bytes }) => recognises(bytes));
  const [first] = read;
  if (first === undefined || read.length === 1) return [file];
  const unread = groups.filter((group) => !read.includes(group)).flatMap(({ messages }) => messages);
  return read.map((group) => ({
    name: `${file.name} (MT${group.type})`,
    bytes: group === first && unread.length > 0 ? bytesOf([...group.messages, ...unread]) : group.bytes,
  }));

  /** Messages by their numbers, in the order of the file. */
  function bytesOf(messages: readonly number[]): Buffer {
    return Buffer.concat(
      messages
        .toSorted((a, b) => a - b)
        .map((number) => text.subarray(number === 0 ? 0 : starts[number], starts[number + 1] ?? text.byteLength)),
    );
  }
}
