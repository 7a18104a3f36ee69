import { defaulted, pageArgument, pageSizeArgument } from "@org/core";
import { z } from "zod";

/** Arguments of a counted list. */
export const pagingArguments = {
  page: defaulted(pageArgument, 1).describe("From 1; 1 when left out."),
  page_size: defaulted(pageSizeArgument, 50).describe("Rows of a page: 1 to 500, 50 when left out."),
};

/** A page of a counted list: `pages` = ceil(total / page_size), 0 when nothing matches. */
export function pageSchema<S extends z.ZodType>(item: S) {
  return z.object({
    items: z.array(item),
    page: z.int().min(1),
    page_size: z.int().min(1),
    pages: z.int().min(0),
    total: z.int().min(0),
  });
}

/** A page of a list that is followed by tokens. `next_page_token` is opaque, and null on the last page. */
export function tokenPageSchema<S extends z.ZodType>(item: S) {
  return z.object({ items: z.array(item), next_page_token: z.string().nullable() });
}
