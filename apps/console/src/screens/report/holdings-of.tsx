import { useWords } from "../../language/language.js";
import { listWords } from "../../listing/list-words.js";
import { Amount, Percent } from "../../parts/amount.js";
import { dataWords } from "../connections/data-words.js";
import { Share, useDay } from "../wealth/figures.js";
import { methodWords } from "./method-words.js";
import { Refusal } from "./reasons.js";
import type { ReportData, ReportOf } from "./report-data.js";
import { PrintedTable } from "./report-table.js";
import { reportWords } from "./report-words.js";

/** The facts of a row, which the endpoint passes on as the bank told them. */
type Told = Readonly<Record<string, unknown>>;

/** The holdings at the close, with what each cost and gained. */
export function HoldingsOf({ data, of }: { readonly data: ReportData; readonly of: ReportOf }) {
  const words = useWords(reportWords);
  const terms = useWords(dataWords);
  const listed = useWords(listWords);
  const method = useWords(methodWords);
  const day = useDay();
  const { holdings, gains, names } = data;
  const gainOf = new Map((gains.data?.items ?? []).map((item) => [`${item.portfolio_id} ${item.id}`, item]));
  const { items, total } = holdings.data ?? { items: [], total: 0 };
  const rows = items.map((item) => {
    const gained = gainOf.get(`${item.portfolio_id} ${item.id}`);
    return { ...item, gained, told: item as Told };
  });
  return (
    <section>
      <h3>{words.holdings}</h3>
      <Refusal problems={[holdings.error, gains.error]} title={method.refusedValue} data={data} />
      {holdings.data && total === 0 && <p>{words.noHoldings}</p>}
      {total > items.length && <p>{words.holdingsShown(items.length, total)}</p>}
      {rows.length > 0 && (
        <PrintedTable
          label={words.holdings}
          rows={rows}
          className="small"
          headingOf={({ portfolio_id, as_of }) => {
            const { bank, name, account } = names.get(portfolio_id) ?? {};
            const valued = as_of !== of.to && `${words.valueOf} ${day(as_of)}`;
            return [...new Set([bank, bank ? name : portfolio_id, account, valued])].filter(Boolean).join(" · ");
          }}
          columns={[
            { header: listed.name, cell: ({ told: { name } }) => text(name) },
            { header: terms.isin, cell: ({ told: { isin } }) => text(isin), isCode: true },
            {
              header: terms.units,
              cell: ({ told: { amount } }) => <Amount value={text(amount)} isAsked />,
              isNumeric: true,
            },
            { header: words.price, cell: ({ told }) => <Price of={told} />, isNumeric: true },
            {
              header: terms.balance,
              cell: ({ balance, currency }) => <Amount value={balance} currency={currency} isAsked />,
              isNumeric: true,
            },
            { header: terms.cost, cell: ({ gained }) => <Amount value={gained?.cost} isAsked />, isNumeric: true },
            {
              header: terms.gain,
              cell: ({ gained }) => <Amount value={gained?.gain} isAsked isSigned />,
              isNumeric: true,
            },
            {
              header: "%",
              cell: ({ gained }) => gained?.gain_share && <Share value={gained.gain_share} isSigned />,
              isNumeric: true,
            },
          ]}
        />
      )}
    </section>
  );
}

/** In percent of the nominal, or in its own currency, which may be another than that of the report. */
function Price({ of }: { readonly of: Told }) {
  const price = text(of.price);
  if (of.price_unit === "percent" && price !== null) return <Percent value={price} />;
  const currency = text(of.price_currency);
  return <Amount value={price} currency={currency === of.currency ? null : currency} isAsked />;
}

/** A fact that is a text. */
function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
