import { useMemo, useSyncExternalStore } from "react";
import type { Column } from "./table-row.js";

/** Wider than a phone and narrower than a large screen, as in the style sheets. */
const laptop = () => matchMedia("(min-width: 48rem) and (max-width: 85rem)");

function subscribe(listener: () => void): () => void {
  const media = laptop();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** The columns of a table in this window: on a laptop, those that may be beneath another are. */
export function useStackedColumns<R>(columns: readonly Column<R>[]): readonly Column<R>[] {
  const isStacked = useSyncExternalStore(subscribe, () => laptop().matches);
  return useMemo(() => (isStacked ? stacked(columns) : columns), [isStacked, columns]);
}

function stacked<R>(columns: readonly Column<R>[]): readonly Column<R>[] {
  const isBeneath = ({ beneath }: Column<R>) => columns.some(({ id }) => id === beneath);
  if (!columns.some(isBeneath)) return columns;
  return columns
    .filter((column) => !isBeneath(column))
    .map((column) => ({ ...column, stack: columns.filter(({ beneath }) => beneath === column.id) }));
}
