import type { Actor, TenantView } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { operatorEndpoint, tenantId } from "./operator-endpoint.js";

/** A tenant as an operator sees it; the time is RFC 3339. */
export const tenantSchema = z.object({
  tenant_id: z.guid(),
  name: z.string(),
  enabled: z.boolean().describe("Whether its applications may act."),
  created_at: z.string(),
});
const alone = z.object({ tenant: tenantSchema });

/** `/operator/v1/tenants`. */
export const tenantEndpoints: readonly Endpoint<Actor>[] = [
  operatorEndpoint({
    path: "/operator/v1/tenants/list",
    operation: "listTenants",
    summary: "List tenants, oldest first",
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
    body: z.strictObject({ tenant_id: tenantId, confirm: z.boolean().default(false).describe("Must be true.") }),
    output: z.object({ success: z.literal(true) }),
    fails: ["NOT_FOUND", "CONFIRMATION_REQUIRED"],
    async handle({ tenants }, { who }, { tenant_id, confirm }) {
      await tenants.remove(who, tenant_id, confirm);
      return { success: true };
    },
  }),
];

function tenantView({ tenant_id, name, enabled, created_at }: TenantView): z.infer<typeof tenantSchema> {
  return { tenant_id, name, enabled, created_at: created_at.toISOString() };
}
