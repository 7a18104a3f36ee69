const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Returns the length in characters of each element of a JSON array as written, including surrounding white space.
 * @param array valid JSON text of an array; its elements are not parsed
 */
export function lengthsOfElements(array: string): number[] {
  const text = array.trim();
  const lengths: number[] = [];
  let depth = 0;
  let inString = false;
  let start = 1;
  for (let at = 1; at < text.length - 1; at++) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === BACKSLASH) at++;
      else if (character === QUOTE) inString = false;
    } else if (character === QUOTE) inString = true;
    else if (OPEN.has(character)) depth++;
    else if (CLOSE.has(character)) depth--;
    else if (character === COMMA && depth === 0) {
      lengths.push(at - start);
      start = at + 1;
    }
  }
  const last = text.length - 1 - start;
  return text.slice(start, -1).trim() === "" ? lengths : [...lengths, last];
}
