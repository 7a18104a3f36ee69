import { Fragment, type ReactNode } from "react";
import { Amount, Percent } from "../../parts/amount.js";
import { percentOf } from "../connections/gain.js";

/** A column of a printed table. */
export interface PrintedColumn<R> {
  readonly header: string;
  readonly cell: (row: R) => ReactNode;
  readonly isNumeric?: boolean;
  /** Never divided at the end of a line. */
  readonly isCode?: boolean;
}

/** Tables of as many rows are on one page; a longer one would leave too much of the page before it empty. */
const MAX_WHOLE = 15;

/** A table as it is printed: its head is repeated on each page, and no row is divided. Rows of one heading stand together beneath it. */
export function PrintedTable<R>({
  label,
  rows,
  columns,
  headingOf,
  className,
}: {
  /** For screen readers; the heading above says the same to the eye. */
  readonly label: string;
  readonly rows: readonly R[];
  readonly columns: readonly PrintedColumn<R>[];
  readonly headingOf?: (row: R) => string;
  readonly className?: "small" | "short";
}) {
  return (
    <table className={`${className ?? ""} ${headingOf === undefined && rows.length <= MAX_WHOLE ? "whole" : ""}`}>
      <caption>{label}</caption>
      <thead>
        <tr>
          {columns.map(({ header, isNumeric }) => (
            <th key={header} scope="col" className={isNumeric ? "numeric" : undefined}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {headingOf === undefined
          ? lines(rows)
          : grouped(rows, headingOf).map(([heading, group]) => (
              <Fragment key={heading}>
                <tr className="group">
                  <th colSpan={columns.length} scope="colgroup">
                    {heading}
                  </th>
                </tr>
                {lines(group)}
              </Fragment>
            ))}
      </tbody>
    </table>
  );

  function lines(of: readonly R[]): ReactNode {
    return of.map((row, line) => (
      <tr key={line}>
        {columns.map(({ header, cell, isNumeric, isCode }, at) =>
          at === 0 ? (
            <th key={header} scope="row">
              {cell(row)}
            </th>
          ) : (
            <td key={header} className={isNumeric ? "numeric" : isCode ? "code" : undefined}>
              {cell(row)}
            </td>
          ),
        )}
      </tr>
    ));
  }
}

function grouped<R>(rows: readonly R[], headingOf: (row: R) => string): readonly (readonly [string, readonly R[]])[] {
  const groups = new Map<string, R[]>();
  for (const row of rows) groups.set(headingOf(row), [...(groups.get(headingOf(row)) ?? []), row]);
  return [...groups];
}

/** Amounts of several currencies, one below the other. */
export function Money({
  totals,
}: {
  readonly totals: readonly { readonly currency: string; readonly balance: string }[];
}) {
  return totals.map(({ currency, balance }) => (
    <div key={currency}>
      <Amount value={balance} currency={currency} />
    </div>
  ));
}

/** A fraction with six decimals as a return: all its digits, so that those of one report have the same number of them. */
export function Return({ value }: { readonly value: string }) {
  return <Percent value={percentOf(value, "1", 4)} isSigned />;
}
