import { labelled, useWords } from "../../language/language.js";
import { ExportButton } from "../../listing/export-button.js";
import { useSort } from "../../listing/filter-bar.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { withSorts } from "../../listing/sorted.js";
import { Amount } from "../../parts/amount.js";
import type { Column } from "../../parts/data-table.js";
import { Facts } from "../../parts/facts.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { dataWords } from "../connections/data-words.js";
import { Why, WhyLink } from "../connections/why.js";
import { useAsked, type WealthOf } from "./asked.js";
import { Share, useDay } from "./figures.js";
import { usePortfolios } from "./names.js";
import { NoFigure } from "./refusal.js";
import { useFigure } from "./use-figure.js";
import { wealthWords } from "./words.js";

type Row = RowOf<"/data/v1/gains">;
const exported = [
  ...(["id", "portfolio_id", "name", "isin", "currency", "balance", "cost", "gain", "gain_share"] as const),
] as const;

/** The securities of the period's last day with what they cost and gained. */
export function GainsSection({ of }: { readonly of: WealthOf }) {
  const words = useWords(wealthWords);
  const terms = useWords(dataWords);
  const { name } = useWords(listWords);
  const day = useDay();
  const { currency, to } = useAsked();
  const portfolios = usePortfolios(of);
  const { body, data, error, isPending, refetch } = useFigure(
    "/data/v1/gains",
    { ...of, currency },
    { date: to, page_size: 500 },
    { keepsPrevious: true },
  );
  const columns: readonly Column<Row>[] = [
    { id: "holding", header: name, cell: nameOf, by: (row) => row.name },
    {
      id: "worth",
      header: words.valueOf,
      cell: ({ id, balance, currency: own }) => (
        <WhyLink id={id}>
          <Amount value={balance} currency={own} isAsked />
        </WhyLink>
      ),
      isNumeric: true,
      byMost: ({ balance }) => balance && Number(balance),
    },
    {
      id: "cost",
      header: terms.cost,
      cell: ({ cost }) => <Amount value={cost} isAsked />,
      isNumeric: true,
      isWideOnly: true,
    },
    {
      id: "gained",
      header: terms.gain,
      cell: ({ gain }) => <Amount value={gain} isSigned isAsked />,
      isNumeric: true,
      byMost: ({ gain }) => gain && Number(gain),
    },
    {
      id: "gained-share",
      header: words.gainShare,
      cell: ({ gain_share }) => <Share value={gain_share} isSigned />,
      isNumeric: true,
      isWideOnly: true,
      byMost: ({ gain_share }) => gain_share && Number(gain_share),
    },
  ];
  const sort = useSort(withSorts(columns), "-worth");
  return (
    <section aria-labelledby="wealth-gains">
      <div className="section-head">
        <h2 id="wealth-gains">{labelled(words.gains, day(to))}</h2>
        {data && (
          <div className="actions">
            <ExportButton
              path="/data/v1/gains"
              body={body}
              name="gains"
              columns={exported.map((header) => ({ header, text: (row: Row) => row[header] }))}
            />
          </div>
        )}
      </div>
      <NoFigure of={of} problem={error} onRetry={() => void refetch()} />
      {isPending && !error && <Loading lines={6} />}
      {data && !error && (
        <>
          <Facts
            facts={data.totals.map((total) => [
              labelled(words.unrealised, total.currency),
              <div key={total.currency}>
                <Amount value={total.gain} currency={total.currency} isSigned />{" "}
                <span className="quiet">
                  · {words.ofCost} <Amount value={total.cost} currency={total.currency} />
                  {total.holdings_without_cost > 0 && <> · {words.withoutCost(total.holdings_without_cost)}</>}
                </span>
              </div>,
            ])}
          />
          <List
            path="/data/v1/gains"
            body={body}
            caption={words.gains}
            columns={columns}
            sort={sort}
            keyOf={({ id }) => id}
            empty={{ title: words.nothing, text: words.nothingText }}
          />
          <Why date={to} shownIn={currency} />
        </>
      )}
    </section>
  );

  function nameOf({ name: own, isin, portfolio_id }: Row) {
    const portfolio = portfolios.get(portfolio_id);
    return (
      <>
        {portfolio && (
          <span className="over">
            <Link
              to={`/connections/${portfolio.connection_id}`}
              search={{ tab: "transactions", portfolio: portfolio_id }}
            >
              {`${portfolio.bank} · ${portfolio.name}`}
            </Link>
          </span>
        )}
        {own}
        {isin && <code className="isin under">{isin}</code>}
      </>
    );
  }
}
