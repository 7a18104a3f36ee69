import {
  type Actor,
  CoreError,
  idField,
  type ListOrder,
  optional,
  orderField,
  pageSizeSchema,
  type TenantActor,
} from "@org/core";
import { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { type GrantOperations, grantSchema } from "../grants.js";
import { tokenPageSchema } from "../paging.js";
import type { RestServices } from "../services.js";
import { operatorEndpoint, tenantId } from "./operator-endpoint.js";

const search = {
  client_id: optional(z.string().min(1).max(2_048)).describe("Only those of this OAuth client."),
  order: orderField("oldest"),
  page_token: optional(z.guid("must be a next_page_token")),
  page_size: pageSizeSchema(500, 100),
};
const which = { grant_id: idField };
const GRANT = "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11";
const exampleGrant = {
  grant_id: GRANT,
  client_id: "0192a5c0-assistant",
  client_name: "Assistant",
  is_verified: false,
  application: { client_id: "wca_portfolio", name: "Portfolio" },
  flow: "browser",
  person: null,
  scopes: ["investments:read"],
  clients: null,
  created_at: "2026-03-01T09:00:00.000Z",
  last_issued_at: "2026-03-02T09:00:00.000Z",
  expires_at: "2026-04-01T09:00:00.000Z",
};
const listing = {
  summary: "List who has access: live grants",
  order: "as asked, oldest first by default; by grant_id",
  output: tokenPageSchema(grantSchema),
} as const;
const ending = {
  summary: "End a grant: its refresh token at once, its access tokens within seconds",
  output: z.object({ grant_id: z.string() }),
} as const;

/** A tenant's grants under `/data/v1`: who can read its data. */
export const grantEndpoints = [
  defineEndpoint({
    ...listing,
    path: "/data/v1/list-grants",
    reads: true,
    operation: "listGrants",
    scopes: ["grants:manage"],
    input: jsonInput(z.strictObject(search)),
    example: { body: {}, answer: { items: [exampleGrant], next_page_token: null } },
    fails: [],
    handle: ({ grants }, { who }, query) => page(grants, who.tenant_id, query),
  }),
  defineEndpoint({
    ...ending,
    path: "/data/v1/end-grant",
    operation: "endGrant",
    scopes: ["grants:manage"],
    input: jsonInput(z.strictObject(which)),
    example: { body: { grant_id: GRANT }, answer: { grant_id: GRANT } },
    fails: ["NOT_FOUND"],
    handle: ({ grants }, { who }, { grant_id }) => end(grants, who, who.tenant_id, grant_id),
  }),
] as const satisfies readonly Endpoint<TenantActor>[];

const owner = tenantId.nullable().describe("Null = grants of the operator's applications.");

/** `/operator/v1/grants`: the same for a tenant that an operator names. */
export const operatorGrantEndpoints = [
  operatorEndpoint({
    ...listing,
    path: "/operator/v1/grants/list",
    reads: true,
    operation: "listGrantsOfTenant",
    body: z.strictObject({ tenant_id: owner, ...search }),
    fails: ["NOT_FOUND"],
    async handle(services, _call, { tenant_id, ...query }) {
      await requireOwner(services, tenant_id);
      return page(services.grants, tenant_id, query);
    },
  }),
  operatorEndpoint({
    ...ending,
    path: "/operator/v1/grants/end",
    operation: "endGrantOfTenant",
    body: z.strictObject({ tenant_id: owner, ...which }),
    fails: ["NOT_FOUND"],
    handle: ({ grants }, { who }, { tenant_id, grant_id }) => end(grants, who, tenant_id, grant_id),
  }),
] as const satisfies readonly Endpoint<Actor>[];

async function page(
  grants: GrantOperations,
  tenantId: string | null,
  query: { client_id?: string | undefined; order: ListOrder; page_token?: string | undefined; page_size: number },
) {
  const { items, next } = await grants.list(tenantId, {
    client_id: query.client_id,
    order: query.order,
    after: query.page_token,
    limit: query.page_size,
  });
  return { items, next_page_token: next };
}

async function end(grants: GrantOperations, who: Actor, tenantId: string | null, grantId: string) {
  await grants.end(who, tenantId, grantId);
  return { grant_id: grantId };
}

async function requireOwner({ tenants }: RestServices, tenantId: string | null): Promise<void> {
  if (tenantId !== null && !(await tenants.find(tenantId))) throw new CoreError("NOT_FOUND", "TenantNotFound");
}
