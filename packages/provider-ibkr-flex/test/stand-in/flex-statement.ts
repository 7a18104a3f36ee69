import type { HoldingTruth, PortfolioTruth, TransactionTruth } from "./truth.js";

/** One row of a section, and what a customer should see of it: nothing, where another row says the same again. */
export interface FlexRow {
  readonly section: FlexSection;
  /** `Trade`, where the section is `Trades`. */
  readonly element: string;
  /** ISO days; they are written as the query's format wants them. Of `dateTime` with the time of day behind a T. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly holding?: HoldingTruth;
  readonly transactions?: readonly TransactionTruth[];
  readonly portfolio?: PortfolioTruth;
}

/** Sections in the order in which a statement has them. */
export const flexSections = [
  "AccountInformation",
  "EquitySummaryInBase",
  "ChangeInNAV",
  "CashReport",
  "OpenPositions",
  "Trades",
  "TransactionTaxes",
  "OptionEAE",
  "CorporateActions",
  "CashTransactions",
  "SalesTaxes",
  "Transfers",
  "OpenDividendAccruals",
  "SecuritiesInfo",
  "ConversionRates",
] as const;
export type FlexSection = (typeof flexSections)[number];

/** What one account was and did, day by day. */
export interface FlexAccount {
  readonly account: string;
  readonly base_currency: string;
  /** What is stated as of a day. */
  readonly days: Readonly<Record<string, readonly FlexRow[]>>;
  /** What happened, each on a day of its own. */
  readonly movements: readonly FlexRow[];
  /** Sections that the query has and that are empty here. */
  readonly empty?: readonly FlexSection[];
}

/** How a customer has set up a Flex query in the portal. */
export interface FlexQuery {
  readonly query_id: string;
  readonly name: string;
  /** `AF` is an activity query, `TCF` one of trade confirmations. */
  readonly type: "AF" | "TCF";
  readonly output: "xml" | "csv";
  /** "Date Format" and "Date/Time Separator" of the general configuration. */
  readonly date_format: "yyyyMMdd" | "yyyy-MM-dd" | "dd-MMM-yy";
  readonly date_time_separator: ";" | "," | " ";
  /** How many days a statement looks back, the last one included. */
  readonly period_days: number;
  readonly sections?: readonly FlexSection[];
  /** The accounts that it covers. */
  readonly accounts: readonly FlexAccount[];
}

const wrapped = new Set<FlexSection>(
  flexSections.filter((name) => name !== "AccountInformation" && name !== "ChangeInNAV"),
);
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The whole answer of GetStatement, as of the end of `day` (YYYY-MM-DD). */
export function renderQuery(query: FlexQuery, day: string, generated: Date): string {
  if (query.output === "csv") return renderCsv(query, day);
  const statements =
    query.type === "AF" ? query.accounts.map((one) => renderStatement(query, one, day, generated)) : [];
  return [
    `<FlexQueryResponse queryName="${xmlText(query.name)}" type="${query.type}">`,
    `<FlexStatements count="${statements.length}">`,
    ...statements,
    "</FlexStatements>",
    "</FlexQueryResponse>",
    "",
  ].join("\n");
}

/** Rows of an account that a query as of `day` shows: its state then, and its movements within the period. */
export function visibleRows(query: FlexQuery, account: FlexAccount, day: string): readonly FlexRow[] {
  const from = firstDay(query, day);
  const isWanted = ({ section }: FlexRow) => query.sections?.includes(section) ?? true;
  const moved = account.movements.filter((row) => from <= movedOn(row) && movedOn(row) <= day);
  return [...(account.days[day] ?? []), ...moved].filter(isWanted);
}

/** The day on which a movement is reported. */
function movedOn({ attributes }: FlexRow): string {
  return (attributes.reportDate ?? attributes.date ?? attributes.tradeDate ?? "").slice(0, 10);
}

function renderStatement(query: FlexQuery, account: FlexAccount, day: string, generated: Date): string {
  const rows = visibleRows(query, account, day);
  const attributes = {
    accountId: account.account,
    fromDate: firstDay(query, day),
    toDate: day,
    period: query.period_days === 1 ? "LastBusinessDay" : `Last${query.period_days}CalendarDays`,
    whenGenerated: generated.toISOString().slice(0, 19),
  };
  const sections = flexSections
    .filter((name) => query.sections?.includes(name) ?? true)
    .map((name) => renderSection(query, name, rows, account.empty?.includes(name) ?? false));
  return `<FlexStatement${written(query, attributes)}>\n${sections.join("")}</FlexStatement>`;
}

function renderSection(query: FlexQuery, name: FlexSection, rows: readonly FlexRow[], isThere: boolean): string {
  const own = rows.filter(({ section }) => section === name);
  if (own.length === 0) return isThere ? `<${name} />\n` : "";
  const elements = own.map(({ element, attributes }) => `<${element}${written(query, attributes)} />\n`).join("");
  return wrapped.has(name) ? `<${name}>\n${elements}</${name}>\n` : elements;
}

function written(query: FlexQuery, attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${xmlText(dated(query, value))}"`)
    .join("");
}

/** Days, and days with a time, in the formats of the query; anything else as it is. */
function dated(query: FlexQuery, value: string): string {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d))?$/.exec(value);
  if (!found) return value;
  const [, year = "", month = "", date = "", hour, minute, second] = found;
  const formats = {
    yyyyMMdd: `${year}${month}${date}`,
    "yyyy-MM-dd": `${year}-${month}-${date}`,
    "dd-MMM-yy": `${date}-${months[Number(month) - 1]}-${year.slice(2)}`,
  };
  const time = hour === undefined ? "" : `${query.date_time_separator}${hour}${minute}${second}`;
  return formats[query.date_format] + time;
}

function firstDay(query: FlexQuery, day: string): string {
  const first = new Date(`${day}T00:00:00Z`);
  first.setUTCDate(first.getUTCDate() - (query.period_days - 1));
  return first.toISOString().slice(0, 10);
}

/** A query that was saved with another output format than XML answers in that format. */
function renderCsv(query: FlexQuery, day: string): string {
  const positions = query.accounts
    .flatMap((account) => visibleRows(query, account, day))
    .filter(({ section }) => section === "OpenPositions");
  const names = ["accountId", "currency", "symbol", "position", "markPrice", "positionValue"];
  const lines = positions.map(({ attributes }) => names.map((name) => `"${attributes[name] ?? ""}"`).join(","));
  return [names.map((name) => `"${name}"`).join(","), ...lines, ""].join("\n");
}

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
