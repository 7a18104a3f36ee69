import "./report.css";
import { useEffect } from "react";
import { serverNow } from "../../api/server-time.js";
import { useLanguage, useWords } from "../../language/language.js";
import { Day } from "../../parts/moment.js";
import { dataWords } from "../connections/data-words.js";
import { useDay } from "../wealth/figures.js";
import { Allocations } from "./allocations.js";
import { HoldingsOf } from "./holdings-of.js";
import { IncomeOf } from "./income-of.js";
import { methodWords } from "./method-words.js";
import type { ReportData, ReportOf } from "./report-data.js";
import { reportWords } from "./report-words.js";
import { RatesOf, SourcesOf } from "./sources-of.js";
import { ValuesOf } from "./values-of.js";

/** The report as it is printed. What the server refuses is said in place of the figure. */
export function Report({
  of,
  client,
  data,
}: {
  readonly of: ReportOf;
  /** The client's name; null = all clients. */
  readonly client: string | null;
  readonly data: ReportData;
}) {
  const words = useWords(reportWords);
  const terms = useWords(dataWords);
  const language = useLanguage();
  const day = useDay();
  const { logo, name } = data.profile.data ?? { logo: null, name: "" };
  const period = words.range(day(of.from), day(of.to));
  useRunningHead([name, client ?? words.allClients, period].join(" · "));
  return (
    <div className="report" lang={language}>
      <div className="letterhead">
        {logo && <img src={logo.path} alt="" width={logo.width} height={logo.height} />}
        <p>{name}</p>
      </div>
      <h2 className="report-name">{words.name}</h2>
      <dl className="report-facts">
        <div>
          <dt>{terms.client}</dt>
          <dd>
            {client ?? words.allClients}
            {client !== of.client_ref && <small>{of.client_ref}</small>}
          </dd>
        </div>
        <div>
          <dt>{words.period}</dt>
          <dd>{period}</dd>
        </div>
        <div>
          <dt>{terms.currency}</dt>
          <dd>{of.currency ?? words.eachItsOwn}</dd>
        </div>
        <div>
          <dt>{words.prepared}</dt>
          <dd>
            <Day at={new Date(serverNow()).toISOString().slice(0, "YYYY-MM-DD".length)} />
          </dd>
        </div>
      </dl>
      <ValuesOf data={data} of={of} />
      <Allocations data={data} />
      <HoldingsOf data={data} of={of} />
      <IncomeOf data={data} of={of} />
      <SourcesOf data={data} of={of} />
      <RatesOf data={data} />
      <Method of={of} data={data} />
    </div>
  );
}

/** What stands at the head of every page but the first. Margins of pages take it from the root's style. */
function useRunningHead(text: string): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--report-head", JSON.stringify(text));
    return () => void style.removeProperty("--report-head");
  }, [text]);
}

/** How the figures are reckoned. */
function Method({ of, data: { timeWeighted } }: { readonly of: ReportOf; readonly data: ReportData }) {
  const words = useWords(reportWords);
  const { method } = useWords(methodWords);
  const { rules = null, estimated } = timeWeighted.data ?? {};
  return (
    <section className="method">
      <h3>{words.method}</h3>
      {method({ days: words.days(of.stale_after), rules, estimated: estimated?.length ?? null }).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </section>
  );
}
