import { isCalendarDate, isDecimalString, normaliseDecimal } from "@org/core";
import { quoted, type Warn } from "../feed-warnings.js";
import { keep } from "../kept-objects.js";
import { Attributes } from "../markup/attributes.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { readTree } from "../markup/tree.js";
import { FlexQueryRefusal } from "./query-refusal.js";

/** A row of a Flex statement: everything in it is an attribute, and empty attributes are as good as none. */
export class FlexRow {
  readonly element: MarkupElement;
  readonly #attributes: Attributes;

  constructor(element: MarkupElement) {
    this.element = element;
    this.#attributes = new Attributes(element);
  }

  text(name: string): string | null {
    return this.#attributes.get(name);
  }

  required(name: string): string {
    return this.#attributes.required(name);
  }

  words(name: string, warn: Warn): string | null {
    return this.#attributes.words(name, warn);
  }

  /** A number as a decimal string, every digit as written; IBKR puts commas between thousands when a query asks for it. */
  decimal(name: string): string | null {
    const written = this.text(name);
    if (written === null) return null;
    const value = normaliseDecimal(withoutThousands(written));
    if (value === null || !isDecimalString(value)) {
      throw refuse(this.element, `${name} ${quoted(written)} is not a decimal number`);
    }
    return value;
  }

  requiredDecimal(name: string): string {
    this.required(name);
    return this.decimal(name) as string;
  }

  /** {@link decimal} of what a file is not refused for: undefined where it is no number. */
  decimalOrNone(name: string): string | undefined {
    const value = this.text(name) === null ? null : normaliseDecimal(withoutThousands(this.text(name) ?? ""));
    return value !== null && isDecimalString(value) ? value : undefined;
  }

  /** {@link day} of what a file is not refused for: undefined where it is no date. */
  dayOrNone(name: string): string | undefined {
    return dayIn(this.text(name) ?? "") ?? undefined;
  }

  /** The first of these attributes that has a value, as `YYYY-MM-DD`. */
  day(...names: readonly string[]): string {
    const name = names.find((candidate) => this.text(candidate) !== null) ?? names[0] ?? "";
    const written = this.required(name);
    const day = dayIn(written);
    if (day === null) {
      throw new FlexQueryRefusal(
        this.element,
        "dates",
        `${name} ${quoted(written)} is not a date as yyyy-MM-dd, yyyyMMdd or dd-MMM-yy; the Flex query sets how dates are written`,
      );
    }
    return day;
  }

  currency(name = "currency"): string {
    const code = this.required(name).toUpperCase();
    if (!/^[A-Z]{3}$/.test(code))
      throw refuse(this.element, `${name} ${quoted(code)} is not a three-letter currency code`);
    return code;
  }
}

keep(new FlexRow(readTree('<A B="C"/>', 0, { nameOf: (written) => written, aggregates: null })));

function withoutThousands(written: string): string {
  return /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(written) ? written.replaceAll(",", "") : written;
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** The day in a date, or in a date and time with any of IBKR's separators. Dates with slashes could be of either order: none. */
function dayIn(written: string): string | null {
  const numbers = /^(\d{4})(-?)(\d\d)\2(\d\d)(?:$|[;, T]+\d)/.exec(written);
  const words = /^(\d\d)-([A-Za-z]{3})-(\d\d)(?:$|[;, T]+\d)/.exec(written);
  let day = "";
  if (numbers) day = `${numbers[1]}-${numbers[3]}-${numbers[4]}`;
  else if (words) day = `20${words[3]}-${monthOf(words[2])}-${words[1]}`;
  return isCalendarDate(day) ? day : null;
}

function monthOf(name = ""): string {
  return String(months.indexOf(name.toUpperCase()) + 1).padStart(2, "0");
}
