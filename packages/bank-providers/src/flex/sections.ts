import type { FeedWarnings } from "../feed-warnings.js";
import type { MarkupElement } from "../markup/element.js";
import { formatHint } from "../unread-formats.js";
import { FlexQueryRefusal } from "./query-refusal.js";

/** Sections whose rows are movements, with the row names that are read. */
const movements: Readonly<Record<string, readonly string[]>> = {
  Trades: ["Trade", "Order", "SymbolSummary"],
  CashTransactions: ["CashTransaction"],
  CorporateActions: ["CorporateAction"],
  TransactionTaxes: ["TransactionTax"],
  SalesTaxes: ["SalesTax"],
  Transfers: ["Transfer"],
  OptionEAE: ["OptionEAE"],
};

const sections: Readonly<Record<string, readonly string[]>> = {
  ...movements,
  OpenPositions: ["OpenPosition"],
  CashReport: ["CashReportCurrency"],
  EquitySummaryInBase: ["EquitySummaryByReportDateInBase"],
  SecuritiesInfo: ["SecurityInfo"],
  AccountInformation: [],
  ChangeInNAV: [],
};

/** Refuses a file if none of its statements has positions or movements. */
export function refuseUnreadSections(statements: readonly MarkupElement[]): void {
  const names = new Set(statements.flatMap(({ children }) => children.map(({ name }) => name)));
  const wanted = ["OpenPositions", ...Object.keys(movements)];
  const [first] = statements;
  if (!first || wanted.some((name) => names.has(name))) return;
  const held = [...names].slice(0, 10).join(", ") || "none";
  throw new FlexQueryRefusal(
    first,
    "sections",
    `is IBKR Flex without a section to take: ${held}; add one of ${wanted.join(", ")}; ${formatHint}`,
  );
}

/** Warns once per unread section with rows, at the place where it first occurs in the file. */
export function warnOfUnreadSections(statements: readonly MarkupElement[], warnings: FeedWarnings): void {
  const unread = new Map<string, { first: MarkupElement; rows: number }>();
  for (const section of statements.flatMap(({ children }) => children)) {
    const read = Object.hasOwn(sections, section.name) ? sections[section.name] : undefined;
    if (section.children.length === 0 || section.children.some(({ name }) => read?.includes(name))) continue;
    const known = unread.get(section.name) ?? { first: section, rows: 0 };
    known.rows += section.children.length;
    unread.set(section.name, known);
  }
  for (const [name, { first, rows }] of unread) {
    warnings.at(first)(`the section ${name.slice(0, 60)} is not read; it has ${rows} ${rows === 1 ? "row" : "rows"}`);
  }
}
