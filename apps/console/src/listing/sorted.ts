import type { Column, Sort, SortValue } from "../parts/data-table.js";

/** The columns with the orders that the page itself has for them. */
export function withSorts<R>(columns: readonly Column<R>[]): readonly Column<R>[] {
  return columns.map((column) => {
    const { id, by, byMost } = column;
    return (by ?? byMost) ? { ...column, sorts: by ? [id, `-${id}`] : [`-${id}`, id] } : column;
  });
}

/** The rows in an order that one of the columns has; what has no value is last. */
export function sorted<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  { value }: Pick<Sort, "value">,
  language: string,
): readonly R[] {
  const column = columns.find(({ sorts }) => sorts?.includes(value));
  const by = column?.by ?? column?.byMost;
  if (!by) return rows;
  const { compare } = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
  const way = value.startsWith("-") ? -1 : 1;
  return rows
    .map((row) => ({ row, at: by(row) }))
    .sort((a, b) =>
      isNone(a.at) || isNone(b.at)
        ? Number(isNone(a.at)) - Number(isNone(b.at))
        : way * (typeof a.at === "number" && typeof b.at === "number" ? a.at - b.at : compare(`${a.at}`, `${b.at}`)),
    )
    .map(({ row }) => row);
}

const isNone = (value: SortValue): value is null | undefined | "" => value == null || value === "";
