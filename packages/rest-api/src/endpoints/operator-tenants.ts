import {
  type Actor,
  defaulted,
  type LimitsView,
  limitNames,
  limitSchema,
  limitValuesSchema,
  type OwnProfile,
  profileFields,
  profileVersion,
  type TenantView,
  tenantProfileChangeSchema,
  tenantProfileSchema,
} from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { expectedVersion, versionField } from "../versions.js";
import { operatorEndpoint, tenantId } from "./operator-endpoint.js";

/** A tenant as an operator sees it. The time is RFC 3339. */
export const tenantSchema = z.object({
  tenant_id: z.guid(),
  name: z.string(),
  enabled: z.boolean().describe("Whether its applications may act."),
  created_at: z.string(),
});
const alone = z.object({ tenant: tenantSchema });
const withProfile = z.object({
  tenant: tenantSchema.extend({ profile: tenantProfileSchema, version: versionField.describe("Of the profile.") }),
});
const limitList = z.object({ items: z.array(limitSchema), version: versionField });

/** `/operator/v1/tenants`. */
export const tenantEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/tenants/list",
    reads: true,
    operation: "listTenants",
    summary: "List tenants, oldest first",
    order: "oldest first (created_at), then by tenant_id",
    body: z.strictObject({}),
    output: z.object({ items: z.array(tenantSchema) }),
    handle: async ({ tenants }) => ({ items: (await tenants.list()).map(tenantView) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/tenants/create",
    operation: "createTenant",
    summary: "Create a tenant",
    body: z.strictObject({ name: z.string().trim().min(1).max(100) }),
    output: alone,
    fails: ["CONFLICT"],
    handle: async ({ tenants }, { who }, { name }) => ({ tenant: tenantView(await tenants.create(who, name)) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/tenants/show",
    reads: true,
    operation: "showTenant",
    summary: "Show a tenant and how it shows itself to bank customers and custodians",
    body: z.strictObject({ tenant_id: tenantId }),
    output: withProfile,
    fails: ["NOT_FOUND"],
    async handle({ tenants, tenantProfiles }, _call, { tenant_id }) {
      const [tenant, profile] = await Promise.all([tenants.show(tenant_id), tenantProfiles.show(tenant_id)]);
      return { tenant: { ...tenantView(tenant), ...profileView(profile) } };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/tenants/update",
    operation: "updateTenant",
    summary: "Set or reset how a tenant shows itself to bank customers and custodians",
    description:
      "What is neither set nor reset stays. Customers see it on the pages of a Connect session from their next page on, custodians in the letters that are generated from then on.",
    body: z.strictObject({
      tenant_id: tenantId,
      set: defaulted(tenantProfileChangeSchema, {}),
      reset: z.array(z.enum(profileFields, `must be among ${profileFields.join(", ")}`)).default([]),
      version: expectedVersion,
    }),
    output: withProfile,
    fails: ["NOT_FOUND", "CONFLICT"],
    async handle({ tenants, tenantProfiles }, { who }, { tenant_id, ...change }) {
      const tenant = await tenants.show(tenant_id);
      const profile = await tenantProfiles.change(who, tenant_id, change);
      return { tenant: { ...tenantView(tenant), ...profileView(profile) } };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/tenants/disable",
    operation: "disableTenant",
    summary: "Switch all applications of a tenant off and end their grants",
    body: z.strictObject({ tenant_id: tenantId }),
    output: alone,
    fails: ["NOT_FOUND"],
    handle: async ({ tenants }, { who }, { tenant_id }) => ({
      tenant: tenantView(await tenants.setEnabled(who, tenant_id, false)),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/tenants/enable",
    operation: "enableTenant",
    summary: "Switch a tenant on again",
    description: "Its applications keep their own switches; grants that ended stay ended.",
    body: z.strictObject({ tenant_id: tenantId }),
    output: alone,
    fails: ["NOT_FOUND"],
    handle: async ({ tenants }, { who }, { tenant_id }) => ({
      tenant: tenantView(await tenants.setEnabled(who, tenant_id, true)),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/tenants/delete",
    operation: "deleteTenant",
    summary: "Delete a tenant with everything stored for it",
    description:
      "Cannot be undone. Access tokens stop working within 5 seconds; only the audit trail stays. A deletion that failed leaves the tenant switched off and can be repeated.",
    body: z.strictObject({ tenant_id: tenantId, confirm: defaulted(z.boolean(), false).describe("Must be true.") }),
    output: z.object({ success: z.literal(true) }),
    fails: ["NOT_FOUND", "CONFIRMATION_REQUIRED"],
    async handle({ tenants }, { who }, { tenant_id, confirm }) {
      await tenants.remove(who, tenant_id, confirm);
      return { success: true };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/tenants/limits",
    reads: true,
    operation: "listTenantLimits",
    summary: "Show what a tenant may have at most, and what it has",
    order: "as docs/reference/limits.md has them",
    description: "With tenant_id null: what holds for every tenant for which nothing else is set.",
    body: z.strictObject({ tenant_id: tenantId.nullable() }),
    output: limitList,
    fails: ["NOT_FOUND"],
    handle: async ({ tenantLimits }, _call, { tenant_id }) => limitsView(await tenantLimits.show(tenant_id)),
  }),
  operatorEndpoint({
    path: "/operator/v1/tenants/change-limits",
    operation: "changeTenantLimits",
    summary: "Set or reset what a tenant, or every tenant, may have at most",
    order: "as docs/reference/limits.md has them",
    description:
      "With tenant_id null the installation's own. What is reset falls back to the installation's, then to what is built in. It counts within some seconds; nothing that is there already is taken away, but valuations older than history_days.",
    body: z.strictObject({
      tenant_id: tenantId.nullable(),
      set: limitValuesSchema.default({}),
      reset: z.array(z.enum(limitNames)).default([]),
      version: expectedVersion,
    }),
    output: limitList,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ tenantLimits }, { who }, { tenant_id, ...change }) =>
      limitsView(await tenantLimits.change(who, tenant_id, change)),
  }),
] as const satisfies readonly Endpoint<Actor>[];

function tenantView({ tenant_id, name, enabled, created_at }: TenantView): z.infer<typeof tenantSchema> {
  return { tenant_id, name, enabled, created_at: created_at.toISOString() };
}

function profileView({ name: _, ...profile }: OwnProfile) {
  return { profile, version: profileVersion(profile) };
}

function limitsView({ items, version }: LimitsView) {
  return { items: [...items], version };
}
