import { z } from "zod";

/** The key of a label. */
export const labelKey = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,40}$/, "label keys are 1 to 40 characters of A-Z a-z 0-9 _ . -");

/** Labels of letters, sessions and connections: at most 50, keys 1–40 of `A-Za-z0-9_.-`, values up to 500 characters (contract §7). */
export const labelsSchema = z
  .record(labelKey, z.string("label values are strings").max(500, "label values have at most 500 characters"))
  // Reported even if single labels are faulty.
  .refine((labels) => Object.keys(labels).length <= 50, {
    message: "at most 50 labels",
    when: ({ value }) => typeof value === "object" && value !== null,
  })
  .meta({
    maxProperties: 50,
    description:
      "Your own marks, such as the number of a client: at most 50, with keys of 1 to 40 characters of A-Z a-z 0-9 _ . - and values of at most 500. Keys and values are case-sensitive, and a search compares whole values.",
  });
export type Labels = Readonly<Record<string, string>>;
