import type { Actor } from "@org/core";
import { z } from "zod";
import { versionField } from "./versions.js";

const timeOrNull = z.string().nullable();

/** A PGP key as operators see it, without its private half. Times are RFC 3339. */
export const feedKeySchema = z.object({
  fingerprint: z.string().describe("Hex, upper case."),
  kind: z.enum(["own", "custodian"]).describe("own opens files; custodian verifies their signatures."),
  connector_id: z.string().nullable().describe("Whose files it signs; null of own keys, and where it is a source."),
  source: z.string().nullable().describe("The source whose files it signs."),
  state: z.enum(["live", "expired", "revoked"]),
  user_ids: z.array(z.string()),
  algorithm: z.string().describe("`RSA 4096`, or the curve as RFC 9580 §9.2 names it: `Ed25519Legacy`."),
  created_at: z.string(),
  expires_at: timeOrNull.describe("Null = never."),
  revoked_at: timeOrNull,
  added_at: z.string(),
  version: versionField,
});

/** What a key says of itself. Times are RFC 3339. */
export const keyFactsSchema = feedKeySchema.pick({
  fingerprint: true,
  user_ids: true,
  algorithm: true,
  created_at: true,
  expires_at: true,
});

/** Whether only signed files of a connector or source are accepted. */
export const signingRuleSchema = z.object({
  connector_id: z.string().optional(),
  source: z.string().optional(),
  must_be_signed: z.boolean(),
  changed_at: z.string(),
  version: versionField,
});

/** Result of retrying the files that waited for a key or a mapping. */
export const triedAgainSchema = z.object({ retried: z.int().min(0), taken: z.int().min(0) });

/** Algorithms for new key pairs. */
export const keyAlgorithms = ["curve25519", "rsa4096"] as const;

type Key = z.input<typeof feedKeySchema>;
type TriedAgain = z.input<typeof triedAgainSchema>;
interface Signer {
  readonly connector_id?: string | undefined;
  readonly source?: string | undefined;
}
interface Seen {
  readonly version?: number | undefined;
}
type Target = Signer & Seen & { readonly fingerprint: string };

/**
 * Manages PGP keys for operators. A target without connector and source is one of the installation's own keys. CoreErrors: NOT_FOUND for
 * an unknown target, CONFLICT for removing the last valid key without `force`.
 */
export interface FeedKeyOperations {
  list(): Promise<{ readonly items: readonly Key[]; readonly signing: readonly z.input<typeof signingRuleSchema>[] }>;
  show(target: Target): Promise<Key & { readonly public_key: string }>;
  /** Stores nothing. @throws CoreError VALIDATION_ERROR on `public_key` */
  read(given: { public_key: string }): Promise<z.input<typeof keyFactsSchema>>;
  generate(
    operator: Actor,
    wish: { name: string; email?: string | undefined; algorithm: (typeof keyAlgorithms)[number]; days: number },
  ): Promise<Key>;
  importOwn(
    operator: Actor,
    given: { private_key: string; passphrase?: string | undefined },
  ): Promise<{ readonly key: Key } & TriedAgain>;
  trust(operator: Actor, given: { public_key: string } & Signer): Promise<{ readonly key: Key } & TriedAgain>;
  expire(operator: Actor, wish: Target & { at: Date | null; force: boolean }): Promise<Key>;
  revoke(operator: Actor, wish: Target & { force: boolean }): Promise<Key>;
  remove(operator: Actor, wish: Target & { force: boolean }): Promise<void>;
  require(
    operator: Actor,
    rule: Signer & Seen & { must_be_signed: boolean },
  ): Promise<{ readonly signing: z.input<typeof signingRuleSchema> } & TriedAgain>;
}
