import { CoreError, invalidValue } from "@org/core";
import { actorOf, INSTALLATION } from "@org/people";
import { z } from "zod";
import { type OwnCall, type OwnEndpoint, type OwnServices, ownEndpoint } from "../own-endpoint.js";

const LIST_PAGE = 100;

const administers = { power: "administer", isDangerous: true } as const;
const client_id = z.string().min(1).max(200);

/** The caller's own applications and their secrets. What else they may do and reach is decided by operators. */
export const ownApplicationEndpoints = [
  ownEndpoint({
    path: "/applications/list",
    summary: "The applications of one's own tenant, oldest first; no secret is shown",
    body: z.strictObject({ page_token: z.guid("must be a next_page_token").nullish() }),
    async handle({ services }, call, { page_token }) {
      const query = { tenant_id: ownerOf(call), after: page_token ?? null, limit: LIST_PAGE + 1 };
      const found = await services.applications.list(query);
      const items = found.slice(0, LIST_PAGE);
      return { items, next_page_token: found.length > LIST_PAGE ? (items.at(-1)?.application_id ?? null) : null };
    },
  }),
  ownEndpoint({
    ...administers,
    path: "/applications/roll-secret",
    summary: "Add a second secret to an application of one's own; it is shown this once",
    body: z.strictObject({ client_id }),
    async handle({ services }, call, body) {
      await requireOwn(services, call, body.client_id);
      return services.applications.rollSecret(actorOf(call.signedIn.person, call.browser), body.client_id);
    },
  }),
  ownEndpoint({
    ...administers,
    path: "/applications/remove-secret",
    summary: "Remove a secret of an application of one's own and end what was obtained with it",
    body: z.strictObject({ client_id, secret_id: z.string().min(1).max(200) }),
    async handle({ services }, call, { client_id, secret_id }) {
      await requireOwn(services, call, client_id);
      const who = actorOf(call.signedIn.person, call.browser);
      return { application: await services.applications.removeSecret(who, client_id, secret_id) };
    },
  }),
] as const satisfies readonly OwnEndpoint[];

const ownerOf = ({ signedIn: { person } }: OwnCall) => (person.tenant_id === INSTALLATION ? null : person.tenant_id);

/** An application of somebody else is answered like one that does not exist. */
async function requireOwn({ applications }: OwnServices["services"], call: OwnCall, clientId: string): Promise<void> {
  const message = "there is no application with this client_id";
  const { tenant_id } = await applications.find(clientId);
  if (tenant_id !== ownerOf(call))
    throw new CoreError("NOT_FOUND", message, { details: [invalidValue("client_id", message)] });
}
