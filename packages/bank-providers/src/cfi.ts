import type { HoldingSubtype, HoldingType } from "@org/provider-kit";

export interface HoldingKind {
  readonly type: HoldingType;
  readonly subtype: HoldingSubtype | null;
}

/** Prefixes of CFI codes (ISO 10962), longer ones before shorter ones that they begin with. */
const kindsByCfi: readonly (readonly [string, HoldingKind])[] = [
  ["CE", { type: "ETF", subtype: null }],
  ["CB", { type: "AEP", subtype: null }],
  ["CH", { type: "AEP", subtype: null }],
  ["CP", { type: "AEP", subtype: "PE" }],
  ["RW", { type: "DV", subtype: "W" }],
  ["FC", { type: "DV", subtype: "COM" }],
  ["EU", { type: "F", subtype: null }],
  ["E", { type: "VI", subtype: null }],
  ["C", { type: "F", subtype: null }],
  ["D", { type: "FI", subtype: null }],
  ["O", { type: "DV", subtype: "OP" }],
  ["F", { type: "DV", subtype: "FT" }],
  ["H", { type: "DV", subtype: "OP" }],
  ["R", { type: "DV", subtype: null }],
  ["S", { type: "DV", subtype: null }],
  ["J", { type: "DV", subtype: null }],
];

/**
 * The kind that a CFI code stands for. Without a code, a face amount means a debt instrument; otherwise the kind is unknown.
 * @param isNominal whether the quantity is a face amount
 */
export function kindOfCfi(code: string | null, isNominal: boolean): HoldingKind {
  const cfi = code?.toUpperCase() ?? "";
  const found = kindsByCfi.find(([letters]) => cfi.startsWith(letters));
  return found ? found[1] : { type: isNominal ? "FI" : "O", subtype: null };
}
