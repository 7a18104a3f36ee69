import { type Actor, defaulted, idField, opaqueId, optional, orderField, pageSizeSchema } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import {
  feedSourceSchema,
  sourceDetailsSchema,
  sourceFileSchema,
  sourceFileStates,
  sourceRetrySchema,
  sourceRouteSchema,
  sourceRunSchema,
  sourceTokenSchema,
} from "../feed-sources.js";
import { tokenPageSchema } from "../paging.js";
import { expectedVersion } from "../versions.js";
import { operatorEndpoint } from "./operator-endpoint.js";

export const sourceField = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "must be 1 to 40 lower-case letters, digits and hyphens")
  .describe("Name of the source.");
const id = z.string().min(1).max(200).pipe(idField);
const success = z.object({ success: z.literal(true) });
const done = { success: true } as const;
const words = (max: number) => z.string().trim().min(1).max(max).optional();

const oneTarget = {
  letter_id: idField.optional().describe("The letter that it is for; or connection_id."),
  connection_id: opaqueId.optional().describe("The connection that it is for; or letter_id."),
};

/** `/operator/v1/sources`: where custodians' files come from, and which letters they belong to. */
export const sourceEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/sources/list",
    reads: true,
    operation: "listSources",
    summary: "List sources of custodians' files with how their last run went",
    order: "by name",
    body: z.strictObject({}),
    output: z.object({ items: z.array(feedSourceSchema) }),
    handle: async ({ feedSources }) => ({ items: await feedSources.list() }),
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/show",
    reads: true,
    operation: "showSource",
    summary: "Show a source with its settings, secrets left out",
    body: z.strictObject({ source: sourceField }),
    output: z.object({ source: sourceDetailsSchema }),
    fails: ["NOT_FOUND"],
    handle: async ({ feedSources }, _call, body) => ({ source: await feedSources.show(body.source) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/set",
    operation: "setSource",
    summary: "Make a source, or set its settings in place of those before",
    description:
      "Kind sftp: host, port, user, password or private_key with passphrase, host_keys, folder, patterns, after (delete, move, leave), move_to, min_age_seconds, every_minutes, max_files, max_file_bytes, max_seconds. Kind push: patterns, max_file_bytes. Settings are stored encrypted; secrets are never shown again, and stay as they are when they are left out and host, port and user are the same.",
    body: z.strictObject({
      source: sourceField,
      settings: z.record(z.string(), z.unknown()),
      enabled: defaulted(z.boolean(), true),
      version: expectedVersion,
    }),
    output: z.object({ source: sourceDetailsSchema }),
    fails: ["CONFLICT"],
    handle: async ({ feedSources }, { who }, { settings, enabled, version, ...body }) => ({
      source: await feedSources.set(who, body.source, settings, enabled, version),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/test",
    reads: true,
    operation: "testSource",
    summary: "Connect to a source, log in and list its folder, taking nothing",
    description:
      "With settings: these, which are not stored, also of a source that is not made yet; secrets that are left out are those of the source, as in set. host_key is the fingerprint that the server shows. Nothing is sent to a server whose key is not among host_keys. Answers within about 40 seconds.",
    body: z.strictObject({ source: sourceField, settings: z.record(z.string(), z.unknown()).optional() }),
    output: z.object({
      ok: z.boolean(),
      message: z.string().describe("Without a secret."),
      host_key: z.string().nullable(),
      files: z.int().min(0).nullable(),
    }),
    fails: ["NOT_FOUND"],
    handle: ({ feedSources }, _call, body) => feedSources.test(body.source, body.settings),
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/remove",
    operation: "removeSource",
    summary: "Remove a source with its rules and tokens",
    description: "What was taken stays. A source of which files are held cannot be removed.",
    body: z.strictObject({ source: sourceField }),
    output: success,
    fails: ["NOT_FOUND", "CONFLICT"],
    async handle({ feedSources }, { who }, body) {
      await feedSources.remove(who, body.source);
      return done;
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/run",
    operation: "runSource",
    summary: "Look into a source now",
    description: "Answers when the run is over, which takes as long as max_seconds of its settings at most.",
    body: z.strictObject({ source: sourceField }),
    output: sourceRunSchema,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ feedSources }, _call, body) => feedSources.run(body.source),
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/list-files",
    reads: true,
    operation: "listSourceFiles",
    summary: "List files that came from sources",
    order: "as asked, newest first by default (came_at, then file_id)",
    body: z.strictObject({
      source: sourceField.nullish(),
      state: z.enum(sourceFileStates).nullish(),
      order: orderField("newest"),
      page_token: optional(z.string().max(1_000)),
      page_size: pageSizeSchema(500, 100),
    }),
    output: tokenPageSchema(sourceFileSchema),
    handle: ({ feedSources }, _call, { source = null, state = null, ...paging }) =>
      feedSources.files({ source, state, ...paging }),
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/list-routes",
    reads: true,
    operation: "listSourceRoutes",
    summary: "List the rules of a source",
    order: "oldest first",
    body: z.strictObject({ source: sourceField }),
    output: z.object({ items: z.array(sourceRouteSchema) }),
    fails: ["NOT_FOUND"],
    handle: async ({ feedSources }, _call, body) => ({ items: await feedSources.routes(body.source) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/add-route",
    operation: "addSourceRoute",
    summary: "Add a rule to a source, and try what is held of it again",
    description:
      "All that `when` has must hold. Rules that name an account count before letters that name it, and those before other rules. A source has 1,000 rules at most: more are refused with RATE_LIMITED and the limit feed_source_rules.",
    body: z.strictObject({
      source: sourceField,
      when: defaulted(
        z.strictObject({ account: words(60), servicer: words(11), sender: words(140), name: words(255) }),
        {},
      ),
      to: z
        .strictObject({
          ...oneTarget,
          connector_id: z.string().min(1).max(100).optional().describe("Whichever of its letters names the account."),
          tenant_id: idField.optional().describe("With connector_id: letters of this tenant only."),
        })
        .describe("Exactly one of letter_id, connection_id and connector_id."),
    }),
    output: z.object({ route: sourceRouteSchema, ...sourceRetrySchema.shape }),
    fails: ["NOT_FOUND"],
    handle: ({ feedSources }, { who }, { when, to, ...body }) => feedSources.addRoute(who, body.source, { when, to }),
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/remove-route",
    operation: "removeSourceRoute",
    summary: "Remove a rule of a source",
    description: "What was taken by it stays.",
    body: z.strictObject({ route_id: id }),
    output: success,
    fails: ["NOT_FOUND"],
    async handle({ feedSources }, { who }, { route_id }) {
      await feedSources.removeRoute(who, route_id);
      return done;
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/create-token",
    operation: "createSourceToken",
    summary: "Make a token with which a custodian sends files to a source",
    description: "Files are sent with PUT /feeds/v1/{token}/{name}.",
    body: z.strictObject({
      source: sourceField,
      name: z.string().trim().min(1).max(100).describe("Whose it is, in your words."),
      days: z.int().min(1).max(3_650).nullish().describe("After how many days it expires; left out or null = never."),
    }),
    output: z.object({ source_token: sourceTokenSchema, token: z.string().describe("Shown this once.") }),
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ feedSources }, { who }, { name, days, ...body }) =>
      feedSources.createToken(who, body.source, { name, days: days ?? null }),
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/list-tokens",
    reads: true,
    operation: "listSourceTokens",
    summary: "List the tokens of a source, expired ones too",
    order: "oldest first",
    body: z.strictObject({ source: sourceField }),
    output: z.object({ items: z.array(sourceTokenSchema) }),
    fails: ["NOT_FOUND"],
    handle: async ({ feedSources }, _call, body) => ({ items: await feedSources.tokens(body.source) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/sources/end-token",
    operation: "endSourceToken",
    summary: "End a token of a source, at once",
    body: z.strictObject({ token_id: id }),
    output: success,
    fails: ["NOT_FOUND"],
    async handle({ feedSources }, { who }, { token_id }) {
      await feedSources.endToken(who, token_id);
      return done;
    },
  }),
] as const satisfies readonly Endpoint<Actor>[];
