import { type Range, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { MAX_ROWS } from "../api/page-chain.js";
import type { TableOf } from "../api/pages.js";
import { useLanguage, useWords } from "../language/language.js";
import { Button } from "./button.js";
import { useColumnChoice } from "./column-choice.js";
import { partWords } from "./part-words.js";
import { useRowHeight, useScrollPosition, useStableColumns, useStableRows } from "./place.js";
import { useStackedColumns } from "./stacked-columns.js";
import { type Column, ColumnHead, Gap, type Sort, SortField, TableRow, WaitingRow } from "./table-row.js";

export type { Column, Sort, SortValue } from "./table-row.js";

/** The selected rows by key. */
export interface Selection {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Longer tables draw only their visible rows. */
const DRAWN_WHOLE = 60;
/** The next page is fetched this many rows before the end. */
const NEAR_THE_END = 40;

/**
 * A table of rows of one kind. The first column names the row, preferably with a link. Arrow keys (or `j` and `k`) move between rows, `x` selects
 * one, and with Shift they select a range, as a click does. Of many rows only the visible ones are drawn; scrolling down loads more, as does the button. When the user returns with Back, a long table is
 * at the same place.
 */
export function DataTable<R>({
  caption,
  columns: offered,
  rows,
  count = rows.length,
  rowAt = (index) => rows[index],
  keyOf,
  nameOf,
  selection,
  sort,
  hasMore = false,
  isLoadingMore = false,
  hasFailed = false,
  onMore,
  onView,
  total,
}: {
  /** What the rows are, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly keyOf: (row: R) => string;
  /** The row's name for selecting it; its key by default. */
  readonly nameOf?: (row: R) => string;
  readonly selection?: Selection;
  /** Left out: its headings do not sort. */
  readonly sort?: Sort;
} & Pick<TableOf<R>, "rows"> &
  Partial<TableOf<R>>) {
  const words = useWords(partWords);
  const { shown, menu } = useColumnChoice(offered);
  const columns = useStackedColumns(shown);
  const language = useLanguage();
  const frame = useRef<HTMLDivElement>(null);
  const isVirtual = count > DRAWN_WHOLE;
  const place = useScrollPosition(caption);
  const usual = useRowHeight(frame, isVirtual, place.found?.usual);
  const measured = useRef<Virtualizer<HTMLDivElement, Element> | null>(null);
  // Runs before the table's own effect, which releases the scroll container.
  useLayoutEffect(() => () => place.keep(frame.current, measured.current, usual.current), [place]);
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: isVirtual ? count : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => usual.current,
    overscan: 10,
    rangeExtractor: drawnRows,
    ...place.found,
  });
  const drawn = virtual.getVirtualItems();
  const first = isVirtual ? (drawn[0]?.index ?? 0) : 0;
  const last = isVirtual ? (drawn.at(-1)?.index ?? 0) : count - 1;
  const above = isVirtual ? (drawn[0]?.start ?? 0) : 0;
  const below = isVirtual ? virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0) : 0;
  const width = columns.length + (selection ? 1 : 0);
  const chosen = selection?.chosen ?? new Set<string>();
  useLayoutEffect(() => {
    measured.current = virtual;
  }, [virtual]);
  useEffect(() => {
    // A table reports its visible rows only when its size is known.
    if (count > 0 && (!isVirtual || last > 0)) onView?.(first, last);
  }, [first, last, count, isVirtual, onView]);
  const columnIds = columns.map(({ id }) => id).join();
  useStableColumns(frame, virtual, isVirtual && drawn.length > 0, `${language} ${columnIds}`, place.found?.widths);
  useStableRows(
    frame,
    isVirtual ? (virtual.range?.startIndex ?? null) : null,
    (index) => {
      const row = rowAt(index);
      return row && keyOf(row);
    },
    (index) => drawn.find((item) => item.index === index)?.size ?? usual.current,
  );
  const asksForMore = isVirtual && hasMore && !isLoadingMore && !hasFailed && last >= count - NEAR_THE_END;
  useEffect(() => {
    if (asksForMore) onMore?.();
  }, [asksForMore, count]);

  /** The focused row, or the one that was focused before it was scrolled away. */
  const active = useRef<number | null>(null);
  /** The row to focus once it is drawn, unless the user does something else meanwhile. */
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (wanted.current !== null && focusRow(frame.current, wanted.current)) wanted.current = null;
    // If the focused row was scrolled away, the focus stays in the table.
    else if (active.current !== null && document.activeElement === document.body)
      frame.current?.focus({ preventScroll: true });
  });

  function choose(keys: readonly string[], isChosen: boolean): void {
    const next = new Set(chosen);
    for (const key of keys)
      if (isChosen) next.add(key);
      else next.delete(key);
    selection?.onChange(next);
  }

  /** Where a range of selected rows begins: the row that was selected last. */
  const anchor = useRef<number | null>(null);

  function chooseAt(index: number, isChosen: boolean, isRange = false): void {
    const from = isRange ? (anchor.current ?? index) : index;
    if (!isRange) anchor.current = index;
    const between = Array.from({ length: Math.abs(index - from) + 1 }, (_, offset) => Math.min(index, from) + offset);
    const found = between.map(rowAt).filter((row) => row !== undefined);
    choose(found.map(keyOf), isChosen);
  }

  /** Selects the rows from one to the next; on the way back to where the range began, the row that is left is not selected any more. */
  function extend(index: number, next: number): void {
    const row = rowAt(index);
    if (row === undefined || !chosen.has(keyOf(row))) anchor.current = index;
    anchor.current ??= index;
    const isBack = Math.abs(next - anchor.current) < Math.abs(index - anchor.current);
    if (isBack) {
      const left = rowAt(index);
      if (left !== undefined) choose([keyOf(left)], false);
    } else chooseAt(next, true, true);
  }
  const newest = useRef(chooseAt);
  useLayoutEffect(() => {
    newest.current = chooseAt;
  });
  const onChoose = useCallback(
    (index: number, isChosen: boolean, isRange: boolean) => newest.current(index, isChosen, isRange),
    [],
  );

  function sortBy(value: string): void {
    toTop.current = true;
    sort?.onChange(value);
  }
  // Rows that turn out taller than was thought move the table on, until a person does.
  const toTop = useRef(false);
  useEffect(() => {
    if (toTop.current && frame.current?.scrollTop !== 0) frame.current?.scrollTo(0, 0);
  });

  useEffect(() => {
    // Of the keys that are advertised, those that scroll nothing work from anywhere on the screen, in its first table with rows.
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (!["j", "k", "x", "J", "K"].includes(event.key) || event.defaultPrevented) return;
      if ((event.target as Element).closest(".table, [role=menu]") || document.querySelector("dialog[open]")) return;
      if (document.querySelector("main .table tr[data-row]")?.closest(".table") === frame.current) move(event);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });

  function move(event: KeyPress): void {
    const target = event.target as HTMLElement;
    toTop.current = false;
    // Rows without controls cannot take the focus, and the keys scroll the table as anywhere else.
    if (!frame.current?.querySelector("tbody :is(a, button, input)")) return;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.matches("input:not([type=checkbox]), select, textarea")
    )
      return;
    const row = target.closest<HTMLElement>("tr[data-row]");
    const index = row ? Number(row.dataset.row) : (active.current ?? (virtual.range?.startIndex ?? 0) - 1);
    const steps = { ArrowDown: 1, j: 1, J: 1, ArrowUp: -1, k: -1, K: -1, Home: -count, End: count };
    const step = steps[event.key as keyof typeof steps];
    if (step !== undefined) {
      const next = Math.min(Math.max(index + step, 0), count - 1);
      event.preventDefault();
      if (event.shiftKey && selection && index >= 0 && Math.abs(step) === 1) extend(index, next);
      else if (!event.shiftKey) anchor.current = null;
      wanted.current = next;
      if (focusRow(frame.current, next)) wanted.current = null;
      else virtual.scrollToIndex(next);
    } else if (event.key === "x") {
      const shown = rowAt(index);
      if (shown !== undefined) chooseAt(index, !chosen.has(keyOf(shown)));
    }
  }

  const keys = selection ? rows.map(keyOf) : [];
  const drawnOrWaiting = Array.from({ length: Math.max(last - first + 1, 0) }, (_, offset) => rowAt(first + offset));
  const keysShown = new Set<string>();
  return (
    <div className={`data ${menu ? "chooses" : ""}`}>
      {sort && <SortField columns={offered} sort={{ ...sort, onChange: sortBy }} />}
      {menu}
      {/* Not a landmark: a screen has more than tables, and its heading may have the same name. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls. */}
      <div
        role="group"
        className={`table ${isVirtual ? "tall" : ""}`}
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard.
        tabIndex={0}
        aria-label={caption}
        onKeyDown={move}
        onPointerDown={() => {
          wanted.current = null;
          toTop.current = false;
        }}
        onWheel={() => {
          wanted.current = null;
          toTop.current = false;
        }}
        onFocus={({ target }) => {
          const row = target.closest<HTMLElement>("tr[data-row]");
          if (row) active.current = Number(row.dataset.row);
        }}
        onBlur={({ relatedTarget, target }) => {
          if (target.isConnected && !frame.current?.contains(relatedTarget)) active.current = null;
        }}
      >
        <table aria-rowcount={hasMore ? (total == null ? -1 : total + 1) : count + 1} aria-busy={isLoadingMore}>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {selection && (
                <th scope="col" className="choice">
                  <label>
                    <span className="spoken">{words.selectAll}</span>
                    <input
                      type="checkbox"
                      checked={keys.length > 0 && keys.every((key) => chosen.has(key))}
                      onChange={({ target }) => choose(keys, target.checked)}
                    />
                  </label>
                </th>
              )}
              {columns.map((column) => (
                <ColumnHead key={column.id} column={column} sort={sort && { ...sort, onChange: sortBy }} />
              ))}
            </tr>
          </thead>
          <tbody>
            {above > 0 && <Gap height={above} width={width} />}
            {drawnOrWaiting.map((row, offset) => {
              const index = first + offset;
              const key = row === undefined ? "" : keyOf(row);
              // A row may be on two adjacent pages that were fetched at different times.
              if (row === undefined || keysShown.has(key))
                return (
                  <WaitingRow
                    key={`waiting ${index}`}
                    {...{ index, width }}
                    height={drawn[offset]?.size ?? usual.current}
                  />
                );
              keysShown.add(key);
              return (
                <TableRow
                  key={key}
                  {...{ row, index, columns, onChoose }}
                  name={nameOf?.(row) ?? key}
                  isChosen={selection && chosen.has(key)}
                  measure={isVirtual ? virtual.measureElement : undefined}
                />
              );
            })}
            {below > 0 && <Gap height={below} width={width} />}
          </tbody>
        </table>
      </div>
      {hasMore && onMore && (
        <Button isBusy={isLoadingMore} onClick={onMore}>
          {words.more}
        </Button>
      )}
      {total != null && total > count && count >= MAX_ROWS && (
        <p className="hint">{words.mostRows(new Intl.NumberFormat(language).format(count))}</p>
      )}
    </div>
  );
}

/** What both React's events and the browser's have. */
type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "preventDefault"> & {
  readonly target: EventTarget | null;
};

/** Rows are added and removed in groups, since each time everything drawn is laid out and painted again. */
const TOGETHER = 6;

function drawnRows({ startIndex, endIndex, overscan, count }: Range): number[] {
  const from = Math.max(Math.floor((startIndex - overscan) / TOGETHER) * TOGETHER, 0);
  const until = Math.min(Math.ceil((endIndex + 1 + overscan) / TOGETHER) * TOGETHER, count);
  return Array.from({ length: until - from }, (_, offset) => from + offset);
}

/** Focuses the row's link, or its next best control. @returns whether the row is drawn */
function focusRow(frame: HTMLElement | null, index: number): boolean {
  const row = frame?.querySelector(`tr[data-row="${index}"]`);
  const control = row?.querySelector<HTMLElement>("a, button") ?? row?.querySelector("input");
  control?.focus();
  return control != null;
}
