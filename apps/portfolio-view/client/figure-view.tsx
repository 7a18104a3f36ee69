import { currenciesOf, type FigureAnswer, type FigureTool } from "../src/figure.js";
import { Amount } from "./amount.js";
import { BarTable } from "./bar-table.js";
import { CourseSection } from "./course-section.js";
import { dayIn } from "./host-context.js";
import { SourceList } from "./source-list.js";
import type { ContentProps } from "./view.js";

/** A figure in each of its currencies: as a drawing and as a table, with what it lacks. */
export function figureView(tool: FigureTool) {
  return function FigureView({ answer, isWhole, args, messages, context }: ContentProps<FigureAnswer>) {
    const { rows, total, totals, date, portfolios, missing, unvalued } = answer;
    const currencies = currenciesOf(answer);
    return (
      <>
        {date !== null && <p>{dayIn(context, date)}</p>}
        {missing > 0 && <p className="lack">{messages.notComplete(missing, portfolios)}</p>}
        {unvalued > 0 && <p className="lack">{messages.unvalued(unvalued)}</p>}
        {currencies.length > 1 && <p className="quiet">{messages.notAdded}</p>}
        {!isWhole && <p className="quiet">{messages.rows(rows.length, total)}</p>}
        {currencies.length === 0 && <p>{messages.nothing}</p>}
        {currencies.map((currency) => (
          <section key={currency} className="figure" aria-label={currency}>
            <h2>
              {currency} <Amount value={totals.find((sum) => sum.currency === currency)?.balance ?? ""} />
            </h2>
            {tool === "wealth-history" ? (
              <CourseSection {...{ rows, currency, messages, context }} />
            ) : (
              <BarTable {...{ tool, rows, currency, by: args.by, messages, context }} />
            )}
          </section>
        ))}
        {answer.sources.length > 0 && <SourceList answer={answer} messages={messages} context={context} />}
      </>
    );
  };
}
