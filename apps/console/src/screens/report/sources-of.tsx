import type { AnswerOf } from "../../api/paths.js";
import { labelled, localeOf, useLanguage, useWords } from "../../language/language.js";
import { ProviderName } from "../../listing/connector-field.js";
import { Amount, Unknown } from "../../parts/amount.js";
import { Day } from "../../parts/moment.js";
import { dataWords } from "../connections/data-words.js";
import { useDay } from "../wealth/figures.js";
import type { ReportData, ReportOf, Summary } from "./report-data.js";
import { PrintedTable } from "./report-table.js";
import { reportWords } from "./report-words.js";

interface Source {
  /** Null = a connection that has delivered none. */
  readonly id: string | null;
  readonly bank: string;
  readonly portfolio: string;
  readonly account: string | null;
  readonly delivered: string | null;
  /** The day of the value at the close; null = none, or not known. */
  readonly since: string | null;
  /** Null = not known. */
  readonly state: "valued" | "carried" | "missing" | null;
  readonly reason: NonNullable<Detail["reason"]> | null;
}
type Detail = NonNullable<Summary["coverage"]["details"]>[number];

/** Where the values at the close come from, of which days they are, and what is missing. */
export function SourcesOf({ data, of }: { readonly data: ReportData; readonly of: ReportOf }) {
  const words = useWords(reportWords);
  const terms = useWords(dataWords);
  const language = useLanguage();
  const day = useDay();
  const known = data.covered.data;
  const { portfolios = 0, missing = 0 } = coverageOf(data) ?? {};
  return (
    <section>
      <h3>{words.sources}</h3>
      {known && portfolios > 0 && <p>{missing === 0 ? words.complete(portfolios) : words.incomplete(missing)}</p>}
      {known?.duplicates && (
        <>
          <p>{words.duplicates}</p>
          <ul>
            {known.duplicates.map((ids) => (
              <li key={ids.join()}>{ids.map((id) => data.names.get(id)?.name ?? id).join(" = ")}</li>
            ))}
          </ul>
        </>
      )}
      <p>{words.trace}</p>
      <PrintedTable
        label={words.sources}
        rows={sourcesOf(data, of.to)}
        className="small"
        headingOf={({ bank, delivered }) =>
          delivered ? `${bank} · ${labelled(words.delivered, day(delivered.slice(0, 10)), language)}` : bank
        }
        columns={[
          { header: terms.portfolio, cell: ({ portfolio }) => portfolio || words.neverDelivered },
          { header: terms.account, cell: ({ account }) => account, isCode: true },
          { header: words.valueOf, cell: (source) => stateOf(source) },
          { header: terms.balance, cell: ({ id }) => <Stated of={data.origins.get(id ?? "")} />, isNumeric: true },
          { header: words.source, cell: ({ id }) => id && <Origin id={id} of={data.origins.get(id)} /> },
        ]}
      />
    </section>
  );

  function stateOf({ since, state, reason }: Source) {
    if (state === null) return <Unknown />;
    if (state !== "missing") return <Day at={since} />;
    const why = reason === null ? "" : words.missing[reason];
    return (
      <>
        {labelled(words.noValue, why, language)}
        {since && (
          <small>
            <Day at={since} />
          </small>
        )}
      </>
    );
  }
}

type Why = AnswerOf<"/data/v1/why">;

/** What a source states, if nothing else is in the portfolio's value. */
function Stated({ of }: { readonly of: Why | undefined }) {
  const { balance, currency = null } = of?.versions[0] ?? {};
  return of?.parts.length === 0 && <Amount value={balance} currency={currency} />;
}

/** The file and its line, or the provider and when it was read, above the id that leads to more. */
function Origin({ id, of }: { readonly id: string; readonly of: Why | undefined }) {
  const day = useDay();
  const source = of?.versions[0]?.source;
  return (
    <>
      {source?.kind === "file" && [source.name, source.part, source.place].filter(Boolean).join(", ")}
      {source?.kind === "provider" && (
        <>
          <ProviderName id={source.provider} />, {day(source.read_at)}
        </>
      )}
      <small className="id">{id}</small>
    </>
  );
}

/** The exchange rates that the values at the opening and the close are converted with. */
export function RatesOf({ data: { opening, closing } }: { readonly data: ReportData }) {
  const words = useWords(reportWords);
  const language = useLanguage();
  const currency = closing.data?.totals[0]?.currency ?? opening.data?.totals[0]?.currency ?? "";
  const rates = [opening.data, closing.data].flatMap((answer) => answer?.rates ?? []);
  const format = new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 20 });
  return (
    <section>
      <h3>{words.rates}</h3>
      {rates.length === 0 ? <p>{words.noRates}</p> : <p>{words.ratesNote}</p>}
      {rates.length > 0 && (
        <PrintedTable
          label={words.rates}
          className="short"
          rows={rates}
          columns={[
            { header: words.day, cell: ({ date }) => <Day at={date} /> },
            {
              header: words.rate,
              cell: ({ currency: from, rate }) =>
                `1 ${from} = ${format.format(rate as Intl.StringNumericLiteral)} ${currency}`,
            },
            { header: words.source, cell: ({ source }) => source },
          ]}
        />
      )}
    </section>
  );
}

/** A line for each portfolio, and for each connection that has delivered none. */
function sourcesOf(data: ReportData, date: string): readonly Source[] {
  const { holdings, portfolios, connections } = data;
  const coverage = coverageOf(data);
  const details = new Map((coverage?.details ?? []).map((detail) => [detail.portfolio_id, detail]));
  const dayOf = new Map((holdings.data?.items ?? []).map(({ portfolio_id, as_of }) => [portfolio_id, as_of]));
  const items = portfolios.data?.items ?? [];
  const listed = connections.data?.items ?? [];
  const delivered = new Map(listed.map(({ connection_id, last_update }) => [connection_id, last_update]));
  const withPortfolios = new Set(items.map(({ credentials_token }) => credentials_token));
  const silent = listed.filter(({ connection_id }) => !withPortfolios.has(connection_id));
  // Details name all that are not valued, if there are few enough of them.
  const isWhole =
    coverage !== undefined &&
    coverage.carried + coverage.missing === details.size + (details.has(null) ? silent.length - 1 : 0) &&
    coverage.portfolios === items.length + silent.length;
  return [
    ...items.map(({ id = "", name = "", bank = "", refAccount, credentials_token = "" }) => {
      const detail = details.get(id);
      const since = detail ? detail.since : (dayOf.get(id) ?? (isWhole ? date : null));
      return {
        ...{ id, bank, portfolio: name ?? "", account: refAccount ?? null, since, reason: detail?.reason ?? null },
        delivered: delivered.get(credentials_token) ?? null,
        state: detail?.state ?? (since === null ? null : since === date ? ("valued" as const) : ("carried" as const)),
      };
    }),
    ...silent.map(({ bank, last_update }) => ({
      ...{ id: null, bank, portfolio: "", account: null, delivered: last_update, since: null },
      ...{ state: "missing" as const, reason: "no_data" as const },
    })),
  ];
}

/** How much has a value at the close. */
function coverageOf({ covered }: ReportData): Summary["coverage"] | undefined {
  return covered.data?.items.at(-1)?.coverage;
}
