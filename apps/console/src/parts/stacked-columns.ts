import { useMemo, useSyncExternalStore } from "react";
import { useAppearance } from "../shell/appearance.js";
import type { Column } from "./table-row.js";

/** Wider than a phone, as in the style sheets. */
const desk = () => matchMedia("(min-width: 48rem)");
/** Also narrower than a large screen. */
const laptop = () => matchMedia("(min-width: 48rem) and (max-width: 85rem)");

function subscribe(listener: () => void): () => void {
  const media = [desk(), laptop()];
  for (const each of media) each.addEventListener("change", listener);
  return () => {
    for (const each of media) each.removeEventListener("change", listener);
  };
}

/**
 * The columns of a table in this window: on a laptop those that may be beneath others are, on a larger screen texts alone, and nothing if rows are
 * compact.
 */
export function useStackedColumns<R>(columns: readonly Column<R>[]): readonly Column<R>[] {
  const isDesk = useSyncExternalStore(subscribe, () => desk().matches);
  const isLaptop = useSyncExternalStore(subscribe, () => laptop().matches);
  const isCompact = useAppearance().density === "compact";
  return useMemo(() => {
    const mayStack = ({ isNumeric }: Column<R>) => isLaptop || (isDesk && !isCompact && !isNumeric);
    return stacked(columns, (column) => mayStack(column) && columns.some(({ id }) => id === column.beneath));
  }, [isDesk, isLaptop, isCompact, columns]);
}

function stacked<R>(columns: readonly Column<R>[], isBeneath: (column: Column<R>) => boolean): readonly Column<R>[] {
  if (!columns.some(isBeneath)) return columns;
  return columns
    .filter((column) => !isBeneath(column))
    .map((column) => ({ ...column, stack: columns.filter((each) => isBeneath(each) && each.beneath === column.id) }));
}
