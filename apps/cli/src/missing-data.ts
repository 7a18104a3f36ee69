import { z } from "zod";
import { printable } from "./table.js";

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
  const portfolio = missing.portfolio_id ? `portfolio ${missing.portfolio_id}` : "a connection that never delivered";
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
      return `several money-weighted returns fit (${missing.returns?.join(", ")}); ask with --method twr`;
    default:
      return reason;
  }
}
