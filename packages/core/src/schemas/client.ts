import { z } from "zod";
import type { Labels } from "./labels.js";
import { cleanText } from "./stated-text.js";

const clean = (most: number) =>
  z
    .string("must be a string")
    .min(1, "must not be empty")
    .max(2 * most, { abort: true, message: `must have at most ${most} characters` })
    .refine((text) => [...text].length <= most, `must have at most ${most} characters`)
    .refine((text) => cleanText(text) === text, "must not hold characters that are not shown");

/** A tenant's own reference of a client (contract §10), compared exactly. */
export const clientRefSchema = clean(80)
  .refine((text) => text.trim() === text, "must not begin or end with a space")
  .meta({ maxLength: 80, description: "Your own reference of a client, such as a number; compared exactly." });

/** The name of a client. */
export const clientNameSchema = clean(200).meta({ maxLength: 200, description: "The client's name." });

/** A client with how much is theirs. */
export const clientSchema = z.object({
  client_ref: z.string(),
  name: z.string().nullable(),
  connections: z.int().describe("How many connections are theirs."),
  letters: z.int().describe("How many letters are theirs, ended ones too."),
  created_at: z.string().describe("RFC 3339."),
});
export type TenantClientView = z.infer<typeof clientSchema>;

/** The orders of a list of clients; by name, one without a name stands where the reference would. */
export const clientOrders = ["client_ref", "-client_ref", "name", "-name"] as const;
export type ClientOrder = (typeof clientOrders)[number];

/**
 * The reference that something new gets: the one given, else what a label says if that can be one.
 * @param label the setting `CLIENT_LABEL`
 */
export function clientRefOf(given: string | null | undefined, labels: Labels, label = "client"): string | null {
  return given ?? clientRefSchema.safeParse(labels[label]).data ?? null;
}
