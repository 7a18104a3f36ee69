const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
/** JSON numbers (RFC 8259 §6): sign, integer, fraction, exponent. */
const number = /(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;
/** No amount has this many digits, and a large exponent must not turn a short text into a very long number. */
const MAX_EXPONENT = 100;

/**
 * Parses JSON and keeps every number as text, so that `0.10` is `"0.10"` and `12345678901234567890` keeps its last digits. Exponents are expanded:
 * `1.5e3` is `"1500"`. @throws SyntaxError as JSON.parse does
 */
export function parseExactly(json: string): unknown {
  return parseNumbers(json, writtenOut);
}

/** Parses JSON with a text in place of each number. @param text of a number, by its match: whole, sign, integer, fraction, exponent */
export function parseNumbers(json: string, text: (found: RegExpExecArray) => string): unknown {
  let quoted = "";
  let from = 0;
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      number.lastIndex = at;
      const found = number.exec(json);
      if (found === null) throw new SyntaxError("not a number");
      quoted += `${json.slice(from, at)}"${text(found)}"`;
      from = at = number.lastIndex;
    } else at += 1;
  }
  return JSON.parse(quoted + json.slice(from));
}

/** The position after a string: behind the first quotation mark that follows an even number of backslashes. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at;
    while (json[before - 1] === "\\") before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return json.length;
}

function writtenOut([text, sign = "", whole = "", fraction = "", exponent = "0"]: RegExpExecArray): string {
  const shift = Number(exponent);
  if (shift === 0) return sign + whole + (fraction && `.${fraction}`);
  if (Math.abs(shift) > MAX_EXPONENT) return text;
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = point <= 0 ? "0".repeat(1 - point) + digits : digits.padEnd(point, "0");
  const split = Math.max(point, 1);
  const left = padded.slice(0, split).replace(/^0+(?=\d)/, "");
  const right = padded.slice(split);
  return sign + left + (right && `.${right}`);
}
