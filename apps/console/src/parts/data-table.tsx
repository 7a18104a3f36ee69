import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { useWords } from "../language/language.js";
import { Button } from "./button.js";
import { partWords } from "./part-words.js";

/** A column of a {@link DataTable}. */
export interface Column<R> {
  readonly id: string;
  /** Empty where it says nothing: what can be done with a row, a mark. */
  readonly header: ReactNode;
  readonly cell: (row: R) => ReactNode;
  /** Numbers stand at the right. */
  readonly isNumeric?: boolean;
  /** Left out on narrow screens: what it says is also where the row leads. */
  readonly isWideOnly?: boolean;
}

/** Which rows are chosen, by their keys. */
export interface Selection {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Above so many rows only those are drawn that are looked at. */
const DRAWN_WHOLE = 60;
const ROW_PX = 44;

/**
 * Rows of one kind; the first column names the row, best by a link. Arrow keys (or `j` and `k`) go from row to row, `x` chooses one.
 * Of many rows only those are drawn that are looked at; `onMore` gets the next ones.
 */
export function DataTable<R>({
  caption,
  columns,
  rows,
  keyOf,
  nameOf,
  selection,
  hasMore = false,
  isLoadingMore = false,
  onMore,
  total,
}: {
  /** What the rows are, for those who do not see the table. */
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  /** What a row is called when it is chosen; its key otherwise. */
  readonly nameOf?: (row: R) => string;
  readonly selection?: Selection;
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  readonly onMore?: () => void;
  readonly total?: number | null;
}) {
  const words = useWords(partWords);
  const frame = useRef<HTMLDivElement>(null);
  const isVirtual = rows.length > DRAWN_WHOLE;
  const virtual = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (index) => keyOf(rows[index] as R),
  });
  const drawn = virtual.getVirtualItems();
  const first = isVirtual ? (drawn[0]?.index ?? 0) : 0;
  const last = isVirtual ? (drawn.at(-1)?.index ?? 0) : rows.length - 1;
  const above = isVirtual ? (drawn[0]?.start ?? 0) : 0;
  const below = isVirtual ? virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0) : 0;
  const width = columns.length + (selection ? 1 : 0);
  const chosen = selection?.chosen ?? new Set<string>();

  function choose(keys: readonly string[], isChosen: boolean): void {
    const next = new Set(chosen);
    for (const key of keys)
      if (isChosen) next.add(key);
      else next.delete(key);
    selection?.onChange(next);
  }

  function move(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.matches("input:not([type=checkbox]), select, textarea")
    )
      return;
    const row = target.closest<HTMLElement>("tr[data-row]");
    const index = row ? Number(row.dataset.row) : -1;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step !== undefined) {
      const next = Math.min(Math.max(index + step, 0), rows.length - 1);
      event.preventDefault();
      if (isVirtual) virtual.scrollToIndex(next);
      requestAnimationFrame(() => focusRow(frame.current, next));
    } else if (event.key === "x" && selection && rows[index] !== undefined) {
      const key = keyOf(rows[index]);
      choose([key], !chosen.has(key));
    }
  }

  const keys = rows.map(keyOf);
  return (
    <div className="data">
      {/* No landmark: a table is one more thing on a screen, and its heading may have the same name. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls. */}
      <div
        role="group"
        className={`table ${isVirtual ? "tall" : ""}`}
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard.
        tabIndex={0}
        aria-label={caption}
        onKeyDown={move}
      >
        <table aria-rowcount={hasMore ? (total ?? -1) : rows.length + 1}>
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
              {columns.map(({ id, header, isNumeric, isWideOnly }) => (
                <th key={id} scope="col" className={classOf(isNumeric, isWideOnly)}>
                  {header === "" ? <span className="spoken">{words.actions}</span> : header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {above > 0 && <Gap height={above} width={width} />}
            {rows.slice(first, last + 1).map((row, offset) => {
              const key = keyOf(row);
              return (
                <tr key={key} data-row={first + offset} aria-rowindex={first + offset + 2}>
                  {selection && (
                    <td className="choice">
                      <label>
                        <span className="spoken">{words.select(nameOf?.(row) ?? key)}</span>
                        <input
                          type="checkbox"
                          checked={chosen.has(key)}
                          onChange={({ target }) => choose([key], target.checked)}
                        />
                      </label>
                    </td>
                  )}
                  {columns.map(({ id, cell, isNumeric, isWideOnly }, column) =>
                    column === 0 ? (
                      <th key={id} scope="row" className={classOf(isNumeric, isWideOnly)}>
                        {cell(row)}
                      </th>
                    ) : (
                      <td key={id} className={classOf(isNumeric, isWideOnly)}>
                        {cell(row)}
                      </td>
                    ),
                  )}
                </tr>
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
    </div>
  );
}

/** Stands for the rows that are not drawn. */
function Gap({ height, width }: { readonly height: number; readonly width: number }) {
  return (
    <tr>
      <td colSpan={width} className="gap" style={{ height }} />
    </tr>
  );
}

function classOf(isNumeric = false, isWideOnly = false): string | undefined {
  return [isNumeric ? "number" : "", isWideOnly ? "wide" : ""].filter(Boolean).join(" ") || undefined;
}

function focusRow(frame: HTMLElement | null, index: number): void {
  const row = frame?.querySelector(`tr[data-row="${index}"]`);
  row?.querySelector<HTMLElement>("a, button, input")?.focus();
}
