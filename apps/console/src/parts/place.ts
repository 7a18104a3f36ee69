import { useLocation } from "@tanstack/react-router";
import type { VirtualItem, Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";

/** The scroll position in a long table, the heights of rows that had been drawn, and the column widths. */
interface Place {
  readonly initialOffset: number;
  readonly initialMeasurementsCache: VirtualItem[];
  readonly widths: readonly number[];
  /** The usual row height, as in {@link useRowHeight}. */
  readonly usual: number;
}

/** By entry of the browser's history and table on the page. */
const places = new Map<string, Place>();
const MAX_PLACES = 10;

/** The scroll position in a table of this page when the user left it, and a function that stores it until they come back. */
export function useScrollPosition(table: string) {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? "" });
  return useMemo(() => {
    const key = `${entry} ${table}`;
    return {
      found: places.get(key),
      keep(frame: HTMLDivElement | null, virtual: Virtualizer<HTMLDivElement, Element> | null, usual: number) {
        places.delete(key);
        if (frame === null || virtual === null || frame.scrollTop === 0) return;
        places.set(key, {
          initialOffset: frame.scrollTop,
          initialMeasurementsCache: virtual.takeSnapshot(),
          widths: headsOf(frame).map(widthOf),
          usual,
        });
        for (const [oldest] of places) if (places.size > MAX_PLACES) places.delete(oldest);
      },
    };
  }, [entry, table]);
}

const ROW_PX = 44;

/**
 * The usual height of a table's rows in pixels, measured once the first ones are drawn. A row whose real height matches the estimate does not move
 * the rows after it, of which there may be very many. @param before the height when the user left the table
 */
export function useRowHeight(
  frame: RefObject<HTMLElement | null>,
  isVirtual: boolean,
  before: number | undefined,
): RefObject<number> {
  const usual = useRef(before ?? ROW_PX);
  const isKnown = useRef(before !== undefined);
  useLayoutEffect(() => {
    const rows = isVirtual && !isKnown.current ? [...(frame.current?.querySelectorAll("tr[data-index]") ?? [])] : [];
    const heights = rows.map((row) => row.getBoundingClientRect().height).sort((a, b) => a - b);
    const middle = heights[Math.floor(heights.length / 2)] ?? 0;
    // Nothing is drawn, or it is hidden.
    if (middle === 0) return;
    usual.current = middle;
    isKnown.current = true;
  });
  return usual;
}

/**
 * Fixes the column widths of a partly drawn table to those of the first rows, until the window's width changes. Otherwise a new row could change the
 * height of others and thereby disappear, in an endless loop. A column grows only when a row that is drawn later needs it, and the column that names
 * the rows gives way.
 * @param isDrawn whether the table is partly drawn and has rows
 * @param columns identifies the set of columns
 * @param before the column widths when the user left the table, in pixels
 */
export function useStableColumns(
  frame: RefObject<HTMLElement | null>,
  virtual: Virtualizer<HTMLDivElement, Element>,
  isDrawn: boolean,
  columns: string,
  before: readonly number[] | undefined,
): void {
  useLayoutEffect(() => {
    const table = frame.current?.querySelector("table");
    if (!isDrawn || !frame.current || !table) return;
    let known = 0;
    const fix = (given?: readonly number[]) => {
      known = table.parentElement?.clientWidth ?? 0;
      if (!given) releaseColumns(table);
      fixColumns(table, given ?? headsOf(table).map(widthOf));
    };
    const sum = (before ?? []).reduce((all, width) => all + width, 0);
    const isSame = before?.length === headsOf(table).length && Math.abs(sum - widthOf(table)) < 1;
    fix(isSame ? before : undefined);
    const observer = new ResizeObserver(() => {
      if (table.parentElement?.clientWidth !== known) fix();
    });
    observer.observe(frame.current);
    return () => {
      observer.disconnect();
      releaseColumns(table);
    };
  }, [isDrawn, columns]);
  useLayoutEffect(() => {
    const table = frame.current?.querySelector("table");
    if (!isDrawn || !frame.current || !table) return;
    const narrow = [...table.querySelectorAll(ROW_CELLS)].find(isTooNarrow)?.closest("tr");
    if (!narrow) return;
    const rows = [...table.querySelectorAll<HTMLElement>("tr[data-index]")];
    const view = frame.current.getBoundingClientRect();
    const boxOf = (row: HTMLElement) => row.getBoundingClientRect();
    const isInView = boxOf(narrow).top >= view.top && boxOf(narrow).bottom <= view.bottom;
    const still = isInView ? narrow : rows.find((row) => boxOf(row).bottom > view.top + view.height / 2);
    const before = still?.getBoundingClientRect().top ?? 0;
    growColumns(table);
    // Rows may be of another height now: the one that needed the room stays where it is; if it is not in view, the one in the middle.
    virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false;
    for (const row of rows) virtual.measureElement(row);
    virtual.shouldAdjustScrollPositionOnItemSizeChange = undefined;
    if (frame.current.scrollTop > 0) frame.current.scrollTop += (still?.getBoundingClientRect().top ?? 0) - before;
  });
}

