import { letterStatuses } from "@org/letter-lifecycle";
import { z } from "zod";
import { labelsSchema } from "./labels.js";

/** An authorization letter as the API shows it (S2 §2). Times are RFC 3339. */
export const letterSchema = z.object({
  id: z.uuid().brand<"Uuid">(),
  connector_id: z.string(),
  status: z.enum(letterStatuses),
  labels: labelsSchema,
  connection_id: z.string().nullable(),
  observations: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type LetterView = z.infer<typeof letterSchema>;

/** Documents of a letter: `letter` is the signed one, `generated` the one that the client was sent to sign. */
export const documentKinds = ["letter", "annex", "generated"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** Maximum length of an operator's note or observation, in characters. */
export const MAX_NOTE_CHARACTERS = 2_000;

/** Who to contact at the custodian (S2 §2): `banker_email` is an e-mail address, other entries are free text, at most 50 in all. */
export const contactInfoSchema = z
  .object({ banker_email: z.email("must be an e-mail address").max(320).optional() })
  .catchall(z.string("must be a string").max(2_000, "must have at most 2000 characters"))
  .refine((entries) => Object.keys(entries).length <= 50, {
    message: "at most 50 entries",
    when: ({ value }) => typeof value === "object" && value !== null,
  })
  .refine((entries) => Object.keys(entries).every((name) => name.length >= 1 && name.length <= 100), {
    message: "names of entries have 1 to 100 characters",
    when: ({ value }) => typeof value === "object" && value !== null,
  });
export type ContactInfo = Readonly<Record<string, string | undefined>>;
