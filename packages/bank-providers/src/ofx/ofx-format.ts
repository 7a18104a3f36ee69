import type {
  FeedContent,
  FeedFormat,
  FeedRefusal,
  HoldingData,
  TransactionCorrection,
  TransactionData,
} from "@org/provider-kit";
import { FeedWarnings, quotedText } from "../feed-warnings.js";
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
  refuseReportedErrors(root);
  const cards = childOf(root, "CREDITCARDMSGSRSV1");
  const statements = investmentStatements(root);
  const banks = bankStatements(root);
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
  for (const statement of statements) {
    const number = requiredText(requiredChild(statement, "INVACCTFROM"), "ACCTID");
    const read = () => {
      const account = readAccount(statement);
      if (portfolios.has(account.key)) throw refuse(statement, SECOND);
      const positions = readHoldings(statement, account, names, warnings);
      const movements = readTransactions(statement, account, names, warnings);
      add(readPortfolio(statement, account, positions, institution, warnings));
      addMovements(movements);
    };
    warnings.account(number, read, isSecond);
  }
  for (const statement of banks) {
    const number = requiredText(requiredChild(statement, "BANKACCTFROM"), "ACCTID").replaceAll(" ", "");
    const read = () => {
      const account = readBankAccount(statement, institution);
      if (portfolios.has(account.key)) throw refuse(statement, SECOND);
      const told = readBankStatement(statement, account, warnings);
      add(told);
      addMovements(told);
    };
    warnings.account(number, read, isSecond);
  }
  const refused = warnings.refusedAccounts(portfolios.size > 0);
  return {
    as_of: latestAsOf(portfolios.values()),
    portfolios: [...portfolios.values()],
    holdings,
    transactions,
    warnings: warnings.list(),
    ...warnings.leftOut(),
    ...refused,
    keys: "unique",
    ...(corrections.length > 0 && { corrections }),
    ...(institution !== null && { sender: institution }),
  };
}

/** Which of them counts is not for the server to decide, so the file is refused. */
const SECOND = "a second statement of the same account and currency";

function isSecond({ reason }: FeedRefusal): boolean {
  return reason === SECOND;
}

function investmentStatements(root: MarkupElement): MarkupElement[] {
  const messageSet = childOf(root, "INVSTMTMSGSRSV1");
  return messageSet
    ? childrenOf(messageSet, "INVSTMTTRNRS").map((response) => requiredChild(response, "INVSTMTRS"))
    : [];
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

/** Refuses a file in which the bank reports an error, at the sign-on or at any statement, quoting its code and message. */
function refuseReportedErrors(root: MarkupElement): void {
  for (const messageSet of root.children) {
    for (const response of messageSet.children) {
      const status = childOf(response, "STATUS");
      if (status) refuseError(status);
    }
  }
}

/** Codes other than 0 may also be information or warnings, which leave the data valid (OFX 2.2 §3.1.5). */
function refuseError(status: MarkupElement): void {
  const code = requiredText(status, "CODE");
  const severity = textOf(status, "SEVERITY")?.toUpperCase();
  if (severity === "INFO" || severity === "WARN" || (severity === undefined && /^0+$/.test(code))) return;
  const message = textOf(status, "MESSAGE");
  throw refuse(status, `the bank reports error ${code}${message ? `: ${quotedText(message, 300)}` : ""}`);
}