/** In less room names are not readable: the table scrolls sideways instead. */
const MIN_NAME_PX = 120;
/** Those with actions are as wide in every row. */
const ROW_CELLS = "tr[data-index] > :not(.choice, .acts)";

function isTooNarrow({ scrollWidth, clientWidth }: Element): boolean {
  return scrollWidth > clientWidth + 1;
}

/** The other columns stay as wide as they were, or grow; in the one that names the rows, words may break inside. */
function growColumns(table: HTMLTableElement): void {
  const heads = headsOf(table);
  const before = heads.map(widthOf);
  const naming = heads.findIndex((head) => !head.matches(".choice"));
  const room = before.reduce((all, width) => all + width, 0);
  table.style.tableLayout = "";
  heads[naming]?.style.removeProperty("width");
  const widths = heads.map((head, index) => (index === naming ? 0 : Math.max(widthOf(head), before[index] ?? 0)));
  const others = widths.reduce((all, width) => all + width, 0);
  widths[naming] = Math.max(room - others, MIN_NAME_PX);
  fixColumns(table, widths);
}

function fixColumns(table: HTMLTableElement, widths: readonly number[]): void {
  headsOf(table).forEach((head, index) => {
    head.style.width = `${widths[index]}px`;
  });
  table.style.tableLayout = "fixed";
}

function releaseColumns(table: HTMLTableElement): void {
  table.style.tableLayout = "";
  for (const head of headsOf(table)) head.style.width = "";
}

function headsOf(table: HTMLElement): HTMLElement[] {
  return [...table.querySelectorAll<HTMLElement>("thead th")];
}

function widthOf(element: HTMLElement): number {
  return element.getBoundingClientRect().width;
}

/** Usually no more rows than this are added or removed at a time. */
const SHIFTED_MOST = 50;

/**
 * Keeps the visible rows in place when rows are added or removed above them.
 * @param first index of the first visible row
 * @param keyAt the key of the row at an index; undefined if it is not loaded
 * @param heightOf the height of the row at an index, in pixels
 */
export function useStableRows(
  frame: RefObject<HTMLElement | null>,
  first: number | null,
  keyAt: (index: number) => string | undefined,
  heightOf: (index: number) => number,
): void {
  const seen = useRef<{ readonly first: number; readonly key: string } | null>(null);
  useLayoutEffect(() => {
    if (frame.current === null || first === null) return;
    const key = keyAt(first);
    const before = seen.current;
    if (key === undefined) return;
    seen.current = { first, key };
    if (before === null || before.first !== first || before.key === key || frame.current.scrollTop === 0) return;
    frame.current.scrollTop += shiftOf(before.key);
  });

  /** How far a row has moved down, in pixels. */
  function shiftOf(key: string): number {
    const from = first ?? 0;
    for (let rows = 1, down = 0, up = 0; rows <= SHIFTED_MOST; rows += 1) {
      down += heightOf(from + rows - 1);
      up += heightOf(from - rows);
      if (keyAt(from + rows) === key) return down;
      if (keyAt(from - rows) === key) return -up;
    }
    return 0;
  }
}
