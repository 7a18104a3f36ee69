import type { Operator, TenantRecord } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { operatorEndpoint } from "./operator-endpoint.js";

/** A tenant as an operator sees it; the time is RFC 3339. */
export const tenantSchema = z.object({ tenant_id: z.guid(), name: z.string(), created_at: z.string() });

/** `/operator/v1/tenants`. */
export const tenantEndpoints: readonly Endpoint<Operator>[] = [
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
    output: z.object({ tenant: tenantSchema }),
    fails: ["CONFLICT"],
    handle: async ({ tenants }, { who }, { name }) => ({ tenant: tenantView(await tenants.create(who, name)) }),
  }),
];

function tenantView({ tenant_id, name, created_at }: TenantRecord): z.infer<typeof tenantSchema> {
  return { tenant_id, name, created_at: created_at.toISOString() };
}
