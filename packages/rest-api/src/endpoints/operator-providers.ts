import { type Actor, defaulted } from "@org/core";
import { checkCauses, type ProviderView } from "@org/provider-registry";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { expectedVersion, versionField } from "../versions.js";
import { operatorEndpoint, tenantId } from "./operator-endpoint.js";

const providerSchema = z.object({
  name: z.string().describe("The `provider` of catalogue rows."),
  title: z.string().nullable().describe("Null of one that is not loaded."),
  tenant_id: z.guid().nullable().describe("Whose settings it has; null = the installation's."),
  state: z
    .enum(["available", "starting", "unavailable", "no_settings", "not_loaded"])
    .describe("On the server that answers. not_loaded: there are settings, and PROVIDERS does not name it."),
  reason: z.string().nullable().describe("Of what is unavailable: why, without a secret."),
  changed_at: z.string().nullable().describe("When its settings were set."),
  connectors: z.int().min(0).describe("How many rows of the catalogue it is to serve."),
});
const detailsSchema = z.object({
  provider: providerSchema.extend({
    version: versionField,
    settings: z.unknown().describe('As they were set, with "set" in the place of each secret; null = there are none.'),
    settings_schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("What the provider takes, as a JSON Schema; null where its schema cannot be said in one."),
  }),
});
const owner = tenantId.nullish().describe("Whose settings; left out or null = the installation's.");
const named = { name: z.string().min(1).max(40), tenant_id: owner };

/** `/operator/v1/providers`: institution integrations and their settings. */
export const providerEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/providers/list",
    reads: true,
    operation: "listProviders",
    summary: "List providers with whether they are available, and why not",
    order: "loaded ones by name and tenant_id, the installation's first; then those that are not loaded",
    description:
      "Without tenant_id: the installation's and those of every tenant that has settings of its own. With it: each provider under the settings that count for this tenant.",
    body: z.strictObject({ tenant_id: owner }),
    output: z.object({ items: z.array(providerSchema) }),
    fails: ["NOT_FOUND"],
    handle: async ({ providers }, _call, { tenant_id }) => ({
      items: (await providers.list(tenant_id ?? null)).map(viewOf),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/providers/show",
    reads: true,
    operation: "showProvider",
    summary: "Show a provider with its settings, secrets left out, and what settings it takes",
    body: z.strictObject(named),
    output: detailsSchema,
    fails: ["NOT_FOUND"],
    handle: async ({ providers }, _call, { name, tenant_id }) => ({
      provider: viewOf(await providers.show(name, tenant_id ?? null)),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/providers/set",
    operation: "setProvider",
    summary: "Set the settings of a provider, in place of those before",
    description:
      "They are checked with the provider's own schema and stored encrypted; secrets are never shown again; 'set' in the place of one keeps it, as long as no new host is named around it. They are in force on every server within 5 seconds, without a restart. A tenant's own settings win over the installation's.",
    body: z.strictObject({ ...named, settings: z.record(z.string(), z.unknown()), version: expectedVersion }),
    output: detailsSchema,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ providers }, { who }, { name, tenant_id, settings, version }) => ({
      provider: viewOf(await providers.set(who, name, tenant_id ?? null, settings, version)),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/providers/test",
    reads: true,
    operation: "testProvider",
    summary: "Ask the institution whether settings are good",
    description:
      "The settings given, which are not stored; without them, those that count for the tenant, or the installation. Answers within about 40 seconds.",
    body: z.strictObject({ ...named, settings: z.record(z.string(), z.unknown()).optional() }),
    output: z.object({
      ok: z.boolean(),
      cause: z.enum(checkCauses).nullable().describe("What was found; null = something that has no code."),
      message: z.string().describe("Without a secret."),
    }),
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ providers }, { who }, { name, tenant_id, settings }) =>
      providers.test(who, name, tenant_id ?? null, settings),
  }),
  operatorEndpoint({
    path: "/operator/v1/providers/remove",
    operation: "removeProvider",
    summary: "Remove the settings of a provider",
    description: "Its connections stay, and are not refreshed until it has settings again.",
    body: z.strictObject(named),
    output: z.object({ success: z.literal(true) }),
    fails: ["NOT_FOUND"],
    async handle({ providers }, { who }, { name, tenant_id }) {
      await providers.remove(who, name, tenant_id ?? null);
      return { success: true };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/providers/sync",
    operation: "syncProvider",
    summary: "Import the catalogue rows that a provider proposes",
    order: "what is taken or not proposed, by id",
    description:
      "Rows are inserted or replaced by id, and those that are equal to the stored ones are not written. What an operator has made unavailable stays so, and rows of other providers stay as they are. Rows with a fault are left out and named, and refuse the call only if there is no other. Rows that the provider does not propose stay available and are named; with `withdraw` they become unavailable until it proposes them again.",
    body: z.strictObject({
      ...named,
      withdraw: defaulted(z.boolean(), false).describe(
        "Makes the provider's rows that it does not propose unavailable, until it proposes them again.",
      ),
    }),
    output: z.object({
      inserted: z.int().min(0),
      updated: z.int().min(0),
      unchanged: z.int().min(0),
      taken_total: z.int().min(0).describe("How many rows were left out, since another provider has their id."),
      taken: z.array(z.object({ id: z.string(), provider: z.string() })).describe("The first 100 of them, by id."),
      unproposed_total: z
        .int()
        .min(0)
        .describe("How many available rows of the provider, among those that its settings serve, it does not propose."),
      unproposed: z.array(z.string()).describe("The ids of the first 100 of them."),
      left_out_total: z.int().min(0).describe("How many proposed rows were left out, since they have a fault."),
      left_out: z
        .array(z.object({ id: z.string().nullable(), field: z.string().nullable(), reason: z.string() }))
        .describe("A fault of each of the first 100 of them."),
    }),
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ providers }, { who }, { name, tenant_id, withdraw }) =>
      providers.sync(who, name, tenant_id ?? null, withdraw),
  }),
] as const satisfies readonly Endpoint<Actor>[];

function viewOf<View extends ProviderView>({ changed_at, ...view }: View) {
  return { ...view, changed_at: changed_at?.toISOString() ?? null };
}
