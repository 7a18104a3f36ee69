import "./listing.css";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { type Pages, usePages } from "../api/pages.js";
import type { AnswerOf, BodyOf, Path } from "../api/paths.js";
import { useLanguage, useWords } from "../language/language.js";
import { type Column, DataTable, type Selection, type Sort } from "../parts/data-table.js";
import { Loading } from "../parts/loading.js";
import { Menu, type MenuItem } from "../parts/menu.js";
import { Problem } from "../parts/problem.js";
import { useSort } from "./filter-bar.js";
import { listWords } from "./list-words.js";
import { Nothing } from "./nothing.js";
import { sorted, withSorts } from "./sorted.js";

/** The type of a path's rows. */
export type RowOf<P extends Path> = AnswerOf<P> extends { items: readonly (infer R)[] } ? R : never;

/** A list as data: the source of its rows, their appearance and actions, and the text of the empty list. */
export interface ListOf<P extends Path> {
  readonly path: P;
  readonly body: BodyOf<P>;
  readonly caption: string;
  readonly columns: readonly Column<RowOf<P>>[];
  readonly keyOf: (row: RowOf<P>) => string;
  readonly nameOf?: (row: RowOf<P>) => string;
  /** Empty if nothing can be done, or not by this person. */
  readonly actionsOf?: (row: RowOf<P>) => readonly MenuItem[];
  readonly empty: { readonly title: string; readonly text: ReactNode };
  /** Removes the filters; left out or null if none is set. */
  readonly clear?: (() => void) | null;
  readonly selection?: Selection;
  /** The order that `body` asks for; its table's headings change it. */
  readonly sort?: Sort;
  /** Left out: all rows. For lists of few rows, of which all pages are read. */
  readonly shows?: (row: RowOf<P>) => boolean;
  readonly everyMs?: number;
  readonly enabled?: boolean;
}

/** A list in each of its states: loading, refused, empty, without a match, and with rows. Its length is announced to screen readers. */
export function List<P extends Path>(list: ListOf<P>) {
  const { path, body, enabled = true, shows } = list;
  const columns = withSorts(list.columns);
  const isWhole = shows !== undefined || list.columns.some(({ by, byMost }) => by ?? byMost);
  const asked = usePages(path, body, { enabled, isWhole });
  const found = useFoundBefore(asked, body);
  const { hasMore: isPart, isLoadingMore, hasFailed, onMore } = asked.table;
  const asksForRest = isWhole && enabled && !asked.isPending && isPart && !isLoadingMore && !hasFailed;
  useEffect(() => {
    if (asksForRest) onMore();
  }, [asksForRest, asked.table.count]);
  const words = useWords(listWords);
  const language = useLanguage();
  const own = useSort(columns);
  const sort = list.sort ?? (columns.some(({ sorts }) => sorts) ? own : undefined);
  const rows = isWhole
    ? sorted(shows ? found.table.rows.filter(shows) : found.table.rows, columns, sort ?? own, language)
    : undefined;
  const { count, total, hasMore } = found.table;
  const number = rows?.length ?? total ?? count;
  const isThere = !found.isPending && !(found.error && found.table.rows.length === 0);
  return (
    <>
      {/* Rendered before it has text: live regions that appear together with their text are often not read out. */}
      <p className="spoken" role="status">
        {isThere && words.entries(number, total === null && hasMore)}
      </p>
      <Found list={{ ...list, columns, ...(sort && { sort }) }} found={found} rows={rows} />
    </>
  );
}

/** While rows load in another order, those from before stay, and with them the focus in the table's head. */
function useFoundBefore<P extends Path>(found: Pages<P>, body: BodyOf<P>): Pages<P> {
  const list = JSON.stringify({ ...(body as object), sort: undefined, order: undefined });
  const before = useRef<{ readonly list: string; readonly found: Pages<P> } | null>(null);
  useLayoutEffect(() => {
    if (!found.isPending && !found.error) before.current = { list, found };
  });
  if (!found.isPending || found.error || before.current?.list !== list) return found;
  const { table } = before.current.found;
  return { ...before.current.found, table: { ...table, isLoadingMore: true } };
}

function Found<P extends Path>({
  list,
  found,
  rows,
}: {
  readonly list: ListOf<P>;
  readonly found: Pages<P>;
  readonly rows: readonly RowOf<P>[] | undefined;
}) {
  const { actionsOf, nameOf, keyOf } = list;
  const words = useWords(listWords);
  const problem = <Problem problem={found.error} onRetry={found.retry} />;
  if (found.error && found.table.rows.length === 0) return problem;
  if (found.isPending) return <Loading lines={6} />;
  if ((rows?.length ?? found.table.count) === 0 && !found.table.hasMore)
    return <Nothing empty={list.empty} clear={list.clear} />;
  const name = nameOf ?? keyOf;
  const actions: readonly Column<RowOf<P>>[] = actionsOf
    ? [{ id: "actions", header: <span className="spoken">{words.actionsOf("")}</span>, cell: menuOf }]
    : [];
  return (
    <>
      {problem}
      <DataTable
        caption={list.caption}
        columns={[...list.columns, ...actions]}
        {...(rows ? { ...found.table, rows, count: rows.length, rowAt: (index) => rows[index] } : found.table)}
        keyOf={keyOf}
        nameOf={name}
        {...(list.selection && { selection: list.selection })}
        {...(list.sort && { sort: list.sort })}
      />
    </>
  );

  function menuOf(row: RowOf<P>): ReactNode {
    const items = actionsOf?.(row) ?? [];
    if (items.length === 0) return null;
    return (
      <Menu
        label={words.actionsOf(name(row))}
        items={items}
        button={{ look: "plain", icon: "more", isIconOnly: true }}
      />
    );
  }
}
