import type { FeedWarnings } from "../feed-warnings.js";
import type { MarkupElement } from "../markup/element.js";
import { childOf } from "../markup/values.js";
import { FlexRow } from "./values.js";

/**
 * The account's value, if a section of the statement states it. Its currency is the one that its row names, or else `base`, or else the one that
 * another row of these sections names: all of them are in the account's base currency. Without a currency the total is left out, with a warning.
 * @param base the account's base currency, if the statement has a section that names it
 */
export function readTotal(
  statement: MarkupElement,
  base: string | null,
  warnings: FeedWarnings,
): { value: string; currency: string } | null {
  const change = childOf(statement, "ChangeInNAV");
  const stated = change && statedIn(new FlexRow(change), "endingValue", warnings);
  const isWhole = stated !== null && stated.value !== null && (stated.currency ?? base) !== null;
  const [last = null] = isWhole ? [] : lastDay(statement).map((row) => statedIn(row, "total", warnings));
  const total = stated !== null && stated.value !== null ? stated : last;
  if (!total || total.value === null) return null;
  const currency = total.currency ?? base ?? stated?.currency ?? last?.currency ?? null;
  if (currency !== null) return { value: total.value, currency };
  const mend = "add the currency, or the section AccountInformation, to the query";
  warnings.at(total.row.element)(`states a total without its currency; it is left out: ${mend}`);
  return null;
}

function statedIn(row: FlexRow, name: string, warnings: FeedWarnings) {
  return {
    row,
    value: row.decimal(name),
    currency: row.get("currency") === "BASE_SUMMARY" ? null : row.optionalCurrency(warnings),
  };
}

/** The latest row of `EquitySummaryInBase`; of several of one day, the last. */
function lastDay(statement: MarkupElement): FlexRow[] {
  const days = (childOf(statement, "EquitySummaryInBase")?.children ?? []).map((child) => new FlexRow(child));
  const last = days.reduce<FlexRow | null>(
    (latest, row) => (latest === null || row.day("reportDate") >= latest.day("reportDate") ? row : latest),
    null,
  );
  return last ? [last] : [];
}
