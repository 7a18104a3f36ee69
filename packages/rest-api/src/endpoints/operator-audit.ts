import {
  type Actor,
  auditLineSchema,
  auditSearchSchema,
  chainHeadSchema,
  chainPageSchema,
  chainSearchSchema,
} from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { tokenPageSchema } from "../paging.js";
import { operatorEndpoint } from "./operator-endpoint.js";

/** `/operator/v1/audit`: who did what, for all tenants and the installation itself. */
export const auditEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/audit/list",
    reads: true,
    operation: "listAuditTrail",
    summary: "Read the audit trail, newest first by default",
    order: "as asked; lines of one moment by audit_id",
    description:
      "Lines hold ids, never contents. They are never changed, and only refusals of nobody in particular are deleted, after their time.",
    body: auditSearchSchema,
    output: tokenPageSchema(auditLineSchema),
    handle: ({ auditTrail }, _call, search) => auditTrail.list(search),
  }),
  operatorEndpoint({
    path: "/operator/v1/audit/head",
    reads: true,
    operation: "showAuditHead",
    summary: "Show where the hash chain of the audit trail ends",
    description: "Whoever keeps a head notices later when anything up to it was changed or cut off.",
    body: z.strictObject({}),
    output: chainHeadSchema,
    handle: ({ auditTrail }) => auditTrail.head(),
  }),
  operatorEndpoint({
    path: "/operator/v1/audit/chain",
    reads: true,
    operation: "readAuditChain",
    summary: "Read the hash chain of the audit trail with its lines, in its own order",
    order: "by sequence",
    description:
      "hash = SHA-256 of the hash before, sequence, refused_at or -, and the SHA-256 of the line, with a space between them.",
    body: chainSearchSchema,
    output: chainPageSchema,
    handle: ({ auditTrail }, _call, search) => auditTrail.chain(search),
  }),
] as const satisfies readonly Endpoint<Actor>[];
