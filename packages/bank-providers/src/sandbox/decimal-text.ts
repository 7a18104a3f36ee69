/** Formats an integer of units of the last digit as a decimal string. All numbers here stay far below 2^53, so they are exact. */
export function decimalText(value: number, scale: number): string {
  const digits = String(Math.abs(value)).padStart(scale + 1, "0");
  const sign = value < 0 ? "-" : "";
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
