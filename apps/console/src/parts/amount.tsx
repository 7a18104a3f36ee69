import { Fragment } from "react";
import { type Language, localeOf, useLanguage, useWords } from "../language/language.js";
import { partWords } from "./part-words.js";

/** What nobody has told: never shown as zero. */
export function Unknown() {
  const { unknown } = useWords(partWords);
  return (
    <span className="unknown quiet" title={unknown}>
      <span aria-hidden="true">–</span>
      <span className="spoken">{unknown}</span>
    </span>
  );
}

/** An exact decimal in percent, with the language's sign for decimals. */
export function Percent({ value, isSigned = false }: { readonly value: string | null; readonly isSigned?: boolean }) {
  const language = useLanguage();
  if (value === null) return <Unknown />;
  const [whole = "", digits = ""] = value.replace("-", "").split(".");
  const format = new Intl.NumberFormat(localeOf(language), {
    style: "unit",
    unit: "percent",
    minimumFractionDigits: digits.length,
    maximumFractionDigits: digits.length,
  });
  const number = value as Intl.StringNumericLiteral;
  const [kept, cut] = fractionOf(whole, digits);
  return (
    <span className={signOf(value, isSigned)} title={cut && format.format(number)}>
      {format.formatToParts(number).map(({ type, value }, index) => (
        <Fragment key={index}>{type === "fraction" ? <Digits {...{ kept, cut }} /> : value}</Fragment>
      ))}
    </span>
  );
}

/** As many digits a column shows of a number, leading zeros apart, but at least two of its fraction. */
const SHOWN_DIGITS = 6;

/** The digits of a fraction that a column shows, and those that it leaves out: never one or two alone. */
function fractionOf(whole: string, fraction: string): readonly [kept: string, cut: string | undefined] {
  const isBelowOne = /^0*$/.test(whole);
  const zeros = isBelowOne ? fraction.search(/[1-9]/) : 0;
  const end = zeros + Math.max(2, SHOWN_DIGITS - (isBelowOne ? 0 : whole.length));
  return fraction.length > end + 2 ? [fraction.slice(0, end), fraction.slice(end)] : [fraction, undefined];
}

/** The whole fraction, of which the style shows a part in a table; the number's title has all of it. */
function Digits({ kept, cut }: { readonly kept: string; readonly cut: string | undefined }) {
  return (
    <>
      {kept}
      {cut && <span className="cut">{cut}</span>}
    </>
  );
}

/** @param isSigned marks what is above zero too */
function signOf(value: string, isSigned: boolean): string {
  return `amount ${value.startsWith("-") ? "below" : isSigned && /[1-9]/.test(value) ? "plus" : ""}`;
}

/** An exact decimal, with the language's sign for decimals. Gaps between thousands are drawn by style only: a copied number has none. */
export function Amount({
  value,
  currency = null,
  isAsked = false,
  isSigned = false,
}: {
  readonly value: string | null | undefined;
  readonly currency?: string | null;
  /** Whether a value that is missing is shown as not known; left out: nothing is shown. */
  readonly isAsked?: boolean;
  /** Marks what is above zero too. */
  readonly isSigned?: boolean;
}) {
  const language = useLanguage();
  if (value === null || value === undefined) return isAsked ? <Unknown /> : null;
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (!parts) return <span className="amount">{value}</span>;
  const [, sign, whole = "", fraction = ""] = parts;
  const [kept, cut] = fractionOf(whole, fraction);
  const decimalSign = fraction && decimalSignOf(language);
  const first = whole.length % 3 || 3;
  const starts = [0];
  for (let at = first; at < whole.length; at += 3) starts.push(at);
  return (
    <span className={signOf(value, isSigned)} title={cut && `${sign}${whole}${decimalSign}${fraction}`}>
      {sign}
      {starts.map((start, index) => (
        <span key={start} className={index > 0 ? "apart" : undefined}>
          {whole.slice(start, starts[index + 1])}
        </span>
      ))}
      {decimalSign}
      <Digits {...{ kept, cut }} />
      {currency && ` ${currency}`}
    </span>
  );
}

function decimalSignOf(language: Language): string {
  const parts = new Intl.NumberFormat(localeOf(language)).formatToParts(0.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}
