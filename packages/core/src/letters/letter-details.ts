import { calendarDate } from "@org/provider-kit";
import { z } from "zod";
import { idField } from "../schemas/identifier.js";
import { signedDocumentFields } from "../schemas/letter.js";
import { defaulted, optional } from "../schemas/optional.js";
import { sessionLanguages } from "../schemas/session.js";

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}]*$/u, "must be one line without control characters");

/** Whom a generated letter is for (S2 §3 UsersDetail): what is printed in it, and where it is sent to be signed. */
export const letterDetailsSchema = z.strictObject({
  full_name: line(200).describe("The client's name as the custodian knows it."),
  address: z
    .array(line(200))
    .min(1, "must have a line")
    .max(6, "must have at most 6 lines")
    .describe("Postal address, line by line."),
  accounts: z
    .array(line(60))
    .max(50, "must have at most 50 entries")
    .default([])
    .describe("Numbers of the accounts that the letter is for; none = all accounts."),
  birth_date: optional(calendarDate).describe("YYYY-MM-DD."),
  tax_id: optional(line(60)).describe("Tax or identity number, as the custodian asks for it."),
  email: optional(z.email("must be an e-mail address").max(254)).describe("Where the letter is sent to be signed."),
  language: defaulted(z.enum(sessionLanguages), "en").describe(
    "Language of the letter and of the mail that brings it.",
  ),
});

/** Details as they are stored. */
export type LetterDetails = z.output<typeof letterDetailsSchema>;

/** The signed copy of a generated letter, as an operator attaches it. */
export const signedCopySchema = z.strictObject({
  letter_id: idField,
  ...signedDocumentFields,
});
