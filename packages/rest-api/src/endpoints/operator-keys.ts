import type { Actor } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import {
  encryptionKeySchema,
  rewrapSchema,
  serverKeyNames,
  serverKeySchema,
  signingKeySchema,
  webhookKeySchema,
} from "../keys.js";
import { operatorEndpoint } from "./operator-endpoint.js";

/** `/operator/v1/keys`: the keys that sign tokens, and those that encrypt stored values. */
export const keyEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/keys/list",
    reads: true,
    operation: "listKeys",
    summary:
      "List signing keys with their states, encryption keys with how much is under each, the server's own keys and those of webhooks",
    order:
      "signing keys oldest first; encryption keys as ENCRYPTION_KEYS names them, then those that it lacks, by key_id; server keys by name; keys of webhooks newest first",
    body: z.strictObject({}),
    output: z.object({
      signing_keys: z.array(signingKeySchema),
      encryption_keys: z.array(encryptionKeySchema),
      server_keys: z.array(serverKeySchema),
      webhook_keys: z.array(webhookKeySchema),
    }),
    handle: ({ keys }) => keys.list(),
  }),
  operatorEndpoint({
    path: "/operator/v1/keys/rotate",
    operation: "rotateSigningKey",
    summary: "Make the next signing key sign",
    order: "oldest first",
    description: "Needs no restart and invalidates no token, on any replica.",
    body: z.strictObject({}),
    output: z.object({ signing_keys: z.array(signingKeySchema) }),
    handle: async ({ keys }, { who }) => ({ signing_keys: await keys.rotate(who) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/keys/rotate-server",
    operation: "rotateServerKey",
    summary:
      "Make the next version of a key of the server's own: of the hashes of secrets, of MCP sessions, or of the signatures of webhooks",
    order: "by name, and of one name oldest version first",
    description:
      "It is used a minute from now, when every server knows it. Hashes and sessions made under those before stay good; a hash is made again under the new one when its secret is shown. A former key of webhooks signs along for seven days.",
    body: z.strictObject({ name: z.enum(serverKeyNames) }),
    output: z.object({ server_keys: z.array(serverKeySchema) }),
    handle: async ({ keys }, { who }, { name }) => ({ server_keys: await keys.rotateServerKey(who, name) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/keys/revoke",
    operation: "revokeSigningKey",
    summary: "Withdraw a signing key at once, and let the next one sign",
    order: "oldest first",
    description:
      "For a key that somebody may have. Every token that it signed is refused within 5 seconds, on every replica; refresh tokens stay good, so that clients get new ones.",
    body: z.strictObject({ kid: z.string().min(1).max(200).describe("As keys/list shows it.") }),
    output: z.object({ signing_keys: z.array(signingKeySchema) }),
    fails: ["NOT_FOUND"],
    handle: async ({ keys }, { who }, { kid }) => ({ signing_keys: await keys.revoke(who, kid) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/keys/rewrap",
    operation: "rewrapStoredValues",
    summary: "Encrypt the next batch of stored values again under the active encryption key",
    order: "what cannot be read, as it was met",
    description:
      "Call it until next_page_token is null. It is safe while servers work, can be broken off, and starts over without doing anything twice.",
    body: z.strictObject({ page_token: z.string().max(1_000).nullish() }),
    output: rewrapSchema,
    handle: ({ keys }, { who }, { page_token }) => keys.rewrap(who, page_token ?? null),
  }),
] as const satisfies readonly Endpoint<Actor>[];
