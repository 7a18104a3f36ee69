import type { HoldingTruth, PortfolioTruth, TransactionTruth } from "./truth.js";

/** One row of a section, and what a customer should see of it: nothing if it repeats another row. */
export interface FlexRow {
  readonly section: FlexSection;
  /** `Trade`, in the section `Trades`. */
  readonly element: string;
  /** Dates are ISO and rendered in the query's format; `dateTime` has the time of day after a T. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly holding?: HoldingTruth;
  readonly transactions?: readonly TransactionTruth[];
  readonly portfolio?: PortfolioTruth;
}

/** Sections in the order of a statement. */
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

/** The state and movements of one account, day by day. */
export interface FlexAccount {
  readonly account: string;
  readonly base_currency: string;
  readonly days: Readonly<Record<string, readonly FlexRow[]>>;
  /** Movements, each on its own day. */
  readonly movements: readonly FlexRow[];
  /** Sections of the query that are empty here. */
  readonly empty?: readonly FlexSection[];
}

/** A Flex query as a customer set it up in the portal. */
export interface FlexQuery {
  readonly query_id: string;
  readonly name: string;
  /** `AF` is an activity query, `TCF` a query for trade confirmations. */
  readonly type: "AF" | "TCF";
  readonly output: "xml" | "csv";
  /** "Date Format" and "Date/Time Separator" of the general configuration. */
  readonly date_format: "yyyyMMdd" | "yyyy-MM-dd" | "dd-MMM-yy";
  readonly date_time_separator: ";" | "," | " ";
  /** The number of days that a statement covers, including the last. */
  readonly period_days: number;
  readonly sections?: readonly FlexSection[];
  /** The accounts that it covers. */
  readonly accounts: readonly FlexAccount[];
}

const wrapped = new Set<FlexSection>(
  flexSections.filter((name) => name !== "AccountInformation" && name !== "ChangeInNAV"),
);
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The complete answer of GetStatement, as of the end of `day` (YYYY-MM-DD). */
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

/** The rows of an account in a query as of `day`: its state then, and the movements of the period. */
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

/** Formats dates and times as the query says; returns other values unchanged. */
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

/** A query saved with another output format than XML is answered in that format. */
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
