import { z } from "zod";
import { cleanText } from "../schemas/stated-text.js";
import { logoTypes } from "./logo.js";

/** Maximum bytes of a logo, and maximum pixels of its width and of its height. */
export const MAX_LOGO = { bytes: 65_536, pixels: 1_024 } as const;

/** A logo without its bytes. Its address on this server is `/logos/<sha256>`. */
export const logoSchema = z.object({
  sha256: z.string().describe("Of its bytes, in hex. The logo is at `/logos/<sha256>`."),
  media_type: z.enum(logoTypes),
  width: z.int(),
  height: z.int(),
});
export type Logo = z.infer<typeof logoSchema>;

/** What a tenant shows to bank customers and custodians; null where nothing was set. */
export const tenantProfileSchema = z.object({
  display_name: z.string().nullable().describe("What customers know it by; the tenant's name stands in for it."),
  legal_name: z.string().nullable().describe("Its name in the register, for letters."),
  postal_address: z.array(z.string()).nullable().describe("Line by line, for letters."),
  privacy_url: z.string().nullable().describe("Where it says what it does with personal data; https."),
  support_contact: z.string().nullable().describe("Where customers get help: an e-mail address or an https link."),
  logo: logoSchema.nullable(),
});
export type TenantProfile = z.infer<typeof tenantProfileSchema>;

/** Names of the fields of a profile. */
export const profileFields = tenantProfileSchema.keyof().options;

/** One line of text for people; invisible characters are removed. */
const line = (most: number) =>
  z
    .string("must be text")
    .overwrite((text) => cleanText(text).trim())
    .min(1, "must not be empty")
    .max(most, `must have at most ${most} characters`);

const HTTPS_LINK_RULE = "an https link such as https://example.com/privacy, without a user name or password";
const MAX_LINK_LENGTH = 2_000;
const link = line(MAX_LINK_LENGTH).overwrite((text) => httpsLink(text) ?? text);

/** A change of a profile. */
export const tenantProfileChangeSchema = z.strictObject({
  display_name: line(100).nullish(),
  legal_name: line(200).nullish(),
  postal_address: z
    .array(line(200), "must be a list of lines")
    .min(1, "must have a line")
    .max(6, "must have at most 6 lines")
    .nullish(),
  privacy_url: link.refine((text) => httpsLink(text) !== null, `must be ${HTTPS_LINK_RULE}`).nullish(),
  support_contact: link
    .refine(
      (text) => httpsLink(text) !== null || isMailAddress(text),
      `must be an e-mail address, or ${HTTPS_LINK_RULE}`,
    )
    .nullish(),
  logo: z
    .string("must be text")
    .nullish()
    .describe(
      `A PNG, JPEG or WebP picture in Base64: at most ${MAX_LOGO.bytes} bytes, and ${MAX_LOGO.pixels} pixels in width and height.`,
    ),
});
export type TenantProfileChange = z.output<typeof tenantProfileChangeSchema>;

/** The link as a normalised URL (a non-ASCII host as `xn--…`, so that no two look alike); null if it is not an allowed link. */
function httpsLink(text: string): string | null {
  // Parsing a host full of accents takes time quadratic in its length.
  const url = text.length > MAX_LINK_LENGTH ? null : urlOf(text);
  const isPlain = url?.protocol === "https:" && url.username === "" && url.password === "";
  return isPlain && /^https:\/\//i.test(text) ? url.href : null;
}

/** Does not use `URL.canParse`: in Node 20 it rejects letters such as ü after a few thousand calls. */
function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function isMailAddress(text: string): boolean {
  return text.length <= 254 && z.regexes.email.test(text);
}
