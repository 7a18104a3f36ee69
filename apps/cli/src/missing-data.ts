import type { sourceSchema } from "@org/core";
import { z } from "zod";
import { percent, printable } from "./table.js";

/** One of the `details` of INSUFFICIENT_DATA, or of the `gaps` of a figure. */
export const missingSchema = z.looseObject({
  reason: z.string(),
  portfolio_id: z.string().nullish(),
  credentials_token: z.string().optional(),
  transaction_id: z.string().optional(),
  name: z.string().optional(),
  difference: z.string().optional(),
  from: z.string().nullish(),
  to: z.string().optional(),
  date: z.string().optional(),
  first_valuation: z.string().nullish(),
  returns: z.array(z.string()).optional(),
});
type Missing = z.infer<typeof missingSchema>;

/** What a figure lacks, as a line for people. */
export function missingText(missing: Missing): string {
  return printable(sentenceOf(missing));
}

function sentenceOf(missing: Missing): string {
  const { reason, credentials_token, transaction_id, name, difference, from, to, date, first_valuation } = missing;
  const portfolio = nameOf(missing.portfolio_id);
  switch (reason) {
    case "stale":
      return `${portfolio}: no value from ${from} to ${to} that is recent enough (--stale-after)`;
    case "no_data":
      return `${portfolio}: no data`;
    case "value_unknown":
      return `${portfolio}: its value is not known`;
    case "no_opening_value":
      return `no value at the close of ${date} to begin with; ${first_valuation ? `the first is of ${first_valuation}` : "there is none in the period"}`;
    case "difference":
      return `${portfolio}: statements of ${from} and ${to} differ by ${difference} of ${name}, which no movement explains`;
    case "movements_unread":
      return `connection ${credentials_token}: values up to ${to}, movements ${from ? `only up to ${from}` : "never read"}`;
    case "movement_unclear":
      return `${portfolio}: movement ${transaction_id} of ${date} may be money in or out, or not`;
    case "flow_value_unknown":
      return `${portfolio}: the value of movement ${transaction_id} of ${date} is not known`;
    case "rate_missing":
      return `no exchange rate from ${from} to ${to} for ${date}`;
    case "return_undefined":
      return `no return can be told: on ${date} there is nothing that could earn`;
    case "no_root":
      return "no money-weighted return fits; ask with --method twr";
    case "several_roots":
      return `several money-weighted returns fit (${missing.returns?.map(percent).join(", ")}); ask with --method twr`;
    default:
      return reason;
  }
}

/** Why the data of a connection that is not `ok` are not up to date, as a line for people. */
export function sourceText({
  bank,
  credentials_token,
  state,
  as_of,
  message = "",
}: z.infer<typeof sourceSchema>): string {
  const [why = "", ...more] = message.split("; ");
  const known = as_of === null ? "it has no data" : `its last data are of ${as_of.slice(0, "YYYY-MM-DD".length)}`;
  return printable(`${state}: ${bank} (${credentials_token}): ${[sentences[why] ?? why, ...more, known].join("; ")}`);
}

/** What the few words of a source's `message` mean. */
const sentences: Readonly<Record<string, string>> = {
  blocked: "it is blocked, its client has to log in again",
  "the last extraction failed": "the last read failed, and is repeated by itself",
  "no data yet": "it is being read for the first time",
  "not delivered by the bank yet": "the bank has not delivered these data yet",
  old: "nothing newer has come",
};

/** One of the missing portfolios in `coverage.details`. */
export interface MissingPortfolio {
  readonly portfolio_id: string | null;
  readonly since: string | null;
  readonly reason?: string | null | undefined;
}

/** Why a portfolio is in no sum, as a line for people. */
export function uncoveredText({ portfolio_id, since, reason }: MissingPortfolio): string {
  const lacks = {
    stale: `its last value, of ${since}, is too old (--stale-after)`,
    before_first_valuation: "its first value is of a later day",
    value_unknown: "its value is not known",
    no_data: "no data",
  }[reason ?? ""];
  return printable(`missing: ${nameOf(portfolio_id)}: ${lacks ?? reason}`);
}

function nameOf(portfolioId: string | null | undefined): string {
  return portfolioId ? `portfolio ${portfolioId}` : "a connection that never delivered";
}
