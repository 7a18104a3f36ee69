import type { ReactNode } from "react";
import type { Row, ShownTool, Source } from "../src/answer.js";
import type { Messages } from "../src/messages/messages.js";
import { Amount } from "./amount.js";

/** The rows, as they came and in their order. A wide table scrolls by itself, by keyboard too. */
export function RowTable(props: {
  tool: ShownTool;
  rows: readonly Row[];
  title: string;
  messages: Messages;
  sourceOf: (row: Row) => Source | undefined;
}) {
  const { tool, rows, title, messages, sourceOf } = props;
  const columns = columnsOf(tool, messages, sourceOf);
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
            <tr key={row.id ?? at}>
              <th scope="row">
                {row.name}
                {row.isin !== null && <small>{row.isin}</small>}
              </th>
              {columns.map(({ title: heading, className, show }) => (
                <td key={heading} className={className}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface Column {
  readonly title: string;
  readonly className?: string;
  readonly show: (row: Row) => ReactNode;
}

function columnsOf(
  tool: ShownTool,
  { columns: titles, kinds, states }: Messages,
  sourceOf: (row: Row) => Source | undefined,
): readonly Column[] {
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
    show(row) {
      const source = sourceOf(row);
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
