import { type Actor, defaulted, moment, optional, parseMoment } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { feedKeySchema, keyAlgorithms, keyFactsSchema, signingRuleSchema, triedAgainSchema } from "../feed-keys.js";
import { expectedVersion } from "../versions.js";
import { operatorEndpoint } from "./operator-endpoint.js";

const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}<>]*$/u, "must be one line without < and >");
const signer = {
  connector_id: optional(z.string().min(1).max(100)).describe("The connector whose files the key signs; or source."),
  source: optional(z.string().min(1).max(40)).describe("The source whose files the key signs; or connector_id."),
};
const fingerprint = z
  .string()
  .regex(/^[0-9A-Fa-f](?:[\s:]?[0-9A-Fa-f]){31,63}$/, "must be a fingerprint in hex")
  .describe("Of the key, as list shows it; blanks do not matter. Without connector_id and source it is an own one.");
const force = defaulted(z.boolean(), false).describe("Also where it is the last key that counts.");
/** The output of gpg --export --armor for a key with many signatures has some hundred kilobytes. */
const armoured = z.string().min(1).max(500_000);
const keyOnly = z.object({ key: feedKeySchema });

/** `/operator/v1/feed-keys`: PGP keys that decrypt custodians' files and verify their signatures. */
export const feedKeyEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/feed-keys/list",
    reads: true,
    operation: "listFeedKeys",
    summary: "List PGP keys, and whose files have to be signed",
    order: "keys oldest first; rules by connector, then source",
    body: z.strictObject({}),
    output: z.object({ items: z.array(feedKeySchema), signing: z.array(signingRuleSchema) }),
    handle: ({ feedKeys }) => feedKeys.list(),
  }),
  operatorEndpoint({
    path: "/operator/v1/feed-keys/show",
    reads: true,
    operation: "showFeedKey",
    summary: "Show a PGP key with its public half, which custodians encrypt for",
    body: z.strictObject({ fingerprint, ...signer }),
    output: z.object({ key: feedKeySchema.extend({ public_key: z.string().describe("In ASCII armour.") }) }),
    fails: ["NOT_FOUND"],
    handle: async ({ feedKeys }, _call, body) => ({ key: await feedKeys.show(body) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/feed-keys/examine",
    reads: true,
    operation: "examineFeedKey",
    summary: "Examine a custodian's public key without keeping it",
    description: "To compare its fingerprint with what the custodian said by another way, before it is trusted.",
    body: z.strictObject({ public_key: armoured.describe("In ASCII armour; one key.") }),
    output: z.object({ key: keyFactsSchema }),
    handle: async ({ feedKeys }, _call, body) => ({ key: await feedKeys.read(body) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/feed-keys/generate",
    operation: "generateFeedKey",
    summary: "Make a key pair for custodians to encrypt for",
    description:
      "Keys that are there go on opening files, so that one replaces another without a gap. The private half is stored encrypted and never shown. rsa4096 takes some seconds.",
    body: z.strictObject({
      name: oneLine(200).describe("Whose key it is, as custodians see it."),
      email: optional(oneLine(200)),
      algorithm: defaulted(z.enum(keyAlgorithms), "curve25519").describe(
        "rsa4096 for custodians whose programs know no elliptic curves.",
      ),
      days: defaulted(z.int().min(0).max(7_300), 730).describe("Until it expires; 0 = never."),
    }),
    output: keyOnly,
    fails: ["CONFLICT"],
    handle: async ({ feedKeys }, { who }, body) => ({ key: await feedKeys.generate(who, body) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/feed-keys/import",
    operation: "importFeedKey",
    summary: "Take a private key that exists, and try what is held for want of it again",
    description: "The passphrase opens it once and is stored nowhere.",
    body: z.strictObject({
      private_key: armoured.describe("In ASCII armour."),
      passphrase: optional(z.string().min(1).max(1_000)),
    }),
    output: z.object({ key: feedKeySchema, ...triedAgainSchema.shape }),
    fails: ["CONFLICT"],
    handle: ({ feedKeys }, { who }, body) => feedKeys.importOwn(who, body),
  }),
  operatorEndpoint({
    path: "/operator/v1/feed-keys/trust",
    operation: "trustFeedKey",
    summary: "Trust a custodian's public key for the files of a connector or a source",
    description:
      "Several may be trusted at once. Of a key that is known both copies count: what one of them revokes stays revoked.",
    body: z.strictObject({ public_key: armoured.describe("In ASCII armour; one key."), ...signer }),
    output: z.object({ key: feedKeySchema, ...triedAgainSchema.shape }),
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ feedKeys }, { who }, body) => feedKeys.trust(who, body),
  }),
  operatorEndpoint({
    path: "/operator/v1/feed-keys/expire",
    operation: "expireFeedKey",
    summary: "Let a PGP key count until a moment",
    description: "An own key says so itself then: send its public half to custodians again.",
    body: z.strictObject({
      fingerprint,
      ...signer,
      at: optional(moment).describe("A date or datetime in any form of ISO 8601; left out, null or past = now."),
      force,
      version: expectedVersion,
    }),
    output: keyOnly,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ feedKeys }, { who }, { at, ...body }) => ({
      key: await feedKeys.expire(who, { ...body, at: at === undefined ? null : (parseMoment(at)?.from ?? null) }),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/feed-keys/revoke",
    operation: "revokeFeedKey",
    summary: "Take a PGP key back for good: it opens and verifies nothing from now on",
    description: "An own key says so itself then: send its public half to custodians again.",
    body: z.strictObject({ fingerprint, ...signer, force, version: expectedVersion }),
    output: keyOnly,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ feedKeys }, { who }, body) => ({ key: await feedKeys.revoke(who, body) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/feed-keys/remove",
    operation: "removeFeedKey",
    summary: "Delete a PGP key",
    description: "Irreversible: what is encrypted for an own key can be opened no more.",
    body: z.strictObject({ fingerprint, ...signer, force, version: expectedVersion }),
    output: z.object({ success: z.literal(true) }),
    fails: ["NOT_FOUND", "CONFLICT"],
    async handle({ feedKeys }, { who }, body) {
      await feedKeys.remove(who, body);
      return { success: true };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/feed-keys/require",
    operation: "requireSignedFeeds",
    summary: "Say whether only signed files are taken of a connector or source",
    description:
      "Of a source, also where a connector has to sign that one of its rules leads to. What is not signed, or with another key, is held or refused.",
    body: z.strictObject({ ...signer, must_be_signed: z.boolean(), version: expectedVersion }),
    output: z.object({ signing: signingRuleSchema, ...triedAgainSchema.shape }),
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ feedKeys }, { who }, body) => feedKeys.require(who, body),
  }),
] as const satisfies readonly Endpoint<Actor>[];
