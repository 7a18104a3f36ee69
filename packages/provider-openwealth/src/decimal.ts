/** What is stored of a number: 28 digits before the point and 20 after it. */
const storable = /^-?\d{1,28}(\.\d{1,20})?$/;

/** A JSON number's text as a plain decimal string, every digit kept: `1.50`, `1e3` = `1000`. Null when it has more digits than can be stored. */
export function plainDecimal(text: string): string | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (!match) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const point = whole.length + Number(exponent);
  const digits = `${whole}${fraction}`.padEnd(point, "0");
  const before = digits.slice(0, Math.max(point, 0)).replace(/^0+(?=\d)/, "") || "0";
  const after = point < 0 ? "0".repeat(-point) + digits : digits.slice(point);
  const unsigned = after === "" ? before : `${before}.${after}`;
  return asStorable(isZero(unsigned) ? unsigned : `${sign}${unsigned}`);
}

/** The exact sum, with the largest scale; null when there is nothing to add, or a part is not known. */
export function sumOf(parts: readonly (string | null)[]): string | null {
  if (parts.length === 0) return null;
  let scale = 0;
  for (const part of parts) {
    if (part === null) return null;
    scale = Math.max(scale, scaleOf(part));
  }
  return asStorable(
    format(
      parts.reduce((sum, part) => sum + unscaled(part ?? "0", scale), 0n),
      scale,
    ),
  );
}

/** The exact product, without zeros at its end that no factor has; null when it has more digits than can be stored. */
export function productOf(...factors: readonly string[]): string | null {
  const scale = factors.reduce((sum, factor) => sum + scaleOf(factor), 0);
  const widest = Math.max(...factors.map(scaleOf));
  const product = format(
    factors.reduce((value, factor) => value * unscaled(factor, scaleOf(factor)), 1n),
    scale,
  );
  const surplus = new RegExp(`0{0,${scale - widest}}$`);
  return asStorable(product.replace(surplus, "").replace(/\.$/, ""));
}

/** The number with its sign turned; zero has none. */
export function negated(value: string): string {
  if (value.startsWith("-")) return value.slice(1);
  return isZero(value) ? value : `-${value}`;
}

/** Whether a decimal string is zero, whatever its scale. */
export function isZero(value: string): boolean {
  return !/[1-9]/.test(value);
}

/** Whether two decimal strings are the same number, whatever their scales. */
export function isSameNumber(one: string, other: string): boolean {
  const scale = Math.max(scaleOf(one), scaleOf(other));
  return unscaled(one, scale) === unscaled(other, scale);
}

function asStorable(text: string): string | null {
  return storable.test(text) ? text : null;
}

function scaleOf(text: string): number {
  const dot = text.indexOf(".");
  return dot < 0 ? 0 : text.length - dot - 1;
}

function unscaled(text: string, scale: number): bigint {
  return BigInt(text.replace(".", "") + "0".repeat(scale - scaleOf(text)));
}

function format(value: bigint, scale: number): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
