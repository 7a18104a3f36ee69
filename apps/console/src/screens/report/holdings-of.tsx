import { useWords } from "../../language/language.js";
import { Amount, Percent } from "../../parts/amount.js";
import { Day } from "../../parts/moment.js";
import { dataWords } from "../connections/data-words.js";
import { methodWords } from "./method-words.js";
import { Refusal } from "./reasons.js";
import type { ReportData, ReportOf } from "./report-data.js";
import { PrintedTable, Return } from "./report-table.js";
import { reportWords } from "./report-words.js";

/** The facts of a row, which the endpoint passes on as the bank told them. */
type Told = Readonly<Record<string, unknown>>;

/** The holdings at the close, with what each cost and gained. */
export function HoldingsOf({ data, of }: { readonly data: ReportData; readonly of: ReportOf }) {
  const words = useWords(reportWords);
  const terms = useWords(dataWords);
  const method = useWords(methodWords);
  const { holdings, gains } = data;
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
          columns={[
            {
              header: terms.nameOrIsin,
              cell: ({ told: { name, isin }, as_of }) => (
                <>
                  {text(name)}
                  {isin ? <small>{text(isin)}</small> : null}
                  {as_of !== of.to && (
                    <small>
                      {words.valueOf} <Day at={as_of} />
                    </small>
                  )}
                </>
              ),
            },
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
              cell: ({ gained }) => (
                <>
                  <Amount value={gained?.gain} isAsked isSigned />
                  {gained?.gain_share && (
                    <small>
                      <Return value={gained.gain_share} />
                    </small>
                  )}
                </>
              ),
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
