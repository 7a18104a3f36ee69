import type { Instrument } from "./custody-answers.js";

/**
 * The types of 3.2 by CFI code (ISO 10962), which is how 2.0 states the kind of an instrument. The first entry that a code begins with counts.
 * docs/reference/providers/openwealth.md has the same table.
 */
const typesByCfi: readonly (readonly [letters: string, type: string])[] = [
  ["C", "fund"],
  ["D", "bond"],
  ["E", "equity"],
  ["F", "future"],
  ["H", "option"],
  ["IT", "commodity"],
  ["I", "derivative"],
  ["JF", "fxForward"],
  ["J", "derivative"],
  ["K", "derivative"],
  ["LL", "credit"],
  ["O", "option"],
  ["RW", "option"],
  ["RF", "derivative"],
  ["R", "equity"],
  ["SR", "interestRateSwap"],
  ["SC", "creditDefaultSwap"],
  ["SF", "fxSwap"],
  ["S", "derivative"],
  ["TC", "cash"],
];

/** The type of an instrument, from what versions before 3 say about it. */
export function instrumentType({
  cfiCode,
  underlying = "",
  isOption,
  hasInterest,
}: {
  readonly cfiCode: string | undefined;
  /** The CFI code of what a derivative is about. */
  readonly underlying: string | undefined;
  readonly isOption: boolean;
  readonly hasInterest: boolean;
}): Pick<Instrument, "type" | "cfiCode" | "underlyingFinancialInstrument"> {
  if (cfiCode === undefined) return { type: isOption ? "option" : hasInterest ? "bond" : "other" };
  const type = typesByCfi.find(([letters]) => cfiCode.startsWith(letters))?.[1] ?? "other";
  // The fourth letter of an option's code is what it is about.
  const isOnFuture = type === "option" && (underlying.startsWith("F") || /^O..F/.test(cfiCode));
  return { type, cfiCode, ...(isOnFuture && { underlyingFinancialInstrument: { type: "future" } }) };
}
