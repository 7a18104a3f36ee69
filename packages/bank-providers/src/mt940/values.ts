import { isCalendarDate, memoize } from "@org/provider-kit";
import { quotedText, type Warn } from "../feed-warnings.js";
import type { SwiftField } from "../swift/field-table.js";
import { refuseField, swiftDecimal } from "../swift/values.js";

/** A balance of an account. */
export interface StatedBalance {
  readonly field: SwiftField;
  /** Signed, with every digit as written. */
  readonly value: string;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
}

/** A balance as it is written; the currency is null if the bank leaves it out. */
export type WrittenBalance = Omit<StatedBalance, "currency"> & { readonly currency: string | null };

/** Reads a balance such as `C240131EUR1234,50`. */
export function balanceOf(field: SwiftField, warn: Warn): WrittenBalance {
  const match = /^([DC])(\d{6})([A-Z]{3})?\s?(\d[\d,]*)$/.exec(field.value.trim());
  if (!match) throw refuseField(field, `${quotedText(field.value)} is no balance, such as C240131EUR1234,50`);
  const [, mark, date = "", currency = null, digits = ""] = match;
  return { field, value: swiftDecimal(field, mark === "D", digits), currency, day: dayOfYymmdd(field, date, warn) };
}

/** Reads `240131` as `2024-01-31`. Years up to 79 are in this century (SWIFT). Banks that count months of 30 days may write 30 February. */
export function dayOfYymmdd(field: SwiftField, written: string, warn: Warn): string {
  return existing(field, `${Number(written.slice(0, 2)) < 80 ? 20 : 19}${written}`, warn);
}

const existingDay = memoize((yyyymmdd) => {
  const day = `${yyyymmdd.slice(0, 4)}-${yyyymmdd.slice(4, 6)}-${yyyymmdd.slice(6)}`;
  return isCalendarDate(day) ? day : null;
}, "yyyymmdd".length);

function existing(field: SwiftField, yyyymmdd: string, warn: Warn): string {
  const found = existingDay(yyyymmdd);
  if (found !== null) return found;
  const [year, month, date] = [yyyymmdd.slice(0, 4), yyyymmdd.slice(4, 6), yyyymmdd.slice(6)];
  if (month === "02" && (date === "29" || date === "30")) {
    warn(
      "is dated a day that February does not have, as banks do that count months of 30 days; its last day stands for it",
    );
    const last = `${year}-02-29`;
    return isCalendarDate(last) ? last : `${year}-02-28`;
  }
  throw refuseField(field, `${quotedText(`${year}-${month}-${date}`)} is not a date that exists`);
}

/** Completes the entry date, which has no year: it is the day nearest to the value date, possibly in the year before or after. */
export function nearestDay(field: SwiftField, valueDay: string, monthAndDate: string, warn: Warn): string {
  const year = Number(valueDay.slice(0, 4));
  const distance = Number(monthAndDate.slice(0, 2)) - Number(valueDay.slice(5, 7));
  const shift = distance > 6 ? -1 : distance < -6 ? 1 : 0;
  return existing(field, `${year + shift}${monthAndDate}`, warn);
}

/** Reads `2401311815+0100`; without a zone it is UTC. Null if it is not a time. */
export function momentOf13(written: string): Date | null {
  const match = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:([+-]\d\d)(\d\d))?$/.exec(written.trim());
  if (!match) return null;
  const [, year, month, day, hour, minute, hours = "+00", minutes = "00"] = match;
  const moment = new Date(`20${year}-${month}-${day}T${hour}:${minute}:00${hours}:${minutes}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
