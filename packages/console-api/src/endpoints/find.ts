import { z } from "zod";
import { find } from "../finding.js";
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
] as const satisfies readonly OwnEndpoint[];
