import { FeedRefusal, type StatementPage } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, placeOf, refuse } from "../markup/element.js";
import { booleanIn, childOf, requiredChild } from "../markup/values.js";
import { accountIn, valueIn, within } from "./values.js";

/** Messages of one statement, in order. */
export interface ReportStatement {
  readonly account: string;
  readonly pages: readonly [first: MarkupElement, ...others: MarkupElement[]];
}

interface Page {
  readonly element: MarkupElement;
  readonly account: string;
  readonly statement: string;
  readonly number: number;
  readonly isLast: boolean;
}

/** Maximum number of waiting pages in one file. */
const MAX_WAITING = 1_000;

/**
 * Groups pages into statements, in whatever order they come (`Pgntn`). Pages of an incomplete statement are returned to wait for other files. A
 * page that cannot be read, or occurs twice, refuses its account.
 */
export function reportsOf(
  messages: readonly MarkupElement[],
  warnings: FeedWarnings,
): {
  readonly whole: readonly ReportStatement[];
  readonly waiting: readonly (ReportStatement & { readonly page: StatementPage })[];
} {
  const statements = new Map<string, Map<number, Page>>();
  for (const element of messages) {
    const account = accountIn(element).number;
    warnings.account(account, () => {
      const page = readPage(element, account);
      const known = statements.get(page.statement) ?? new Map<number, Page>();
      if (known.has(page.number)) throw refuse(element, "a page for the second time");
      statements.set(page.statement, known.set(page.number, page));
    });
  }
  const whole: ReportStatement[] = [];
  const waiting: (ReportStatement & { page: StatementPage })[] = [];
  for (const found of statements.values()) {
    const pages = [...found.values()].sort((x, y) => x.number - y.number);
    const isWhole = pages.every(
      ({ number, isLast }, index) => number === index + 1 && isLast === (index + 1 === pages.length),
    );
    const [first, ...others] = pages;
    if (isWhole && first)
      whole.push({ account: first.account, pages: [first.element, ...others.map(({ element }) => element)] });
    else
      for (const page of pages) waiting.push({ account: page.account, pages: [page.element], page: pageToKeep(page) });
    if (waiting.length > MAX_WAITING)
      throw new FeedRefusal("file", `holds more than ${MAX_WAITING} pages of statements that are not whole`);
  }
  const isTaken = ({ account }: ReportStatement) => !warnings.isRefused(account);
  return { whole: whole.filter(isTaken), waiting: waiting.filter(isTaken) };
}

function readPage(element: MarkupElement, account: string): Page {
  const paging = childOf(element, "Pgntn");
  const number = paging ? Number(valueIn(childOf(paging, "PgNb")) ?? "1") : 1;
  if (!Number.isSafeInteger(number) || number < 1)
    throw refuse(requiredChild(element, "Pgntn"), "PgNb is no page number");
  const details = requiredChild(element, "StmtGnlDtls");
  const named = ["StmtId", "RptNb", "StmtDtTm", "StmtPrd"].map((name) => allValues(childOf(details, name)));
  return {
    element,
    account,
    statement: JSON.stringify([element.name, account, ...named]),
    number,
    isLast: booleanIn(within(paging, "LastPgInd")) ?? true,
  };
}

function allValues(element: MarkupElement | null): string {
  if (!element) return "";
  return !element.hasChildren ? element.text : element.children.map(allValues).join(" ");
}

/** Converts the message to a separate document. */
function pageToKeep({ element, statement, number, isLast }: Page): StatementPage {
  const { document, offset, name } = element;
  const written = /^<([^\s/>]+)/.exec(document.source.slice(offset, offset + 200))?.[1] ?? name;
  const end = document.source.indexOf(`</${written}`, offset);
  const close = document.source.indexOf(">", end);
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${document.source.slice(offset, close + 1)}`;
  return { statement, number, is_last: isLast, text, place: placeOf(element) };
}
