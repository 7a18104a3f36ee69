import type { HoldingData } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow } from "../markup/element.js";
import { childOf } from "../markup/values.js";
import { type StatedPortfolio, startOfDay, sumOfHoldings } from "../stated-portfolio.js";
import { readCash, readOpenPositions } from "./holdings.js";
import { isNotional, SecurityInfos } from "./security.js";
import { readTotal } from "./total.js";
import { FlexRow } from "./values.js";

/**
 * Reads the portfolio of a statement and its holdings. A query without the section of positions states movements only, so the holdings known
 * before stay.
 * @param day last day of the period, `YYYY-MM-DD`
 */
export function readPortfolio(statement: MarkupElement, account: string, day: string, warnings: FeedWarnings) {
  const information = childOf(statement, "AccountInformation");
  const facts = information && new FlexRow(information);
  const stated = facts?.optionalCurrency(warnings) ?? null;
  const total = readTotal(statement, stated, warnings);
  const positions = childOf(statement, "OpenPositions");
  const base = stated ?? total?.currency ?? null;
  const holdings = positions ? readHoldings(statement, positions, account, day, base, warnings) : [];
  const currency = total?.currency ?? base ?? holdings[0]?.currency ?? baseOfRows(statement) ?? "XXX";
  const portfolio: StatedPortfolio = {
    key: account,
    name: facts?.get("acctAlias") ?? `Interactive Brokers ${account}`,
    balance: total?.value ?? (positions && sumWithoutNotionals(positions, holdings, currency, warnings)),
    currency,
    ref_account: account,
    type: "S",
    as_of: startOfDay(day),
    place: placeOfRow(statement),
  };
  if (positions) return { portfolio, holdings };
  warnings.at(statement)(
    "has no section OpenPositions: its movements are taken, and what the account holds stays as it is known",
  );
  return { portfolio: { ...portfolio, holdings_unknown: true }, holdings };
}

function readHoldings(
  statement: MarkupElement,
  positions: MarkupElement,
  account: string,
  day: string,
  base: string | null,
  warnings: FeedWarnings,
): readonly HoldingData[] {
  const infos = new SecurityInfos();
  for (const info of childOf(statement, "SecuritiesInfo")?.children ?? []) infos.add(new FlexRow(info));
  return [
    ...readOpenPositions(positions, account, day, infos, warnings),
    ...readCash(childOf(statement, "CashReport"), account, day, () => base ?? baseOfRows(statement), warnings),
  ];
}

/** Derives the base currency from a row whose exchange rate to it is 1, if no section names it. */
function baseOfRows(statement: MarkupElement): string | null {
  for (const section of statement.children) {
    for (const element of section.children) {
      const row = new FlexRow(element);
      if (/^1(?:\.0*)?$/.test(row.get("fxRateToBase") ?? "") && /^[A-Z]{3}$/.test(row.get("currency") ?? ""))
        return row.get("currency");
    }
  }
  return null;
}

/** The sum of the holdings without notionals; warns if there are any. */
function sumWithoutNotionals(
  positions: MarkupElement,
  holdings: readonly HoldingData[],
  currency: string,
  warnings: FeedWarnings,
): string | null {
  const notional =
    holdings.some(({ is_notional }) => is_notional) &&
    positions.children.find((row) => row.name === "OpenPosition" && isNotional(new FlexRow(row)));
  if (notional) {
    const mend = "add the section ChangeInNAV to the query for the stated total";
    warnings.at(notional)(`the value of this position is its notional and is not part of the balance: ${mend}`);
  }
  return sumOfHoldings(holdings, currency);
}
