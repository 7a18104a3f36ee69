import { isDecimalString, normaliseDecimal } from "@org/core";
import { quotedText } from "../feed-warnings.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { missingValue, requiredChild, requiredText, textOf } from "../markup/values.js";

/** An amount, quantity or price as a plain decimal string with all digits: `+00000000000115.8331` is `115.8331`. */
export function ofxDecimal(element: MarkupElement, name: string): string | null {
  const text = textOf(element, name);
  return text === null ? null : plainDecimal(requiredChild(element, name), text);
}

/** A required amount, quantity or price. */
export function requiredDecimal(element: MarkupElement, name: string): string {
  return ofxDecimal(element, name) ?? missingValue(element, name);
}

/** A required date as `YYYY-MM-DD`: the day that the file writes, whatever its time zone. */
export function requiredDate(element: MarkupElement, name: string): string {
  return moment(requiredChild(element, name), requiredText(element, name)).date;
}

/** A required moment. Without a time it is midnight, without a zone it is UTC (OFX 2.2 §3.2.8). */
export function requiredInstant(element: MarkupElement, name: string): Date {
  return moment(requiredChild(element, name), requiredText(element, name)).instant;
}

/** The decimal separator is a point or a comma; there is no thousands separator (OFX 2.2 §3.2.9.1). */
function plainDecimal(element: MarkupElement, text: string): string {
  const decimal = /^[^.]*,[^.,]*$/.test(text) ? normaliseDecimal(text.replace(",", ".")) : normaliseDecimal(text);
  if (decimal === null || !isDecimalString(decimal)) {
    throw refuse(element, `${quotedText(text)} is not a decimal number`);
  }
  return decimal;
}

const ofxDate =
  /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(?:(\d\d)(?:\.(\d{1,3})\d*)?)?)?\s*(?:\[([+-]?\d{1,2}(?:\.\d{1,2})?)?(?::[^\]]*)?\])?$/;

function moment(element: MarkupElement, text: string): { date: string; instant: Date } {
  const match = ofxDate.exec(text);
  if (!match) throw refuse(element, `${quotedText(text)} is not a date`);
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "0"] = match;
  const date = `${year}-${month}-${day}`;
  const local = new Date(`${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, "0")}Z`);
  // An impossible day such as February 30 either parses to nothing or rolls over into the next month.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 19) !== `${date}T${hour}:${minute}:${second}`) {
    throw refuse(element, `${quotedText(text)} is a date that does not exist`);
  }
  return { date, instant: new Date(local.getTime() - zoneMinutes(element, zone) * 60_000) };
}

/** Hours east of UTC with a decimal fraction: `-3.50` is three and a half hours west. */
function zoneMinutes(element: MarkupElement, zone: string): number {
  const minutes = Math.round(Number(zone) * 60);
  if (Math.abs(minutes) > 14 * 60) throw refuse(element, `[${zone}] is no offset from UTC`);
  return minutes;
}
