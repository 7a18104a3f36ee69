import type { FeedParser, HoldingData, ParsedFeed, TransactionData } from "@org/core";
import { FeedWarnings, quoted } from "../feed-warnings.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { childOf, childrenOf, requiredChild, textOf } from "../markup/values.js";
import { readXml } from "../markup/xml-document.js";
import { latestAsOf, type StatedPortfolio, startOfDay, sumOfHoldings } from "../stated-portfolio.js";
import { readCash, readOpenPositions } from "./holdings.js";
import { SecurityInfos } from "./security.js";
import { readTotal } from "./total.js";
import { readCashTransactions, readCorporateActions, readTrades } from "./transactions.js";
import { FlexRow } from "./values.js";

/**
 * Reads an activity Flex query of Interactive Brokers in XML. Each account becomes a portfolio, its open positions and its cash
 * holdings; trades, cash transactions and corporate actions become transactions.
 */
export const flexParser: FeedParser = {
  format: "ibkr-flex",
  recognises: (head) => /<Flex(?:QueryResponse|StatementResponse|Statements?)[\s>]/.test(head),
  parse: (file) => readSnapshot(readXml(file)),
};

interface Statement {
  readonly element: MarkupElement;
  readonly account: string;
  /** Last day of the period, `YYYY-MM-DD`. */
  readonly day: string;
}

function readSnapshot(root: MarkupElement): ParsedFeed {
  refuseReportedError(root);
  const statements = statementsIn(root);
  const warnings = new FeedWarnings();
  const portfolios: StatedPortfolio[] = [];
  const holdings: HoldingData[] = [];
  const transactions: TransactionData[] = [];
  for (const latest of latestOfEachAccount(statements)) {
    const portfolio = readHoldings(latest, warnings);
    portfolios.push(portfolio.portfolio);
    for (const holding of portfolio.holdings) holdings.push(holding);
  }
  for (const { element, account } of statements) {
    for (const transaction of [
      ...readTrades(childOf(element, "Trades"), account, warnings),
      ...readCashTransactions(childOf(element, "CashTransactions"), account, warnings),
      ...readCorporateActions(childOf(element, "CorporateActions"), account, warnings),
    ])
      transactions.push(transaction);
  }
  return { as_of: latestAsOf(portfolios), portfolios, holdings, transactions, warnings: warnings.list() };
}

/** The answer of IBKR's web service when there is no statement to give. */
function refuseReportedError(root: MarkupElement): void {
  if (root.name !== "FlexStatementResponse") return;
  const message = textOf(root, "ErrorMessage") ?? textOf(root, "Status") ?? "no statement";
  throw refuse(root, `IBKR reports error ${textOf(root, "ErrorCode") ?? "unknown"}: ${quoted(message, 300)}`);
}

function statementsIn(root: MarkupElement): Statement[] {
  const list = root.name === "FlexQueryResponse" ? requiredChild(root, "FlexStatements") : root;
  const statements = list.name === "FlexStatements" ? childrenOf(list, "FlexStatement") : [];
  if (statements.length === 0) throw refuse(list, "holds no FlexStatement");
  const seen = new Set<string>();
  return statements.map((element) => {
    const row = new FlexRow(element);
    const statement = { element, account: row.required("accountId"), day: row.day("toDate") };
    const place = `${statement.account} ${row.day("fromDate")} ${statement.day}`;
    if (seen.has(place)) throw refuse(element, "a second statement of the same account and period");
    seen.add(place);
    return statement;
  });
}

/** Of several periods of one account, what is held at the end of the last one counts. */
function latestOfEachAccount(statements: readonly Statement[]): Statement[] {
  const latest = new Map<string, Statement>();
  for (const statement of statements) {
    const known = latest.get(statement.account);
    if (!known || known.day <= statement.day) latest.set(statement.account, statement);
  }
  return [...latest.values()];
}

function readHoldings({ element, account, day }: Statement, warnings: FeedWarnings) {
  const positions = childOf(element, "OpenPositions");
  if (!positions) {
    const mend = "add it to the query; an empty one says that nothing is held";
    throw refuse(element, `has no section OpenPositions, so what the account holds is not known: ${mend}`);
  }
  const infos = new SecurityInfos();
  for (const info of childOf(element, "SecuritiesInfo")?.children ?? []) infos.add(new FlexRow(info));
  const holdings = [
    ...readOpenPositions(positions, account, infos, warnings),
    ...readCash(childOf(element, "CashReport"), account, day),
  ];
  const information = childOf(element, "AccountInformation");
  const facts = information && new FlexRow(information);
  const base = facts?.text("currency") ? facts.currency() : null;
  const total = readTotal(element, base, warnings);
  const currency = total?.currency ?? base ?? holdings[0]?.currency ?? "XXX";
  const portfolio: StatedPortfolio = {
    key: account,
    name: facts?.text("acctAlias") ?? `Interactive Brokers ${account}`,
    balance: total?.value ?? sumOfHoldings(holdings, currency),
    currency,
    ref_account: account,
    type: "S",
    as_of: startOfDay(day),
  };
  return { portfolio, holdings };
}
