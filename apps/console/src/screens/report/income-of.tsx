import type { AnswerOf } from "../../api/paths.js";
import { localeOf, useLanguage, useWords } from "../../language/language.js";
import { Amount } from "../../parts/amount.js";
import { dataWords } from "../connections/data-words.js";
import { methodWords } from "./method-words.js";
import { isLong } from "./period.js";
import { Refusal } from "./reasons.js";
import type { ReportData, ReportOf } from "./report-data.js";
import { PrintedTable } from "./report-table.js";
import { reportWords } from "./report-words.js";

type Income = AnswerOf<"/data/v1/income">;
type IncomeTotal = Income["totals"][number];

/** What was received in the period, and the fees and taxes that were charged separately. */
export function IncomeOf({ data, of }: { readonly data: ReportData; readonly of: ReportOf }) {
  const words = useWords(reportWords);
  const terms = useWords(dataWords);
  const method = useWords(methodWords);
  const language = useLanguage();
  const { income, costs } = data;
  const month = new Intl.DateTimeFormat(localeOf(language), { month: "long", year: "numeric", timeZone: "UTC" });
  const kinds: Readonly<Record<string, string>> = terms.kinds;
  return (
    <>
      <section>
        <h3>{words.income}</h3>
        <Refusal problems={[income.error]} title={method.refusedValue} data={data} />
        {income.data?.items.length === 0 && <p>{words.noIncome}</p>}
        {income.data && income.data.items.length > 0 && (
          <IncomeTable
            answer={income.data}
            label={words.income}
            by={isLong(of) ? words.year : words.month}
            nameOf={(key) => (key.length > 4 ? month.format(new Date(key)) : key)}
          />
        )}
        <Unvalued of={income.data} />
      </section>
      <section>
        <h3>{words.costs}</h3>
        <Refusal problems={[costs.error]} title={method.refusedValue} data={data} />
        {costs.data?.items.length === 0 && <p>{words.noCosts}</p>}
        {costs.data && costs.data.items.length > 0 && (
          <PrintedTable
            label={words.costs}
            className="short"
            rows={linesOf(costs.data)}
            columns={[
              { header: terms.type, cell: ({ key }) => (key === null ? terms.total : (kinds[key] ?? key)) },
              { header: words.payments, cell: ({ count }) => count, isNumeric: true },
              {
                header: terms.total,
                cell: ({ net, currency }) => <Amount value={net} currency={currency} />,
                isNumeric: true,
              },
            ]}
          />
        )}
        <Unvalued of={costs.data} />
      </section>
    </>
  );
}

function IncomeTable({
  answer,
  label,
  by,
  nameOf,
}: {
  readonly answer: Income;
  readonly label: string;
  readonly by: string;
  readonly nameOf: (key: string) => string;
}) {
  const words = useWords(reportWords);
  const terms = useWords(dataWords);
  return (
    <PrintedTable
      label={label}
      rows={linesOf(answer)}
      columns={[
        { header: by, cell: ({ key }) => (key === null ? terms.total : nameOf(key)) },
        { header: words.payments, cell: ({ count }) => count, isNumeric: true },
        { header: words.gross, cell: ({ gross }) => <Amount value={gross} isAsked />, isNumeric: true },
        { header: terms.taxes, cell: ({ taxes }) => <Amount value={taxes} isAsked />, isNumeric: true },
        {
          header: words.net,
          cell: ({ net, currency }) => <Amount value={net} currency={currency} />,
          isNumeric: true,
        },
      ]}
    />
  );
}

function Unvalued({ of }: { readonly of: Income | undefined }) {
  const words = useWords(reportWords);
  return of !== undefined && of.unvalued > 0 && <p>{words.unvalued(of.unvalued)}</p>;
}

/** A line for each part and currency, and at the end those of the whole, without a key. */
function linesOf({ items, totals }: Income): readonly (IncomeTotal & { readonly key: string | null })[] {
  return [
    ...items.flatMap(({ key, totals: parts }) => parts.map((part) => ({ ...part, key }))),
    ...totals.map((total) => ({ ...total, key: null })),
  ];
}
