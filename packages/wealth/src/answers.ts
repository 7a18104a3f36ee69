import { z } from "zod";
import type { HoldingFacts } from "./facts.js";

/** Why an account has no value, the reason that says most about a portfolio with several last. */
export const missingReasons = ["stale", "before_first_valuation", "value_unknown", "no_data"] as const;
export type MissingReason = (typeof missingReasons)[number];

const day = z.string().describe("A day, YYYY-MM-DD.");
const amount = z.string().describe("A decimal amount in the currency beside it.");
const part = z.string().describe('A fraction with six decimals: "0.020100" is 2.01 %.');
const portfolioId = z.string();

const total = z.object({ currency: z.string(), balance: amount });
const rates = z
  .array(
    z.object({
      currency: z.string(),
      rate: z.string().describe("1 of the currency in that of the answer, 10 significant digits."),
      date: day,
      source: z.string().describe("The file or service that told it; of a pair through another currency both."),
    }),
  )
  .describe("The rates that were used; reckoned is with the exact ones.");

const missingRate = z.object({ reason: z.literal("rate_missing"), from: z.string(), to: z.string(), date: day });
const unclearMovement = { portfolio_id: portfolioId, transaction_id: z.string(), date: day };
const gap = z.discriminatedUnion("reason", [
  z
    .object({ reason: z.literal("stale"), portfolio_id: portfolioId, from: day, to: day })
    .describe("The last valuation, and the next one or the end of the period: too far apart."),
  z.object({ reason: z.literal("no_data"), portfolio_id: portfolioId.nullable() }),
  z.object({ reason: z.literal("value_unknown"), portfolio_id: portfolioId }),
  z.object({ reason: z.literal("no_opening_value"), date: day, first_valuation: day.nullable() }),
  z
    .object({
      reason: z.literal("difference"),
      portfolio_id: portfolioId,
      name: z.string(),
      isin: z.string().nullable(),
      from: day,
      to: day,
      difference: z.string().describe("Units stated minus units expected."),
    })
    .describe("Statements and the movements between them do not agree."),
  z
    .object({ reason: z.literal("movements_unread"), credentials_token: z.string(), from: day.nullable(), to: day })
    .describe("The last day of which movements were read, null = none, and the last valuation."),
  z.object({ reason: z.literal("movement_unclear"), ...unclearMovement }),
  z.object({ reason: z.literal("flow_value_unknown"), ...unclearMovement }),
]);

/** One of the `details` of INSUFFICIENT_DATA: gaps, and what refuses a figure also with `allow_gaps`. */
export const refusalSchema = z.discriminatedUnion("reason", [
  ...gap.options,
  missingRate,
  z.object({ reason: z.literal("return_undefined"), date: day }),
  z.object({ reason: z.literal("no_root") }),
  z.object({ reason: z.literal("several_roots"), returns: z.array(part) }),
]);

const coverage = z
  .object({
    portfolios: z.int().min(0),
    valued: z.int().min(0).describe("Valued on the day."),
    carried: z.int().min(0).describe("With an earlier value that still counts."),
    missing: z.int().min(0),
    details: z
      .array(
        z.object({
          portfolio_id: portfolioId.nullable().describe("Null: a connection that never delivered."),
          state: z.enum(["carried", "missing"]),
          since: day.nullable().describe("The last valuation; null = none."),
          reason: z.enum(missingReasons).optional().describe("Why it is missing; not of carried."),
        }),
      )
      .max(50)
      .describe("Those that are not valued: missing first, then the oldest.")
      .optional(),
  })
  .describe("How much of what was asked for has a value.");

const accountsOfAnswer = {
  coverage,
  duplicates: z
    .array(z.array(portfolioId))
    .optional()
    .describe("Portfolios that are the same account, connected more than once: they count as often."),
};
const complete = z.boolean().describe("Nothing is missing or refused.");

export const historyAnswer = z.object({
  items: z
    .array(
      z.object({
        date: day,
        totals: z.array(total),
        complete,
        rates,
        refused: z.array(missingRate).optional().describe("Rates that are missing; then there are no totals."),
        coverage,
      }),
    )
    .describe("Oldest first."),
  duplicates: accountsOfAnswer.duplicates,
});

export const holdingsAtAnswer = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      balance: amount.nullable(),
      currency: z.string(),
      portfolio_id: portfolioId,
      as_of: day.describe("The day of the valuation, YYYY-MM-DD."),
    }),
  ),
  ...accountsOfAnswer,
});

