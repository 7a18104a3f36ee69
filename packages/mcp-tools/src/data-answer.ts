import { currencyTotalSchema, type DataAnswer, sourceSchema } from "@org/core";
import { z } from "zod";
import { pageSchema, pageTextOf } from "./page-answer.js";

/** Schema of a data tool's answer. `fields` picks among the fields of a row, so none of them is sure to be there. */
export function dataSchema<Row extends z.ZodObject>(row: Row) {
  const item = row.partial().extend({ credentials_token: z.string().optional() });
  return pageSchema(item, {
    totals: z
      .array(currencyTotalSchema)
      .describe("Sum of balances per currency over all rows that match, not only this page."),
    sources: z
      .array(sourceSchema)
      .describe(
        "State of each bank connection read: ok, pending (no data yet), stale (last good data), error (no data). Say so to the user when it is not ok.",
      ),
    snapshot: z.string().describe("Give it back as `snapshot` to read further pages of this same state of the data."),
  });
}

/** JSON text of a data tool's answer. @throws CoreError VALIDATION_ERROR when the page is too long for one answer */
export function dataText({ items_json, ...rest }: DataAnswer): string {
  return pageTextOf(items_json, rest.sources.length === 0 ? { ...rest, hint: NO_BANK } : rest);
}

const NO_BANK = "No bank is connected yet: find one with svc-connectors and start with svc-create-connect-session.";
