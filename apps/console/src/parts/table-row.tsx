import { memo, type ReactNode } from "react";
import { labelled, useWords } from "../language/language.js";
import { breakable } from "./breakable.js";
import { SelectField } from "./fields.js";
import { Icon } from "./icon.js";
import { partWords } from "./part-words.js";

/** A column of a table. */
export interface Column<R> {
  readonly id: string;
  /** Empty for columns without a heading, such as actions or marks. */
  readonly header: ReactNode;
  readonly cell: (row: R) => ReactNode;
  /** Numbers are aligned to the right. */
  readonly isNumeric?: boolean;
  /** Hidden on narrow screens; the row's own screen shows the value too. */
  readonly isWideOnly?: boolean;
  /** The id of the column beneath whose values its own are: texts on every screen but a phone's, numbers on a laptop. It has no orders. */
  readonly beneath?: string;
  /** The columns beneath it at the moment. */
  readonly stack?: readonly Column<R>[];
  /** Orders that its heading offers one after the other, by the server's names; `-` is descending. */
  readonly sorts?: readonly string[];
  /** What the page itself sorts a list that is there as a whole by, ascending first. */
  readonly by?: (row: R) => SortValue;
  /** As `by`, but the most or the newest first. */
  readonly byMost?: (row: R) => SortValue;
}

/** Null is last in either order. */
export type SortValue = string | number | null | undefined;

/** The order of a table's rows; an empty one is the server's own. */
export interface Sort {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The order without a choice, by the name that a column has for it. */
  readonly usual?: string;
}

/** A list of the orders that the headings offer, for screens on which there is no room for all of them. */
export function SortField<R>({ columns, sort }: { readonly columns: readonly Column<R>[]; readonly sort: Sort }) {
  const words = useWords(partWords);
  const options = columns.flatMap(({ header, sorts = [] }) =>
    sorts.map((value) => ({
      value: value === sort.usual ? "" : value,
      label: `${header}, ${value.startsWith("-") ? words.descending : words.ascending}`,
    })),
  );
  if (!sort.usual) options.unshift({ value: "", label: words.usualOrder });
  if (options.length < 2) return null;
  return (
    <div className="sort-field">
      <SelectField
        label={words.sortBy}
        value={sort.value === sort.usual ? "" : sort.value}
        options={options}
        onChange={sort.onChange}
      />
    </div>
  );
}

/** The heading of a column: a button if the rows can be sorted by it. */
export function ColumnHead<R>({ column, sort }: { readonly column: Column<R>; readonly sort: Sort | undefined }) {
  const words = useWords(partWords);
  const { header, isNumeric, isWideOnly, sorts, stack = [] } = column;
  const current = sorts && sort ? sorts.indexOf(sort.value) : -1;
  const direction = sorts?.[current]?.startsWith("-") ? "descending" : "ascending";
  return (
    <th scope="col" className={cellClass(isNumeric, isWideOnly)} aria-sort={current === -1 ? undefined : direction}>
      {sorts && sort ? (
        <button type="button" className="sort" onClick={() => sort.onChange(sorts[current + 1] ?? "")}>
          {header}
          <Icon name={current === -1 ? "sortable" : "sorted"} />
        </button>
      ) : header === "" ? (
        <span className="spoken">{words.actions}</span>
      ) : (
        header
      )}
      {/* Each cell says it before the value. */}
      {stack.map(({ id, header }) => (
        <span key={id} className="under" aria-hidden="true">
          {header}
        </span>
      ))}
    </th>
  );
}

interface Shown<R> {
  readonly row: R;
  readonly index: number;
  readonly columns: readonly Column<R>[];
  /** The row's name for selecting it. */
  readonly name: string;
  /** Undefined if rows cannot be selected. */
  readonly isChosen: boolean | undefined;
  readonly onChoose: (index: number, isChosen: boolean, isRange: boolean) => void;
  /** Called with the row's element, to measure its height. */
  readonly measure: ((element: HTMLElement | null) => void) | undefined;
}

/** A row that is rendered again only when it has changed. */
export const TableRow = memo(DrawnRow) as unknown as <R>(row: Shown<R>) => ReactNode;

function DrawnRow({ row, index, columns, name, isChosen, onChoose, measure }: Shown<unknown>) {
  const words = useWords(partWords);
  return (
    <tr ref={measure} data-row={index} data-index={index} aria-rowindex={index + 2}>
      {isChosen !== undefined && (
        <td className="choice">
          <label>
            <span className="spoken">{words.select(name)}</span>
            <input
              type="checkbox"
              checked={isChosen}
              onChange={({ target, nativeEvent }) =>
                onChoose(index, target.checked, (nativeEvent as MouseEvent).shiftKey === true)
              }
            />
          </label>
        </td>
      )}
      {columns.map(({ id, header, cell, isNumeric, isWideOnly, stack = [] }, column) => {
        const content = (
          <>
            {breakable(cell(row))}
            {stack.map(({ id, header, cell }) => (
              <span key={id} className="under quiet">
                <span className="spoken">
                  {header}
                  {labelled("", "")}
                </span>
                {cell(row)}
              </span>
            ))}
          </>
        );
        return column === 0 ? (
          <th key={id} scope="row" className={cellClass(isNumeric, isWideOnly)}>
            {content}
          </th>
        ) : (
          <td key={id} className={cellClass(isNumeric, isWideOnly, typeof header !== "string" || header === "")}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

/** A placeholder for a row that is being fetched. */
export function WaitingRow({
  index,
  width,
  height,
}: {
  readonly index: number;
  readonly width: number;
  readonly height: number;
}) {
  const words = useWords(partWords);
  return (
    <tr data-row={index} aria-rowindex={index + 2} aria-busy="true">
      <td colSpan={width} className="waiting" style={{ height }}>
        <span className="spoken">{words.loading}</span>
      </td>
    </tr>
  );
}

/** A spacer for the rows that are not drawn. */
export function Gap({ height, width }: { readonly height: number; readonly width: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus, and it is no row that counts.
    <tr aria-hidden="true">
      <td colSpan={width} className="gap" style={{ height }} />
    </tr>
  );
}

function cellClass(isNumeric = false, isWideOnly = false, hasActions = false): string | undefined {
  return (
    [isNumeric ? "number" : "", isWideOnly ? "wide" : "", hasActions ? "acts" : ""].filter(Boolean).join(" ") ||
    undefined
  );
}
