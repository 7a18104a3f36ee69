import { z } from "zod";
import { opaqueId } from "./identifier.js";
import { cleanText } from "./stated-text.js";

/** Opaque token of the next page. */
export const pageToken = z
  .string("must be a string")
  .min(1, "must not be empty")
  .max(2_000, "is not a page token")
  .nullish();

/** Body of preview-connector-filter (S2 §4). The filter itself is checked by `@org/connector-filter`. */
export const previewSchema = z.strictObject({
  connector_filter: z.unknown(),
  page_token: pageToken,
});

/** Body of connect list-connectors (contract §5). */
export const connectorListSchema = z.strictObject({
  query: z.strictObject({ connector_id_in: z.array(opaqueId).max(10_000).optional() }).nullish(),
  page_token: pageToken,
});

/** A row of a catalogue file (contract §9): `country` or `countries` in any form; other keys go to metadata. */
export const catalogueRowSchema = z
  .looseObject({
    id: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[^\s:]+:\S+$/, "must have the shape <country>:<provider>")
      .refine((id) => cleanText(id) === id, "must not hold characters that are not shown"),
    name: z.string().trim().min(1).max(300),
    country: z.string().min(2).optional(),
    countries: z.array(z.string().min(2)).min(1).optional(),
    type: z.string().trim().min(1).max(50).default("e-banking"),
    available: z.boolean().default(true),
    provider: z.string().min(1).max(50).optional(),
    provider_ref: z
      .string()
      .min(1)
      .max(200)
      .refine((ref) => cleanText(ref) === ref, "must not hold characters that are not shown")
      .nullish(),
  })
  .refine((row) => row.country !== undefined || row.countries !== undefined, {
    path: ["country"],
    message: "country or countries is required",
  });
