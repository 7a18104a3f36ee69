import type { Labels, ListOrder } from "@org/core";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../schema.js";

/** The right side of `column = any (list)`: one parameter however long the list is, and an empty list matches nothing. */
export function anyOf<T extends string>(list: readonly string[], type: "text" | "uuid"): RawBuilder<T> {
  return sql<T>`any (${list}::${sql.raw(type)}[])`;
}

/** Labels as a column of texts, `key=value` each: keys have no equals sign, values may. */
export function labelList(labels: Labels): readonly string[] {
  return Object.entries(labels).map(([key, value]) => `${key}=${value}`);
}

/** The direction of a key that rises with time. */
export function directionOf(order: ListOrder): "asc" | "desc" {
  return order === "newest" ? "desc" : "asc";
}

/**
 * A page of `rows` in the order of the columns `by`, which are unique together: at most `limit` rows after the key `after`, or from the
 * first row when that is null. With an index over the same columns every page costs the same.
 */
export function keysetPage<Table extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, Table, Row>,
  page: {
    readonly by: readonly [string, ...string[]];
    readonly direction: "asc" | "desc";
    readonly after: readonly unknown[] | null;
    readonly limit: number;
  },
): Promise<Row[]> {
  const columns = page.by.map((column) => sql.ref(column));
  const behind = sql.raw(page.direction === "desc" ? "<" : ">");
  let paged = rows.limit(page.limit);
  if (page.after) paged = paged.where(sql<boolean>`(${sql.join(columns)}) ${behind} (${sql.join(page.after)})`);
  for (const column of columns) paged = paged.orderBy(column, page.direction);
  return paged.execute();
}
