import { useAnswer } from "../../api/answers.js";
import { serverNow } from "../../api/server-time.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { FilterBar, useFilters } from "../../listing/filter-bar.js";
import { List, type RowOf } from "../../listing/list.js";
import { Amount } from "../../parts/amount.js";
import { Badge } from "../../parts/badge.js";
import { Link } from "../../parts/link.js";
import { Day } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { ImportRates } from "./import-rates.js";
import { ratesWords } from "./words.js";

type RateDay = RowOf<"/operator/v1/rates/list-days">;

const DAY_MS = 86_400_000;
/** How many days a rate is good for, its own day included. */
const GOOD_DAYS = 8;

/** Exchange rates: the days that have some, those of one day, and the import of a file. */
export default function RatesScreen() {
  const words = useWords(ratesWords);
  const { may } = usePerson();
  const filters = [{ kind: "date" as const, name: "date", label: words.day }];
  const { values } = useFilters(filters);
  return (
    <Screen title={words.title} lead={words.lead}>
      <Outdated />
      {may("administer") && <ImportRates />}
      <section>
        <FilterBar filters={filters} />
        {values.date === undefined ? <Days /> : <RatesOfDay date={values.date} />}
      </section>
    </Screen>
  );
}

/** Says that today's figures lack a rate. */
function Outdated() {
  const words = useWords(ratesWords);
  const { data } = useAnswer("/operator/v1/rates/list-days", {});
  const latest = data?.items[0]?.date;
  if (latest === undefined || serverNow() - Date.parse(latest) < GOOD_DAYS * DAY_MS) return null;
  return (
    <section className="notice" aria-label={words.outdated}>
      <h2>{words.outdated}</h2>
      <p>{words.outdatedText}</p>
    </section>
  );
}

function Days() {
  const words = useWords(ratesWords);
  return (
    <List
      path="/operator/v1/rates/list-days"
      body={{}}
      caption={words.days}
      keyOf={({ date }) => date}
      columns={[
        {
          id: "day",
          header: words.day,
          cell: ({ date }) => (
            <Link to="/rates" search={{ date }}>
              <Day at={date} />
            </Link>
          ),
        },
        {
          id: "sources",
          header: words.sources,
          cell: ({ sources }) =>
            sources.map(({ source, rates }, index) => (
              <span key={source}>
                {index > 0 && ", "}
                {source} <span className="quiet">({words.ofSource(rates)})</span>
              </span>
            )),
        },
        {
          id: "missing",
          header: words.missing,
          cell: (day) => {
            const missing = daysWithout(day);
            return missing > 0 && <Badge tone="warn">{words.daysMissing(missing)}</Badge>;
          },
        },
      ]}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}

/** How many days before this one have no rate that figures may use. */
function daysWithout({ date, previous_date }: RateDay): number {
  if (previous_date === null) return 0;
  return Math.max(0, (Date.parse(date) - Date.parse(previous_date)) / DAY_MS - GOOD_DAYS);
}

function RatesOfDay({ date }: { readonly date: string }) {
  const words = useWords(ratesWords);
  return (
    <List
      path="/operator/v1/rates/list"
      body={{ date, page_size: 100 }}
      caption={words.ratesOf}
      keyOf={({ base, quote }) => `${base} ${quote}`}
      columns={[
        {
          id: "pair",
          by: ({ base, quote }) => `${base}/${quote}`,
          header: words.pair,
          cell: ({ base, quote }) => `${base}/${quote}`,
        },
        { id: "rate", header: words.rate, cell: ({ rate }) => <Amount value={rate} />, isNumeric: true },
        { id: "source", by: ({ source }) => source, header: words.source, cell: ({ source }) => source },
      ]}
      empty={{ title: words.emptyDay, text: words.emptyText }}
    />
  );
}
