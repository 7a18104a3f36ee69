import type { FeedContent, FeedFormat, HoldingData, TransactionCorrection, TransactionData } from "@org/provider-kit";
import { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { childOf, childrenOf, requiredChild, requiredText, textOf } from "../markup/values.js";
import { latestAsOf, type StatedPortfolio } from "../stated-portfolio.js";
import { formatHint } from "../unread-formats.js";
import { bankStatements, readBankAccount, readBankStatement } from "./bank-statement.js";
import { readHoldings } from "./holdings.js";
import { readElements } from "./ofx-elements.js";
import { readAccount, readPortfolio } from "./portfolio.js";
import { SecurityNames } from "./securities.js";
import { readTransactions } from "./transactions.js";
import { reportedError, soundStatements } from "./values.js";

/**
 * Reads the investment and bank statements of an OFX file, 1.x (SGML) or 2.x (XML). Card statements in the same file are checked and left out: a
 * card's debt is paid from an account, whose statement shows it. A file with nothing else is refused.
 */
export const ofxFormat = {
  name: "ofx",
  title: "OFX investment and bank statements",
  recognises: (head) => /OFXHEADER|<\?OFX\b|<OFX[\s>]/i.test(head.slice(0, HEAD)),
  read: (file) => readSnapshot(readElements(file)),
} satisfies FeedFormat;

/** Free text further down may mention OFX too. */
const HEAD = 4096;

function readSnapshot(root: MarkupElement): FeedContent {
  const warnings = new FeedWarnings();
  const cards = childOf(root, "CREDITCARDMSGSRSV1");
  const statements = investmentStatements(root);
  const banks = bankStatements(root);
  refuseReportedErrors(root, statements.length + banks.length > 0, warnings);
  if (statements.length + banks.length === 0) throw refuse(root, nothingToRead(cards));
  if (cards) warnings.at(cards)("card statements are left out");
  const names = new SecurityNames(root, warnings);
  const institution = institutionName(root);
  const portfolios = new Map<string, StatedPortfolio>();
  const holdings: HoldingData[] = [];
  const transactions: TransactionData[] = [];
  const corrections: TransactionCorrection[] = [];
  const addMovements = (told: ReturnType<typeof readTransactions>) => {
    for (const transaction of told.transactions) transactions.push(transaction);
    for (const correction of told.corrections) corrections.push(correction);
  };
  const add = (held: ReturnType<typeof readPortfolio>) => {
    portfolios.set(held.portfolio.key, held.portfolio);
    for (const holding of held.holdings) holdings.push(holding);
  };
  const seen = new Set<string>();
  const refuseTwice = (statement: MarkupElement, key: string) => {
    if (seen.has(key)) {
      portfolios.delete(key);
      throw refuse(statement, "a second statement of the same account and currency");
    }
    seen.add(key);
  };
  for (const statement of statements) {
    warnings.account(requiredText(requiredChild(statement, "INVACCTFROM"), "ACCTID"), () => {
      const account = readAccount(statement);
      refuseTwice(statement, account.key);
      const positions = readHoldings(statement, account, names, warnings);
      const movements = readTransactions(statement, account, names, warnings);
      add(readPortfolio(statement, account, positions, institution, warnings));
      addMovements(movements);
    });
  }
  for (const statement of banks) {
    const number = requiredText(requiredChild(statement, "BANKACCTFROM"), "ACCTID").replaceAll(" ", "");
    warnings.account(number, () => {
      const account = readBankAccount(statement, institution);
      refuseTwice(statement, account.key);
      const read = readBankStatement(statement, account, warnings);
      add(read);
      addMovements(read);
    });
  }
  const refused = warnings.refusedAccounts(portfolios.size > 0);
  const isTaken = ({ portfolio_key }: { readonly portfolio_key: string }) => portfolios.has(portfolio_key);
  const corrected = corrections.filter(isTaken);
  return {
    as_of: latestAsOf(portfolios.values()),
    portfolios: [...portfolios.values()],
    holdings: holdings.filter(isTaken),
    transactions: transactions.filter(isTaken),
    warnings: warnings.list(),
    ...warnings.leftOut(),
    ...refused,
    keys: "unique",
    ...(corrected.length > 0 && { corrections: corrected }),
    ...(institution !== null && { sender: institution }),
  };
}

function investmentStatements(root: MarkupElement): MarkupElement[] {
  const messageSet = childOf(root, "INVSTMTMSGSRSV1");
  return messageSet ? soundStatements(childrenOf(messageSet, "INVSTMTTRNRS"), "INVSTMTRS") : [];
}

function institutionName(root: MarkupElement): string | null {
  const signOn = childOf(root, "SIGNONMSGSRSV1");
  const response = signOn && childOf(signOn, "SONRS");
  const institution = response && childOf(response, "FI");
  return institution && textOf(institution, "ORG");
}

function nothingToRead(cards: MarkupElement | null): string {
  return cards
    ? `is OFX and holds card statements only; what can be read is investment and bank statements (INVSTMTMSGSRSV1, BANKMSGSRSV1); ${formatHint}`
    : `is OFX and holds no investment or bank statement (INVSTMTMSGSRSV1, BANKMSGSRSV1); ${formatHint}`;
}

/**
 * Refuses a file in which the bank reports an error, quoting its code and message: at the sign-on, or if no statement is left without one.
 * Otherwise the statement is left out, with a warning.
 */
function refuseReportedErrors(root: MarkupElement, isAnyLeft: boolean, warnings: FeedWarnings): void {
  for (const messageSet of root.children) {
    for (const response of messageSet.children) {
      const error = reportedError(response);
      if (error && (response.name === "SONRS" || !isAnyLeft)) throw error;
      if (error) warnings.at(response)(`${error.reason}; its statement is left out`);
    }
  }
}
