import { isCalendarDate, isDecimalString, normaliseDecimal } from "@org/core";
import { memoize } from "@org/provider-kit";
import { currencyIn } from "../currency.js";
import { quotedText } from "../feed-warnings.js";
import { keepShared } from "../kept-objects.js";
import { Attributes } from "../markup/attributes.js";
import { refuse } from "../markup/element.js";
import { readTree } from "../markup/tree.js";
import { FlexQueryRefusal } from "./query-refusal.js";

/** A row of a Flex statement. All its values are attributes; an empty attribute counts as missing. */
export class FlexRow extends Attributes {
  /** A decimal string with every digit as written; IBKR can put commas between thousands. */
  decimal(name: string): string | null {
    const written = this.get(name);
    if (written === null) return null;
    const value = normaliseDecimal(withoutThousands(written));
    if (value === null || !isDecimalString(value)) {
      throw refuse(this.element, `${name} ${quotedText(written)} is not a decimal number`);
    }
    return value;
  }

  requiredDecimal(name: string): string {
    return this.decimal(name) ?? this.required(name);
  }

  /** {@link decimal} for optional facts: undefined if it is not a number, instead of refusing the file. */
  decimalOrNone(name: string): string | undefined {
    const written = this.get(name);
    const value = written === null ? null : normaliseDecimal(withoutThousands(written));
    return value !== null && isDecimalString(value) ? value : undefined;
  }

  /** {@link day} for optional facts: undefined if it is not a date, instead of refusing the file. */
  dayOrNone(name: string): string | undefined {
    return knownDay(this.get(name) ?? "") ?? undefined;
  }

  /** The first of these attributes that has a value, as `YYYY-MM-DD`. */
  day(...names: readonly string[]): string {
    const name = names.find((candidate) => this.get(candidate) !== null) ?? names[0] ?? "";
    const written = this.required(name);
    const day = knownDay(written);
    if (day === null) {
      throw new FlexQueryRefusal(
        this.element,
        "dates",
        `${name} ${quotedText(written)} is not a date as yyyy-MM-dd, yyyyMMdd or dd-MMM-yy; the Flex query sets how dates are written`,
      );
    }
    return day;
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
