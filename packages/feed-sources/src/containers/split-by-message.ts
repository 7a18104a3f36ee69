import type { ContainedFile } from "./unzip.js";

/** The start of a message: its basic and application header (SWIFT FIN, blocks 1 and 2); the last group is the message type. */
const header = /\{1:[A-Z]\d\d[A-Z0-9]{0,30}\}\s*(?:\{2:[IO](\d{3})[^{}]{0,60}\})/g;

/** A file with headers starts like this, possibly after the `$` of RJE. Without headers, types cannot be told apart. */
const beginning = /^[^\w{:]{0,16}\{1:/;

/**
 * Splits a file with SWIFT messages of several types (RJE) into one file per type, in order of first appearance: the reader of holdings statements
 * does not read account statements. Messages of one type stay together, since the pages of a statement are separate messages. Types that no format
 * reads stay with the first type that one does, whose format reports them. Any other file is returned unchanged.
 */
export function splitByMessage(
  file: ContainedFile,
  recognises: (file: Uint8Array) => boolean,
): readonly ContainedFile[] {
  const text = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  if (!beginning.test(text.subarray(0, 64).toString("latin1"))) return [file];
  // Latin 1 has one character per byte, so that offsets are those of the file.
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

  /** The messages with these numbers, in file order. */
  function bytesOf(messages: readonly number[]): Buffer {
    return Buffer.concat(
      messages
        .toSorted((a, b) => a - b)
        .map((number) => text.subarray(number === 0 ? 0 : starts[number], starts[number + 1] ?? text.byteLength)),
    );
  }
}
