import type { FeedContent, FeedFormat, HoldingData, TransactionData } from "@org/provider-kit";
import { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { childrenOf, requiredText } from "../markup/values.js";
import { readXml } from "../markup/xml-document.js";
import { cashHolding, latestAsOf, type StatedPortfolio, startOfDay, sumOfHoldings } from "../stated-portfolio.js";
import { whereToLook } from "../unread-formats.js";
import { type CashAccount, type ClosingBalance, readAccount, readClosingBalances } from "./account.js";
import { readEntries } from "./entries.js";
import { signedAmount, textAt } from "./values.js";

/**
 * Reads the bank statements (`BkToCstmrStmt`, camt.053, versions 2 to 8) of an XML file, wherever in it they stand. An account
 * becomes a portfolio of liquidity, its closing balance a holding, its booked entries transactions.
 */
export const camt053Format = {
  name: "camt.053",
  title: "ISO 20022 bank statement (camt.053)",
  recognises: (head) =>
    /iso:20022:tech:xsd:camt\.05\d|<(?:[\w.-]+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)[\s/>]/.test(head),
  read: (file) => readSnapshot(readXml(file)),
} satisfies FeedFormat;

/** All statements of one account and currency in a file: consecutive days, or pages of one. */
interface AccountState {
  /** The first of the statements. */
  readonly statement: MarkupElement;
  /** Their ids and pages. */
  readonly parts: Set<string>;
  readonly account: CashAccount;
  readonly currency: string;
  /** The latest closing balance by currency. */
  readonly closing: Map<string, ClosingBalance>;
}

function readSnapshot(root: MarkupElement): FeedContent {
  const warnings = new FeedWarnings();
  const messages = messagesIn(root);
  if (messages.length === 0) throw refuse(root, nothingToRead(root));
  const accounts = new Map<string, AccountState>();
  const transactions: TransactionData[] = [];
  for (const message of messages) {
    const statements = childrenOf(message, "Stmt");
    if (statements.length === 0) throw refuse(message, "holds no statement (Stmt)");
    for (const statement of statements) {
      const key = addStatement(accounts, statement);
      for (const transaction of readEntries(statement, key, warnings)) transactions.push(transaction);
    }
  }
  const portfolios: StatedPortfolio[] = [];
  const holdings: HoldingData[] = [];
  for (const [key, state] of accounts) {
    if (state.closing.size === 0)
      throw refuse(state.statement, "no statement of this account in the file has a closing booked balance (CLBD)");
    const cash = [...state.closing.values()].map(({ value, currency, day }) => cashHolding(key, currency, value, day));
    portfolios.push(portfolioOf(key, state, cash));
    for (const holding of cash) holdings.push(holding);
  }
  return { as_of: latestAsOf(portfolios), portfolios, holdings, transactions, warnings: warnings.list() };
}

/** Adds what a statement says of its account; returns the account's key. One account may have a statement in each currency. */
function addStatement(accounts: Map<string, AccountState>, statement: MarkupElement): string {
  const account = readAccount(statement);
  const balances = readClosingBalances(statement);
  const currency = account.currency ?? balances[0]?.currency ?? firstCurrency(statement);
  const key = `${account.number}:${currency}`;
  const state = accounts.get(key) ?? { statement, parts: new Set(), account, currency, closing: new Map() };
  accounts.set(key, state);
  const part = `${requiredText(statement, "Id")} ${textAt(statement, "StmtPgntn", "PgNb") ?? ""}`;
  if (state.parts.has(part)) throw refuse(statement, "a statement, or a page of one, for the second time");
  state.parts.add(part);
  for (const balance of balances) {
    const earlier = state.closing.get(balance.currency);
    if (!earlier || earlier.day <= balance.day) state.closing.set(balance.currency, balance);
  }
  return key;
}

/** A page that does not end its statement has no closing balance, but others, or entries. */
function firstCurrency(statement: MarkupElement): string {
  const first = statement.children.find(({ name }) => name === "Bal" || name === "Ntry");
  if (!first) throw refuse(statement, "names no currency: neither Acct/Ccy nor a balance nor an entry");
  return signedAmount(first).currency;
}

/** The balance is the closing one; null when the bank states it in another currency than the account's, or in several. */
function portfolioOf(key: string, { account, currency, closing }: AccountState, cash: HoldingData[]): StatedPortfolio {
  const days = [...closing.values()].map(({ day }) => startOfDay(day).getTime());
  return {
    key,
    name: account.name,
    balance: sumOfHoldings(cash, currency),
    currency,
    ref_account: account.number,
    type: "L",
    // Not when the file was made: one that is made again later still says what was at the end of its day.
    as_of: new Date(Math.max(...days)),
  };
}

/** Statements are in `Document`, or anywhere in what a bank or a transport wraps around it. */
function messagesIn(element: MarkupElement): MarkupElement[] {
  if (element.name === "BkToCstmrStmt") return [element];
  const found: MarkupElement[] = [];
  for (const child of element.children) for (const message of messagesIn(child)) found.push(message);
  return found;
}

function nothingToRead(root: MarkupElement): string {
  const names = new Set(root.children.map(({ name }) => name));
  const readable = `what can be read is camt.053 statements; ${whereToLook}`;
  if (names.has("BkToCstmrAcctRpt")) return `is a camt.052 report; ${readable}`;
  if (names.has("BkToCstmrDbtCdtNtfctn")) return `is a camt.054 notification; ${readable}`;
  return `is ISO 20022 and holds no bank statement (BkToCstmrStmt); ${readable}`;
}
