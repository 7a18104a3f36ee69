import { zodMessages } from "@org/validation-messages";
import { z } from "zod";
import { OAuthError } from "../oauth-error.js";
import type { ClientAuthMethod } from "../ports/client-store.js";
import { ASSIGNABLE_SCOPES } from "../scopes.js";
import { redirectUriFault } from "./redirect-uri.js";

/** Checked client metadata (RFC 7591 §2): unknown members are dropped, missing ones get their default. */
export type ClientMetadata = Readonly<z.output<typeof metadataSchema>> & {
  readonly token_endpoint_auth_method: ClientAuthMethod;
};

/** Rules that depend on where the metadata comes from. */
export interface MetadataRules {
  /** The default of `token_endpoint_auth_method`. */
  readonly defaultMethod: ClientAuthMethod;
  /** Whether the client may give its keys by URL. */
  readonly allowsJwksUri: boolean;
}

/**
 * Checks the metadata of a client. Null and empty members count as missing, because many clients send them. Throws
 * `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591 §3.2.2) with the name of the first invalid member.
 */
export function parseClientMetadata(
  sent: Readonly<Record<string, unknown>>,
  { defaultMethod, allowsJwksUri }: MetadataRules,
): ClientMetadata {
  const given = Object.entries(sent).filter(([, value]) => value !== null && value !== "");
  const parsed = metadataSchema.safeParse(Object.fromEntries(given), { error: zodMessages });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join(".") ?? "";
    const code = issue?.path[0] === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata";
    throw new OAuthError(code, `${path}: ${issue?.message}`);
  }
  const { jwks, jwks_uri, token_endpoint_auth_method = defaultMethod } = parsed.data;
  if (jwks && jwks_uri) throw refusal("jwks: must not be given together with jwks_uri");
  if (jwks_uri && !allowsJwksUri) throw refusal("jwks_uri: is not supported by this server, give jwks instead");
  if (token_endpoint_auth_method === "private_key_jwt" && !jwks && !jwks_uri)
    throw refusal("jwks: private_key_jwt needs jwks or jwks_uri");
  return { ...parsed.data, token_endpoint_auth_method };
}

/** Supported authentication methods. */
export const CLIENT_AUTH_METHODS = [
  "none",
  "client_secret_post",
  "client_secret_basic",
  "private_key_jwt",
] as const satisfies readonly ClientAuthMethod[];

/** Maximum length of one key: RSA with 8,192 bits has 1,400 characters, and a certificate chain several thousand. */
const MAX_KEY_LENGTH = 8192;

/** Public keys. A private or symmetric key is refused, because it was sent by mistake. */
export const publicJwksSchema = z.object({
  keys: z
    .array(
      z
        .looseObject({ kty: z.string().max(20), kid: z.string().max(200).optional() })
        .refine(isPublicKey, "must be a public key, without private members")
        .refine(
          (jwk) => JSON.stringify(jwk).length <= MAX_KEY_LENGTH,
          `must not be longer than ${MAX_KEY_LENGTH} characters`,
        ),
    )
    .min(1)
    .max(50),
});

/** The grant types that registered clients can have; other requested ones are dropped. */
const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;

const wording = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[^\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]*$/u, "must not hold control characters");

/** Displayed or stored but never fetched. http is allowed, because intranet and local hosts often have no https. */
const webPage = z
  .string()
  .max(2048)
  .refine((uri) => /^[\x21-\x7e]+$/.test(uri) && isUrl(uri, ["https:", "http:"]), "must be a web address");

const keysAddress = z
  .string()
  .max(2048)
  .refine((uri) => isUrl(uri, ["https:"]) && !uri.includes("#"), "must be an https address without credentials");

const redirectUri = z.string().superRefine((uri, context) => {
  const message = redirectUriFault(uri);
  if (message) context.addIssue({ code: "custom", message });
});

const metadataSchema = z.object({
  redirect_uris: z
    .array(redirectUri)
    .min(1)
    .max(20)
    .transform((uris) => [...new Set(uris)]),
  client_name: wording(200)
    .transform((name) => name.trim() || undefined)
    .optional(),
  client_uri: webPage.optional(),
  logo_uri: webPage.optional(),
  tos_uri: webPage.optional(),
  policy_uri: webPage.optional(),
  contacts: z.array(wording(200)).max(20).optional(),
  software_id: wording(200).optional(),
  software_version: wording(200).optional(),
  token_endpoint_auth_method: z
    .enum(CLIENT_AUTH_METHODS, { error: `must be one of ${CLIENT_AUTH_METHODS.join(", ")}` })
    .optional(),
  grant_types: z
    .array(z.string())
    .max(20)
    .refine((types) => types.length === 0 || types.includes("authorization_code"), "must include authorization_code")
    .transform((types) => GRANT_TYPES.filter((type) => types.length === 0 || types.includes(type)))
    .default([...GRANT_TYPES]),
  response_types: z
    .array(z.string())
    .max(20)
    .refine((types) => types.length === 0 || types.includes("code"), "must include code")
    .transform(() => ["code"])
    .default(["code"]),
  scope: z.string().max(2048).transform(knownScopes).optional(),
  jwks: publicJwksSchema.optional(),
  jwks_uri: keysAddress.optional(),
  dpop_bound_access_tokens: z.boolean().optional(),
});

function isPublicKey(jwk: Readonly<Record<string, unknown>>): boolean {
  return jwk.kty !== "oct" && !["d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"].some((member) => member in jwk);
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocols.includes(protocol) && username === "" && password === "";
}

function knownScopes(scope: string): string | undefined {
  const asked = scope.split(/\s+/);
  return ASSIGNABLE_SCOPES.filter((known) => asked.includes(known)).join(" ") || undefined;
}

function refusal(message: string): OAuthError {
  return new OAuthError("invalid_client_metadata", message);
}
