import { decimalString, holdingSubtypes, holdingTypes, portfolioTypes, transactionKinds } from "@org/provider-kit";
import { z } from "zod";

/** A portfolio account (S1 §2). `balance` in `currency`; `refAccount` is the bank's own account reference. */
export const portfolioSchema = z.object({
  id: z.string(),
  name: z.string(),
  balance: decimalString.nullable(),
  currency: z.string(),
  refAccount: z.string().nullable(),
  type: z.enum(portfolioTypes),
});

/** An investment holding (S1 §2). `amount` = units, `balance` = value in `currency`, `valuation_date` = YYYY-MM-DD. */
export const holdingSchema = z.object({
  id: z.string(),
  name: z.string(),
  isin: z.string().nullable(),
  amount: decimalString.nullable(),
  balance: decimalString.nullable(),
  currency: z.string(),
  valuation_date: z.string().nullable(),
  type: z.enum(holdingTypes),
  subtype: z.enum(holdingSubtypes).nullable(),
});

/** An investment transaction (S1 §2). `amount` = signed units, `balance` = signed cash value in `currency`, `unitPrice` per unit. */
export const transactionSchema = z.object({
  id: z.string(),
  operationDate: z.string(),
  description: z.string(),
  amount: decimalString.nullable(),
  balance: decimalString.nullable(),
  currency: z.string(),
  unitPrice: decimalString.nullable(),
});

/** Identifiers of a security by numbering scheme, as the source gives them. */
const identifiersSchema = z.object({
  isin: z.string().optional(),
  cusip: z.string().optional(),
  sedol: z.string().optional(),
  wkn: z.string().optional(),
  valor: z.string().optional(),
  figi: z.string().optional(),
  ticker: z.string().optional(),
  mic: z.string().optional(),
});

/**
 * Optional facts about a holding: price of one unit, total cost in the holding's currency, identifiers of the security, and accrued
 * interest that `balance` does not include. Amounts are decimal strings as the source gave them.
 */
export const holdingFactsSchema = z.object({
  price: decimalString.nullish(),
  price_currency: z.string().nullish(),
  price_unit: z.enum(["currency", "percent"]).nullish(),
  cost: decimalString.nullish(),
  identifiers: identifiersSchema.nullish(),
  accrued_interest: decimalString.nullish(),
});

/** Optional facts about a transaction. `fees` and `taxes` are positive when charged; dates are YYYY-MM-DD. */
export const transactionFactsSchema = z.object({
  kind: z.enum(transactionKinds).nullish(),
  settlement_date: z.string().nullish(),
  fees: decimalString.nullish(),
  taxes: decimalString.nullish(),
  gross: decimalString.nullish(),
  identifiers: identifiersSchema.nullish(),
});

type Known<Facts> = { readonly [Name in keyof Facts]?: NonNullable<Facts[Name]> };
/** The known facts of a holding. */
export type KnownHoldingFacts = Known<z.infer<typeof holdingFactsSchema>>;
/** The known facts of a transaction. */
export type TransactionFacts = Known<z.infer<typeof transactionFactsSchema>>;

export type Portfolio = z.infer<typeof portfolioSchema>;
export type Holding = z.infer<typeof holdingSchema>;
export type Transaction = z.infer<typeof transactionSchema>;

/** Item fields in the order in which answers have them; `fields` of a data tool takes these names. */
export const portfolioFields = [
  "id",
  "name",
  "balance",
  "currency",
  "refAccount",
  "type",
] as const satisfies readonly (keyof Portfolio)[];
export const holdingFields = [
  "id",
  "name",
  "isin",
  "amount",
  "balance",
  "currency",
  "valuation_date",
  "type",
  "subtype",
] as const satisfies readonly (keyof Holding)[];
export const transactionFields = [
  "id",
  "operationDate",
  "description",
  "amount",
  "balance",
  "currency",
  "unitPrice",
] as const satisfies readonly (keyof Transaction)[];

/** Names of facts; `fields` of a data tool takes these too. An item has a fact only if `fields` names it or `with_facts` is set. */
export const holdingFacts = [
  "price",
  "price_currency",
  "price_unit",
  "cost",
  "identifiers",
  "accrued_interest",
] as const satisfies readonly (keyof KnownHoldingFacts)[];
export const transactionFacts = [
  "kind",
  "settlement_date",
  "fees",
  "taxes",
  "gross",
  "identifiers",
] as const satisfies readonly (keyof TransactionFacts)[];

