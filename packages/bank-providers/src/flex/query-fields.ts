import type { MarkupElement } from "../markup/element.js";
import { childOf } from "../markup/values.js";
import { FlexQueryRefusal, type LackingField } from "./query-refusal.js";
import { statementList } from "./statement-list.js";
import { FlexRow } from "./values.js";

const days = ["dateTime", "date", "reportDate", "settleDate"];

/** What a row of each section cannot be read without: a field, or one of several, of which the first is best. */
const needed: Readonly<Record<string, readonly (readonly string[])[]>> = {
  OpenPositions: [["currency"], ["position"], ["conid", "isin", "symbol"]],
  CashReport: [["currency"], ["endingCash"]],
  Trades: [["currency"], ["quantity"], ["tradeDate", "dateTime", "reportDate"]],
  CashTransactions: [["currency"], ["amount"], days],
  CorporateActions: [["currency"], ["quantity"], ["dateTime", "date", "reportDate"]],
  TransactionTaxes: [["currency"], ["taxAmount"], days],
  SalesTaxes: [["currency"], ["salesTax"], days],
  Transfers: [["currency"], days],
  OptionEAE: [["currency"], days],
};

/** Refuses a statement whose query lacks fields: no row of a section has them. A row has an empty field where its query has it. */
export function refuseLackingFields(root: MarkupElement): void {
  const { statements } = statementList(root);
  let first: MarkupElement | undefined;
  const lacking: LackingField[] = [];
  const informed = statements.flatMap((statement) => childOf(statement, "AccountInformation") ?? []);
  const hasAccountCurrency = informed.some((information) => new FlexRow(information).has("currency"));
  for (const [name, fields] of Object.entries(needed)) {
    const sections = statements.flatMap((statement) => childOf(statement, name) ?? []);
    const rows = sections.flatMap(({ children }) => children.map((row) => new FlexRow(row)));
    if (rows.length === 0) continue;
    for (const alternatives of fields) {
      if (rows.some((row) => alternatives.some((field) => row.has(field)))) continue;
      // A transfer without currency has that of the account.
      if (name === "Transfers" && hasAccountCurrency && alternatives.includes("currency")) continue;
      first ??= sections[0];
      lacking.push({ section: name, field: alternatives[0] ?? "" });
    }
  }
  if (!first) return;
  const named = lacking.map(({ section, field }) => `${field} in ${section}`).join(", ");
  throw new FlexQueryRefusal(first, "fields", `is made by a query that lacks fields: ${named}`, lacking);
}
