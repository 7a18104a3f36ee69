import { useAnswer } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { labelled, useWords } from "../../language/language.js";
import { clientOf } from "../../listing/client-name.js";
import { ConnectorName } from "../../listing/connector-field.js";
import { ExportButton } from "../../listing/export-button.js";
import { useSort } from "../../listing/filter-bar.js";
import { List, type RowOf } from "../../listing/list.js";
import { withSorts } from "../../listing/sorted.js";
import { useAddress } from "../../parts/address.js";
import { Percent } from "../../parts/amount.js";
import type { Column } from "../../parts/data-table.js";
import { Facts } from "../../parts/facts.js";
import { SelectField } from "../../parts/fields.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { percentOf } from "../connections/gain.js";
import { useTypeNames } from "../connections/type-names.js";
import { useAsked, type WealthOf } from "./asked.js";
import { Coverage } from "./coverage.js";
import { fractionInPercent, largestOf, Rates, ShareBar, Sums, useDay } from "./figures.js";
import { NoFigure } from "./refusal.js";
import { useFigure } from "./use-figure.js";
import { wealthWords } from "./words.js";

type Summary = AnswerOf<"/data/v1/summary">;
type Part = RowOf<"/data/v1/summary">;
const divisions = ["type", "currency", "bank", "client", "security"] as const;
type Division = (typeof divisions)[number];

/** What there is today, what of it is not known, and how it is divided. */
export function ValueSection({ of }: { readonly of: WealthOf }) {
  const words = useWords(wealthWords);
  const { search, setSearch } = useAddress();
  const { currency, to } = useAsked();
  const day = useDay();
  const offered = divisions.filter((by) => by !== "client" || of.client_ref === undefined);
  const by = offered.find((one) => one === search.split) ?? "type";
  const { body, data, error, isPending, refetch } = useFigure(
    "/data/v1/summary",
    { ...of, currency },
    { by, date: to, page_size: 500 },
    { keepsPrevious: true },
  );
  return (
    <section aria-labelledby="wealth-value">
      <div className="section-head">
        <h2 id="wealth-value">{labelled(words.value, day(to))}</h2>
        {data && (
          <div className="actions">
            <SelectField
              label={words.dividedBy}
              value={by}
              options={offered.map((value) => ({ value, label: words.divisions[value] }))}
              onChange={(value) => setSearch({ split: value === "type" ? "" : value })}
            />
            <ExportButton
              path="/data/v1/summary"
              body={body}
              name="allocation"
              columns={[
                { header: by, text: (part: Part) => part.key },
                ...data.totals.map((total) => ({
                  header: total.currency,
                  text: (part: Part) => part.totals.find((one) => one.currency === total.currency)?.balance,
                })),
                { header: "share", text: (part: Part) => part.share },
              ]}
            />
          </div>
        )}
      </div>
      <NoFigure of={of} problem={error} onRetry={() => void refetch()} />
      {isPending && !error && <Loading lines={4} />}
      {data && !error && (
        <>
          <Facts facts={[[words.total, <Total key="total" of={of} totals={data.totals} />]]} />
          <Coverage of={of} answer={data} />
          <Rates rates={data.rates} currency={currency} />
          <Parts of={of} by={data.items.length > 0 ? by : "type"} body={body} totals={data.totals} />
        </>
      )}
    </section>
  );
}

/** Of today, the sums lead to the portfolios that they are of: lists show these as they are now. */
function Total({ of: { client_ref }, totals }: { readonly of: WealthOf; readonly totals: Summary["totals"] }) {
  const { to, today } = useAsked();
  const sums = <Sums totals={totals} />;
  if (to !== today || totals.length === 0) return sums;
  const tab = "portfolios";
  return client_ref === undefined ? (
    <Link to="/holdings" search={{ tab }}>
      {sums}
    </Link>
  ) : (
    <Link to="/client" search={{ ref: client_ref, tab }}>
      {sums}
    </Link>
  );
}

function Parts({
  of,
  by,
  body,
  totals,
}: {
  readonly of: WealthOf;
  readonly by: Division;
  readonly body: object;
  readonly totals: Summary["totals"];
}) {
  const words = useWords(wealthWords);
  const nameOf = usePartName(of, by);
  const columns: readonly Column<Part>[] = [
    { id: "part", header: words.divisions[by], cell: nameOf },
    { id: "part-share", header: words.share, cell: sharesOf },
    {
      id: "part-value",
      header: words.valueOf,
      cell: (part) => <Sums totals={part.totals} />,
      isNumeric: true,
      byMost: largestOf,
    },
  ];
  const sort = useSort(withSorts(columns), "-part-value");
  return (
    <List
      path="/data/v1/summary"
      body={body as never}
      caption={labelled(words.dividedBy, words.divisions[by])}
      columns={columns}
      sort={sort}
      keyOf={({ key }) => JSON.stringify(key)}
      empty={{ title: words.nothing, text: words.nothingText }}
    />
  );

  /** The server tells shares of one currency; of several each has its own. */
  function sharesOf({ share, totals: own }: Part) {
    const shares =
      share === null
        ? own.map(({ currency, balance }) => {
            const whole = totals.find((total) => total.currency === currency)?.balance;
            return whole === undefined ? null : percentOf(balance, whole, 2);
          })
        : [fractionInPercent(share)];
    return shares.map((percent, index) => (
      <ShareBar key={own[index]?.currency ?? ""} percent={percent}>
        <Percent value={percent} />
      </ShareBar>
    ));
  }
}

function usePartName(of: WealthOf, by: Division) {
  const words = useWords(wealthWords);
  const types = useTypeNames();
  const clients = useAnswer("/clients/v1/list", { page_size: 500 }, { enabled: by === "client" }).data?.items ?? [];
  const { to } = useAsked();
  const isBySecurity = by === "security";
  const { data } = useFigure(
    "/data/v1/holdings-at",
    { ...of, currency: null },
    { date: to, page_size: 500 },
    { enabled: isBySecurity },
  );
  return ({ key }: Part) => {
    if (key === null) return by === "client" ? words.nobody : words.unknown;
    if (key === "unallocated") return words.unallocated;
    if (by === "type") return types[key] ?? key;
    if (by === "bank") return <ConnectorName id={key} />;
    if (by === "client")
      return (
        <Link to="/client" search={{ ref: key, tab: "wealth" }}>
          {clientOf({ client_ref: key, client_name: clients.find((one) => one.client_ref === key)?.name ?? null })}
        </Link>
      );
    if (by === "currency") return key;
    const holding = data?.items.find(({ id, isin }) => isin === key || id === key);
    return (
      <>
        {String(holding?.name ?? key)}
        {holding?.isin === key && <code className="isin under">{key}</code>}
      </>
    );
  };
}
