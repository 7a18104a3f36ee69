import type { ReactNode } from "react";
import { useWords } from "../../language/language.js";
import { Amount } from "../../parts/amount.js";
import { useDay } from "../wealth/figures.js";
import { wealthWords } from "../wealth/words.js";
import { methodWords } from "./method-words.js";
import { dayBefore } from "./period.js";
import { Reasons, Refusal } from "./reasons.js";
import type { Figure, Performance, ReportData, ReportOf, Summary } from "./report-data.js";
import { Money, Return } from "./report-table.js";
import { reportWords } from "./report-words.js";

/** What it was worth, what came and went, and what it earned. */
export function ValuesOf({ data, of }: { readonly data: ReportData; readonly of: ReportOf }) {
  const words = useWords(reportWords);
  const method = useWords(methodWords);
  const terms = useWords(wealthWords);
  const day = useDay();
  const { opening, closing, timeWeighted, moneyWeighted } = data;
  const performance = timeWeighted.data;
  const gaps = performance?.gaps ?? [];
  return (
    <section>
      <h3>{words.values}</h3>
      <div className="pair">
        <table className="values">
          <caption>{words.values}</caption>
          <tbody>
            {performance === undefined ? (
              <ValueAt date={dayBefore(of.from)} figure={opening} />
            ) : (
              <>
                <Line name={words.valueAt(day(performance.opening.date))} of={opening}>
                  <AmountOf of={performance} value={performance.opening.balance} />
                </Line>
                {performance.entries.map(({ portfolio_id, date, balance }) => (
                  <Line key={portfolio_id} name={words.entered(day(date))}>
                    <AmountOf of={performance} value={balance} />
                  </Line>
                ))}
                <Line name={words.moneyIn}>
                  <AmountOf of={performance} value={performance.flows.in} />
                </Line>
                <Line name={words.moneyOut}>
                  <AmountOf of={performance} value={performance.flows.out} />
                </Line>
                <Line name={words.gain}>
                  <AmountOf of={performance} value={performance.gain} isSigned />
                </Line>
              </>
            )}
            {performance === undefined ? (
              <ValueAt date={of.to} figure={closing} />
            ) : (
              <Line name={words.valueAt(day(performance.closing.date))} of={closing} isTotal>
                <AmountOf of={performance} value={performance.closing.balance} />
              </Line>
            )}
          </tbody>
        </table>
        <table className="values">
          <caption>{terms.performance}</caption>
          <tbody>
            <Line name={words.timeWeighted} isTotal>
              <ReturnOf value={performance?.return} />
            </Line>
            {performance && (
              <>
                <Line name={words.grossOfFees} isPart>
                  <ReturnOf value={performance.return_gross_of_fees} />
                </Line>
                <Line name={words.grossOfTaxes} isPart>
                  <ReturnOf value={performance.return_gross_of_fees_and_taxes} />
                </Line>
                {performance.annualised !== null && (
                  <Line name={words.annualised} isPart>
                    <ReturnOf value={performance.annualised} />
                  </Line>
                )}
              </>
            )}
            <Line name={words.moneyWeighted} isTotal>
              <ReturnOf value={moneyWeighted.data?.return} />
            </Line>
          </tbody>
        </table>
      </div>
      <Refusal problems={[opening.error, closing.error]} title={method.refusedValue} data={data} />
      <Refusal problems={[timeWeighted.error, moneyWeighted.error]} title={method.refused} data={data} />
      {gaps.length > 0 && <Reasons title={method.despite} missing={gaps} data={data} />}
    </section>
  );
}

/** A value at a close where no return is stated. */
function ValueAt({ date, figure: { data } }: { readonly date: string; readonly figure: Figure<Summary> }) {
  const words = useWords(reportWords);
  const day = useDay();
  return (
    <Line name={words.valueAt(day(date))} of={{ data }} isTotal>
      {data === undefined && words.notStated}
      {data?.totals.length === 0 && words.nothingThere}
      {data && <Money totals={data.totals} />}
    </Line>
  );
}

function AmountOf({
  of: { currency },
  value,
  isSigned = false,
}: {
  readonly of: Performance;
  readonly value: string;
  readonly isSigned?: boolean;
}) {
  return <Amount value={value} currency={currency} isSigned={isSigned} />;
}

/** A return; what is not stated is said. */
function ReturnOf({ value }: { readonly value: string | null | undefined }) {
  const words = useWords(reportWords);
  if (value === undefined) return words.notStated;
  return value === null ? words.notDefined : <Return value={value} />;
}

function Line({
  name,
  of,
  isTotal = false,
  isPart = false,
  children,
}: {
  readonly name: string;
  /** The sum; what it lacks is said beneath its name. */
  readonly of?: Pick<Figure<Summary>, "data">;
  readonly isTotal?: boolean;
  /** Belongs to the line above. */
  readonly isPart?: boolean;
  readonly children: ReactNode;
}) {
  const words = useWords(reportWords);
  const missing = of?.data?.coverage.missing ?? 0;
  return (
    <tr className={isTotal ? "total" : isPart ? "part" : undefined}>
      <th scope="row">
        {name}
        {missing > 0 && <small>{words.incomplete(missing)}</small>}
      </th>
      <td className="numeric">{children}</td>
    </tr>
  );
}
