import { useLocation } from "@tanstack/react-router";
import type { VirtualItem, Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";

/** Where one was in a long table: how far down, how high the rows were that had been drawn, and how wide its columns. */
interface Place {
  readonly initialOffset: number;
  readonly initialMeasurementsCache: VirtualItem[];
  readonly widths: readonly number[];
  /** As {@link useRowHeight}. */
  readonly usual: number;
}

/** By the entry of the browser's history, and the table on its page. */
const places = new Map<string, Place>();
const MAX_PLACES = 10;

/** Where one was in a table of this page when one left it; and what keeps where one is until one comes back. */
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
 * How high most rows of a table are, in px, from the first ones that are drawn on: a row that is as high as was thought moves none of the
 * rows behind it, of which there may be very many.
 * @param before how high they were when one left the table
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
    // Nothing is drawn, or it is not to be seen.
    if (middle === 0) return;
    usual.current = middle;
    isKnown.current = true;
  });
  return usual;
}

/**
 * Columns of a table of which not all rows are drawn are as wide as the first rows make them, until the window has another width. Else a row
 * that comes in could make others higher and be gone by that, and so on for ever.
 * @param isDrawn whether the table is one of these, and has rows
 * @param columns tells tables with other columns apart
 * @param before how wide the columns were when one left the table, in px
 */
export function useStableColumns(
  frame: RefObject<HTMLElement | null>,
  isDrawn: boolean,
  columns: string,
  before: readonly number[] | undefined,
): void {
  useLayoutEffect(() => {
    const table = frame.current?.querySelector("table");
    if (!isDrawn || !frame.current || !table) return;
    const heads = headsOf(table);
    let known = 0;
    const fix = (given?: readonly number[]) => {
      known = table.parentElement?.clientWidth ?? 0;
      if (!given) releaseHeight();
      const widths = given ?? heads.map(widthOf);
      heads.forEach((head, index) => {
        head.style.width = `${widths[index]}px`;
      });
      table.style.tableLayout = "fixed";
    };
    const releaseHeight = () => {
      table.style.tableLayout = "";
      for (const head of heads) head.style.width = "";
    };
    const sum = (before ?? []).reduce((all, width) => all + width, 0);
    fix(before?.length === heads.length && Math.abs(sum - widthOf(table)) < 1 ? before : undefined);
    const observer = new ResizeObserver(() => {
      if (table.parentElement?.clientWidth !== known) fix();
    });
    observer.observe(frame.current);
    return () => {
      observer.disconnect();
      releaseHeight();
    };
  }, [isDrawn, columns]);
}

function headsOf(table: HTMLElement): HTMLElement[] {
  return [...table.querySelectorAll<HTMLElement>("thead th")];
}

function widthOf(element: HTMLElement): number {
  return element.getBoundingClientRect().width;
}

/** As many rows as come or go at a time, mostly. */
const SHIFTED_MOST = 50;

/**
 * Keeps the visible rows in place when rows come or go above them.
 * @param first index of the first visible row
 * @param keyAt the key of the row at an index; undefined where none is held
 * @param heightOf height of the row at an index, in px
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

  /** How far down a row has gone, in px. */
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
