import { isDecimalString, sumDecimals } from "@org/core";
import type { FeedContent, FeedFormat, FeedReadOptions, HoldingData, TransactionData } from "@org/provider-kit";
import { CashBookings } from "../cash-booking.js";
import { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { isNotGiven } from "../markup/not-given.js";
import { childOf, childrenOf, textAt, textOf } from "../markup/values.js";
import { readXml } from "../markup/xml-document.js";
import { cashHolding, latestAsOf, type StatedPortfolio, startOfDay, sumOfHoldings } from "../stated-portfolio.js";
import { formatHint, interimRefusal } from "../unread-formats.js";
import {
  accountNumberOf,
  type BookedBalance,
  type CashAccount,
  readAccount,
  readClosingBalances,
  readOpeningBalance,
} from "./account.js";
import { readEntries } from "./entries.js";
import { dayIn, signedAmount } from "./values.js";

/**
 * Reads the bank statements (`BkToCstmrStmt`, camt.053, versions 2 to 8) anywhere in an XML file. An account becomes a portfolio of liquidity,
 * its closing balance a holding, its booked entries transactions.
 */
export const camt053Format = {
  name: "camt.053",
  title: "ISO 20022 bank statement (camt.053)",
  recognises: (head) => isCamt(head) && !["052", "054"].includes(kindIn(head) ?? ""),
  read: (file, options: FeedReadOptions = { interim: false }) => readSnapshot(readXml(file), options),
} satisfies FeedFormat;

/** Reads reports of an unfinished day (`BkToCstmrAcctRpt`) if `interim` asks for them: booked entries, and no balance. */
export const camt052Format = {
  ...camt053Format,
  name: "camt.052",
  title: "ISO 20022 account report (camt.052)",
  recognises: of("052"),
};

/** Reads notifications of single bookings (`BkToCstmrDbtCdtNtfctn`): entries, and no balance. */
export const camt054Format = {
  ...camt053Format,
  name: "camt.054",
  title: "ISO 20022 debit and credit notification (camt.054)",
  recognises: of("054"),
};

function isCamt(head: string): boolean {
  return /iso:20022:tech:xsd:camt\.05\d/.test(head) || messageStart.test(head);
}

function of(kind: string) {
  return (head: string) => isCamt(head) && kindIn(head) === kind;
}

const messageStart = /<(?:[\w.-]+:)?BkToCstmr(Stmt|AcctRpt|DbtCdtNtfctn)(?:V01)?[\s/>]/;

/** Decides by the message's element or, if it begins after the head, by the namespace. A file with any statement is a file of statements. */
function kindIn(head: string): string | undefined {
  const starts = [...head.matchAll(new RegExp(messageStart, "g"))].map(([, name]) => name);
  const name = starts.includes("Stmt") ? "Stmt" : starts[0];
  return { Stmt: "053", AcctRpt: "052", DbtCdtNtfctn: "054" }[name ?? ""] ?? /tech:xsd:camt\.(05\d)/.exec(head)?.[1];
}

/** The messages about accounts by element, from version 2 on, with the element of their parts and the kind of message. */
const kinds: Readonly<
  Record<
    string,
    { readonly part: string; readonly name: string; readonly kind: "statement" | "report" | "notification" }
  >
> = {
  BkToCstmrStmt: { part: "Stmt", name: "statement", kind: "statement" },
  BkToCstmrAcctRpt: { part: "Rpt", name: "report", kind: "report" },
  BkToCstmrDbtCdtNtfctn: { part: "Ntfctn", name: "notification", kind: "notification" },
};

/** What kind of message an element is, if it is one. In version 1 its name ends with the version. */
function kindOf({ name }: MarkupElement) {
  const plain = name.replace(firstVersion, "");
  return Object.hasOwn(kinds, plain) ? kinds[plain] : undefined;
}

const firstVersion = /V01$/;

/** All statements of one account and currency in a file: consecutive days, or pages of one day. */
interface AccountState {
  /** The first statement. */
  readonly statement: MarkupElement;
  /** Ids and page numbers of the statements. */
  readonly parts: Set<string>;
  readonly account: CashAccount;
  readonly currency: string;
  /** The latest closing balance by currency. */
  readonly closing: Map<string, BookedBalance>;
  /** The computed balance of each statement without a closing one; null if it cannot be computed. */
  readonly sums: (BookedBalance | null)[];
}

function readSnapshot(root: MarkupElement, { interim }: FeedReadOptions): FeedContent {
  const warnings = new FeedWarnings();
  const messages = messagesIn(root);
  const reports = messages.filter((message) => kindOf(message)?.kind === "report" && !interim);
  for (const report of reports) warnings.at(report)(interimRefusal("camt.052"));
  if (reports.length === messages.length) throw refuse(reports[0] ?? root, nothingToRead(reports.length > 0));
  const accounts = new Map<string, AccountState>();
  const told = new Map<string, StatedPortfolio>();
  const bookings = new CashBookings();
  const taken = messages.filter((message) => kindOf(message)?.kind !== "report" || interim);
  for (const part of partsOf(taken, "statement")) {
    warnings.account(accountNumberOf(part), () => {
      const key = addStatement(accounts, part, readAccount(part, warnings));
      const leftOutBefore = warnings.leftOut().left_out?.length ?? 0;
      const entries = readEntries(part, key, true, warnings);
      bookings.addStated(entries);
      const isWhole = (warnings.leftOut().left_out?.length ?? 0) === leftOutBefore;
      const state = accounts.get(key);
      if (state?.closing.size === 0) state.sums.push(isWhole ? openingWith(part, entries, warnings) : null);
    });
  }
  for (const part of [...partsOf(taken, "report"), ...partsOf(taken, "notification")]) {
    warnings.account(accountNumberOf(part), () => {
      const portfolio = statedPortfolioOf(part, warnings);
      const known = told.get(portfolio.key);
      if (!known || known.as_of < portfolio.as_of) told.set(portfolio.key, portfolio);
      bookings.addReported(readEntries(part, portfolio.key, false, warnings));
    });
  }
  const stated = new Map<string, StatedPortfolio>();
  const held = new Map<string, readonly HoldingData[]>();
  for (const [key, state] of accounts) {
    warnings.account(state.account.number, () => {
      if (state.closing.size === 0) fillClosing(state, warnings);
      const cash = [...state.closing.values()].map(({ value, currency, day, place }) =>
        cashHolding(key, currency, value, day, place),
      );
      held.set(key, cash);
      stated.set(
        key,
        cash.length > 0 ? portfolioOf(key, state, cash) : { ...statedPortfolioOf(state.statement, warnings), key },
      );
    });
  }
  for (const [key, portfolio] of told) if (!stated.has(key)) stated.set(key, portfolio);
  const portfolios = [...stated.values()].filter(({ ref_account }) => !warnings.isRefused(ref_account ?? ""));
  const isTaken = new Set(portfolios.map(({ key }) => key));
  const sender = portfolios.find(({ servicer }) => servicer !== undefined)?.servicer;
  return {
    as_of: latestAsOf(portfolios),
    portfolios,
    holdings: portfolios.flatMap(({ key }) => held.get(key) ?? []),
    transactions: bookings.list().filter(({ portfolio_key }) => isTaken.has(portfolio_key)),
    ...warnings.refusedAccounts(portfolios.length > 0),
    ...warnings.leftOut(),
    warnings: warnings.list(),
    ...(sender !== undefined && { sender }),
  };
}

/** The opening balance of a statement plus its entries; null if there is none, or if they are in several currencies. */
function openingWith(
  statement: MarkupElement,
  entries: readonly TransactionData[],
  warnings: FeedWarnings,
): BookedBalance | null {
  const opening = warnings.optional(() => readOpeningBalance(statement));
  if (!opening || entries.some(({ currency }) => currency !== opening.currency)) return null;
  const value = sumDecimals([opening.value, ...entries.map(({ balance }) => balance ?? "0")]);
  const day = [opening.day, ...entries.map(({ operation_date }) => operation_date)].toSorted().at(-1) ?? opening.day;
  return isDecimalString(value) ? { value, day, currency: opening.currency, place: placeOfRow(statement) } : null;
}

/** Fills in the balance of an account without a closing booked balance. Of several statements none is known to be the last. */
function fillClosing({ statement, closing, sums, parts }: AccountState, warnings: FeedWarnings): void {
  const [sum] = sums;
  const missing = "has no closing booked balance (CLBD)";
  if (!sum || parts.size > 1) {
    warnings.at(statement)(`${missing}; what the account holds stays as it is known`);
    return;
  }
  warnings.at(statement)(`${missing}; its opening balance and its entries come to ${sum.value} ${sum.currency}`);
  closing.set(sum.currency, sum);
}

function partsOf(messages: readonly MarkupElement[], wanted: "statement" | "report" | "notification"): MarkupElement[] {
  return messages.flatMap((message) => {
    const { part, name, kind } = kindOf(message) ?? {};
    if (part === undefined || kind !== wanted) return [];
    if (firstVersion.test(message.name))
      throw refuse(message, `is version 1 of a ${name}; what can be read is version 2 and later; ${formatHint}`);
    const parts = childrenOf(message, part);
    if (parts.length === 0) throw refuse(message, `holds no ${name} (${part})`);
    return parts;
  });
}

/** The account of a report or notification, which states no holdings. It is as old as it says, or as its message is. */
function statedPortfolioOf(part: MarkupElement, warnings: FeedWarnings): StatedPortfolio {
  const own = warnings.optional(() => createdOn(childOf(part, "CreDtTm")));
  const header = part.parent && childOf(part.parent, "GrpHdr");
  const day = own ?? createdOn(header && childOf(header, "CreDtTm"));
  if (day === null) throw refuse(part, "CreDtTm is missing");
  const account = readAccount(part, warnings);
  const currency = account.currency ?? firstCurrency(part);
  return {
    ...accountPortfolio(`${account.number}:${currency}`, account, currency),
    balance: null,
    holdings_unknown: true,
    as_of: startOfDay(day),
  };
}

function createdOn(element: MarkupElement | null): string | null {
  return element?.text && !isNotGiven(element.text) ? dayIn(element) : null;
}

/** Adds a statement to its account; returns the account's key. One account may have statements in several currencies. */
function addStatement(accounts: Map<string, AccountState>, statement: MarkupElement, account: CashAccount): string {
  const balances = readClosingBalances(statement);
  const currency = account.currency ?? balances[0]?.currency ?? firstCurrency(statement);
  const key = `${account.number}:${currency}`;
  const state = accounts.get(key) ?? { statement, parts: new Set(), account, currency, closing: new Map(), sums: [] };
  accounts.set(key, state);
  const part = `${textOf(statement, "Id") ?? textOf(statement, "CreDtTm")} ${textAt(statement, "StmtPgntn", "PgNb") ?? ""}`;
  if (state.parts.has(part)) throw refuse(statement, "a statement, or a page of one, for the second time");
  state.parts.add(part);
  for (const balance of balances) {
    const earlier = state.closing.get(balance.currency);
    if (!earlier || earlier.day <= balance.day) state.closing.set(balance.currency, balance);
  }
  return key;
}

/** A page that does not end its statement has other balances or entries instead of a closing balance. */
function firstCurrency(statement: MarkupElement): string {
  const first = statement.children.find(({ name }) => name === "Bal" || name === "Ntry");
  if (!first) throw refuse(statement, "names no currency: neither Acct/Ccy nor a balance nor an entry");
  return signedAmount(first).currency;
}

/** The portfolio's balance is the closing one; null if the bank states it in another currency than the account's, or in several. */
function portfolioOf(key: string, { account, currency, closing }: AccountState, cash: HoldingData[]): StatedPortfolio {
  const days = [...closing.values()].map(({ day }) => startOfDay(day).getTime());
  const [first] = closing.values();
  const stated = closing.get(currency) ?? first;
  return {
    ...accountPortfolio(key, account, currency),
    balance: sumOfHoldings(cash, currency),
    // Not the creation time: a statement created again later still states the end of its day.
    as_of: new Date(Math.max(...days)),
    ...(stated && { place: stated.place }),
  };
}

function accountPortfolio(key: string, { name, number, servicer }: CashAccount, currency: string) {
  return {
    key,
    name,
    currency,
    ref_account: number,
    type: "L",
    cash_account: true,
    ...(servicer !== null && { servicer }),
  } as const;
}

/** Messages are in `Document`, or anywhere in what a bank or a transport wraps around it. */
function messagesIn(element: MarkupElement): MarkupElement[] {
  if (kindOf(element)) return [element];
  const found: MarkupElement[] = [];
  for (const child of element.children) for (const message of messagesIn(child)) found.push(message);
  return found;
}

function nothingToRead(isReport: boolean): string {
  return isReport
    ? `${interimRefusal("camt.052")}; ${formatHint}`
    : `is ISO 20022 and holds no bank statement (BkToCstmrStmt); ${formatHint}`;
}
