import { zodMessages } from "@org/validation-messages";
import { z } from "zod";
import { ASSERTION_ALGORITHMS } from "../clients/client-assertion.js";
import { isClientId } from "../clients/client-credentials.js";
import { publicJwksSchema } from "../clients/client-metadata.js";
import { ACCESS_TOKEN_SECONDS } from "../keys/key-source.js";
import { OAuthError } from "../oauth-error.js";
import { APPLICATION_PREFIX } from "../ports/application-store.js";
import { ASSIGNABLE_SCOPES } from "../scopes.js";
import { isKeysAddress } from "../trusted-issuers/issuer-keys.js";

const line = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not hold control characters");

const ruleSchema = z.strictObject({
  claims: z
    .record(line(200), line(500))
    .refine((claims) => Object.keys(claims).length <= 8, "must name at most 8 claims")
    .default({})
    .describe(
      "Claims that the assertion has to have: as this text, or as a list that holds it. Empty = everybody it vouches for.",
    ),
  client_id: z
    .string()
    .max(200)
    .startsWith(APPLICATION_PREFIX)
    .describe("Client id of the application whose data is reached; the tenant is the application's."),
  scopes: z
    .array(z.enum(ASSIGNABLE_SCOPES))
    .min(1)
    .transform((scopes) => [...new Set(scopes)])
    .describe("At most these, and at most what the application has."),
});

/** A request to trust an identity provider. */
const trustedIssuerSchema = z
  .strictObject({
    issuer: z
      .string()
      .max(500, { abort: true })
      .refine(isIssuer, "must be an https address without query, fragment and credentials")
      .describe("The iss of its assertions, compared exactly."),
    tenant_id: z
      .string()
      .min(1)
      .nullable()
      .describe("Whose applications the rules may name; null = those of any tenant."),
    jwks_uri: z
      .string()
      .refine(isKeysAddress, "must be an https address without credentials")
      .nullable()
      .default(null)
      .describe("Where its keys are; without it and jwks its metadata say where."),
    jwks: publicJwksSchema
      .nullable()
      .default(null)
      .describe("Its public keys themselves (RFC 7517), where this server cannot fetch them."),
    algorithms: z
      .array(z.enum(ASSERTION_ALGORITHMS))
      .min(1)
      .transform((all) => [...new Set(all)])
      .default(["RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"])
      .describe("Signature algorithms that are taken."),
    client_ids: z
      .array(z.string().refine(isClientId, "must be a client id"))
      .min(1)
      .max(50)
      .transform((ids) => [...new Set(ids)])
      .describe("OAuth clients that may bring its assertions, by their ids here."),
    takes_public_clients: z
      .boolean()
      .default(false)
      .describe("Whether those of them that cannot authenticate may too."),
    max_assertion_seconds: z.int().min(30).max(3_600).default(600).describe("How long an assertion may live."),
    token_seconds: z
      .int()
      .min(60)
      .max(ACCESS_TOKEN_SECONDS)
      .default(900)
      .describe("Life of the access tokens; there are no refresh tokens."),
    rules: z.array(ruleSchema).min(1).max(100).describe("The first that fits says which application."),
  })
  .refine(({ jwks, jwks_uri }) => jwks === null || jwks_uri === null, {
    path: ["jwks"],
    error: "must not be given together with jwks_uri",
  });

export type TrustedIssuerRequest = z.input<typeof trustedIssuerSchema>;

/** Checks a request. Throws `invalid_trust` with every fault. */
export function parseTrustedIssuer(request: unknown): z.output<typeof trustedIssuerSchema> {
  const parsed = trustedIssuerSchema.safeParse(request, { error: zodMessages });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: dotted(path), message }));
  throw new OAuthError("invalid_trust", "the trusted issuer is not valid", { issues });
}

/** Formats a path in the request: `rules[0].client_id`. */
function dotted(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .slice(1);
}

function isIssuer(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || /[?#]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === "https:" && username === "" && password === "";
}
