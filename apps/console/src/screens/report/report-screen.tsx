import { useAnswer } from "../../api/answers.js";
import { serverNow } from "../../api/server-time.js";
import { languageNames, languages, OwnLanguage, useLanguage, useWords } from "../../language/language.js";
import { clientOf } from "../../listing/client-name.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { CheckField, SelectField, TextField } from "../../parts/fields.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { dataWords } from "../connections/data-words.js";
import { useCurrencies } from "../wealth/use-figure.js";
import { isPeriod, type PeriodName, periodOf, periods } from "./period.js";
import { Report } from "./report.js";
import { type ReportOf, useReport } from "./report-data.js";
import { reportWords } from "./report-words.js";

/** For how many days a value may count. */
const staleDays = ["7", "31", "92", "400"] as const;

/** A report on one client, or on all of the person's tenant, to print. What it is about is in the address. */
export default function ReportScreen() {
  const words = useWords(reportWords);
  const page = useLanguage();
  const { search } = useAddress();
  const client_ref = search.ref || null;
  const found = useAnswer("/clients/v1/show", { client_ref: client_ref ?? "" }, { enabled: client_ref !== null });
  const today = new Date(serverNow()).toISOString().slice(0, "YYYY-MM-DD".length);
  const name = periods.find((one) => one === search.period) ?? "last_quarter";
  const period = name === "own" ? { from: search.from ?? "", to: search.to ?? "" } : periodOf(name, today);
  const language = languages.find((one) => one === search.language) ?? page;
  const stale = staleDays.find((days) => days === search.stale) ?? "7";
  const of: ReportOf = {
    client_ref,
    ...period,
    currency: /^[A-Z]{3}$/.test(search.currency ?? "") ? (search.currency ?? null) : null,
    stale_after: Number(stale),
    allow_gaps: search.gaps === "yes",
  };
  const isAsked = isPeriod(period, today);
  const data = useReport(of, isAsked);
  const client = found.data ? clientOf({ client_ref, client_name: found.data.name }) : client_ref;
  const isReady = isAsked && !data.isPending && data.problem === null;
  return (
    <Screen
      title={client === null ? words.title : `${words.title} · ${client}`}
      lead={words.lead}
      above={
        client_ref === null ? (
          <Link to="/holdings">{words.backToHoldings}</Link>
        ) : (
          <Link to="/client" search={{ ref: client_ref }}>
            {words.back}
          </Link>
        )
      }
      actions={
        <Button look="first" reason={isReady ? null : words.loading} onClick={() => window.print()}>
          {words.print}
        </Button>
      }
    >
      <Choice {...{ of, name, stale, language, isAsked, client_ref }} />
      <Problem problem={found.error ?? data.problem} title={words.failed} onRetry={retry} />
      {isAsked && data.isPending && <Loading lines={8} />}
      {isReady && (
        <OwnLanguage value={language}>
          <Report of={of} client={client} data={data} />
        </OwnLanguage>
      )}
    </Screen>
  );

  function retry(): void {
    if (found.isError) void found.refetch();
    data.retry();
  }
}

/** The fields above the report, which are not printed. */
function Choice({
  of,
  name,
  stale,
  language,
  isAsked,
  client_ref,
}: {
  readonly of: ReportOf;
  readonly name: PeriodName;
  readonly stale: (typeof staleDays)[number];
  readonly language: (typeof languages)[number];
  readonly isAsked: boolean;
  readonly client_ref: string | null;
}) {
  const words = useWords(reportWords);
  const terms = useWords(dataWords);
  const { setSearch } = useAddress();
  const currencies = useCurrencies(client_ref === null ? {} : { client_ref }, of.currency);
  const isOwn = name === "own";
  return (
    <search className="filters" aria-label={words.choice}>
      <SelectField
        label={words.period}
        value={name}
        options={periods.map((value) => ({ value, label: words.periods[value] }))}
        onChange={(period) =>
          setSearch(period === "own" ? { period, from: of.from, to: of.to } : { period, from: "", to: "" })
        }
      />
      {isOwn && (
        <>
          <TextField label={words.from} type="date" value={of.from} onChange={(from) => setSearch({ from })} />
          <TextField
            label={words.to}
            type="date"
            value={of.to}
            fault={isAsked ? null : words.wrongPeriod}
            onChange={(to) => setSearch({ to })}
          />
        </>
      )}
      <SelectField
        label={terms.currency}
        value={of.currency ?? ""}
        options={[{ value: "", label: words.eachItsOwn }, ...currencies.map((value) => ({ value, label: value }))]}
        onChange={(currency) => setSearch({ currency })}
      />
      <SelectField
        label={words.language}
        value={language}
        options={languages.map((value) => ({ value, label: languageNames[value] }))}
        onChange={(chosen) => setSearch({ language: chosen })}
      />
      <SelectField
        label={words.staleAfter}
        value={stale}
        options={staleDays.map((value) => ({ value, label: words.days(Number(value)) }))}
        onChange={(days) => setSearch({ stale: days })}
      />
      <CheckField
        label={words.allowGaps}
        hint={words.allowGapsHint}
        checked={of.allow_gaps}
        onChange={(checked) => setSearch({ gaps: checked ? "yes" : "" })}
      />
    </search>
  );
}
