import { isCalendarDate, isDecimalString, normaliseDecimal } from "@org/core";
import { memoize } from "@org/provider-kit";
import { currencyIn } from "../currency.js";
import { type FeedWarnings, quotedText } from "../feed-warnings.js";
import { keepShared } from "../kept-objects.js";
import { Attributes } from "../markup/attributes.js";
import { refuse } from "../markup/element.js";
import { isNotGiven } from "../markup/not-given.js";
import { readTree } from "../markup/tree.js";
import { FlexQueryRefusal } from "./query-refusal.js";

/** A row of a Flex statement. All its values are attributes; an empty attribute counts as missing. */
export class FlexRow extends Attributes {
  /** A decimal string with every digit as written; IBKR can put commas between thousands. */
  decimal(name: string): string | null {
    const written = this.given(name);
    return written === null ? null : this.#decimalIn(name, written);
  }

  requiredDecimal(name: string): string {
    return this.#decimalIn(name, this.required(name));
  }

  #decimalIn(name: string, written: string): string {
    const value = normaliseDecimal(withoutThousands(written));
    if (value === null || !isDecimalString(value)) {
      throw refuse(this.element, `${name} ${quotedText(written)} is not a decimal number`);
    }
    return value;
  }

  /** {@link decimal} of an optional fact: null, with a warning, if it is not a number. */
  optionalDecimal(name: string, warnings: FeedWarnings): string | null {
    return warnings.optional(() => this.decimal(name));
  }

  /** {@link day} of an optional fact: null if it is missing, and with a warning if it is not a date. */
  optionalDay(name: string, warnings: FeedWarnings): string | null {
    return this.given(name) !== null ? warnings.optional(() => this.day(name)) : null;
  }

  /** A currency that a row may lack: null, with a warning, if it is none. */
  optionalCurrency(warnings: FeedWarnings): string | null {
    return this.given("currency") !== null ? warnings.optional(() => this.currency()) : null;
  }

  /** A value; null also for a word that stands for none. */
  given(name: string): string | null {
    const written = this.get(name);
    return written === null || isNotGiven(written) ? null : written;
  }

  /** The first of these attributes that has a value, as `YYYY-MM-DD`. */
  day(...names: readonly string[]): string {
    const name = names.find((candidate) => this.given(candidate) !== null) ?? names[0] ?? "";
    const written = this.required(name);
    const day = knownDay(written);
    if (day !== null) return day;
    const reason = `${name} ${quotedText(written)} is not a date as yyyy-MM-dd, yyyyMMdd or dd-MMM-yy`;
    // Days and months in an order that the query sets: all of its dates are written so.
    if (/\d\/\d/.test(written))
      throw new FlexQueryRefusal(this.element, "dates", `${reason}; the Flex query sets how dates are written`);
    throw refuse(this.element, reason);
  }

  currency(name = "currency"): string {
    const written = this.required(name);
    const code = currencyIn(written);
    if (code === null)
      throw refuse(this.element, `${name} ${quotedText(written.toUpperCase())} is not a three-letter currency code`);
    return code;
  }
}

keepShared(new FlexRow(readTree('<A B="C"/>', 0, { nameOf: (written) => written, aggregates: null })));

function withoutThousands(written: string): string {
  return written.includes(",") && /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(written)
    ? written.replaceAll(",", "")
    : written;
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** The day in a date, or in a date and time with any of IBKR's separators. Null for dates with slashes, whose order is ambiguous. */
function dayIn(written: string): string | null {
  const numbers = /^(\d{4})(-?)(\d\d)\2(\d\d)(?:$|[;, T]+\d)/.exec(written);
  const words = /^(\d\d)-([A-Za-z]{3})-(\d\d)(?:$|[;, T]+\d)/.exec(written);
  let day = "";
  if (numbers) day = `${numbers[1]}-${numbers[3]}-${numbers[4]}`;
  else if (words) day = `20${words[3]}-${monthOf(words[2])}-${words[1]}`;
  return isCalendarDate(day) ? day : null;
}

const knownDay = memoize(dayIn, "yyyy-MM-dd".length);

function monthOf(name = ""): string {
  return String(months.indexOf(name.toUpperCase()) + 1).padStart(2, "0");
}
