import type { ColumnRole } from "@org/feed-mapping";
import type { ColumnFormat } from "@org/feed-mapping/columns";
import { useWords } from "../../language/language.js";
import { columnWords } from "./column-words.js";

/** How numbers may be written, by the signs before decimals and between thousands. */
const NUMBERS = [...([",.", ".,", ".'", ", ", ". ", ",", "."] as const)] as const;
const DAYS = [
  ...([
    "dd.MM.yyyy",
    "yyyy-MM-dd",
    "dd/MM/yyyy",
    "MM/dd/yyyy",
    "d/M/yyyy",
    "M/d/yyyy",
    "yyyyMMdd",
    "dd-MM-yyyy",
  ] as const),
  ...([
    "dd.MM.yy",
    "dd/MM/yy",
    "MM/dd/yy",
    "dd-MMM-yyyy",
    "d MMM yyyy",
    "MMMM d, yyyy",
    "yyyy-MM-dd*",
    "dd.MM.yyyy*",
  ] as const),
] as const;

const ofNumbers: ReadonlySet<string> = new Set([
  ...(["units", "price", "cash", "value", "gross", "cost", "accrued_interest", "fees", "taxes"] satisfies ColumnRole[]),
]);
const signed: ReadonlySet<string> = new Set(["units", "cash"] satisfies ColumnRole[]);

/** How a column is written, where it matters: numbers and days. */
export function ColumnFormatPicker({
  role,
  name,
  format,
  onChange,
}: {
  readonly role: ColumnRole | null;
  readonly name: string;
  readonly format: ColumnFormat;
  readonly onChange: (format: Partial<ColumnFormat>) => void;
}) {
  const words = useWords(columnWords);
  if (role === "date" || role === "settlement_date") {
    const [now = ""] = format.dates;
    return (
      <select
        aria-label={words.writtenOf(name)}
        value={now}
        onChange={({ target }) => onChange({ dates: [target.value] })}
      >
        {[...new Set([now, ...DAYS])].map((each) => (
          <option key={each} value={each}>
            {dayBy(each)}
          </option>
        ))}
      </select>
    );
  }
  if (role === null || !ofNumbers.has(role)) return null;
  const now = `${format.decimal}${format.thousands}`;
  return (
    <>
      <select
        aria-label={words.writtenOf(name)}
        value={now}
        onChange={({ target }) => onChange({ decimal: target.value.slice(0, 1), thousands: target.value.slice(1) })}
      >
        {[...new Set<string>([now, ...NUMBERS])].map((each) => (
          <option key={each} value={each}>{`1${each.slice(1)}234${each.slice(0, 1)}56`}</option>
        ))}
      </select>
      {signed.has(role) && (
        <select
          aria-label={words.signOf(name)}
          value={format.sign}
          onChange={({ target }) => onChange({ sign: target.value })}
        >
          {Object.entries(words.signs).map(([sign, label]) => (
            <option key={sign} value={sign}>
              {label}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

/** The last day of 2026 as the format writes it; that of May where a month may have one digit. */
function dayBy(format: string): string {
  const parts: Readonly<Record<string, string>> = {
    ...{ yyyy: "2026", yy: "26", MMMM: "December", MMM: "Dec", MM: "12", M: "5", dd: "31", d: "31" },
    ...{ HH: "23", mm: "59", ss: "59", SSS: "000", "*": " …" },
  };
  return format.replace(/yyyy|yy|MMMM|MMM|MM|M|dd|d|HH|mm|ss|SSS|\*/g, (part) => parts[part] ?? part);
}
