/** The ISIN of `country` (alpha-2) and a nine-character national number, with its check digit (ISO 6166). */
export function isinOf(country: string, nationalNumber: string): string {
  const body = country + nationalNumber;
  return body + luhnDigit(expandLetters(body));
}

/** Whether the text is an ISIN whose check digit is right. */
export function isIsin(text: string): boolean {
  return /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text) && isinOf(text.slice(0, 2), text.slice(2, 11)) === text;
}

function expandLetters(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
}

/** Luhn: from the right, every second digit counts double, beginning with the last one. */
function luhnDigit(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const value = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return String((10 - (sum % 10)) % 10);
}
