import { useAnswer } from "../../api/answers.js";
import { labelled, localeOf, useLanguage, useWords } from "../../language/language.js";
import { ExportButton } from "../../listing/export-button.js";
import { List, type RowOf } from "../../listing/list.js";
import { useAddress } from "../../parts/address.js";
import { Amount } from "../../parts/amount.js";
import type { Column } from "../../parts/data-table.js";
import { Facts } from "../../parts/facts.js";
import { SelectField } from "../../parts/fields.js";
import { Loading } from "../../parts/loading.js";
import { dataWords } from "../connections/data-words.js";
import { percentOf } from "../connections/gain.js";
import { useAsked, type WealthOf } from "./asked.js";
import { ShareBar } from "./figures.js";
import { NoFigure } from "./refusal.js";
import { useFigure } from "./use-figure.js";
import { wealthWords } from "./words.js";

type Row = RowOf<"/data/v1/income">;
type Part = Row["totals"][number];
const divisions = ["month", "year", "security", "kind"] as const;

/** What was paid in the period: dividends, coupons and interest, or fees and taxes. */
export function IncomeSection({ of }: { readonly of: WealthOf }) {
  const words = useWords(wealthWords);
  const { search, setSearch } = useAddress();
  const { currency, from, to } = useAsked();
  const by = divisions.find((one) => one === search.earned) ?? "month";
  const isCosts = search.paid === "costs";
  const { body, data, error, isPending, refetch } = useFigure(
    "/data/v1/income",
    { ...of, currency },
    { from, to, by, page_size: 500, ...(isCosts && { kind: ["fee", "tax"] }) },
    { keepsPrevious: true },
  );
  const nameOf = useKeyName(of, by);
  const columns: readonly Column<Row>[] = [
    { id: "key", header: words.incomeBy[by], cell: ({ key }) => nameOf(key) },
    { id: "part", header: words.net, cell: ({ totals }) => totals.map(barOf) },
    {
      id: "income-taxes",
      header: words.taxes,
      cell: ({ totals }) => totals.map((part) => <Line key={part.currency} value={part.taxes} />),
      isNumeric: true,
      isWideOnly: true,
    },
    {
      id: "income-gross",
      header: words.gross,
      cell: ({ totals }) => totals.map((part) => <Line key={part.currency} value={part.gross} />),
      isNumeric: true,
      isWideOnly: true,
    },
    {
      id: "count",
      header: words.movements,
      cell: ({ totals }) => totals.reduce((sum, { count }) => sum + count, 0),
      isNumeric: true,
      isWideOnly: true,
    },
  ];
  return (
    <section aria-labelledby="wealth-income">
      <div className="section-head">
        <h2 id="wealth-income">{isCosts ? words.costs : words.income}</h2>
        {data && (
          <div className="actions">
            <SelectField
              label={words.movementsOf}
              value={isCosts ? "costs" : "income"}
              options={[
                { value: "income", label: words.income },
                { value: "costs", label: words.costs },
              ]}
              onChange={(value) => setSearch({ paid: value === "costs" ? value : "" })}
            />
            <SelectField
              label={words.dividedBy}
              value={by}
              options={divisions.map((value) => ({ value, label: words.incomeBy[value] }))}
              onChange={(value) => setSearch({ earned: value === "month" ? "" : value })}
            />
            <ExportButton
              path="/data/v1/income"
              body={body}
              name="income"
              columns={[
                { header: by, text: ({ key }: Row) => key },
                ...data.totals.flatMap((total) =>
                  (["net", "taxes", "gross", "count"] as const).map((field) => ({
                    header: `${field}_${total.currency}`,
                    text: ({ totals }: Row) => totals.find((one) => one.currency === total.currency)?.[field],
                  })),
                ),
              ]}
            />
          </div>
        )}
      </div>
      <NoFigure of={of} problem={error} onRetry={() => void refetch()} />
      {isPending && !error && <Loading lines={4} />}
      {data && !error && (
        <>
          {data.totals.length > 0 && (
            <Facts
              facts={[
                [
                  words.net,
                  data.totals.map((total) => (
                    <div key={total.currency}>
                      <Amount value={total.net} currency={total.currency} />
                    </div>
                  )),
                ],
              ]}
            />
          )}
          {data.unvalued > 0 && <p className="hint">{words.unvalued(data.unvalued)}</p>}
          <List
            path="/data/v1/income"
            body={body}
            caption={labelled(isCosts ? words.costs : words.income, words.incomeBy[by])}
            columns={columns}
            keyOf={({ key }) => JSON.stringify(key)}
            empty={{ title: words.noIncome, text: words.noIncomeText }}
          />
        </>
      )}
    </section>
  );

  /** A bar as long as the amount is beside the largest of its currency. */
  function barOf(part: Part) {
    const sizes = (data?.items ?? []).flatMap(({ totals }) =>
      totals.filter((one) => one.currency === part.currency).map(({ net }) => Math.abs(Number(net))),
    );
    const largest = String(Math.max(...sizes, 0));
    const percent = /^\d+(\.\d+)?$/.test(largest) ? percentOf(part.net.replace("-", ""), largest, 1) : null;
    return (
      <ShareBar key={part.currency} percent={percent}>
        <Amount value={part.net} currency={part.currency} />
      </ShareBar>
    );
  }
}

function Line({ value }: { readonly value: string | null }) {
  return (
    <div>
      <Amount value={value} isAsked />
    </div>
  );
}

function useKeyName(of: WealthOf, by: (typeof divisions)[number]): (key: string | null) => string {
  const words = useWords(wealthWords);
  const { kinds } = useWords(dataWords);
  const language = useLanguage();
  const holdings =
    useAnswer(
      "/data/v1/list-investments",
      { ...of, fields: ["id", "name", "isin"], page_size: 500 },
      { enabled: by === "security" },
    ).data?.items ?? [];
  return (key) => {
    if (key === null) return words.unknown;
    if (by === "kind") return (kinds as Readonly<Record<string, string>>)[key] ?? key;
    if (by === "security") return holdings.find(({ id, isin }) => isin === key || id === key)?.name ?? key;
    if (by === "year") return key;
    const format = new Intl.DateTimeFormat(localeOf(language), { month: "long", year: "numeric", timeZone: "UTC" });
    return format.format(new Date(`${key}-01`));
  };
}
