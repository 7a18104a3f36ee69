import { courseOf } from "@org/portfolio-view/course";
import { useState } from "react";
import type { BodyOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { ExportButton } from "../../listing/export-button.js";
import { List, type RowOf } from "../../listing/list.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { SelectField } from "../../parts/fields.js";
import { Loading } from "../../parts/loading.js";
import { Day } from "../../parts/moment.js";
import { type Asked, daysIn, useAsked, type WealthOf } from "./asked.js";
import { CourseChart } from "./course-chart.js";
import { Sums, useDay } from "./figures.js";
import { usePortfolios } from "./names.js";
import { NoFigure } from "./refusal.js";
import { useFigure } from "./use-figure.js";
import { wealthWords } from "./words.js";

type Item = RowOf<"/data/v1/list-history">;
const intervals = { day: 1, week: 7, month: 30 } as const;
type Interval = keyof typeof intervals;
/** The most days that are drawn: those of one answer. */
const MAX_POINTS = 500;

/** What it was worth at the close of each day, week or month, as a line and as a table. */
export function HistorySection({ of }: { readonly of: WealthOf }) {
  const words = useWords(wealthWords);
  const { search, setSearch } = useAddress();
  const asked = useAsked();
  const [hasTable, setTable] = useState(false);
  const offered = offeredIntervals(asked);
  const interval = offered.find((one) => one === search.every) ?? (asked.period === "quarter" ? "day" : "week");
  const { body, data, error, isPending, refetch } = useFigure(
    "/data/v1/list-history",
    { ...of, currency: asked.currency },
    {
      from: asked.from,
      to: asked.to,
      interval: offered.includes(interval) ? interval : "month",
      page_size: MAX_POINTS,
      // Of a client few portfolios can be missing; of all, thousands.
      include_coverage: of.client_ref !== undefined,
    },
    { keepsPrevious: true },
  );
  const currencies = [...new Set((data?.items ?? []).flatMap(({ totals }) => totals.map(({ currency }) => currency)))];
  const refused = (data?.items ?? []).flatMap((item) => item.refused ?? []);
  return (
    <section aria-labelledby="wealth-history">
      <div className="section-head">
        <h2 id="wealth-history">{words.history}</h2>
        {data && (
          <div className="actions">
            <SelectField
              label={words.every}
              value={body.interval ?? "month"}
              options={offered.map((value) => ({ value, label: words.intervals[value] }))}
              onChange={(value) => setSearch({ every: value })}
            />
            <ExportButton
              path="/data/v1/list-history"
              body={body}
              name="history"
              columns={[
                { header: "date", text: (item: Item) => item.date },
                ...currencies.map((currency) => ({
                  header: currency,
                  text: (item: Item) => item.totals.find((total) => total.currency === currency)?.balance,
                })),
                { header: "complete", text: (item: Item) => item.complete },
                { header: "portfolios", text: (item: Item) => item.coverage.portfolios },
                { header: "missing", text: (item: Item) => item.coverage.missing },
              ]}
            />
          </div>
        )}
      </div>
      <NoFigure of={of} problem={error} onRetry={() => void refetch()} />
      {isPending && !error && <Loading lines={6} />}
      {data && !error && (
        <>
          {refused[0] && <p className="notice">{words.daysWithoutRate(refused[0].from, refused[0].to)}</p>}
          {currencies.length === 0 ? (
            <p className="hint">{words.noHistory}</p>
          ) : (
            currencies.map((currency) => (
              <CourseChart key={currency} currency={currency} course={courseOf(data.items, currency)} />
            ))
          )}
          <Button aria-expanded={hasTable} onClick={() => setTable(!hasTable)}>
            {hasTable ? words.hideTable : words.asTable}
          </Button>
          {hasTable && <HistoryTable of={of} body={body} />}
        </>
      )}
    </section>
  );
}

/** Those that do not make more days than one answer has. */
function offeredIntervals(asked: Asked): readonly Interval[] {
  const days = daysIn(asked);
  return (Object.keys(intervals) as Interval[]).filter((interval) => days / intervals[interval] <= MAX_POINTS - 2);
}

function HistoryTable({ of, body }: { readonly of: WealthOf; readonly body: BodyOf<"/data/v1/list-history"> }) {
  const words = useWords(wealthWords);
  return (
    <List
      path="/data/v1/list-history"
      body={body}
      caption={words.history}
      keyOf={({ date }) => date}
      columns={[
        { id: "date", header: words.date, cell: ({ date }) => <Day at={date} /> },
        { id: "value", header: words.valueOf, cell: ({ totals }) => <Sums totals={totals} />, isNumeric: true },
        { id: "known", header: words.known, cell: (item) => <Known of={of} item={item} /> },
      ]}
      empty={{ title: words.nothing, text: words.nothingText }}
    />
  );
}

/** Whether a day's sum has all, else what it lacks. */
function Known({ of, item: { coverage, refused = [], complete } }: { readonly of: WealthOf; readonly item: Item }) {
  const words = useWords(wealthWords);
  const day = useDay();
  const portfolios = usePortfolios(of);
  if (complete) return words.whole;
  if (refused[0]) return words.withoutRate(refused[0].from, refused[0].to);
  const named = (coverage.details ?? []).filter(({ state }) => state === "missing").slice(0, 3);
  return (
    <>
      {words.lacks(coverage.missing)}
      {named.map(({ portfolio_id, since, reason }) => (
        <span key={`${portfolio_id}`} className="under quiet">
          {portfolio_id === null ? words.aConnection : (portfolios.get(portfolio_id)?.name ?? words.aPortfolio)} –{" "}
          {since === null ? words.missing[reason ?? "no_data"] : words.lastValued(day(since))}
        </span>
      ))}
    </>
  );
}
