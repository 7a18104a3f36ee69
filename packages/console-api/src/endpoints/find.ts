import { uuidField } from "@org/core";
import { INSTALLATION } from "@org/people";
import { z } from "zod";
import { find, findActors } from "../finding.js";
import { type OwnEndpoint, ownEndpoint } from "../own-endpoint.js";

/** Searches everything that a person may see. */
export const findEndpoints = [
  ownEndpoint({
    path: "/find",
    summary: "Find clients, letters, connections, tenants, people and files by a text, a few of each",
    body: z.strictObject({ text: z.string().max(200) }),
    async handle({ finding, countSearch }, { signedIn: { person } }, { text }) {
      countSearch(person.person_id);
      return { items: await find(finding, person, text) };
    },
  }),
  ownEndpoint({
    path: "/find-actors",
    summary: "Find people and applications by a name, for the audit trail; operators only",
    body: z.strictObject({ text: z.string().max(200), tenant_id: uuidField.nullable() }),
    async handle({ finding, countSearch }, { signedIn: { person } }, { text, tenant_id }) {
      countSearch(person.person_id);
      return { items: person.tenant_id === INSTALLATION ? await findActors(finding, text, tenant_id) : [] };
    },
  }),
] as const satisfies readonly OwnEndpoint[];
