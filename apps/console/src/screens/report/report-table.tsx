import type { ReactNode } from "react";
import { Amount, Percent } from "../../parts/amount.js";
import { percentOf } from "../connections/gain.js";

/** A column of a printed table. */
export interface PrintedColumn<R> {
  readonly header: string;
  readonly cell: (row: R) => ReactNode;
  readonly isNumeric?: boolean;
}

/** A table that is printed whole: its head is repeated on each page, and no row is divided. */
export function PrintedTable<R>({
  label,
  rows,
  columns,
}: {
  /** For screen readers; the heading above says the same to the eye. */
  readonly label: string;
  readonly rows: readonly R[];
  readonly columns: readonly PrintedColumn<R>[];
}) {
  return (
    <table>
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
        {rows.map((row, line) => (
          <tr key={line}>
            {columns.map(({ header, cell, isNumeric }, at) =>
              at === 0 ? (
                <th key={header} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={header} className={isNumeric ? "numeric" : undefined}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
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

/** A fraction with six decimals as a return: all its digits, but no zeros at the end after the second. */
export function Return({ value }: { readonly value: string }) {
  return <Percent value={(percentOf(value, "1", 4) ?? "").replace(/0{1,2}$/, "")} isSigned />;
}

/** A fraction as a share of a whole, with two decimals. */
export function Share({ value }: { readonly value: string | null }) {
  return <Percent value={value === null ? null : percentOf(value, "1", 2)} />;
}
