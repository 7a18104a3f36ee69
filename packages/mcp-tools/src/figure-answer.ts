import {
  clientsArgument,
  invalid,
  invalidValue,
  portfoliosArgument,
  sourceCountsSchema,
  sourceSchema,
} from "@org/core";
import { z } from "zod";
import { lengthsOfElements } from "./element-lengths.js";
import { longestRun } from "./page-answer.js";
import { credentialsTokens, page, pageSize } from "./parameters.js";

/** Whose portfolios a figure is of: the arguments of REST, in a model's words. */
export const figureScope = {
  client_ref: clientsArgument.optional().describe("Only what belongs to this client of yours, or to those of a list."),
  credentials_token: credentialsTokens,
  portfolio_id: portfoliosArgument
    .optional()
    .describe("Only these portfolios: one id or a list, from svc-portfolios of /mcp."),
};

export const figurePaging = { page, page_size: pageSize("up to 500") };

const sources = {
  sources: z.array(sourceSchema).describe("Connections that are not ok, 50 at most; all that credentials_token names."),
  source_counts: sourceCountsSchema,
};

/** Schema of an answer that is one figure. */
export function figureSchema<Shape extends z.ZodRawShape>(answer: z.ZodObject<Shape>) {
  return answer.extend(sources);
}

/** Schema of an answer that is a page of figures. */
export function figuresSchema<Shape extends z.ZodRawShape>(answer: z.ZodObject<Shape>) {
  const count = z.int();
  return answer.extend({ page: count, page_size: count, pages: count, total: count, ...sources });
}

/** Digits by which the page's own numbers may grow when it is made smaller. */
const MARGIN = 20;

/**
 * Returns the JSON text of an answer: that of REST, with no field more.
 * @param most maximum number of characters
 * @throws CoreError VALIDATION_ERROR when it would be longer: on `page_size` with the largest that fits, otherwise on `portfolio_id`
 */
export function figureText(answer: object & { readonly items?: readonly unknown[] }, most: number): string {
  const text = JSON.stringify(answer);
  if (text.length <= most) return text;
  const rows = JSON.stringify(answer.items ?? []);
  const lengths = lengthsOfElements(rows);
  const head = text.length - rows.length + "[]".length + MARGIN;
  let size = lengths.length - 1;
  while (size > 0 && head + longestRun(lengths, size) + size > most) size--;
  if (size > 0)
    throw invalid(
      invalidValue("page_size", `must be at most ${size} here, because an answer has at most ${most} characters`),
    );
  const rule = `the answer would have more than ${most} characters: ask about fewer portfolios, clients or connections`;
  throw invalid(invalidValue("portfolio_id", rule));
}
