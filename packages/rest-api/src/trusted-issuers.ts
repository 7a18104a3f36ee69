import type { Actor } from "@org/core";
import { z } from "zod";
import { expectedVersion, versionField } from "./versions.js";

const member = z.string().max(8192);
/** A JSON Web Key. The authorization server checks its members. */
const publicKey = z.record(z.string(), z.union([member, z.boolean(), z.array(member).max(10)]));

const rule = z.strictObject({
  claims: z
    .record(z.string(), z.string())
    .default({})
    .describe("Claims that the assertion has to have: as this text, or as a list that holds it. Empty = everybody."),
  client_id: z
    .string()
    .describe("Client id of the application whose data is reached; the tenant is the application's."),
  scopes: z.array(z.string()).min(1).describe("At most these, and at most what the application has."),
});

/** Settings for trusting an identity provider. Omitted fields have defaults. */
export const trustedIssuerWishSchema = z.strictObject({
  issuer: z.string().describe("The iss of its assertions, an https address; compared exactly."),
  tenant_id: z
    .string()
    .nullable()
    .describe("Whose applications the rules may name; null = the installation's, whose rules may name any tenant's."),
  jwks_uri: z.string().nullish().describe("Where its keys are; without it and jwks its metadata say where."),
  jwks: z
    .object({ keys: z.array(publicKey) })
    .nullish()
    .describe("Its public keys themselves (RFC 7517), where the server cannot fetch them."),
  algorithms: z
    .array(z.string())
    .min(1)
    .optional()
    .describe("Signature algorithms; RS256, PS256, ES256, ES384, EdDSA, Ed25519."),
  client_ids: z.array(z.string()).min(1).describe("OAuth clients that may bring its assertions, by their ids here."),
  takes_public_clients: z.boolean().optional().describe("Whether those that cannot authenticate may too; false."),
  max_assertion_seconds: z.int().optional().describe("How long an assertion may live, 30 to 3600; 600."),
  token_seconds: z
    .int()
    .optional()
    .describe("Life of the access tokens, 60 to 3600; 900. There are no refresh tokens."),
  rules: z
    .array(rule)
    .min(1)
    .max(100)
    .describe("The first that fits says which application; all that fit for it give scopes."),
  version: expectedVersion,
});

/** A trusted identity provider. Times are RFC 3339. */
export const trustedIssuerSchema = z.object({
  trust_id: z.string().describe("Another one after each change; the audit trail names it with grants."),
  issuer: z.string(),
  tenant_id: z.string().nullable(),
  jwks_uri: z.string().nullable(),
  jwks: z.looseObject({}).nullable(),
  algorithms: z.array(z.string()),
  client_ids: z.array(z.string()),
  takes_public_clients: z.boolean(),
  max_assertion_seconds: z.int(),
  token_seconds: z.int(),
  rules: z.array(rule),
  created_at: z.string(),
  changed_at: z.string(),
  version: versionField,
});

/** An issuer's keys, as just read. */
export const issuerKeysSchema = z.object({
  jwks_uri: z.string().nullable().describe("Where they were read; null where they were given."),
  keys: z.array(z.object({ kid: z.string().nullable(), kty: z.string(), alg: z.string().nullable() })),
});

type View = z.input<typeof trustedIssuerSchema>;
type Read = { readonly trusted_issuer: View; readonly found: z.input<typeof issuerKeysSchema> };

/** Manages trusted identity providers for operators. */
export interface TrustedIssuerOperations {
  /** Sorted by issuer. */
  list(): Promise<readonly View[]>;
  /**
   * Trusts an issuer, or replaces its trust, after reading its keys.
   * @throws CoreError VALIDATION_ERROR with every fault, CONFLICT when another owner trusts it, too many are trusted, or the trust is no
   * longer at the expected version
   */
  trust(
    operator: Actor,
    wish: z.output<typeof trustedIssuerWishSchema>,
  ): Promise<Read & { readonly grants_ended: number }>;
  /** Reads its keys now. @throws CoreError NOT_FOUND, VALIDATION_ERROR with the problem */
  test(issuer: string): Promise<Read>;
  /** @throws CoreError NOT_FOUND */
  withdraw(operator: Actor, issuer: string): Promise<{ readonly grants_ended: number }>;
}
