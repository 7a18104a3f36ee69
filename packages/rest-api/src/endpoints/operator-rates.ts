import { type Actor, calendarDate, invalid, optional, pageNumber, pageSizeSchema, parseOrRefuse } from "@org/core";
import { z } from "zod";
import { rateFileInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { fileName } from "../file-name.js";
import { pageSchema, tokenPageSchema } from "../paging.js";
import { operatorEndpoint } from "./operator-endpoint.js";

const nameQuery = z.strictObject({
  name: fileName.describe("Name of the file, which becomes the source of its rates."),
});
const source = z.string().describe("Name of the file, or the service that was asked.");
const day = z.iso.date();

/** `/operator/v1/rates`: exchange rates of the installation. */
export const rateEndpoints = [
  defineEndpoint({
    path: "/operator/v1/rates/import",
    operation: "importRates",
    summary: "Import a file of exchange rates, all or none",
    description:
      "`eurofxref` of the European Central Bank, daily or history, as CSV, XML or zip (`N/A` is left out), or CSV with the columns date, base, quote, rate: 1 base = rate quote. Rates of the same date, base and quote are replaced. A bad line is refused by its number and field.",
    scopes: ["operator"],
    input: rateFileInput,
    query: nameQuery,
    output: z.object({
      rows: z.int().min(1).describe("Rates of the file."),
      replaced: z.int().min(0).describe("Those of them that were there before."),
      first_date: day,
      last_date: day,
    }),
    fails: ["TOO_LARGE"],
    async handle({ exchangeRates }, { who, query }, bytes) {
      const { name } = parseOrRefuse(nameQuery, query);
      if (bytes.length === 0) throw invalid({ field: "file", error_type: "RequiredField", message: "is required" });
      return exchangeRates.importFile(who, { name, bytes });
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/rates/list",
    reads: true,
    operation: "listRates",
    summary: "List exchange rates",
    order: "newest day first, then by base and quote",
    body: z.strictObject({
      date: optional(calendarDate).describe("Only rates of this day."),
      page: pageNumber,
      page_size: pageSizeSchema(500, 50),
    }),
    output: pageSchema(
      z.object({
        date: day,
        base: z.string(),
        quote: z.string(),
        rate: z.string().describe("1 base = rate quote, as it was stated."),
        source,
      }),
    ),
    handle: ({ exchangeRates }, _call, { date = null, ...page }) => exchangeRates.list({ date, ...page }),
  }),
  operatorEndpoint({
    path: "/operator/v1/rates/list-days",
    reads: true,
    operation: "listRateDays",
    summary: "List the days that have exchange rates, with their sources",
    order: "newest day first; sources by name",
    body: z.strictObject({ page_token: optional(z.string()) }),
    output: tokenPageSchema(
      z.object({
        date: day,
        sources: z.array(z.object({ source, rates: z.int().min(1) })).min(1),
        previous_date: day.nullable().describe("The day with rates before it; null = it is the first."),
      }),
    ),
    handle: ({ exchangeRates }, _call, { page_token = null }) => exchangeRates.listDays(page_token),
  }),
] as const satisfies readonly Endpoint<Actor>[];
