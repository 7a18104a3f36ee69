/** Whether a character separates words, as `\s` and `trim` have it. */
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

/** Whether a name may begin with a character: `[A-Za-z_]`. */
export function startsName(code: number): boolean {
  return code < 128 && ((kinds[code] as number) & NAME_START) !== 0;
}

/** Whether a name may go on with a character: `[A-Za-z0-9_.:-]`. */
export function isInName(code: number): boolean {
  return code < 128 && ((kinds[code] as number) & NAME_PART) !== 0;
}
