import { isCalendarDate, isDecimalString, normaliseDecimal } from "@org/core";
import type { FeedRefusal } from "@org/provider-kit";
import { quotedText } from "../feed-warnings.js";
import { NAME, SIZE } from "../markup/document.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { isNotGiven } from "../markup/not-given.js";
import { childOf, missingValue, requiredChild, requiredText, textOf } from "../markup/values.js";

/** An amount, quantity or price as a plain decimal string with all digits: `+00000000000115.8331` is `115.8331`. */
export function ofxDecimal(element: MarkupElement, name: string): string | null {
  const text = givenText(element, name);
  return text === null ? null : plainDecimal(requiredChild(element, name), text);
}

/** A required amount, quantity or price. */
export function requiredDecimal(element: MarkupElement, name: string): string {
  const text = textOf(element, name);
  return text === null ? missingValue(element, name) : plainDecimal(requiredChild(element, name), text);
}

/** A text; null also for a word that stands for none. */
export function givenText(element: MarkupElement, name: string): string | null {
  const text = textOf(element, name);
  return text === null || isNotGiven(text) ? null : text;
}

/** A date as {@link requiredDate}; null if it is not given. */
export function optionalDate(element: MarkupElement, name: string): string | null {
  return givenText(element, name) === null ? null : requiredDate(element, name);
}

/** A required date as `YYYY-MM-DD`: the day that the file writes, whatever its time zone. */
export function requiredDate(element: MarkupElement, name: string): string {
  return moment(requiredChild(element, name), requiredText(element, name)).date;
}

/** A required moment. Without a time it is midnight, without a zone it is UTC (OFX 2.2 §3.2.8). */
export function requiredInstant(element: MarkupElement, name: string): Date {
  return moment(requiredChild(element, name), requiredText(element, name)).instant;
}

/**
 * The decimal separator is a point or a comma; OFX has no thousands separator (OFX 2.2 §3.2.9.1). Banks write one all the same: it is removed if
 * only one reading is possible.
 */
function plainDecimal(element: MarkupElement, text: string): string {
  const decimal = normaliseDecimal(pointedDecimal(element, text));
  if (decimal === null || !isDecimalString(decimal)) {
    throw refuse(element, `${quotedText(text)} is not a decimal number`);
  }
  return decimal;
}

/** A number in groups of three digits, with one separator between all of them, and its decimals. */
const grouped = /^([+-]?\d{1,3})((?:([.,' \u00a0\u202f])\d{3})(?:\3\d{3})*)(?:(?!\3)[.,](\d+))?$/;

function pointedDecimal(element: MarkupElement, text: string): string {
  const [, first = "", groups = "", separator = "", decimals] = grouped.exec(text) ?? [];
  if (groups === "") return /^[^.]*,[^.,]*$/.test(text) ? text.replace(",", ".") : text;
  const isOneGroup = groups.length === 4 && decimals === undefined && (separator === "," || separator === ".");
  if (isOneGroup) {
    const mark = /^[+-]?0/.test(first) ? separator : decimalMarkIn(element.document);
    if (mark === separator || (mark === null && separator === ".")) return text.replace(",", ".");
    if (mark === null)
      throw refuse(
        element,
        `${quotedText(text)} may be thousands or decimals, and no other amount of the file says which`,
      );
  }
  const whole = first + groups.replaceAll(separator, "");
  return decimals === undefined ? whole : `${whole}.${decimals}`;
}

const amountNames =
  "TRNAMT BALAMT TOTAL UNITPRICE MKTVAL AVAILCASH MARGINBALANCE COMMISSION FEES TAXES VALUE UNITS".split(" ");

const decimalMarks = new WeakMap<MarkupElement["document"], "." | "," | "none">();

/** The decimal mark of a file, if amounts with one or two decimals show it; null if they do not, or disagree. */
function decimalMarkIn(document: MarkupElement["document"]): "." | "," | null {
  let mark = decimalMarks.get(document);
  if (mark === undefined) {
    const shown = new Set<string>();
    const wanted = new Set(amountNames.map((name) => document.names.numberOf(name)));
    for (let place = 0; place < document.elements.length; place += SIZE)
      if (wanted.has(document.elements[place + NAME] as number))
        shown.add(/([.,])\d{1,2}$/.exec(document.valueAt(place))?.[1] ?? "");
    mark = shown.has(".") === shown.has(",") ? "none" : shown.has(".") ? "." : ",";
    decimalMarks.set(document, mark);
  }
  return mark === "none" ? null : mark;
}

/** `YYYYMMDDHHMMSS.XXX[-5:EST]` (OFX 2.2 §3.2.8), and what banks write: dashes, colons, `T`, and zones as `GMT`, `+0100` or `[-0500]`. */
const ofxDate =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d)(?:\.(\d{1,3})\d*)?)?)?\s*(?:\[([+-]?\d{1,2}(?:\.\d{1,2})?|[+-]\d{4})?(?::[^\]]*)?\]|GMT|UTC|Z|([+-]\d\d:?\d\d))?$/;

function moment(element: MarkupElement, text: string): { date: string; instant: Date } {
  const match = ofxDate.exec(text);
  if (!match) throw refuse(element, `${quotedText(text)} is not a date`);
  const [, year, , month, day, hour = "00", minute = "00", second = "00", fraction = "", inBrackets, behind] = match;
  const date = `${year}-${month}-${day}`;
  const local = new Date(`${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, "0")}Z`);
  if (!isCalendarDate(date)) throw refuse(element, `${quotedText(text)} is a date that does not exist`);
  // An impossible time either parses to nothing or rolls over.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 19) !== `${date}T${hour}:${minute}:${second}`)
    throw refuse(element, `${quotedText(text)} has a time of day that does not exist`);
  return { date, instant: new Date(local.getTime() - zoneMinutes(element, inBrackets ?? behind ?? "0") * 60_000) };
}

/** Hours east of UTC with a decimal fraction (`-3.50` is three and a half hours west), or hours and minutes: `-0330`. */
function zoneMinutes(element: MarkupElement, zone: string): number {
  const [, sign = "", hours = "", rest = ""] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const minutes = hours === "" ? Math.round(Number(zone) * 60) : Number(`${sign}${Number(hours) * 60 + Number(rest)}`);
  if (Math.abs(minutes) > 14 * 60) throw refuse(element, `[${zone}] is no offset from UTC`);
  return minutes;
}

/** The statements in responses. A response without a statement has nothing to report, as its status says. */
export function soundStatements(responses: readonly MarkupElement[], name: string): MarkupElement[] {
  return responses.flatMap((response) => (reportedError(response) ? [] : (childOf(response, name) ?? [])));
}

/** The error that the bank reports in a response. Other codes than 0 may also be information or warnings (OFX 2.2 §3.1.5). */
export function reportedError(response: MarkupElement): FeedRefusal | null {
  const status = childOf(response, "STATUS");
  if (!status) return null;
  const code = textOf(status, "CODE") ?? "";
  const severity = textOf(status, "SEVERITY")?.toUpperCase();
  if (severity === "INFO" || severity === "WARN" || (severity !== "ERROR" && /^0*$/.test(code))) return null;
  const message = textOf(status, "MESSAGE");
  return refuse(
    status,
    `the bank reports error ${code || "without a code"}${message ? `: ${quotedText(message, 300)}` : ""}`,
  );
}
