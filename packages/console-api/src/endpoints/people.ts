import { pageSizeSchema, uuidField } from "@org/core";
import { actorOf } from "@org/people";
import { z } from "zod";
import { type OwnCall, type OwnEndpoint, ownEndpoint } from "../own-endpoint.js";

const ownOf = ({ signedIn: { person } }: OwnCall) => ({ tenant_id: person.tenant_id, isOwn: true });
const whoOf = ({ signedIn, browser }: OwnCall) => actorOf(signedIn.person, browser);
const administers = { power: "administer", isDangerous: true } as const;
const name = z.string().max(200).optional();
const role = z.string().max(40);

/** Manages the people of the caller's own tenant, or those of the installation when the caller is an operator. */
export const peopleEndpoints = [
  ownEndpoint({
    path: "/people/list",
    summary: "People beside oneself, oldest first",
    body: z.strictObject({
      page_size: pageSizeSchema(100, 50),
      page_token: z.string().max(1_000).nullish(),
      ended: z.boolean().optional(),
    }),
    handle: ({ people }, { signedIn }, { page_token, ...search }) =>
      people.list(signedIn.person.tenant_id, { ...search, page_token: page_token ?? undefined }),
  }),
  ownEndpoint({
    ...administers,
    path: "/people/invite",
    summary: "Invite somebody; the link is shown this once",
    body: z.strictObject({ email: z.string().max(300), name, role }),
    handle: ({ people }, call, person) => people.invite(whoOf(call), call.signedIn.person.tenant_id, person),
  }),
  ownEndpoint({
    ...administers,
    path: "/people/reinvite",
    summary: "A new link for somebody who was invited or has lost every key",
    body: z.strictObject({ person_id: uuidField }),
    handle: ({ people }, call, { person_id }) =>
      people.inviteAgain(whoOf(call), call.signedIn.person.tenant_id, person_id),
  }),
  ownEndpoint({
    ...administers,
    path: "/people/change",
    summary: "Change somebody's name or role",
    body: z.strictObject({ person_id: uuidField, name, role: role.optional() }),
    handle: async ({ people }, call, { person_id, ...change }) => ({
      person: await people.change(whoOf(call), ownOf(call), person_id, change),
    }),
  }),
  ownEndpoint({
    ...administers,
    path: "/people/end",
    summary: "Remove somebody, with their sessions, at once",
    body: z.strictObject({ person_id: uuidField }),
    handle: async ({ people }, call, { person_id }) => ({
      person: await people.end(whoOf(call), ownOf(call), person_id),
    }),
  }),
] as const satisfies readonly OwnEndpoint[];
