import { isStorableText, type Named, uuidField } from "@org/core";
import { INSTALLATION } from "@org/people";
import { z } from "zod";
import { type OwnEndpoint, ownEndpoint } from "../own-endpoint.js";

/** Maximum number of ids in one look-up: more than a screenful of sentences has. */
const MAX_NAMES = 200;

const thing = z.strictObject({
  id: z.string().min(1).max(200).refine(isStorableText, "must be text"),
  tenant_id: uuidField.nullable().describe("The tenant of the line in which it was found; null = the installation."),
  kind: z.literal("provider").optional().describe("A provider is asked for as such: a connector may have the same id."),
});

/** Looks up what the ids of audit lines and events are called today. Names are shown, never stored with the ids. */
export const nameEndpoints = [
  ownEndpoint({
    path: "/names",
    summary: "What ids are called; what is gone, or another tenant's, is left out",
    body: z.strictObject({ things: z.array(thing).max(MAX_NAMES, `must have at most ${MAX_NAMES} items`) }),
    async handle({ names, providerTitleOf }, { signedIn: { person } }, { things }) {
      const reader = person.tenant_id === INSTALLATION ? null : person.tenant_id;
      const stored = things.filter(({ kind }) => kind === undefined).map(({ id, tenant_id }) => ({ id, tenant_id }));
      const items = stored.length === 0 ? [] : await names.find(reader, stored);
      return { items: [...items, ...things.filter(({ kind }) => kind === "provider").map(providerNamed)] };

      /** A provider that is not loaded is called by its id. */
      function providerNamed({ id }: { readonly id: string }): Named {
        return { id, kind: "provider", name: providerTitleOf(id) ?? id, of: null };
      }
    },
  }),
] as const satisfies readonly OwnEndpoint[];
