import { type Actor, defaulted, optional, pageSizeSchema } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { tokenPageSchema } from "../paging.js";
import { invitedSchema, peopleRoles, personSchema } from "../people.js";
import { operatorEndpoint, tenantId } from "./operator-endpoint.js";

const whose = {
  tenant_id: tenantId
    .nullish()
    .describe("Whose people; without it, or null, those of the installation, its operators."),
};
const named = { ...whose, person_id: z.string().min(1).max(100) };
const name = optional(z.string().max(200)).describe("1 to 100 characters.");
const role = z.enum(peopleRoles).describe("operator or operator:read without a tenant; admin, member or read in one.");
const alone = z.object({ person: personSchema });

/** `/operator/v1/people`: who may sign in to the console (docs/how-to/people.md). */
export const operatorPeopleEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/people/list",
    reads: true,
    operation: "listPeople",
    summary: "List people who may sign in",
    order: "oldest first, by person_id",
    body: z.strictObject({
      ...whose,
      ended: defaulted(z.boolean(), false).describe("Also those who were removed."),
      page_size: pageSizeSchema(500, 100),
      page_token: optional(z.string().max(1_000)),
    }),
    output: tokenPageSchema(personSchema),
    fails: ["NOT_FOUND"],
    handle: ({ people }, _call, { tenant_id, ...search }) => people.list(tenant_id ?? null, search),
  }),
  operatorEndpoint({
    path: "/operator/v1/people/invite",
    operation: "invitePerson",
    summary: "Invite somebody to sign in, and answer the link that lets them",
    description:
      "The link stands for three days and once. It is answered here and nowhere else: hand it to the person.",
    body: z.strictObject({ ...whose, email: z.string().max(300), name, role }),
    output: invitedSchema,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ people }, { who }, { tenant_id, ...person }) => people.invite(who, tenant_id ?? null, person),
  }),
  operatorEndpoint({
    path: "/operator/v1/people/reinvite",
    operation: "reinvitePerson",
    summary: "Make another link for somebody whose link ran out, or who has lost every passkey",
    description:
      "It takes the place of a link that there is. With its use, passkeys, recovery codes and sessions of before count no more.",
    body: z.strictObject(named),
    output: invitedSchema,
    fails: ["NOT_FOUND"],
    handle: ({ people }, { who }, { tenant_id, person_id }) => people.reinvite(who, tenant_id ?? null, person_id),
  }),
  operatorEndpoint({
    path: "/operator/v1/people/change",
    operation: "changePerson",
    summary: "Change a person's name or role",
    description: "A role counts with their next request. Nobody changes their own, and the last operator stays one.",
    body: z.strictObject({ ...named, name, role: optional(role) }),
    output: alone,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ people }, { who }, { tenant_id, person_id, ...change }) => ({
      person: await people.change(who, tenant_id ?? null, person_id, change),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/people/end",
    operation: "endPerson",
    summary: "Remove a person, with their sessions, passkeys and invitation, at once",
    description: "Their name stays, for those who read what they have done. The last operator stays.",
    body: z.strictObject(named),
    output: alone,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ people }, { who }, { tenant_id, person_id }) => ({
      person: await people.end(who, tenant_id ?? null, person_id),
    }),
  }),
] as const satisfies readonly Endpoint<Actor>[];
