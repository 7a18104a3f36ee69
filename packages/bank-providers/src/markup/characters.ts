import { isAscii } from "node:buffer";
import { endianness } from "node:os";

/** Character codes of a text, as `charCodeAt` returns them. */
export type Codes = Uint8Array | Uint16Array;

/**
 * Converts a text to an array of character codes, because reading most characters, some several times, is faster there than in a string.
 * @param file that the text was decoded from; if it is ASCII, its bytes are the codes
 */
export function codesOf(text: string, file?: Uint8Array): Codes {
  if (file?.byteLength === text.length && isAscii(file))
    return Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!/[\u0100-\uFFFF]/.test(text)) return Buffer.from(text, "latin1");
  const codes = new Uint16Array(text.length);
  const bytes = Buffer.from(codes.buffer);
  bytes.write(text, "utf16le");
  if (endianness() === "BE") bytes.swap16();
  return codes;
}

/** Whether a character is white space according to `\s` and `trim`. */
export function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  return code >= 160 && String.fromCharCode(code).trim() === "";
}

const NAME_START = 1;
const NAME_PART = 2;

const kinds = new Uint8Array(128);
for (const sign of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
  kinds[sign.charCodeAt(0)] = NAME_START | NAME_PART;
for (const sign of "0123456789.:-") kinds[sign.charCodeAt(0)] = NAME_PART;

/** Whether a name may start with this character: `[A-Za-z_]`. */
export function startsName(code: number): boolean {
  return code < 128 && ((kinds[code] as number) & NAME_START) !== 0;
}

/** Whether a name may contain this character: `[A-Za-z0-9_.:-]`. */
export function isInName(code: number): boolean {
  return code < 128 && ((kinds[code] as number) & NAME_PART) !== 0;
}
