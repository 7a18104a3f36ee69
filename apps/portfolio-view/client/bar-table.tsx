import { barsOf, type FigureRow, type FigureTool } from "../src/figure.js";
import type { Messages } from "../src/messages/messages.js";
import { Amount } from "./amount.js";
import type { HostContext } from "./host.js";
import { monthIn, percentIn } from "./host-context.js";

/** What divides a figure, in one currency: a table whose rows have a bar each. */
export function BarTable(props: {
  tool: FigureTool;
  rows: readonly FigureRow[];
  currency: string;
  /** What the figure is divided by, as the assistant asked. */
  by: unknown;
  messages: Messages;
  context: HostContext;
}) {
  const { tool, rows, currency, by, messages, context } = props;
  const bars = barsOf(rows, currency, by === "month" || by === "year");
  const isIncome = tool === "wealth-income";
  const hasShares = bars.some(({ row }) => row.share !== null);
  const title = `${messages.titles[tool]}, ${currency}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard (WCAG 2.1.1)
    <section className="table" tabIndex={0} aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{wordFor(String(by), messages.divisions) ?? messages.columns.name}</th>
            <th scope="col" className="number">
              {isIncome ? messages.columns.paid : messages.columns.value}
            </th>
            {isIncome && (
              <>
                <th scope="col" className="number">
                  {messages.columns.taxes}
                </th>
                <th scope="col" className="number">
                  {messages.columns.gross}
                </th>
              </>
            )}
            {hasShares && (
              <th scope="col" className="number">
                {messages.columns.share}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ row, sum, length }) => (
            <tr key={row.id ?? ""}>
              <th scope="row">
                {nameOf(row.id, by, messages, context)}
                <span className="bar" aria-hidden="true">
                  <span
                    className={sum.balance.startsWith("-") ? "below" : undefined}
                    style={{ width: `${length * 100}%` }}
                  />
                </span>
              </th>
              <td className="number">
                <Amount value={sum.balance} />
              </td>
              {isIncome && (
                <>
                  <td className="number">{sum.taxes === null ? messages.unknown : <Amount value={sum.taxes} />}</td>
                  <td className="number">{sum.gross === null ? messages.unknown : <Amount value={sum.gross} />}</td>
                </>
              )}
              {hasShares && <td className="number">{row.share !== null && percentIn(context, row.share)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A name for a code; what others named stays as it is. */
function nameOf(key: string | null, by: unknown, messages: Messages, context: HostContext): string {
  if (key === null) return by === "client" ? messages.nobody : messages.unknown;
  if (key === "unallocated") return messages.unallocated;
  if (by === "type") return wordFor(key, messages.kinds) ?? key;
  if (by === "kind") return wordFor(key, messages.movements) ?? key;
  return by === "month" ? monthIn(context, key) : key;
}

function wordFor(code: string, words: Readonly<Record<string, string>>): string | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}
