import { isCalendarDate, isDecimalString, normaliseDecimal } from "@org/core";
import { FeedRefusal } from "@org/provider-kit";
import { quotedText } from "../feed-warnings.js";
import { isNotGiven } from "../markup/not-given.js";
import type { SwiftBlock, SwiftField } from "./field-table.js";

/** A field's value and place. */
export type StatedField = Pick<SwiftField, "tag" | "qualifier" | "line" | "value">;

/** A field reduced to a part of its value. */
export function partOf({ tag, qualifier, line }: SwiftField, value: string): StatedField {
  return { tag, qualifier, line, value };
}

/** The place of a field: `line 24, :93B::AGGR`. */
export function placeOfField({ line, tag, qualifier }: StatedField): string {
  return `line ${line}, :${tag}:${qualifier === "" ? "" : `:${qualifier}`}`;
}

/** The place of a row that a field or block states. There may be a million, so it is the line alone. */
export function placeOfLine({ line }: { readonly line: number }): string {
  return `line ${line}`;
}

export function refuseField(field: StatedField, reason: string): FeedRefusal {
  return new FeedRefusal(placeOfField(field), reason);
}

/** The fields of a block with this number (`93` finds `93B` and `93C`) and qualifier, in file order. */
export function swiftFields(block: SwiftBlock, number: string, qualifier = ""): readonly SwiftField[] {
  return block.fieldsOf(number, qualifier);
}

export function fieldOf(block: SwiftBlock, number: string, qualifier = ""): SwiftField | null {
  return block.fieldOf(number, qualifier);
}

export function requiredField(block: SwiftBlock, number: string, qualifier = ""): SwiftField {
  const field = fieldOf(block, number, qualifier);
  if (!field) {
    const name = qualifier === "" ? `:${number}:` : `:${number}a::${qualifier}`;
    throw new FeedRefusal(`line ${block.line}, ${block.name}`, `${name} is missing`);
  }
  return field;
}

/** Whether a field has a value, and not a word that stands for none. */
export function isGiven(field: StatedField): boolean {
  return !isNotGiven(field.value.replace(/^\//, "").trim());
}

/** The value after the data source scheme, on one line: `F275` of `97A::SAFE//F275`, `CS` of `12A::CLAS/ISIT/CS`. */
export function valueOfField({ value }: StatedField): string {
  return value
    .slice(value.indexOf("/") + 1)
    .trim()
    .replaceAll("\n", " ");
}

/** A SWIFT number has a comma, which some banks leave out of whole numbers, and no sign; `N` makes it negative. All digits are kept. */
export function swiftDecimal(field: StatedField, isNegative: boolean, digits: string): string {
  const value = /^\d+(?:,\d*)?$/.test(digits)
    ? normaliseDecimal(`${isNegative ? "-" : ""}${digits.replace(",", ".")}`)
    : null;
  if (value === null || !isDecimalString(value)) {
    throw refuseField(field, `${quotedText(digits)} is not a number as SWIFT writes it, such as 1234,5`);
  }
  return value;
}

/** A quantity with its kind: `UNIT/100,`, `FAMT/N500,`. */
export function quantityOf(field: StatedField): { kind: string; value: string } {
  const match = /^(?:[A-Z0-9]{0,8}\/)*([A-Z]{4})\/(N?)([\d,]+)$/.exec(field.value.trim());
  if (!match) throw refuseField(field, `${quotedText(field.value)} is not a quantity, such as UNIT/100,`);
  return { kind: match[1] ?? "", value: swiftDecimal(field, match[2] === "N", match[3] ?? "") };
}

/** An amount of money: `EUR1234,5`, `NEUR1234,5`. */
export function moneyOf(field: StatedField): { currency: string; value: string } {
  const match = /^(N?)([A-Z]{3})([\d,]+)$/.exec(valueOfField(field));
  if (!match) throw refuseField(field, `${quotedText(field.value)} is not an amount, such as EUR1234,5`);
  return { currency: match[2] ?? "", value: swiftDecimal(field, match[1] === "N", match[3] ?? "") };
}

/** A rate or factor: `0,14528727`. */
export function rateOf(field: StatedField): string {
  const match = /^(N?)([\d,]+)$/.exec(valueOfField(field));
  if (!match) throw refuseField(field, `${quotedText(field.value)} is not a rate, such as 0,95`);
  return swiftDecimal(field, match[1] === "N", match[2] ?? "");
}

/** Reads `20060913`, or with a time `20060913120000`: the day as `YYYY-MM-DD`, and the moment, which is UTC unless a zone is stated. */
export function momentOf(field: StatedField): { day: string; instant: Date } {
  const written = valueOfField(field);
  const match = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)(?:,\d{1,3})?(?:\/(N?)(\d\d)(\d\d)?)?)?$/.exec(written);
  const [, year, month, date, hour = "00", minute = "00", second = "00", west = "", hours = "00", minutes = "00"] =
    match ?? [];
  const day = `${year}-${month}-${date}`;
  const instant = new Date(`${day}T${hour}:${minute}:${second}${west === "N" ? "-" : "+"}${hours}:${minutes}`);
  if (!isCalendarDate(day) || Number.isNaN(instant.getTime())) {
    throw refuseField(field, `${quotedText(written)} is not a date that exists`);
  }
  return { day, instant };
}