export const summaryAnswer = z.object({
  date: day,
  totals: z.array(total),
  complete,
  rates,
  items: z
    .array(
      z.object({
        key: z
          .string()
          .nullable()
          .describe(
            "A type, currency, connector_id, client_ref, ISIN or holding; `unallocated` for what no holding has.",
          ),
        totals: z.array(total),
        share: part.nullable().describe("Of the total; null without one currency or a total above zero."),
      }),
    )
    .describe("By key, null last."),
  ...accountsOfAnswer,
});

const dated = z.object({ date: day, balance: amount });
const returned = part.describe('A fraction with six decimals: "0.020100" is 2.01 %.');

export const performanceAnswer = z.object({
  from: day,
  to: day,
  method: z.enum(["twr", "mwr"]),
  rules: z.int().describe("Rises when figures change their meaning."),
  currency: z.string(),
  opening: dated,
  closing: dated,
  flows: z
    .object({ in: amount, out: amount, count: z.int().min(0) })
    .describe("Money that came in (positive) and went out (negative), netted over all accounts for each date."),
  entries: z
    .array(dated.extend({ portfolio_id: portfolioId }))
    .describe("Portfolios that were first valued within the period, by date: no gain."),
  gain: amount,
  return: returned,
  annualised: returned.nullable().describe("For a year of 365 days; null for shorter periods."),
  return_gross_of_fees: returned
    .nullable()
    .describe("Of twr, with fees added back; null where there is none, and of mwr."),
  return_gross_of_fees_and_taxes: returned.nullable(),
  estimated: z
    .array(z.object({ from: day, to: day, flows: amount, large: z.boolean() }))
    .describe(
      "Times between valuations in which flows came and were weighted by days; large: more than 10 % of the value.",
    ),
  gaps: z.array(gap).describe("With allow_gaps: what is not known."),
  ...accountsOfAnswer,
});

const incomeTotals = z.array(
  z.object({
    currency: z.string(),
    net: amount.describe("Cash as it moved; reinvested income as if it had."),
    taxes: amount.nullable().describe("Null where a movement does not tell; so is gross."),
    gross: amount.nullable(),
    count: z.int().min(0),
  }),
);

export const incomeAnswer = z.object({
  items: z
    .array(
      z.object({
        key: z.string().nullable().describe("A month YYYY-MM, a year, an ISIN or holding, or a kind."),
        totals: incomeTotals,
      }),
    )
    .describe("By key, null last."),
  totals: incomeTotals,
  unvalued: z.int().min(0).describe("Movements without cash, which no sum has."),
  ...accountsOfAnswer,
});

export const gainsAnswer = z.object({
  date: day,
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      isin: z.string().nullable(),
      portfolio_id: portfolioId,
      currency: z.string(),
      balance: amount.nullable(),
      cost: amount.nullable().describe("Null = unknown."),
      gain: amount.nullable(),
      gain_share: part.nullable().describe("Of the cost's absolute value."),
    }),
  ),
  totals: z.array(
    z.object({
      currency: z.string(),
      balance: amount,
      cost: amount,
      gain: amount,
      holdings: z.int().min(0),
      balance_without_cost: amount,
      holdings_without_cost: z.int().min(0),
    }),
  ),
  ...accountsOfAnswer,
});

export type Total = z.infer<typeof total>;
export type UsedRate = z.infer<typeof rates>[number];
export type Coverage = z.infer<typeof coverage>;
/** Why a figure is not certain. */
export type Gap = z.infer<typeof gap>;
/** A currency pair that cannot be formed for a day. */
export type MissingRate = z.infer<typeof missingRate>;
export type RefusalReason = z.infer<typeof refusalSchema>;
export type HistoryAnswer = z.infer<typeof historyAnswer>;
export type SummaryAnswer = z.infer<typeof summaryAnswer>;
export type PerformanceAnswer = z.infer<typeof performanceAnswer>;
export type IncomeAnswer = z.infer<typeof incomeAnswer>;
export type GainsAnswer = z.infer<typeof gainsAnswer>;
/** Rows as the facts have them, in the currency asked for. */
export type HoldingsAtAnswer = Omit<z.infer<typeof holdingsAtAnswer>, "items"> & {
  items: (Omit<HoldingFacts, "is_notional"> & { portfolio_id: string; as_of: string })[];
};
