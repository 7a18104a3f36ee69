import type { Fraction } from "./fraction.js";

/** Numbers with 120 decimals, as whole numbers of 10^-120. */
export const unit = 10n ** 120n;

export function fixed(fraction: Fraction): bigint {
  return (fraction.top * unit) / fraction.bottom;
}

export function times(one: bigint, other: bigint): bigint {
  return (one * other) / unit;
}

/** e to the power of a number, by its series: of a 2^64th of it, squared 64 times. */
export function exponential(power: bigint): bigint {
  if (power < 0n) return (unit * unit) / exponential(-power);
  // The squaring doubles the error each time, so there are more digits within.
  const more = 10n ** 40n;
  const inner = unit * more;
  const small = (power * more) / 2n ** 64n;
  let [sum, term] = [inner, inner];
  for (let count = 1n; term > 0n; count += 1n) {
    term = (term * small) / inner / count;
    sum += term;
  }
  for (let square = 0; square < 64; square += 1) sum = (sum * sum) / inner;
  return sum / more;
}

/** The natural logarithm of 10: 2 artanh(1/3) is that of 2, and 10 = 2^3 · 5/4. */
export const logarithmOfTen = 3n * 2n * areaTangent(3n) + 2n * areaTangent(9n);

/** artanh(1 / of). */
function areaTangent(of: bigint): bigint {
  let [power, sum] = [unit / of, 0n];
  for (let count = 1n; power > 0n; count += 2n) {
    sum += power / count;
    power /= of * of;
  }
  return sum;
}

/** The natural logarithm of a positive number: by Newton's method from that of its floating-point neighbour. */
export function logarithm(of: bigint): bigint {
  const digits = of.toString().length - 121;
  // Between 1 and 10, then the whole powers of ten are added.
  const mantissa = digits >= 0 ? of / 10n ** BigInt(digits) : of * 10n ** BigInt(-digits);
  let guess = BigInt(Math.round(Math.log(Number(mantissa / 10n ** 105n) / 1e15) * 1e12)) * 10n ** 108n;
  for (let step = 0; step < 8; step += 1) {
    const power = exponential(guess);
    guess += (2n * unit * (mantissa - power)) / (mantissa + power);
  }
  return guess + BigInt(digits) * logarithmOfTen;
}

/** With six decimals, rounded half even; what is within 10^-60 of a tie is one. */
export function sixDecimals(of: bigint): string {
  const size = of < 0n ? -of : of;
  // To 60 decimals first: then a tie that the last digits have blurred is a tie again.
  const sixty = (size + 5n * 10n ** 59n) / 10n ** 60n;
  const step = 10n ** 54n;
  const [whole, rest] = [sixty / step, sixty % step];
  const up = rest * 2n > step || (rest * 2n === step && whole % 2n === 1n);
  const digits = (whole + (up ? 1n : 0n)).toString().padStart(7, "0");
  const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  return of < 0n && /[1-9]/.test(text) ? `-${text}` : text;
}
