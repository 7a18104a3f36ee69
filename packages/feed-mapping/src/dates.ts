import { isCalendarDate } from "@org/provider-kit";

/** Parses a day; returns `YYYY-MM-DD`, or null if the text does not have this format. */
export type DateReader = (text: string) => string | null;

/** Creates a reader for one date format. Names of months may be English, German, French, Italian, Spanish, Dutch or Swedish. */
export function dateReader(format: string): DateReader {
  const parts: string[] = [];
  const open = format.endsWith("*");
  const pattern = (open ? format.slice(0, -1) : format).replace(
    /yyyy|yy|MMMM|MMM|MM|M|dd|d|HH|mm|ss|SSS| +|[^A-Za-z]/g,
    (part) => {
      const digits = patterns[part];
      if (digits === undefined) return part.startsWith(" ") ? " +" : `\\u{${part.codePointAt(0)?.toString(16)}}`;
      parts.push(part);
      return `(${digits})`;
    },
  );
  // No digit may follow an open end: otherwise `yy` would match half of a four-digit year.
  const expression = new RegExp(`^${pattern}${open ? "(?!\\d)" : "$"}`, "u");
  return (text) => {
    const match = expression.exec(text);
    if (!match) return null;
    let [year, month, day] = ["", "", ""];
    for (const [index, part] of parts.entries()) {
      const found = match[index + 1] ?? "";
      if (part === "yyyy") year = found;
      else if (part === "yy") year = `${Number(found) < 70 ? "20" : "19"}${found}`;
      else if (part.startsWith("MMM")) month = monthOf(found);
      else if (part.startsWith("M")) month = found.padStart(2, "0");
      else if (part.startsWith("d")) day = found.padStart(2, "0");
    }
    const date = `${year}-${month}-${day}`;
    return isCalendarDate(date) ? date : null;
  };
}

const patterns: Readonly<Record<string, string>> = {
  yyyy: "\\d{4}",
  yy: "\\d\\d",
  MMMM: "\\p{L}{3,12}",
  MMM: "\\p{L}{3,5}\\.?",
  MM: "\\d\\d",
  M: "\\d\\d?",
  dd: "\\d\\d",
  d: "\\d\\d?",
  HH: "\\d\\d?",
  mm: "\\d\\d",
  ss: "\\d\\d",
  SSS: "\\d{1,9}",
};

function monthOf(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f.]/g, "");
  const month = months.findIndex((names) =>
    names.some((known) => plain === known || (plain.length >= 3 && known.startsWith(plain))),
  );
  return String(month + 1).padStart(2, "0");
}

/** English, German, French, Italian, Spanish, Dutch, Swedish, without accents. If an abbreviation fits two months, the first one counts. */
const months: readonly (readonly string[])[] = [
  ["january", "januar", "janvier", "gennaio", "enero", "januari", "janner"],
  ["february", "februar", "fevrier", "febbraio", "febrero", "februari", "fev"],
  ["march", "marz", "mars", "marzo", "maart", "mrz", "maerz", "mrt"],
  ["april", "avril", "aprile", "abril", "avr"],
  ["may", "mai", "maggio", "mayo", "mei", "maj"],
  ["june", "juni", "juin", "giugno", "junio"],
  ["july", "juli", "juillet", "luglio", "julio"],
  ["august", "aout", "agosto", "augustus", "augusti"],
  ["september", "septembre", "settembre", "septiembre", "sept"],
  ["october", "oktober", "octobre", "ottobre", "octubre", "okt"],
  ["november", "novembre", "noviembre"],
  ["december", "dezember", "decembre", "dicembre", "diciembre", "dez"],
];
