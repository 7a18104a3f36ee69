import { type LetterStatus, letterStatuses } from "@org/letter-lifecycle";
import { z } from "zod";
import { labelsSchema } from "./labels.js";

/** What each status means to whoever waits for the letter's data (S2 §3). */
const statusMeanings: Readonly<Record<LetterStatus, string>> = {
  NewRequest: "the letter was asked for",
  UsersDetail: "the client's details are being collected",
  Generated: "the letter is written",
  SentToUser: "the client has it to sign",
  Signed: "the client has signed; letters submitted through the API begin here",
  SentToCustodian: "the custodian has it to review",
  AcceptedByCustodian: "the custodian has accepted",
  ConnectionSetup: "the connection is being set up",
  WaitingForData: "the custodian has to send the first data",
  Connected: "the connection receives data",
  Blocked: "the data have stopped; the letter resumes in the status that it had before",
  Cancelled: "ended before it was ever Connected; final",
  Discontinued: "ended after it was Connected, and its connection and data are removed; the custodian is to be told",
  Revoked: "the custodian was told to stop sending data; final",
};

/** The status of a letter, with the meaning of each. */
export const letterStatusSchema = z
  .enum(letterStatuses)
  .describe(letterStatuses.map((status) => `- ${status}: ${statusMeanings[status]}.`).join("\n"));

/** An authorization letter as the API shows it (S2 §2). */
export const letterSchema = z.object({
  id: z.uuid().brand<"Uuid">().describe("The `letter_id` that create-signed answered."),
  connector_id: z.string().describe("The custodian."),
  status: letterStatusSchema,
  labels: labelsSchema,
  client_ref: z.string().nullable().describe("Your reference of the client whose it is; null if none."),
  connection_id: z
    .string()
    .nullable()
    .describe(
      "The connection with the letter's data, which takes over its labels. Null until the letter is Connected, and again once it has ended.",
    ),
  observations: z.string().nullable().describe("What the operator has noted for you; null if nothing."),
  created_at: z.string().describe("RFC 3339."),
  updated_at: z.string().describe("RFC 3339. When anything of the letter last changed."),
});
export type LetterView = z.infer<typeof letterSchema>;

/** Documents of a letter: `letter` is the signed one, `generated` the one that the client was sent to sign. */
export const documentKinds = ["letter", "annex", "generated"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** A PDF file in Base64, as text. The service checks its contents. */
export const pdfField = z.string().meta({ contentEncoding: "base64", contentMediaType: "application/pdf" });
const base64 = "in Base64 (RFC 4648 §4, padded, without line breaks)";

/** The documents of a signed letter in a request. */
export const signedDocumentFields = {
  data: pdfField.describe(`The signed letter: a PDF ${base64}, with at least one page, not encrypted.`),
  annex: pdfField.nullish().describe(`A further PDF ${base64}. It is stored, and not sent to the custodian.`),
};

/** Maximum length of an operator's note or observation, in characters. */
export const MAX_NOTE_CHARACTERS = 2_000;

/** Who to contact at the custodian (S2 §2): `banker_email` is an e-mail address, other entries are free text, at most 50 in all. */
export const contactInfoSchema = z
  .object({
    banker_email: z.email("must be an e-mail address").max(320).optional().describe("The letter is mailed there."),
  })
  .catchall(z.string("must be a string").max(2_000, "must have at most 2000 characters"))
  .refine((entries) => Object.keys(entries).length <= 50, {
    message: "at most 50 entries",
    when: ({ value }) => typeof value === "object" && value !== null,
  })
  .refine((entries) => Object.keys(entries).every((name) => name.length >= 1 && name.length <= 100), {
    message: "names of entries have 1 to 100 characters",
    when: ({ value }) => typeof value === "object" && value !== null,
  })
  .describe(
    "Who to contact at the custodian: at most 50 entries, whose names have 1 to 100 characters. All but banker_email are free text for the operator.",
  );
export type ContactInfo = Readonly<Record<string, string | undefined>>;
