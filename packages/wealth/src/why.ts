import { calendarDate } from "@org/provider-kit";
import { z } from "zod";

/** Of the question why a number is what it is. */
export const whyArguments = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(80)
    .describe(
      "A portfolio, holding or transaction: the `id` that any list answers it with, whether it is still there or not.",
    ),
  date: calendarDate
    .optional()
    .describe(
      "The day of the number, YYYY-MM-DD; today (UTC) when left out, never later. For a transaction it makes no difference.",
    ),
});

const fileSource = z.object({
  kind: z.literal("file"),
  name: z.string().describe("The file as it was sent; of a container the container."),
  sha256: z.string().describe("Of the bytes that were read, in hex: of the file, or of its part."),
  part: z.string().nullable().describe("Its path in the container; null = the file is none."),
  place: z.string().nullable().describe("Where it stands in the file, such as `line 12`; null = not known."),
  format: z.string().describe("As `datafeed formats` names it, or `mapping:` and the mapping's name."),
  format_version: z
    .string()
    .nullable()
    .describe(
      "Of a mapping a digest of its text, otherwise the version of Wealth Connect that read it; null = not known.",
    ),
});

const providerSource = z.object({
  kind: z.literal("provider"),
  provider: z.string(),
  version: z.string().nullable().describe("The version of Wealth Connect that read it; null = not known."),
  read_at: z.string(),
});

/** What a number said, when, and who said so. */
export const figureVersion = z.object({
  amount: z.string().nullable().describe("Units, of a holding or transaction."),
  balance: z
    .string()
    .nullable()
    .describe("Of a portfolio as stated, otherwise the sum of its holdings; null = unknown, or in several currencies."),
  currency: z.string(),
  valuation_date: z.string().nullable().describe("Of a holding the day of its price, where it is stated, YYYY-MM-DD."),
  came_at: z.string().describe("When it came, RFC 3339."),
  current: z.boolean(),
  source: z.union([fileSource, providerSource]),
});

export const whyAnswer = z.object({
  id: z.string(),
  what: z.enum(["portfolio", "holding", "transaction"]),
  name: z
    .string()
    .nullable()
    .describe("Of the portfolio or holding as its bank calls it, of a transaction its description; null = not known."),
  credentials_token: z.string().describe("The bank connection that it is of."),
  date: z
    .string()
    .nullable()
    .describe("The day of the valuation that counts at `date`, or of the transaction; null = there is no valuation."),
  parts: z
    .array(z.string())
    .describe("Further accounts whose values are in the portfolio's number: ask for each of them too. Mostly empty."),
  versions: z
    .array(figureVersion)
    .describe(
      "If none is current, the holding or transaction is not there any more. Of one day, or transaction, at most ten former ones, for 400 days.",
    ),
});

/** See {@link whyAnswer}. */
export type WhyAnswer = z.infer<typeof whyAnswer>;
export type FigureVersion = z.infer<typeof figureVersion>;
