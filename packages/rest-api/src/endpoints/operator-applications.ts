import { type Actor, clientRefSchema } from "@org/core";
import { isLoopbackHost } from "@org/http";
import { z } from "zod";
import { applicationSchema } from "../applications.js";
import type { Endpoint } from "../endpoint.js";
import { tokenPageSchema } from "../paging.js";
import { scopes } from "../scopes.js";
import { operatorEndpoint, tenantId } from "./operator-endpoint.js";

const LIST_PAGE = 100;

const clientId = z.string().min(1).max(200);
const redirectUrls = z
  .array(
    z
      .string()
      .max(2_000, { abort: true })
      .refine(isRedirectUrl, "must be an https URL without fragment, or http on a loopback host"),
  )
  .max(50);

/** Scopes that every application of a tenant may have. `grants:manage` can only be given at creation. */
const ownScopes = scopes.filter((scope) => scope !== "operator" && scope !== "grants:manage");

/** The clients that an application is limited to. */
const limit = z
  .array(clientRefSchema)
  .max(1_000)
  .refine((refs) => new Set(refs).size === refs.length, "must not repeat a client")
  .nullable()
  .describe(
    "The clients that it is limited to, by the tenant's references; null: no limit. What is not theirs does not exist for it. A client with a new reference is made. A limit follows a client's new reference and ends with the client.",
  );

const dpopBound = z
  .boolean()
  .describe("True: it gets no access tokens but those that are bound to its key (DPoP, RFC 9449).");

const creation = z
  .strictObject({
    tenant_id: tenantId.nullable().describe("Null makes an operator's application."),
    name: z.string().trim().min(1).max(100),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .optional()
      .describe("By default all that its kind may have but grants:manage."),
    redirect_urls: redirectUrls.optional(),
    client_refs: limit.optional(),
    dpop_bound_access_tokens: dpopBound.optional(),
  })
  .refine(
    ({ tenant_id, scopes: asked }) => !asked || asked.every((scope) => (scope === "operator") === (tenant_id === null)),
    {
      path: ["scopes"],
      message: "operator is the only scope of an application without tenant, and of no other",
    },
  );

const withSecret = z.object({
  application: applicationSchema,
  client_secret: z.string().describe("Shown this once."),
});
const alone = z.object({ application: applicationSchema });

/** `/operator/v1/applications` (contract §2). */
export const applicationEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/applications/list",
    reads: true,
    operation: "listApplications",
    summary: "List applications, oldest first",
    order: "oldest first, by application_id",
    body: z.strictObject({
      tenant_id: tenantId.nullish().describe("Only those of a tenant; null = the operator's; without it all."),
      page_token: z.guid("must be a next_page_token").nullish(),
    }),
    output: tokenPageSchema(applicationSchema),
    async handle({ applications }, _call, { tenant_id, page_token }) {
      const owner = tenant_id === undefined ? {} : { tenant_id };
      const found = await applications.list({ ...owner, after: page_token ?? null, limit: LIST_PAGE + 1 });
      const items = found.slice(0, LIST_PAGE);
      return { items, next_page_token: found.length > LIST_PAGE ? (items.at(-1)?.application_id ?? null) : null };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/applications/create",
    operation: "createApplication",
    summary: "Create an application",
    body: creation,
    output: withSecret,
    handle: ({ applications }, { who }, body) => applications.create(who, body),
  }),
  operatorEndpoint({
    path: "/operator/v1/applications/roll-secret",
    operation: "rollApplicationSecret",
    summary: "Add a second secret to an application",
    body: z.strictObject({ client_id: clientId }),
    output: withSecret,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ applications }, { who }, { client_id }) => applications.rollSecret(who, client_id),
  }),
  operatorEndpoint({
    path: "/operator/v1/applications/remove-secret",
    operation: "removeApplicationSecret",
    summary: "Remove a secret of an application and end what was obtained with it",
    body: z.strictObject({ client_id: clientId, secret_id: z.string().min(1).max(200) }),
    output: alone,
    fails: ["NOT_FOUND"],
    handle: async ({ applications }, { who }, body) => ({
      application: await applications.removeSecret(who, body.client_id, body.secret_id),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/applications/disable",
    operation: "disableApplication",
    summary: "Switch an application off and end its grants",
    body: z.strictObject({ client_id: clientId }),
    output: alone,
    fails: ["NOT_FOUND"],
    handle: async ({ applications }, { who }, body) => ({
      application: await applications.setEnabled(who, body.client_id, false),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/applications/enable",
    operation: "enableApplication",
    summary: "Switch an application on again",
    body: z.strictObject({ client_id: clientId }),
    output: alone,
    fails: ["NOT_FOUND"],
    handle: async ({ applications }, { who }, body) => ({
      application: await applications.setEnabled(who, body.client_id, true),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/applications/update",
    operation: "updateApplication",
    summary:
      "Replace the redirect URLs of an application, the clients that it is limited to, or whether it must use DPoP",
    description:
      "What is left out stays. A limit holds at once, for tokens that there are too. When DPoP is demanded, the grants that it holds end, as their tokens may not be bound.",
    body: z
      .strictObject({
        client_id: clientId,
        redirect_urls: redirectUrls.optional(),
        client_refs: limit.optional(),
        dpop_bound_access_tokens: dpopBound.optional(),
      })
      .refine(({ client_id: _, ...changes }) => Object.values(changes).some((change) => change !== undefined), {
        path: ["redirect_urls"],
        message: "is required, or client_refs, or dpop_bound_access_tokens",
      }),
    output: alone,
    fails: ["NOT_FOUND"],
    async handle({ applications }, { who }, { client_id, redirect_urls, client_refs, dpop_bound_access_tokens }) {
      // The limit first: it may be refused, and then nothing has changed.
      if (client_refs !== undefined) await applications.limitToClients(who, client_id, client_refs);
      if (redirect_urls !== undefined) await applications.updateRedirectUrls(who, client_id, redirect_urls);
      if (dpop_bound_access_tokens !== undefined)
        await applications.setDpopBound(who, client_id, dpop_bound_access_tokens);
      return { application: await applications.find(client_id) };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/applications/add-scopes",
    operation: "addApplicationScopes",
    summary: "Let an application of a tenant ask for more scopes",
    description:
      "For one that was made before there were these scopes. Its next tokens have them; tokens and grants that there are stay as they are.",
    body: z.strictObject({ client_id: clientId, scopes: z.array(z.enum(ownScopes)).min(1) }),
    output: alone,
    fails: ["NOT_FOUND"],
    handle: async ({ applications }, { who }, body) => ({
      application: await applications.addScopes(who, body.client_id, body.scopes),
    }),
  }),
] as const satisfies readonly Endpoint<Actor>[];

function isRedirectUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes("#")) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}
