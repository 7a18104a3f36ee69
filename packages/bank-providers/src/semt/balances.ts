import { isDecimalString, multiplyDecimals } from "@org/core";
import type { FeedContent, FeedFormat, HoldingData } from "@org/provider-kit";
import { kindOfCfi } from "../cfi.js";
import { FeedWarnings } from "../feed-warnings.js";
import { Attributes } from "../markup/attributes.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { isNotGiven } from "../markup/not-given.js";
import { childOf, childrenOf, requiredChild } from "../markup/values.js";
import { readXmlDocuments } from "../markup/xml-document.js";
import { latestAsOf, type StatedPortfolio, sumOfHoldings } from "../stated-portfolio.js";
import { type ReportStatement, reportsOf } from "./pages.js";
import {
  accountIn,
  currencyOf,
  dayIn,
  everyOf,
  instantIn,
  moneyIn,
  quantityIn,
  type StatedMoney,
  securityIn,
  semtDecimal,
  valueIn,
  within,
} from "./values.js";

/** Reads ISO 20022 statements of holdings (semt.002): a safekeeping account, or each of its sub-accounts, becomes a portfolio. */
export const semt002Format = {
  name: "semt.002",
  title: "ISO 20022 securities balance custody report (semt.002)",
  recognises: (head) => /iso:20022:tech:xsd:semt\.002\.|<(?:[\w.-]+:)?SctiesBalCtdyRpt[\s>]/.test(head),
  read: (file) => readBalances(file, "SctiesBalCtdyRpt"),
} satisfies FeedFormat;

/** Reads statements of holdings with their accounting values (semt.003): like semt.002, with the cost of the holdings. */
export const semt003Format = {
  name: "semt.003",
  title: "ISO 20022 securities balance accounting report (semt.003)",
  recognises: (head) => /iso:20022:tech:xsd:semt\.003\.|<(?:[\w.-]+:)?SctiesBalAcctgRpt[\s>]/.test(head),
  read: (file) => readBalances(file, "SctiesBalAcctgRpt"),
} satisfies FeedFormat;

function readBalances(file: Uint8Array, name: string): FeedContent {
  const documents = readXmlDocuments(file);
  const messages = documents.flatMap((root) => everyOf(root, name));
  const [first] = documents;
  if (messages.length === 0 && first) throw refuse(first, `holds no ${name}`);
  const warnings = new FeedWarnings();
  const { whole, waiting } = reportsOf(messages, warnings);
  const accounts = new Map<string, AccountHoldings>();
  for (const statement of whole) {
    warnings.account(statement.account, () => {
      for (const stated of accountsOf(statement, warnings)) {
        const { key, as_of } = stated.portfolio;
        const known = accounts.get(key)?.portfolio.as_of;
        if (known?.getTime() === as_of.getTime()) throw refuse(statement.pages[0], "a second statement of one account");
        if (known === undefined || known < as_of) accounts.set(key, stated);
      }
    });
  }
  const kept = waiting.filter((page) => warnings.account(page.account, () => checkPage(page)));
  for (const key of accounts.keys()) if (warnings.isRefused(key)) accounts.delete(key);
  const portfolios = [...accounts.values()].map(({ portfolio }) => portfolio);
  const refused = warnings.refusedAccounts(portfolios.length + kept.length > 0);
  const sender = messages.map(servicerOf).find((bic) => bic !== null);
  return {
    as_of: latestAsOf(portfolios),
    portfolios,
    holdings: [...accounts.values()].flatMap(({ held }) => held),
    transactions: null,
    warnings: warnings.list(),
    ...refused,
    ...(kept.length > 0 && { pages: kept.map(({ page }) => page) }),
    ...(sender && { sender }),
  };
}

/** Reports faults of a page now and not when the last page has come. */
function checkPage(page: ReportStatement): void {
  const warnings = new FeedWarnings();
  accountsOf(page, warnings);
  warnings.refusedAccounts(false);
}

/** BIC of the account servicer. */
function servicerOf(message: MarkupElement): string | null {
  const servicer = childOf(message, "AcctSvcr") ?? within(childOf(message, "SfkpgAcct"), "AcctSvcr");
  return valueIn(within(servicer, "AnyBIC", "BICOrBEI"));
}

interface AccountHoldings {
  readonly portfolio: StatedPortfolio;
  readonly held: readonly HoldingData[];
}

