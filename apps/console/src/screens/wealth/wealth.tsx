import "./wealth.css";
import { useWords } from "../../language/language.js";
import { TypedFilter } from "../../listing/filter-bar.js";
import { useAddress } from "../../parts/address.js";
import { SelectField } from "../../parts/fields.js";
import { periods, useAsked, type WealthOf } from "./asked.js";
import { GainsSection } from "./gains-section.js";
import { HistorySection } from "./history-section.js";
import { IncomeSection } from "./income-section.js";
import { PerformanceSection } from "./performance-section.js";
import { useCurrencies } from "./use-figure.js";
import { ValueSection } from "./value-section.js";
import { wealthWords } from "./words.js";

/** Value, division, course, return, income and gains of a client, or of all of the tenant. */
export function Wealth({ of }: { readonly of: WealthOf }) {
  return (
    <>
      <Choices of={of} />
      <ValueSection of={of} />
      <HistorySection of={of} />
      <PerformanceSection of={of} />
      <IncomeSection of={of} />
      <GainsSection of={of} />
    </>
  );
}

function Choices({ of }: { readonly of: WealthOf }) {
  const words = useWords(wealthWords);
  const { setSearch } = useAddress();
  const { currency, period, from, to } = useAsked();
  const currencies = useCurrencies(of, currency);
  return (
    <search className="filters" aria-label={words.asked}>
      <SelectField
        label={words.inCurrency}
        value={currency ?? ""}
        options={[{ value: "", label: words.ownCurrencies }, ...currencies.map((value) => ({ value, label: value }))]}
        onChange={(value) => setSearch({ in: value })}
      />
      <SelectField
        label={words.period}
        value={period}
        options={periods.map((value) => ({ value, label: words.periods[value] }))}
        onChange={(value) =>
          setSearch({ period: value, from: value === "own" ? from : "", to: value === "own" ? to : "" })
        }
      />
      {period === "own" && (
        <>
          <TypedFilter kind="date" label={words.from} value={from} onChange={(day) => setSearch({ from: day })} />
          <TypedFilter kind="date" label={words.to} value={to} onChange={(day) => setSearch({ to: day })} />
        </>
      )}
    </search>
  );
}
