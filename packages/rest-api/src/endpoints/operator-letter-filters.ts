import { CoreError, type LetterAdmin, letterSearchSchema, moment, parseMoment } from "@org/core";
import { z } from "zod";
import type { RestServices } from "../services.js";
import { tenantId } from "./operator-endpoint.js";

/** What an operator's searches filter by, in addition to `letterSearchSchema`. */
export const letterFilters = {
  tenant_id: tenantId.nullish().describe("Of all tenants without it."),
  query: letterSearchSchema.shape.query.default({}),
  in_status_before: moment
    .optional()
    .describe("Only letters that have been in their status since before this date (UTC) or datetime."),
  custodian: z.string().max(200).nullish().describe("Part of the custodian's name."),
  text: z
    .string()
    .max(200)
    .nullish()
    .describe(
      "Beginnings of words of the letter, all of which it has: of its id, its connector's id, its labels, its contacts and its observations. Case, accents and signs do not count; signs alone find nothing.",
    ),
  stuck: z
    .boolean()
    .nullish()
    .describe(
      "True: only Blocked letters, and those whose status calls for a mail that failed, is in doubt or was never queued.",
    ),
};

type Search = Omit<Parameters<LetterAdmin["search"]>[0], "in_status_before"> & {
  readonly in_status_before?: string | undefined;
};

/** Searches by {@link letterFilters}. @throws CoreError NOT_FOUND if there is no such tenant */
export async function searchLetters(
  { letterAdmin, tenants }: Pick<RestServices, "letterAdmin" | "tenants">,
  { in_status_before: before, ...search }: Search,
): ReturnType<LetterAdmin["search"]> {
  const { tenant_id } = search;
  if (tenant_id != null && !(await tenants.find(tenant_id))) throw new CoreError("NOT_FOUND", "TenantNotFound");
  const in_status_before = before === undefined ? null : (parseMoment(before)?.from ?? null);
  return letterAdmin.search({ ...search, in_status_before });
}
