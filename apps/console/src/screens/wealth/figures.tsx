import "../connections/data.css";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/paths.js";
import { useLanguage, useWords } from "../../language/language.js";
import { Amount, Percent, Unknown } from "../../parts/amount.js";
import { dayFormat } from "../../parts/moment.js";
import { percentOf } from "../connections/gain.js";
import { wealthWords } from "./words.js";

export interface Sum {
  readonly currency: string;
  readonly balance: string;
}

/** A sum of each currency, one beneath the other. */
export function Sums({ totals }: { readonly totals: readonly Sum[] }) {
  if (totals.length === 0) return <Unknown />;
  return totals.map(({ currency, balance }) => (
    <div key={currency}>
      <Amount value={balance} currency={currency} />
    </div>
  ));
}

/** What parts are ordered by: the largest of a part's amounts. */
export function largestOf({ totals }: { readonly totals: readonly { readonly balance: string }[] }): number {
  return Math.max(...totals.map(({ balance }) => Number(balance)));
}

/** A share that the server tells ("0.020100"), or one in its place. */
export function Share({ value, isSigned = false }: { readonly value: string | null; readonly isSigned?: boolean }) {
  return <Percent value={value === null ? null : fractionInPercent(value)} isSigned={isSigned} />;
}

/** A fraction in percent, with two decimals: "0.020100" is "2.01". */
export function fractionInPercent(fraction: string): string {
  return percentOf(fraction, "1", 2) ?? fraction;
}

/** A share as a bar beside its number. @param percent as a text, null = not known */
export function ShareBar({ percent, children }: { readonly percent: string | null; readonly children: ReactNode }) {
  return (
    <span className="share">
      <span className="share-bar" aria-hidden="true">
        <span style={{ width: `${percent === null ? 0 : Math.min(100, Math.max(0, Number(percent)))}%` }} />
      </span>
      {children}
    </span>
  );
}

/** The exchange rates that were used. */
export function Rates({
  rates,
  currency,
}: {
  readonly rates: AnswerOf<"/data/v1/summary">["rates"];
  readonly currency: string | null;
}) {
  const words = useWords(wealthWords);
  const day = useDay();
  if (rates.length === 0 || currency === null) return null;
  return (
    <div className="hint">
      {words.rates}
      <ul>
        {rates.map((rate) => (
          <li key={rate.currency}>
            1 {rate.currency} = <Amount value={rate.rate} currency={currency} /> ({day(rate.date)}, {rate.source})
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How the language of the page writes a day. */
export function useDay(): (day: string) => string {
  const language = useLanguage();
  return (day) => dayFormat(day, language, "medium").format(new Date(day));
}
