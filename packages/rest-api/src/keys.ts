import type { Actor } from "@org/core";
import { z } from "zod";

/** A key that signs access tokens. Times are RFC 3339. `signs_from` is null while the key waits to become active. */
export const signingKeySchema = z.object({
  kid: z.string(),
  algorithm: z.string(),
  state: z.enum(["next", "active", "retiring", "expired"]),
  created_at: z.string(),
  signs_from: z.string().nullable(),
});

/** Names of the server's own keys that can be rotated. */
export const serverKeyNames = ["secret-hash", "mcp-session", "webhook-signature"] as const;

/** One version of one of the server's own keys. `active_from` is null for the first. */
export const serverKeySchema = z.object({
  name: z.enum(serverKeyNames),
  version: z.int().min(1),
  active: z.boolean().describe("Whether new hashes and ids are made with it."),
  active_from: z.string().nullable(),
});

/** A public key for webhook signatures, as in `/.well-known/webhooks-keys.json`. */
export const webhookKeySchema = z.object({
  kid: z.string(),
  public_key: z.string().describe("`whpk_` and the base64 of 32 bytes, as Standard Webhooks writes it."),
  since: z.string().nullable().describe("Since when it signs, maybe soon; null = from the beginning."),
  until: z.string().nullable().describe("Until when it signs along; null while it has no successor."),
});

/** A key that encrypts stored values, and how many values it encrypts. */
export const encryptionKeySchema = z.object({
  key_id: z.string().nullable().describe("Null stands for damaged values, which no key opens."),
  active: z.boolean().describe("Whether new values are encrypted under it."),
  available: z.boolean().describe("Whether the server has it."),
  values: z.int().min(0),
});

/** Result of re-encrypting one batch of values. */
export const rewrapSchema = z.object({
  rewrapped: z.int().min(0).describe("Values that are under the active key now and were not before."),
  unreadable: z
    .array(z.object({ place: z.string(), key_id: z.string().nullable(), values: z.int().min(1) }))
    .describe("Values that could not be opened: their key is missing, or is another of the same id."),
  next_page_token: z.string().nullable().describe("Where to go on; null when all values have been looked at."),
});

/** Manages keys for operators. */
export interface Keys {
  list(): Promise<{
    readonly signing_keys: readonly z.infer<typeof signingKeySchema>[];
    readonly encryption_keys: readonly z.infer<typeof encryptionKeySchema>[];
    readonly server_keys: readonly z.infer<typeof serverKeySchema>[];
    readonly webhook_keys: readonly z.infer<typeof webhookKeySchema>[];
  }>;
  /** Makes the next version of one of the server's own keys. Whatever earlier versions made stays valid. */
  rotateServerKey(
    operator: Actor,
    name: (typeof serverKeyNames)[number],
  ): Promise<readonly z.infer<typeof serverKeySchema>[]>;
  /** Makes the next signing key active. Tokens signed before stay valid. */
  rotate(operator: Actor): Promise<readonly z.infer<typeof signingKeySchema>[]>;
  /**
   * Revokes a signing key immediately: tokens that it signed are refused within seconds, and the next key signs.
   * @throws CoreError NOT_FOUND
   */
  revoke(operator: Actor, kid: string): Promise<readonly z.infer<typeof signingKeySchema>[]>;
  /**
   * Re-encrypts the next batch of values that are not under the active encryption key. Null = from the beginning.
   * @throws CoreError VALIDATION_ERROR on `page_token`
   */
  rewrap(operator: Actor, pageToken: string | null): Promise<z.infer<typeof rewrapSchema>>;
}
