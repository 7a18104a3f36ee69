import type { HoldingSubtype, HoldingType, PortfolioType } from "@org/core";

/** What the codes of portfolio accounts mean (contract §4). */
export const portfolioKinds = {
  M: "managed",
  UM: "unmanaged",
  F: "funds",
  S: "securities",
  CFD: "contracts for difference",
  PP: "pension plans",
  FI: "fixed income",
  C: "crypto",
  ETF: "exchange-traded funds",
  L: "liquidity",
  O: "other",
  DV: "derivatives",
  BP: "bank products",
  AEP: "alternative",
  MIX: "mixed",
} as const satisfies Record<PortfolioType, string>;

/** What the codes of holdings mean. */
export const holdingKinds = {
  F: "funds",
  VI: "equities",
  PP: "pension plans",
  FI: "fixed income",
  C: "crypto",
  ETF: "exchange-traded funds",
  CFD: "contracts for difference",
  L: "liquidity",
  O: "other",
  DV: "derivatives",
  BP: "bank products",
  AEP: "alternative",
} as const satisfies Record<HoldingType, string>;

/** The type that a subtype belongs to, and what it means. */
export const holdingSubkinds = {
  FOP: { of: "DV", meaning: "fund options" },
  OP: { of: "DV", meaning: "options" },
  FT: { of: "DV", meaning: "futures" },
  W: { of: "DV", meaning: "warrants" },
  COM: { of: "DV", meaning: "commodities" },
  FF: { of: "DV", meaning: "forwards" },
  CD: { of: "BP", meaning: "certificates of deposit" },
  PE: { of: "AEP", meaning: "private equity" },
  RA: { of: "AEP", meaning: "real assets" },
} as const satisfies Record<HoldingSubtype, { of: HoldingType; meaning: string }>;

/** Codes with their meanings, for a model: `F funds, VI equities, …`; a code that says it all stands alone. */
export function describeKinds(kinds: Readonly<Record<string, string>>): string {
  return Object.entries(kinds)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(", ");
}
