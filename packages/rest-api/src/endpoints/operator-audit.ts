import { type Actor, auditLineSchema, auditSearchSchema } from "@org/core";
import type { Endpoint } from "../endpoint.js";
import { tokenPageSchema } from "../paging.js";
import { operatorEndpoint } from "./operator-endpoint.js";

/** `/operator/v1/audit`: who did what, over all tenants and the installation itself. */
export const auditEndpoints: readonly Endpoint<Actor>[] = [
  operatorEndpoint({
    path: "/operator/v1/audit/list",
    operation: "listAuditTrail",
    summary: "Read the audit trail, newest first unless told otherwise",
    description: "Lines are never changed or deleted; they hold ids, never contents.",
    body: auditSearchSchema,
    output: tokenPageSchema(auditLineSchema),
    handle: ({ auditTrail }, _call, search) => auditTrail.list(search),
  }),
];
