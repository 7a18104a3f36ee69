import { bitLength, type Fraction, roundedQuotient } from "./fraction.js";

/**
 * A real number between (`value` − `error`) / 2^bits and (`value` + `error`) / 2^bits. Errors are counted in units of the last bit: each division and
 * each shift loses less than one, and every function adds up what its steps lose.
 */
interface Bounded {
  readonly value: bigint;
  readonly error: bigint;
}

/** Precisions that are tried, in bits. What is still in doubt at the last one is taken as exact. */
export const precisions = [128, 512, 2048] as const;

/** `base` ^ `exponent` for a base above zero, with bounds of the error. */
export function power(base: Fraction, exponent: Fraction, bits: number): Bounded {
  return createPower(base, bits)(exponent);
}

/** Powers of one base above zero: its logarithm is taken once. */
export function createPower(base: Fraction, bits: number): (exponent: Fraction) => Bounded {
  // Bits beyond those asked for hold the errors that multiplying by the exponent and scaling at the end make larger.
  const inner = bits + 64;
  const ln2 = twiceArtanh((1n << BigInt(inner)) / 3n, inner);
  const ln = logarithm(base, ln2, inner);
  return ({ n, d }) => {
    const value = (ln.value * n) / d;
    const error = (ln.error * (n < 0n ? -n : n)) / d + 2n;
    const { value: exact, error: lost } = exponential({ value, error }, ln2, inner);
    return { value: exact >> 64n, error: (lost >> 64n) + 2n };
  };
}

/** `base` ^ `exponent` − 1 for a base above zero, rounded half even to this many digits. */
export function roundedPowerLessOne(base: Fraction, exponent: Fraction, digits: number): bigint {
  const unit = 10n ** BigInt(digits);
  let even = 0n;
  for (const bits of precisions) {
    const { value, error } = power(base, exponent, bits);
    const scale = 1n << BigInt(bits);
    const low = roundedQuotient((value - error - scale) * unit, scale);
    const high = roundedQuotient((value + error - scale) * unit, scale);
    if (low === high) return low;
    // Only a power that lies exactly between two results is in doubt to the end.
    even = low % 2n === 0n ? low : high;
  }
  return even;
}

/** ln(n / d) = k · ln 2 + ln m with m between 1/2 and 2. */
function logarithm({ n, d }: Fraction, ln2: Bounded, bits: number): Bounded {
  const one = 1n << BigInt(bits);
  const k = bitLength(n) - bitLength(d);
  const shift = bits - k;
  const m = shift >= 0 ? (n << BigInt(shift)) / d : n / (d << BigInt(-shift));
  // m is short by less than one unit, which shifts ln m by at most 2: m > 1/2. The quotient is short by less than one, too.
  const lnM = twiceArtanh(((m - one) << BigInt(bits)) / (m + one), bits);
  const times = BigInt(k);
  const size = times < 0n ? -times : times;
  return { value: lnM.value + times * ln2.value, error: lnM.error + size * ln2.error + 2n };
}

/** 2 · artanh(z) = 2 · (z + z³/3 + z⁵/5 + …) for |z| ≤ 1/3, of which `z` is short by less than one unit. */
function twiceArtanh(z: bigint, bits: number): Bounded {
  const shift = BigInt(bits);
  const square = (z * z) >> shift;
  let term = z;
  let sum = 0n;
  let terms = 0n;
  for (let odd = 1n; term !== 0n && term !== -1n; odd += 2n) {
    sum += term / odd;
    term = (term * square) >> shift;
    terms += 1n;
  }
  // A term is off by less than 3 units: by a third of what the one before was, by the square's error and by its own shift. Its quotient loses one
  // more. The terms that are left out come to less than 2 units, and z's own error to less than 2.
  return { value: 2n * sum, error: 2n * (4n * terms + 4n) };
}

/** e^a = 2^k · e^r with |r| ≤ ln 2 / 2 + 1 unit, by Taylor's series. */
function exponential(a: Bounded, ln2: Bounded, bits: number): Bounded {
  const shift = BigInt(bits);
  const k = roundedQuotient(a.value, ln2.value);
  const r = a.value - k * ln2.value;
  const errorOfR = a.error + (k < 0n ? -k : k) * ln2.error;
  let term = 1n << shift;
  let sum = 0n;
  let terms = 0n;
  for (let next = 1n; term !== 0n && term !== -1n; next += 1n) {
    sum += term;
    term = ((term * r) >> shift) / next;
    terms += 1n;
  }
  // Each term is off by less than 3 units, the rest of the series by less than 2; e^r < 3/2, so r's error counts less than twice.
  const error = 3n * terms + 2n + 2n * errorOfR;
  if (k >= 0n) return { value: sum << k, error: error << k };
  return { value: sum >> -k, error: (error >> -k) + 2n };
}
