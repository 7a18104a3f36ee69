import { isStorableText } from "@org/core";
import { z } from "zod";
import { type OwnEndpoint, ownEndpoint } from "../own-endpoint.js";

const MAX_NAME = 60;
const MAX_SCREEN = 200;
/** Maximum size of a view's filters, order and columns, as JSON. */
const MAX_BYTES = 4_096;

const text = (max: number) =>
  z.string().max(max, `must have at most ${max} characters`).refine(isStorableText, "must be text");
const screen = text(MAX_SCREEN)
  .startsWith("/", "must begin with /")
  .describe("The list: path of its screen, with its tab.");
const name = z.string().trim().min(1, "must not be empty").pipe(text(MAX_NAME));
const key = text(1_000);

const view = z
  .strictObject({
    search: z.record(key, text(1_000)).describe("Filters and order, by their names in the address."),
    columns: z
      .record(key, z.array(text(100)).max(100, "must have at most 100 items").readonly())
      .describe("Hidden columns, by table."),
  })
  .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= MAX_BYTES, `must have at most ${MAX_BYTES} bytes`);

/** Views of lists: each person has their own, in every browser. */
export const viewEndpoints = [
  ownEndpoint({
    path: "/views/list",
    summary: "One's own views of a list, by name",
    body: z.strictObject({ screen }),
    async handle({ views }, { signedIn: { person } }, body) {
      const found = await views.list(person, body.screen);
      return { items: found.map(({ name, search, columns }) => ({ name, view: { search, columns } })) };
    },
  }),
  ownEndpoint({
    path: "/views/save",
    summary: "Save a view of a list, in place of the one of its name",
    body: z.strictObject({ screen, name, view }),
    async handle({ views }, { signedIn: { person } }, { view: { search, columns }, ...named }) {
      await views.save(person, { ...named, search, columns });
      return {};
    },
  }),
  ownEndpoint({
    path: "/views/remove",
    summary: "Remove a view of a list",
    body: z.strictObject({ screen, name }),
    async handle({ views }, { signedIn: { person } }, named) {
      await views.remove(person, named);
      return {};
    },
  }),
] as const satisfies readonly OwnEndpoint[];
