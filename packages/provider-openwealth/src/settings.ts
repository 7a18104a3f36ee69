import { domainOf, isPrivateTransport, parseUrl, secret } from "@org/provider-kit";
import { z } from "zod";
import { versions } from "./versions.js";

/** https, or plain http that stays on this machine. */
const address = z.url({ protocol: /^https?$/ }).refine((text) => {
  const url = parseUrl(text);
  return url !== null && isPrivateTransport(url);
}, "must begin with https:// (http:// is for this machine only)");

/** Headers that the provider sets itself. */
const ownHeaders = new Set(["authorization", "x-correlation-id", "accept", "host", "content-length", "content-type"]);

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,100}$/, "must be the name of a header")
  .refine((name) => !ownHeaders.has(name.toLowerCase()), "is set by the provider itself");

const headers = z.record(headerName, secret().regex(/^[\t\x20-\x7e]*$/, "must be text that a header can hold"));

const client = {
  token_url: address,
  client_id: z.string().min(1),
  client_secret: secret(),
  scope: z.string().min(1).optional(),
  /** Where a customer's tokens are revoked (RFC 7009) when the connection is removed. */
  revoke_url: address.optional(),
  /** How the client authenticates at `token_url`: HTTP Basic, or in the form (RFC 6749 §2.3.1). */
  client_authentication: z.enum(["basic", "post"]).default("basic"),
};

const auth = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("client_credentials"), ...client }),
  z.strictObject({
    type: z.literal("authorization_code"),
    ...client,
    authorize_url: address,
    /** The `iss` in the bank's authorization responses (RFC 9207); others are refused. */
    issuer: z.url().optional(),
  }),
  /** No tokens: the bank knows us by the certificate in `tls`, and a customer by the consent. */
  z.strictObject({ type: z.literal("certificate") }),
]);

/** Several lines, of which forms make a box. */
const pem = z.string().min(1).meta({ contentMediaType: "application/x-pem-file" });

const tls = z
  .strictObject({
    cert: pem.optional(),
    key: secret().meta({ secret: true, contentMediaType: "application/x-pem-file" }).optional(),
    ca: pem.optional(),
  })
  .refine(({ cert, key }) => (cert === undefined) === (key === undefined), "cert and key go together");

/** What proves that other connectors reach the same bank; the catalogue checks it in full. */
const identifiers = z.strictObject({
  bic: z
    .string()
    .regex(/^[0-9A-Za-z]{8}([0-9A-Za-z]{3})?$/, "must be a BIC (ISO 9362)")
    .optional(),
  lei: z
    .string()
    .regex(/^[0-9A-Za-z]{20}$/, "must be an LEI (ISO 17442)")
    .optional(),
  domain: z
    .string()
    .refine((text) => domainOf(`https://${text}`) !== null, "must be a domain, such as bank.example")
    .optional(),
});

const bank = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,79}$/, "must be lower-case letters, digits, hyphens and underscores"),
    name: z.string().trim().min(1).max(300),
    country: z.string().regex(/^[a-z]{3}$/, "must be a country's three letters (ISO 3166-1 alpha-3), in lower case"),
    identifiers: identifiers.optional(),
    /** The version of Custody Services at `base_url`. */
    version: z.enum(versions).default("3.2"),
    base_url: address,
    auth,
    tls: tls.optional(),
    headers: headers.optional(),
    /** The header with the id of a customer's consent, which they type at the login; at bLink `Permission-ID`. */
    consent_header: headerName.optional(),
    /** Before version 3: the date by which positions and transactions belong to a day. */
    date_type: z.enum(["transactionDate", "bookingDate", "valueDate"]).default("transactionDate"),
    /** The only customers that may be connected, by number or id at the bank; left out: all that the bank shows. */
    customer_ids: z.array(z.string().min(1).max(128)).min(1).optional(),
  })
  .superRefine(({ base_url, auth, tls, headers = {}, consent_header }, context) => {
    const fault = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
    if (auth.type === "certificate" && consent_header === undefined)
      fault(["consent_header"], "is needed where auth is certificate");
    if (auth.type === "certificate" && tls?.cert === undefined && base_url.startsWith("https:"))
      fault(["tls"], "must have cert and key where auth is certificate");
    if (auth.type === "authorization_code" && consent_header !== undefined)
      fault(["consent_header"], "cannot be where auth is authorization_code: the login is the consent");
    if (Object.keys(headers).some((name) => name.toLowerCase() === consent_header?.toLowerCase()))
      fault(["headers"], `must not have ${consent_header}: it is the consent_header`);
  });

/** The settings of `providers set openwealth`: the banks, each with its address and authentication. */
export const openWealthSettings = z.strictObject({
  banks: z
    .array(bank)
    .min(1)
    .superRefine((banks, context) => {
      const seen = new Set<string>();
      for (const [index, { id }] of banks.entries()) {
        if (seen.has(id)) context.addIssue({ code: "custom", path: [index, "id"], message: "is the id of two banks" });
        seen.add(id);
      }
    }),
});

export type OpenWealthSettings = z.infer<typeof openWealthSettings>;
/** One bank of the settings. */
export type Bank = OpenWealthSettings["banks"][number];

/** Whether the settings allow a bank's customer to be connected. */
export function isAllowed({ customer_ids }: Bank, customer: { id: string; number?: string | undefined }): boolean {
  return (
    customer_ids === undefined ||
    customer_ids.includes(customer.id) ||
    (customer.number !== undefined && customer_ids.includes(customer.number))
  );
}
