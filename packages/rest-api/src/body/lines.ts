import { invalid, invalidValue } from "@org/core";

const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Yields the lines of a UTF-8 text that arrives in chunks, without line ends and without an empty last line.
 * @throws CoreError VALIDATION_ERROR on `line <n>`, counted from 1, when it is too long or not UTF-8
 */
export async function* decodeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let number = 1;
  let begun: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield textOf([...begun, chunk.subarray(from, end)], number);
      number += 1;
      begun = [];
      from = end + 1;
    }
    begun.push(chunk.subarray(from));
    if (lengthOf(begun) > MAX_LINE_BYTES) throw tooLong(number);
  }
  if (lengthOf(begun) > 0) yield textOf(begun, number);
}

function textOf(pieces: readonly Uint8Array[], number: number): string {
  const bytes = Buffer.concat(pieces);
  if (bytes.length > MAX_LINE_BYTES) throw tooLong(number);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r$/, "");
  } catch (error) {
    if (error instanceof TypeError) throw invalid(invalidValue(`line ${number}`, "must be UTF-8"));
    throw error;
  }
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

function tooLong(number: number) {
  return invalid(invalidValue(`line ${number}`, `a line has at most ${MAX_LINE_BYTES} bytes`));
}
