import type { HoldingSubtype, HoldingType, PortfolioType, TransactionKind } from "@org/provider-kit";

/** Meanings of the codes of portfolio accounts (contract §4). */
export const portfolioTypeMeanings = {
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

/** Meanings of the codes of holdings. */
export const holdingTypeMeanings = {
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

/** The type of each subtype, and its meaning. */
export const holdingSubtypeMeanings = {
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

/** Meanings of the kinds of transactions. */
export const transactionKindMeanings = {
  buy: "purchase",
  sell: "sale",
  dividend: "of shares or funds",
  interest: "on cash",
  coupon: "interest of a bond",
  fee: "charged",
  tax: "withheld or paid",
  deposit: "cash in",
  withdrawal: "cash out",
  transfer_in: "securities in",
  transfer_out: "securities out",
  split: "of shares",
  spin_off: "shares of a part split off",
  merger: "shares exchanged",
  redemption: "repaid at maturity",
  fx: "currency exchange",
  other: "none of these",
} as const satisfies Record<TransactionKind, string>;

/** Lists subtypes with their meanings, type by type: `of DV: OP options, …; of BP: …`. */
export function describeSubtypes(): string {
  const types = [...new Set(Object.values(holdingSubtypeMeanings).map(({ of }) => of))];
  const meaningsOf = (type: HoldingType) =>
    Object.entries(holdingSubtypeMeanings)
      .filter(([, { of }]) => of === type)
      .map(([code, { meaning }]) => [code, meaning]);
  return types.map((type) => `of ${type}: ${describeCodes(Object.fromEntries(meaningsOf(type)))}`).join("; ");
}

/** Lists codes with their meanings for a model: `F funds, VI equities, …`. */
export function describeCodes(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(", ");
}
