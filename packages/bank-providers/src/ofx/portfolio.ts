import { addDecimals, decimalString, type HoldingData } from "@org/core";
import { type MarkupElement, refuse } from "../markup/element.js";
import { childOf, childrenOf, requiredChild, requiredText } from "../markup/values.js";
import type { StatedPortfolio } from "../stated-portfolio.js";
import { requiredCurrency, rowCurrency } from "./currency.js";
import type { Account } from "./holdings.js";
import { decimalOf, requiredDecimal, requiredInstant } from "./values.js";

/** The account that a statement is about. Its key is broker, number and currency: some banks keep one number per currency. */
export function readAccount(statement: MarkupElement): Account {
  const from = requiredChild(statement, "INVACCTFROM");
  const currency = requiredCurrency(statement, "CURDEF");
  return { key: `${requiredText(from, "BROKERID")}:${requiredText(from, "ACCTID")}:${currency}`, currency };
}

/**
 * The portfolio of a statement. OFX gives accounts no name, so it is the institution and the number. Pension plans (those
 * with 401(k) data) are PP, all others securities accounts, S.
 */
export function readPortfolio(
  statement: MarkupElement,
  account: Account,
  holdings: readonly HoldingData[],
  institution: string | null,
): StatedPortfolio {
  const from = requiredChild(statement, "INVACCTFROM");
  const number = requiredText(from, "ACCTID");
  const pension = childOf(statement, "INV401K") ?? childOf(statement, "INV401KBAL");
  return {
    key: account.key,
    name: `${institution ?? requiredText(from, "BROKERID")} ${number}`,
    balance: statedTotal(statement, account) ?? sumOfParts(statement, account, holdings),
    currency: account.currency,
    ref_account: number,
    type: pension ? "PP" : "S",
    as_of: requiredInstant(statement, "DTASOF"),
  };
}

/** Names under which banks put the value of the whole account into the list of balances, letters only, best first. */
const totalNames = ["accountvalue", "totalaccountvalue", "networth", "netaccountvalue", "totalvalue", "accounttotal"];

function statedTotal(statement: MarkupElement, account: Account): string | null {
  const pension = childOf(statement, "INV401KBAL");
  if (pension) return requiredDecimal(pension, "TOTAL");
  const balances = childOf(statement, "INVBAL");
  const list = balances && childOf(balances, "BALLIST");
  const totals = new Map<string, string>();
  for (const entry of list ? childrenOf(list, "BAL") : []) {
    if (requiredText(entry, "BALTYPE").toUpperCase() !== "DOLLAR") continue;
    const value = requiredDecimal(entry, "VALUE");
    const name = requiredText(entry, "NAME")
      .toLowerCase()
      .replace(/[^a-z]/g, "");
    if (rowCurrency(entry, account.currency).amounts === account.currency && !totals.has(name)) totals.set(name, value);
  }
  return totals.get(totalNames.find((name) => totals.has(name)) ?? "") ?? null;
}

/** Market values plus cash, exactly; null when the statement has neither, or values in other currencies. */
function sumOfParts(statement: MarkupElement, account: Account, holdings: readonly HoldingData[]): string | null {
  const balances = childOf(statement, "INVBAL");
  const cash = balances && decimalOf(balances, "AVAILCASH");
  if (!childOf(statement, "INVPOSLIST") && cash === null) return null;
  if (holdings.some((holding) => holding.currency !== account.currency)) return null;
  const sum = holdings.reduce((total, holding) => addDecimals(total, holding.balance ?? "0"), cash ?? "0");
  if (!decimalString.safeParse(sum).success) throw refuse(statement, "the sum of the holdings has too many digits");
  return sum;
}
