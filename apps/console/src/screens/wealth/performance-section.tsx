import { faultOf } from "../../api/api-problem.js";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Amount } from "../../parts/amount.js";
import { Facts } from "../../parts/facts.js";
import { CheckField, SelectField } from "../../parts/fields.js";
import { Loading } from "../../parts/loading.js";
import { useAsked, type WealthOf } from "./asked.js";
import { Share, useDay } from "./figures.js";
import { NoFigure, Reasons } from "./refusal.js";
import { useFigure } from "./use-figure.js";
import { wealthWords } from "./words.js";

const methods = ["twr", "mwr"] as const;

/** What was earned in the period, or why nobody can say. */
export function PerformanceSection({ of }: { readonly of: WealthOf }) {
  const words = useWords(wealthWords);
  const { search, setSearch } = useAddress();
  const { currency, from, to } = useAsked();
  const method = methods.find((one) => one === search.method) ?? "twr";
  const allow_gaps = search.gaps === "allowed";
  const asked = { from, to, method, allow_gaps };
  const { data, error, isPending, refetch } = useFigure("/data/v1/performance", { ...of, currency }, asked);
  const lacksCurrency = currency === null && faultOf(error, "currency") !== null;
  return (
    <section aria-labelledby="wealth-performance">
      <div className="section-head">
        <h2 id="wealth-performance">{words.performance}</h2>
        <div className="actions">
          <SelectField
            label={words.method}
            value={method}
            options={methods.map((value) => ({ value, label: words.methods[value] }))}
            onChange={(value) => setSearch({ method: value === "twr" ? "" : value })}
          />
        </div>
      </div>
      {lacksCurrency ? (
        <p className="hint">{words.needsCurrency}</p>
      ) : (
        <>
          <NoFigure of={of} problem={error} onRetry={() => void refetch()} />
          {(allow_gaps || (error?.missing.length ?? 0) > 0) && (
            <CheckField
              label={words.allowGaps}
              hint={words.allowGapsHint}
              checked={allow_gaps}
              onChange={(isAllowed) => setSearch({ gaps: isAllowed ? "allowed" : "" })}
            />
          )}
        </>
      )}
      {isPending && !error && <Loading lines={4} />}
      {data && !error && <Performance of={of} answer={data} />}
    </section>
  );
}

function Performance({ of, answer }: { readonly of: WealthOf; readonly answer: AnswerOf<"/data/v1/performance"> }) {
  const words = useWords(wealthWords);
  const day = useDay();
  const { currency, opening, closing, flows, gain, gaps, estimated, entries } = answer;
  const money = (value: string, isSigned = false) => <Amount value={value} currency={currency} isSigned={isSigned} />;
  const entered = entries.length;
  return (
    <>
      <Facts
        facts={[
          [words.return, <Share key="return" value={answer.return} isSigned />],
          [words.annualised, answer.annualised && <Share key="year" value={answer.annualised} isSigned />],
          [
            words.grossOfFees,
            answer.return_gross_of_fees && <Share key="gross" value={answer.return_gross_of_fees} isSigned />,
          ],
          [
            words.grossOfTaxes,
            answer.return_gross_of_fees_and_taxes && (
              <Share key="taxes" value={answer.return_gross_of_fees_and_taxes} isSigned />
            ),
          ],
          [words.gain, money(gain, true)],
          [words.closeOf(day(opening.date)), money(opening.balance)],
          [words.closeOf(day(closing.date)), money(closing.balance)],
          [words.flowsIn, money(flows.in)],
          [words.flowsOut, money(flows.out)],
        ]}
      />
      <p className="hint">
        {words.methodTexts[answer.method]} {words.notGips} {entered > 0 && words.entered(entered)}{" "}
        {estimated.length > 0 && words.estimated(estimated.length)}{" "}
        {estimated.some(({ large }) => large) && words.estimatedLarge}
      </p>
      {gaps.length > 0 && (
        <div className="notice">
          <p>{words.withGaps}</p>
          <Reasons of={of} reasons={gaps} />
        </div>
      )}
    </>
  );
}
