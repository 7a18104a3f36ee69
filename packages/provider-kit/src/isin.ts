/** The ISIN of `country` (alpha-2) and a nine-character national number, with its check digit added (ISO 6166). */
export function isinOf(country: string, nationalNumber: string): string {
  const body = country + nationalNumber;
  return body + checkDigit(body);
}

const isinPattern = /^[A-Z]{2}[A-Z0-9]{9}\d$/;

/** Whether the text is an ISIN with a correct check digit. */
export function isIsin(text: string): boolean {
  return isinPattern.test(text) && checkDigit(text.slice(0, -1)) === text.slice(-1);
}

/** Luhn over the digits, a letter counting as two (A = 10): from the right, every second digit is doubled, starting with the last. */
function checkDigit(body: string): string {
  let sum = 0;
  let isDouble = true;
  const count = (digit: number) => {
    const value = isDouble ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
    isDouble = !isDouble;
  };
  for (let at = body.length - 1; at >= 0; at -= 1) {
    const code = body.charCodeAt(at);
    const value = code - (code < LETTER_A ? DIGIT_0 : LETTER_A - 10);
    count(value % 10);
    if (value > 9) count(Math.floor(value / 10));
  }
  return String((10 - (sum % 10)) % 10);
}

const DIGIT_0 = 48;
const LETTER_A = 65;
