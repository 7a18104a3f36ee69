import { memo, type ReactNode, useMemo } from "react";
import type { Row, RowTool } from "../src/answer.js";
import type { Messages } from "../src/messages/messages.js";
import type { Source } from "../src/reading.js";
import { Amount } from "./amount.js";

/** The rows in their original order. A wide table scrolls on its own, also by keyboard. */
export function RowTable(props: {
  tool: RowTool;
  rows: readonly Row[];
  title: string;
  messages: Messages;
  sourceOf: (row: Row) => Source | undefined;
}) {
  const { tool, rows, title, messages, sourceOf } = props;
  const columns = useMemo(() => columnsOf(tool, messages), [tool, messages]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard (WCAG 2.1.1)
    <section className="table" tabIndex={0} aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{messages.columns.name}</th>
            {columns.map(({ title: heading, className }) => (
              <th key={heading} scope="col" className={className}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <TableRow key={row.id ?? at} row={row} source={sourceOf(row)} columns={columns} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Memoized: there may be thousands of rows, and more arrive while they are read. */
const TableRow = memo(
  function TableRow({ row, source, columns }: RowProps) {
    return (
      <tr>
        <th scope="row">
          {row.name}
          {row.isin !== null && <small>{row.isin}</small>}
        </th>
        {columns.map(({ title, className, show }) => (
          <td key={title} className={className}>
            {show(row, source)}
          </td>
        ))}
      </tr>
    );
  },
  // Every page repeats its sources.
  (before, now) =>
    before.row === now.row &&
    before.columns === now.columns &&
    before.source?.bank === now.source?.bank &&
    before.source?.state === now.source?.state,
);

interface RowProps {
  readonly row: Row;
  readonly source: Source | undefined;
  readonly columns: readonly Column[];
}

interface Column {
  readonly title: string;
  readonly className?: string;
  readonly show: (row: Row, source: Source | undefined) => ReactNode;
}

function columnsOf(tool: RowTool, { columns: titles, kinds, states }: Messages): readonly Column[] {
  const nameOf = (code: string) => kinds[code] ?? code;
  const type: Column = {
    title: titles.type,
    show: ({ type, subtype }) =>
      [type, subtype]
        .filter((code) => code !== null)
        .map(nameOf)
        .join(", "),
  };
  const value: Column = {
    title: titles.value,
    className: "number",
    show: ({ balance, currency }) => balance !== null && <Amount value={balance} currency={currency} />,
  };
  const bank: Column = {
    title: titles.bank,
    show(_, source) {
      if (!source) return null;
      if (source.state === "ok") return source.bank;
      return (
        <>
          {source.bank} <span className={`badge ${source.state}`}>{states[source.state]}</span>
        </>
      );
    },
  };
  if (tool === "svc-portfolios")
    return [{ title: titles.account, show: ({ refAccount }) => refAccount }, type, value, bank];
  return [
    type,
    { title: titles.units, className: "number", show: ({ amount }) => amount !== null && <Amount value={amount} /> },
    value,
    { title: titles.valued, className: "date", show: ({ valuation_date }) => valuation_date },
    bank,
  ];
}