/** Fields that `fields` of a data tool also takes; no item has them by default. `bank` is the connection's. */
export const extraFields = {
  portfolio: ["bank"],
  investment: ["bank", "portfolio_id"],
  transaction: ["bank", "portfolio_id", "investment_id"],
} as const;

/** Whose rows are: fields and a group of totals that REST has besides, for every product; `client_name` is null for a client without one. */
export const ofClient = { fields: ["client_ref", "client_name"], group: "client_ref" } as const;

/** Former versions of a transaction that are kept and shown. */
export const MAX_FORMER_VERSIONS = 10;

/**
 * Versions of transactions: a field that rows have over REST besides, how many former ones are kept, at most {@link MAX_FORMER_VERSIONS}; and what
 * each version has, when it was there and the fields of a row.
 */
export const ofVersions = {
  fields: ["former_versions"],
  shown: [
    ...["read_at", "ended_at", "ended_by"],
    ...transactionFields.filter((field) => field !== "id"),
    ...["portfolio_id", "investment_id"],
    ...transactionFacts,
  ],
} as const;

/**
 * Orders of rows; `-` is descending. By balance, rows are grouped by currency, the currency with the largest total first; notionals come after all
 * other rows. Unknown values come last, and ids break ties, with `-name` and `valuation_date` the later first. `name` ignores case and accents.
 */
export const dataSorts = {
  portfolio: ["-balance", "balance", "name", "-name"],
  investment: ["-balance", "balance", "name", "-name", "-valuation_date", "valuation_date"],
  transaction: ["-operationDate", "operationDate", "-balance", "balance"],
} as const;
export type DataSort = (typeof dataSorts)[keyof typeof dataSorts][number];

/** What `totals` can be divided by, besides the currency. */
export const dataGroups = {
  portfolio: ["type", "bank"],
  investment: ["type", "subtype", "bank", "portfolio"],
  transaction: ["kind", "bank", "portfolio"],
} as const;
export type DataGroup = (typeof dataGroups)[keyof typeof dataGroups][number] | typeof ofClient.group;

/** How far the data of one credential can be trusted (contract §4): "no data yet", "last extraction failed" and "really empty" differ. */
export const sourceSchema = z.object({
  credentials_token: z.string(),
  bank: z.string(),
  /** When the data was read at the bank (RFC 3339); null when there is none. */
  as_of: z.string().nullable(),
  state: z.enum(["ok", "pending", "stale", "error"]),
  message: z.string().optional(),
  /** What to do about it; only if the state is not ok. */
  next_action: z.string().optional(),
});
export type Source = z.infer<typeof sourceSchema>;

/** How many of the credentials that were read are in each state. */
export const sourceCountsSchema = z.object({
  ok: z.int().min(0),
  pending: z.int().min(0),
  stale: z.int().min(0),
  error: z.int().min(0),
});
export type SourceCounts = z.infer<typeof sourceCountsSchema>;

/**
 * Sum of the balances in one currency over all matching rows, or over those of one group with `totals_by`. Currencies are never added together.
 */
export const currencyTotalSchema = z.object({
  currency: z.string(),
  /** With `totals_by`: what the group's rows have in common; null if it is not known. */
  type: z.string().nullish(),
  subtype: z.string().nullish(),
  kind: z.string().nullish(),
  bank: z.string().nullish(),
  portfolio: z.object({ id: z.string(), name: z.string().nullable() }).nullish(),
  /** Null when no row has a balance that counts. */
  balance: decimalString.nullable(),
  rows: z.int().min(0),
  /** Rows whose balance is unknown; left out: none. */
  rows_without_balance: z.int().min(1).optional(),
  /** Rows whose balance is the notional of a contract, which is not part of the sum; left out: none. */
  rows_notional: z.int().min(1).optional(),
});
export type CurrencyTotal = z.infer<typeof currencyTotalSchema> & {
  /** With `totals_by` the client: the reference; null for what is nobody's. */
  readonly client_ref?: string | null | undefined;
};

/**
 * As of when the rows are, in days (YYYY-MM-DD): of holdings the valuation days of all matching rows, otherwise the days (UTC) on which the
 * connections were read. Null where there is none.
 */
export const asOfSchema = z.object({ oldest: z.string().nullable(), newest: z.string().nullable() });
export type AsOf = z.infer<typeof asOfSchema>;
