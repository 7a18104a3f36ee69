import { calendarDate as day } from "@org/provider-kit";
import { z } from "zod";

const period = {
  from: day.describe("The first day, YYYY-MM-DD. A period has at most 3,660 days."),
  to: day.optional().describe("The last day, YYYY-MM-DD; today (UTC) when left out, never later."),
};

/** Null is as if the argument was left out, as everywhere in the APIs but for days and lists. */
function optional<S extends z.ZodType>(schema: S) {
  return schema
    .nullable()
    .transform((value): z.output<S> | undefined => value ?? undefined)
    .optional();
}

function defaulted<S extends z.ZodType>(schema: S, value: z.output<S>) {
  return schema
    .nullable()
    .transform((given): z.output<S> => given ?? value)
    .prefault(value as z.util.NoUndefined<z.input<S>>);
}

/** What every question takes besides whose accounts it is about. */
export const commonArguments = {
  currency: optional(z.string().regex(/^[A-Z]{3}$/, "must be a currency in three capitals (ISO 4217)")).describe(
    "Converts all amounts to this currency (ISO 4217) and rounds them to its digits; left out: each in its own.",
  ),
  stale_after: defaulted(z.int().min(0).max(400), 7).describe(
    "How many days a value is carried before it is missing: 0 to 400, 7 when left out.",
  ),
};

/** Of questions about one day. */
export const dayArguments = z.strictObject({
  date: day.optional().describe("The day, YYYY-MM-DD, at its close; today (UTC) when left out, never later."),
  ...commonArguments,
});

export const historyArguments = z.strictObject({
  ...period,
  interval: defaulted(z.enum(["day", "week", "month"]), "day").describe(
    "Each day, Sundays, or the last days of months, and always `to`; day when left out.",
  ),
  include_coverage: defaulted(z.boolean(), false).describe("Adds the `details` of the coverage of each day."),
  ...commonArguments,
});

export const summaryArguments = dayArguments.extend({
  by: z.enum(["type", "currency", "bank", "client", "security"]).describe("What the total is divided by."),
});

export const performanceArguments = z.strictObject({
  ...period,
  method: defaulted(z.enum(["twr", "mwr"]), "twr").describe(
    "Time-weighted, or money-weighted (the formula of XIRR); twr when left out.",
  ),
  allow_gaps: defaulted(z.boolean(), false).describe(
    "Reckons with what is there and lists in `gaps` what is not; otherwise that is refused.",
  ),
  ...commonArguments,
});

const incomeKind = z.enum(["dividend", "interest", "coupon", "fee", "tax"]);
export const incomeArguments = z.strictObject({
  ...period,
  by: z.enum(["month", "year", "security", "kind"]).describe("What the totals are divided by."),
  kind: z
    .union([incomeKind, z.array(incomeKind).min(1)])
    .optional()
    .describe("Movements of this kind, or of those of a list; dividend, interest and coupon when left out."),
  ...commonArguments,
});