/** The accounts of a statement. If it has sub-accounts, each has the sum of its holdings as its balance. */
function accountsOf({ account, pages }: ReportStatement, warnings: FeedWarnings): AccountHoldings[] {
  const [first] = pages;
  const details = requiredChild(first, "StmtGnlDtls");
  if (valueIn(childOf(details, "UpdTp")) === "DELT")
    throw refuse(details, "holds only what has changed (DELT); what can be read is complete statements (COMP)");
  const moment = requiredChild(details, "StmtDtTm");
  const day = dayIn(moment) ?? "";
  const as_of = instantIn(moment);
  const byAccount = new Map<string, { name: string | null; held: HoldingData[] }>();
  const add = (number: string, name: string | null, balances: readonly MarkupElement[]) => {
    const known = byAccount.get(number) ?? { name, held: [] };
    byAccount.set(number, known);
    if (warnings.isRefused(number)) return;
    warnings.account(number, () => {
      for (const balance of balances) known.held.push(readHolding(balance, number, day, warnings));
    });
  };
  for (const page of pages) {
    add(account, accountIn(page).name, childrenOf(page, "BalForAcct"));
    for (const part of childrenOf(page, "SubAcctDtls")) {
      const { number, name } = accountIn(part);
      add(number, name, childrenOf(part, "BalForSubAcct"));
    }
  }
  const hasParts = byAccount.size > 1;
  const total = totalOf(pages);
  return [...byAccount].flatMap(([number, { name, held }]) => {
    if ((hasParts && number === account && held.length === 0) || warnings.isRefused(number)) return [];
    const own = number === account && !hasParts ? total : null;
    const base = optionalCurrency(within(childOf(first, "SfkpgAcct"), "BaseCcy"), warnings);
    const currency = own?.currency ?? base ?? held[0]?.currency ?? "XXX";
    const portfolio = {
      key: number,
      name: name ?? `Safekeeping account ${number}`,
      balance: own?.value ?? sumOfHoldings(held, currency),
      currency,
      ref_account: number,
      type: "S" as const,
      as_of,
      place: placeOfRow(first),
    };
    return [{ portfolio, held }];
  });
}

/** The value of all holdings of the statement, or that of the page if there is only one page. */
function totalOf(pages: readonly MarkupElement[]): StatedMoney | null {
  for (const page of pages) {
    const total = moneyIn(within(childOf(page, "AcctBaseCcyTtlAmts"), "TtlHldgsValOfStmt"));
    if (total) return total;
  }
  const [only] = pages;
  return only && pages.length === 1 ? moneyIn(within(childOf(only, "AcctBaseCcyTtlAmts"), "TtlHldgsValOfPg")) : null;
}

/** Reads one balance. Its value is the stated one in the account's currency, or else in its own; without either, units × price. */
function readHolding(balance: MarkupElement, portfolio_key: string, day: string, warnings: FeedWarnings): HoldingData {
  const security = securityIn(balance, warnings);
  const quantity = quantityIn(requiredChild(balance, "AggtBal"));
  const amounts = ["AcctBaseCcyAmts", "InstrmCcyAmts", "AltrnRptgCcyAmts"].flatMap(
    (name) => childOf(balance, name) ?? [],
  );
  const stated = amounts.find((block) => moneyIn(childOf(block, "HldgVal")) !== null);
  const price = warnings.optional(() => readPrice(balance, warnings));
  const value = (stated && moneyIn(childOf(stated, "HldgVal"))) ?? valueBy(price, quantity.value);
  const denomination = optionalCurrency(within(childOf(balance, "FinInstrmAttrbts"), "DnmtnCcy"), warnings);
  const currency = value?.currency ?? price?.currency ?? denomination ?? "XXX";
  if (currency === "XXX") warnings.at(balance)("no currency is stated for this security; XXX stands for none");
  const inCurrency = (name: string) => {
    for (const block of amounts) {
      const money = moneyIn(childOf(block, name));
      if (money?.currency === currency) return money.value;
    }
    return null;
  };
  const cost = warnings.optional(() => inCurrency("BookVal"));
  const accrued = warnings.optional(() => inCurrency("AcrdIntrstAmt"));
  const cfi = valueIn(within(childOf(balance, "FinInstrmAttrbts"), "ClssfctnFinInstrm"));
  return {
    ...security,
    portfolio_key,
    amount: quantity.value,
    balance: value?.value ?? null,
    currency,
    valuation_date: price?.day ?? day,
    ...kindOfCfi(cfi, quantity.isNominal),
    place: placeOfRow(balance),
    ...(price && {
      price: price.value,
      ...(price.currency === null
        ? { price_unit: "percent" as const }
        : price.currency !== currency && { price_currency: price.currency }),
    }),
    ...(cost !== null && { cost }),
    ...(accrued !== null && { accrued_interest: accrued }),
  };
}

/** A currency that may be missing; null, with a warning, if it is none. */
function optionalCurrency(element: MarkupElement | null, warnings: FeedWarnings): string | null {
  const code = valueIn(element);
  return element && code !== null ? warnings.optional(() => currencyOf(element, code)) : null;
}

interface Price {
  /** In `currency`, or in percent if that is null. */
  readonly value: string;
  readonly currency: string | null;
  readonly day: string | null;
}

/** The first price per unit or in percent; yields and discounts are not prices. */
function readPrice(balance: MarkupElement, warnings: FeedWarnings): Price | null {
  for (const details of childrenOf(balance, "PricDtls")) {
    const value = childOf(details, "Val");
    const kind = valueIn(childOf(details, "ValTp"));
    if (!value || valueIn(value) === null || (kind !== null && !/^(?:PARV|ACTU)$/.test(kind))) continue;
    const day = warnings.optional(() => dayIn(childOf(details, "QtnDt") ?? childOf(details, "Dt")));
    const rate = within(value, "Rate");
    if (rate) return { value: semtDecimal(rate), currency: null, day };
    const amount = !value.hasChildren ? value : within(value, "Amt");
    if (!amount) continue;
    const code = new Attributes(amount).get("Ccy");
    if (code === null || isNotGiven(code)) continue;
    return { value: semtDecimal(amount), currency: currencyOf(amount, code), day };
  }
  return null;
}

function valueBy(price: Price | null, units: string): StatedMoney | null {
  if (!price || price.currency === null) return null;
  const value = multiplyDecimals(units, price.value);
  return isDecimalString(value) ? { value, currency: price.currency } : null;
}
