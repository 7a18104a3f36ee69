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
  const digits = value.split(".")[1]?.length ?? 0;
  const format = new Intl.NumberFormat(localeOf(language), {
    style: "unit",
    unit: "percent",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return <span className={signOf(value, isSigned)}>{format.format(value as Intl.StringNumericLiteral)}</span>;
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
  const parts = /^(-?)(\d+)(\.\d+)?$/.exec(value);
  if (!parts) return <span className="amount">{value}</span>;
  const [, sign, whole = "", fraction] = parts;
  const first = whole.length % 3 || 3;
  const starts = [0];
  for (let at = first; at < whole.length; at += 3) starts.push(at);
  return (
    <span className={signOf(value, isSigned)}>
      {sign}
      {starts.map((start, index) => (
        <span key={start} className={index > 0 ? "apart" : undefined}>
          {whole.slice(start, starts[index + 1])}
        </span>
      ))}
      {fraction?.replace(".", decimalSignOf(language))}
      {currency && ` ${currency}`}
    </span>
  );
}

function decimalSignOf(language: Language): string {
  const parts = new Intl.NumberFormat(localeOf(language)).formatToParts(0.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}
