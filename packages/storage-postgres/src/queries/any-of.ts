import { type RawBuilder, sql } from "kysely";

/** The right side of `column = any (list)`: one parameter however long the list is, and an empty list matches nothing. */
export function anyOf<T extends string>(list: readonly string[], type: "text" | "uuid"): RawBuilder<T> {
  return sql<T>`any (${list}::${sql.raw(type)}[])`;
}
