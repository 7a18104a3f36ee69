import {
  type FeedContent,
  type FeedFormat,
  type HoldingData,
  type TransactionData,
  withoutPlaces,
} from "@org/provider-kit";
import { FeedWarnings, quotedText } from "../feed-warnings.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { childOf, textOf } from "../markup/values.js";
import { readXml } from "../markup/xml-document.js";
import { latestAsOf, type StatedPortfolio } from "../stated-portfolio.js";
import { readPortfolio } from "./portfolio.js";
import { refuseLackingFields } from "./query-fields.js";
import { FlexQueryRefusal, isQueryFault } from "./query-refusal.js";
import { refuseUnreadSections, warnOfUnreadSections } from "./sections.js";
import { statementList } from "./statement-list.js";
import { readMovements } from "./transactions.js";
import { FlexRow } from "./values.js";

/**
 * Reads an activity Flex query of Interactive Brokers in XML. Each account becomes a portfolio, with its open positions and cash as holdings;
 * trades and all other movements become transactions.
 */
export const flexFormat = {
  name: "ibkr-flex",
  title: "Interactive Brokers activity Flex query",
  recognises: (head) => /<Flex(?:QueryResponse|StatementResponse|Statements?)[\s>]/.test(head),
  read: (file) => readSnapshot(readXml(file)),
} satisfies FeedFormat;

/**
 * Reads all that a customer holds. Other than in a file, what is not there is not held: an account that cannot be read refuses all, and a field that
 * the query lacks is a fault of the query. Rows have no place: nobody keeps the statement.
 * @throws FlexQueryRefusal for what the owner of the query can correct, FeedRefusal for other faults
 */
export function readFlexStatement(file: Uint8Array): FeedContent {
  const root = readXml(file);
  refuseReportedError(root);
  refuseLackingFields(root);
  return withoutPlaces(readSnapshot(root, true));
}

/** A response of IBKR's web service that is not a statement, as IBKR writes it; missing values are null. */
export interface FlexResponse {
  /** `Success`, `Warn` or `Fail`. */
  readonly status: string | null;
  /** Code by which the statement can be fetched. */
  readonly reference_code: string | null;
  readonly error_code: string | null;
}

/**
 * Reads a `FlexStatementResponse` of the Flex Web Service.
 * @throws FeedRefusal if it is not one, or not well-formed
 */
export function readFlexResponse(file: Uint8Array): FlexResponse {
  const root = readXml(file);
  if (root.name !== "FlexStatementResponse") throw refuse(root, "is no FlexStatementResponse");
  return {
    status: textOf(root, "Status"),
    reference_code: textOf(root, "ReferenceCode"),
    error_code: textOf(root, "ErrorCode"),
  };
}

/** A statement of one account and period. */
interface Statement {
  readonly element: MarkupElement;
  readonly account: string;
  /** Last day of the period, `YYYY-MM-DD`. */
  readonly day: string;
}

function readSnapshot(root: MarkupElement, areAllRequired = false): FeedContent {
  refuseReportedError(root);
  const warnings = new FeedWarnings(isQueryFault);
  const statements = statementsIn(root, warnings);
  const portfolios: StatedPortfolio[] = [];
  const holdings: HoldingData[] = [];
  const transactions: TransactionData[] = [];
  for (const { element, account, day } of latestOfEachAccount(statements)) {
    warnings.account(account, () => {
      const { portfolio, holdings: held } = readPortfolio(element, account, day, warnings);
      portfolios.push(portfolio);
      for (const holding of held) holdings.push(holding);
    });
  }
  if (areAllRequired) warnings.requireAllAccounts();
  const refused = warnings.refusedAccounts(portfolios.length > 0);
  // In the order of their periods: a row of a later one corrects that of an earlier one.
  const inOrder = statements.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  for (const { element, account } of inOrder.filter((statement) => !warnings.isRefused(statement.account))) {
    for (const transaction of readMovements(element, account, warnings)) transactions.push(transaction);
  }
  warnOfUnreadSections(
    statements.map(({ element }) => element),
    warnings,
  );
  const as_of = latestAsOf(portfolios);
  return {
    as_of,
    portfolios,
    holdings,
    transactions,
    warnings: warnings.list(),
    ...warnings.leftOut(),
    ...refused,
    keys: "corrected",
  };
}

/** Refuses the response that IBKR's web service gives if it has no statement. */
function refuseReportedError(root: MarkupElement): void {
  if (root.name !== "FlexStatementResponse") return;
  const message = textOf(root, "ErrorMessage") ?? textOf(root, "Status") ?? "no statement";
  throw refuse(root, `IBKR reports error ${textOf(root, "ErrorCode") ?? "unknown"}: ${quotedText(message, 300)}`);
}

function statementsIn(root: MarkupElement, warnings: FeedWarnings): Statement[] {
  const { list, statements } = statementList(root);
  if (new FlexRow(root).get("type") === "TCF")
    throw new FlexQueryRefusal(
      root,
      "confirmations",
      "is a query of trade confirmations, which do not say what is held",
    );
  if (statements.length === 0) throw new FlexQueryRefusal(list, "accounts", "holds no FlexStatement");
  refuseUnreadSections(statements);
  const seen = new Set<string>();
  const read: Statement[] = [];
  for (const element of statements) {
    const row = new FlexRow(element);
    const account = row.required("accountId");
    warnings.account(account, () => {
      const day = row.day("toDate");
      const place = `${account} ${row.get("fromDate")} ${day}`;
      if (seen.has(place)) throw refuse(element, "a second statement of the same account and period");
      seen.add(place);
      read.push({ element, account, day });
    });
  }
  return read.filter(({ account }) => !warnings.isRefused(account));
}

/** Of several periods of one account, the last one that states positions counts. */
function latestOfEachAccount(statements: readonly Statement[]): Statement[] {
  const latest = new Map<string, Statement>();
  const holds = ({ element }: Statement) => childOf(element, "OpenPositions") !== null;
  for (const statement of statements) {
    const known = latest.get(statement.account);
    const isLater = !known || (holds(known) === holds(statement) ? known.day <= statement.day : holds(statement));
    if (isLater) latest.set(statement.account, statement);
  }
  return [...latest.values()];
}
