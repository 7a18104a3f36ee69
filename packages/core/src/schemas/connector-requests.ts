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

/** ISO 17442: 18 characters and two check digits (ISO 7064, MOD 97-10). */
function isLei(text: string): boolean {
  if (!/^[0-9A-Z]{18}[0-9]{2}$/.test(text)) return false;
  const digits = text.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n;
}

/** What proves which institution a connector reaches, and what an operator has decided about it. */
export const institutionSchema = z.object({
  identifiers: z
    .object({
      bic: z
        .string()
        .toUpperCase()
        .regex(/^[0-9A-Z]{4}[A-Z]{2}[0-9A-Z]{2}([0-9A-Z]{3})?$/, "must be a BIC (ISO 9362)")
        // Without a branch it is the head office.
        .transform((bic) => bic.padEnd(11, "X"))
        .optional(),
      lei: z.string().toUpperCase().refine(isLei, "must be an LEI (ISO 17442)").optional(),
      domain: z
        .string()
        .max(253)
        .toLowerCase()
        .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/, "must be a domain, such as bank.example")
        .transform((domain) => domain.replace(/^www\./, ""))
        .optional(),
    })
    // Under the name of a provider, what this provider calls the institution.
    .catchall(z.string().min(1).max(200))
    .optional(),
  institution: z.string().min(1).max(200).nullish(),
  way: z.int().min(1).max(1_000).nullish(),
});

/**
 * What an operator decides about connectors: `one` institution, whose ways are offered in the order of the ids; `separate` institutions; or what
 * their `identifiers` prove.
 */
export const matchedAs = ["one", "separate", "identifiers"] as const;
export type MatchedAs = (typeof matchedAs)[number];

/** A row of a catalogue file (contract §9): `country` or `countries` in any form; other keys go to metadata. */
export const catalogueRowSchema = z
  .looseObject({
    ...institutionSchema.shape,
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
