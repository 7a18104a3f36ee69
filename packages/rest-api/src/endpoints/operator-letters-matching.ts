import { type Actor, bulkMoves, defaulted, MAX_BULK_LETTERS } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { operatorEndpoint } from "./operator-endpoint.js";
import { letterFilters, searchLetters } from "./operator-letter-filters.js";
import { letterPreviewSchema } from "./operator-letters.js";

/** `/operator/v1/letters`: what a move would do to all letters that a search finds. */
export const matchingLetterEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/letters/preview-matching",
    reads: true,
    operation: "previewMatchingMoves",
    summary: "Show what a move would do to all letters that a search finds",
    order: "oldest first (created_at), which no move changes",
    description: `Nothing is changed. Each page has at most ${MAX_BULK_LETTERS} letters, as many as move-many takes at once: give it their ids, and the versions of those that move. Letters that match only later are not among them.`,
    body: z.strictObject({
      ...letterFilters,
      move: defaulted(z.enum(bulkMoves), "advance"),
      page_token: z.string().max(1_000).nullish().describe("Goes on behind the page that gave it."),
    }),
    output: z.object({
      items: z.array(
        letterPreviewSchema.extend({
          client_name: z.string().nullable(),
          custodian: z.string().describe("The custodian's name, as the catalogue has it."),
          tenant: z.string().describe("The tenant's name."),
        }),
      ),
      total: z.int().min(0).describe("How many letters match now, on all pages together."),
      next_page_token: z.string().nullable().describe("Goes on behind this page; null on the last."),
    }),
    fails: ["NOT_FOUND"],
    async handle(application, _call, { move, ...filters }) {
      const found = await searchLetters(application, {
        ...filters,
        order: "oldest",
        page: 1,
        page_size: MAX_BULK_LETTERS,
      });
      const letters = new Map(found.items.map((letter) => [letter.id as string, letter]));
      const letter_ids = found.items.map(({ id }) => id);
      const previews = await application.letterOperations.previewMoves({ letter_ids, move });
      return {
        items: previews.map((preview) => {
          const { client_name = null, custodian = "", tenant = "" } = letters.get(preview.letter_id) ?? {};
          return { ...preview, client_name, custodian, tenant };
        }),
        total: found.total,
        next_page_token: found.next_page_token,
      };
    },
  }),
] as const satisfies readonly Endpoint<Actor>[];
