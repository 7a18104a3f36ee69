import type { HoldingSubtype, HoldingType, PortfolioType } from "@org/provider-kit";

/** What the bank calls income. */
export type Income = "Dividend" | "Distribution" | "Coupon" | "Interest";

/**
 * A kind of security in the sandbox. Units are multiples of `unitStep` in the last digit at `unitScale`, prices likewise. The steps are chosen so
 * that units × price never has more than two decimals: values are exact without rounding.
 */
export interface SecurityKind {
  readonly type: HoldingType;
  readonly subtype: HoldingSubtype | null;
  readonly hasIsin: boolean;
  readonly unitScale: number;
  readonly unitStep: number;
  readonly priceScale: number;
  readonly priceStep: number;
  /** Lowest and highest price in steps, for currencies of about the euro's value. */
  readonly priceRange: readonly [number, number];
  /** Largest price change in a month, in thousandths. */
  readonly swing: number;
  /** Months between two payments of income; null = none. */
  readonly incomeEvery: number | null;
  readonly income: Income | null;
}

const share = { hasIsin: true, unitScale: 0, unitStep: 1, priceScale: 2, priceStep: 1, swing: 45 } as const;
const fund = { ...share, unitScale: 2, unitStep: 25, priceScale: 2, priceStep: 4 } as const;
const nominal = { ...share, unitStep: 1000, priceScale: 4, priceStep: 5, swing: 8 } as const;
const contract = { ...share, hasIsin: false, incomeEvery: null, income: null } as const;

const kinds = {
  equity: { ...share, type: "VI", subtype: null, priceRange: [400, 38_000], incomeEvery: 3, income: "Dividend" },
  fund: {
    ...fund,
    type: "F",
    subtype: null,
    priceRange: [220, 8_000],
    swing: 30,
    incomeEvery: 6,
    income: "Distribution",
  },
  etf: {
    ...share,
    type: "ETF",
    subtype: null,
    priceRange: [1_800, 42_000],
    swing: 30,
    incomeEvery: 3,
    income: "Distribution",
  },
  bond: { ...nominal, type: "FI", subtype: null, priceRange: [1_780, 2_090], incomeEvery: 6, income: "Coupon" },
  pension: {
    ...fund,
    type: "PP",
    subtype: null,
    hasIsin: false,
    priceRange: [250, 900],
    swing: 20,
    incomeEvery: null,
    income: null,
  },
  crypto: {
    ...contract,
    type: "C",
    subtype: null,
    unitScale: 3,
    priceScale: 0,
    priceStep: 10,
    priceRange: [12, 6_500],
    swing: 160,
  },
  cash: {
    ...contract,
    type: "L",
    subtype: null,
    unitScale: 2,
    priceScale: 0,
    priceRange: [1, 1],
    swing: 0,
    incomeEvery: 3,
    income: "Interest",
  },
  cfd: { ...contract, type: "CFD", subtype: null, priceRange: [900, 52_000], swing: 80 },
  fundOption: { ...contract, type: "DV", subtype: "FOP", priceRange: [150, 4_000], swing: 120 },
  option: { ...contract, type: "DV", subtype: "OP", priceRange: [40, 3_500], swing: 150 },
  future: { ...contract, type: "DV", subtype: "FT", priceRange: [8_000, 60_000], swing: 60 },
  warrant: { ...contract, type: "DV", subtype: "W", hasIsin: true, priceRange: [15, 1_200], swing: 150 },
  commodity: { ...contract, type: "DV", subtype: "COM", priceRange: [2_000, 24_000], swing: 60 },
  forward: { ...contract, type: "DV", subtype: "FF", priceRange: [80, 150], swing: 20 },
  deposit: {
    ...nominal,
    type: "BP",
    subtype: "CD",
    hasIsin: false,
    priceRange: [2_000, 2_000],
    swing: 0,
    incomeEvery: 12,
    income: "Interest",
  },
  privateEquity: {
    ...share,
    type: "AEP",
    subtype: "PE",
    priceRange: [80_000, 140_000],
    swing: 15,
    incomeEvery: 12,
    income: "Distribution",
  },
  realAsset: {
    ...share,
    type: "AEP",
    subtype: "RA",
    priceRange: [9_000, 26_000],
    swing: 12,
    incomeEvery: 6,
    income: "Distribution",
  },
  other: { ...contract, type: "O", subtype: null, priceRange: [6_000, 9_000], swing: 35 },
} as const satisfies Record<string, SecurityKind>;

export type KindName = keyof typeof kinds;

export const securityKinds: Readonly<Record<KindName, SecurityKind>> = kinds;

/** A kind of account: its name, its type and the kinds of securities in it (a kind listed twice is held twice as often). */
export interface AccountProfile {
  readonly name: string;
  readonly type: PortfolioType;
  readonly holds: readonly [KindName, ...KindName[]];
  /** True if cash lies in the account, so that its movements are paid from and into it. At other accounts they are paid elsewhere. */
  readonly keepsCash?: true;
  /** True for an account in another currency than the bank's country has, whose securities another bank delivered. */
  readonly isForeign?: true;
}

/** The first account of every customer. */
export const mainAccount: AccountProfile = {
  name: "Investment account",
  type: "MIX",
  holds: ["equity", "equity", "equity", "etf", "etf", "fund", "fund", "bond", "warrant", "deposit"],
};

/** Further accounts that customers may have. */
export const furtherAccounts: readonly [AccountProfile, ...AccountProfile[]] = [
  { name: "Discretionary mandate", type: "M", holds: ["equity", "etf", "fund", "bond", "privateEquity", "realAsset"] },
  { name: "Advised portfolio", type: "UM", holds: ["equity", "fund", "etf", "bond"] },
  { name: "Fund account", type: "F", holds: ["fund"] },
  { name: "Securities account", type: "S", holds: ["equity", "equity", "etf", "bond"] },
  { name: "CFD account", type: "CFD", holds: ["cfd"] },
  { name: "Pension plan", type: "PP", holds: ["pension"] },
  { name: "Bond portfolio", type: "FI", holds: ["bond"] },
  { name: "Crypto wallet", type: "C", holds: ["crypto"] },
  { name: "ETF savings plan", type: "ETF", holds: ["etf"] },
  { name: "Money market account", type: "L", holds: ["cash"] },
  { name: "Precious metals", type: "O", holds: ["other"] },
  {
    name: "Derivatives account",
    type: "DV",
    holds: ["option", "fundOption", "future", "warrant", "commodity", "forward"],
  },
  { name: "Deposits and notes", type: "BP", holds: ["deposit"] },
  { name: "Private markets", type: "AEP", holds: ["privateEquity", "realAsset"] },
];

/** Accounts that every customer of a bank with cash accounts has beside those above. */
export const accountsOfCashBanks: readonly AccountProfile[] = [
  { name: "Custody account with cash", type: "MIX", holds: ["equity", "etf", "fund", "bond"], keepsCash: true },
  { name: "Foreign securities account", type: "S", holds: ["equity", "equity", "etf", "bond"], isForeign: true },
];
