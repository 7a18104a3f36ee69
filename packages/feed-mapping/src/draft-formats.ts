import { dateReader } from "./dates.js";
import type { Confidence, Notes } from "./draft-notes.js";
import { numberReader } from "./numbers.js";

/** Formats of days that a draft tries, the likeliest first. */
const DATE_FORMATS = [
  ...[
    "yyyy-MM-dd",
    "yyyy-MM-dd*",
    "dd.MM.yyyy",
    "dd.MM.yyyy*",
    "yyyyMMdd",
    "yyyy/MM/dd",
    "dd-MMM-yyyy",
    "d MMM yyyy",
    "MMMM d, yyyy",
  ],
  ...[
    "dd-MM-yyyy",
    "MM-dd-yyyy",
    "dd/MM/yyyy",
    "MM/dd/yyyy",
    "d/M/yyyy",
    "M/d/yyyy",
    "dd-MM-yyyy*",
    "MM-dd-yyyy*",
    "dd/MM/yyyy*",
    "MM/dd/yyyy*",
  ],
  ...["dd.MM.yy", "dd/MM/yy", "MM/dd/yy", "dd/MM/yy*", "MM/dd/yy*"],
] as const;
/** If no format reads all days of the first rows, the share of them that a format must read. */
const MAX_DAYS = 0.9;

/** Signs that may group thousands, by the sign before decimals. */
const GROUPING = { ".": [",", "'", " "], ",": [".", "'", " "] } as const;

/**
 * The sign before decimals, by all numbers of the file: each one that can be read in one way only decides. If none does, or if they contradict each
 * other, it is asked.
 */
export function draftNumbers(
  texts: readonly string[],
  notes: Notes,
): { decimal?: string; thousands?: string; strip?: string[] } {
  const signs = [...new Set(texts.join("").match(MONEY_SIGNS) ?? [])];
  const numbers = texts.map((text) => text.replace(MONEY_SIGNS, "").trim()).filter((text) => /\d/.test(text));
  const strip = signs.length > 0 ? { strip: signs } : {};
  const votes: Record<"." | ",", string[]> = { ".": [], ",": [] };
  const open: string[] = [];
  const unread: string[] = [];
  for (const text of numbers) {
    const [point, comma] = ([".", ","] as const).map((decimal) => isNumberBy(text, decimal));
    if (!point && !comma) unread.push(text);
    else if (!comma) votes["."].push(text);
    else if (!point) votes[","].push(text);
    else if (/[.,]/.test(text)) open.push(text);
  }
  const winners = ([".", ","] as const).filter((decimal) => votes[decimal].length > 0);
  const [example] = winners.length > 1 ? [votes["."][0]] : [...open, ...unread];
  if (winners.length > 1 || (winners.length === 0 && open.length > 0) || (winners.length === 0 && unread.length > 0)) {
    const isOpen = winners.length === 0 && open.length > 0;
    const about = isOpen ? [String(example)] : [String(votes["."][0] ?? example), String(votes[","][0] ?? "")];
    notes.decide("decimal", "which sign is before decimals? The values could be read either way, or neither", {
      ...{ code: isOpen ? "decimal" : "numbers", about, options: [".", ","] },
      answers: isOpen
        ? ([",", "."] as const).map((decimal) => ({
            says: String(example).includes(decimal) ? "fraction" : "thousands",
            value: String(example).replace(/[^\d]/g, ""),
            edits: [
              { path: "decimal", value: decimal },
              { path: "thousands", value: decimal === "," ? "." : "," },
            ],
          }))
        : ([",", "."] as const).map((decimal) => ({
            ...{ says: "value", value: decimal },
            edits: [{ path: "decimal", value: decimal }],
          })),
    });
    return strip;
  }
  // Whole numbers are the same by both.
  const decimal = winners[0] ?? ".";
  const grouping = GROUPING[decimal].find((sign) => numbers.some((text) => text.replace(SPACES, " ").includes(sign)));
  notes.guess(
    "decimal",
    decimal,
    unread.length === 0 ? "certain" : "likely",
    unread.length === 0 ? "no other reading fits all values" : `not by ${JSON.stringify(unread[0]?.slice(0, 30))}`,
  );
  return { decimal, ...(grouping !== undefined && { thousands: grouping }), ...strip };
}

/** Whether a text is a number if this sign is before decimals. Nobody groups the thousands of a number that begins with 0. */
function isNumberBy(text: string, decimal: "." | ","): boolean {
  const plain = text.replace(SPACES, " ");
  const thousands = GROUPING[decimal].find((sign) => plain.includes(sign));
  if (thousands !== undefined && thousands !== " " && /^[-+(\u2212]?0\D/.test(text)) return false;
  return "value" in numberReader({ decimal: [decimal], thousands: thousands ? [thousands] : [], strip: [] })(text);
}

const SPACES = /[\u00a0\u2007\u2009\u202f]/g;
/** Written with an escape so that bundles stay Latin-1, which V8 stores in half the memory. */
const MONEY_SIGNS = /[$\u20ac£¥]/g;

/** Whether these are days, in one format or another. */
export function areDays(texts: readonly string[]): boolean {
  const stated = texts.filter((text) => text !== "");
  return stated.length > 0 && DATE_FORMATS.some((format) => stated.every((text) => dateReader(format)(text) !== null));
}

/** The format of days that reads all of them, or nearly all. If day and month could change places, it is asked. */
export function draftDates(texts: readonly string[], notes: Notes): { dates?: string[] } {
  if (texts.length === 0) return {};
  const formatsOf = (share: number) =>
    DATE_FORMATS.filter((format) => {
      const read = dateReader(format);
      return texts.filter((text) => read(text) !== null).length >= texts.length * share;
    });
  const whole = formatsOf(1);
  // A day that does not exist, or a line below the table, is reported when the draft is tested.
  const fits = whole.length > 0 ? whole : formatsOf(MAX_DAYS);
  const [first] = fits;
  const other = first && fits.find((format) => format !== first && isOtherOrder(first, format));
  if (first !== undefined && other === undefined) {
    const odd = texts.find((text) => dateReader(first)(text) === null);
    const [sure, why]: [Confidence, string] =
      odd === undefined
        ? ["certain", "all days of the first rows are written so, and no other order of day and month fits"]
        : ["likely", `nearly all days of the first rows are written so, and not ${JSON.stringify(odd.slice(0, 30))}`];
    notes.guess("dates", first, sure, why);
    return { dates: [first] };
  }
  const example = texts.find((text) => first !== undefined && dateReader(first)(text) !== null) ?? texts[0] ?? "";
  if (first === undefined || other === undefined)
    notes.decide("dates", "how are days written?", { code: "days", about: [example] });
  else
    notes.decide("dates", "does the day or the month come first? The first rows fit both", {
      ...{ code: "dates", about: [example], options: [first, other] },
      answers: [first, other].map((format) => ({
        ...{ says: "day", value: dateReader(format)(example) ?? format },
        edits: [{ path: "dates", value: [format] }],
      })),
    });
  return {};
}

function isOtherOrder(one: string, other: string): boolean {
  return (
    one.indexOf("d") < one.indexOf("M") !== other.indexOf("d") < other.indexOf("M") &&
    one.includes("/") === other.includes("/")
  );
}
