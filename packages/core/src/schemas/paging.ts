import { z } from "zod";
import { defaulted } from "./optional.js";

/** The `page` of a request. */
export const pageNumber = defaulted(
  z.int("must be a whole number").min(1, "must be 1 or more").max(1_000_000, "must be 1000000 or less"),
  1,
).describe("From 1; 1 when left out.");

/** The `page_size` of a request: 1 to `most` rows, `fallback` when it is left out. */
export function pageSizeSchema(most: number, fallback: number) {
  const bounds = `must be between 1 and ${most}`;
  return defaulted(z.int("must be a whole number").min(1, bounds).max(most, bounds), fallback).describe(
    `Rows of a page: 1 to ${most}, ${fallback} when left out.`,
  );
}

/** The orders of a list by time; ids break ties. */
const listOrders = ["newest", "oldest"] as const;
export type ListOrder = (typeof listOrders)[number];

/** The `order` of a request. @param usual the order when it is left out */
export function orderField(usual: ListOrder) {
  return defaulted(z.enum(listOrders, `must be one of ${listOrders.join(", ")}`), usual).describe(
    `Which come first; ${usual} when left out.`,
  );
}

/** A page of a list: `pages` = ceil(total / page_size), 0 when nothing matches. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly page_size: number;
  readonly pages: number;
  readonly total: number;
}

/** Frames `items` as one page of `total` rows. */
export function toPage<T>(items: readonly T[], total: number, page: number, pageSize: number): Page<T> {
  return { items, page, page_size: pageSize, pages: Math.ceil(total / pageSize), total };
}
