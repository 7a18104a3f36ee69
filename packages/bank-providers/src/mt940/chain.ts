import { compareDecimals, sumDecimals } from "@org/core";
import { FeedRefusal, type StatementPage } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { placeOfField, refuseField } from "../swift/values.js";
import type { CashPage, StatementPageOfAccount } from "./statement.js";

/** A statement of one account and currency, its pages in order. */
export interface CashStatement {
  readonly first: StatementPageOfAccount;
  readonly last: StatementPageOfAccount;
  readonly pages: readonly StatementPageOfAccount[];
}

/** Maximum number of waiting pages in one file; each is a database row until the others come. */
const MAX_WAITING = 1_000;

/**
 * Links the pages of an account by their numbers (`28C`): from the first opening balance (`60F`) over intermediate ones (`62M`, `60M`) to the
 * final closing one (`62F`). Pages of an incomplete statement are returned to wait for other files, because an intermediate balance is not what
 * the account holds.
 */
export function chainsOf(
  pages: readonly CashPage[],
  warnings: FeedWarnings,
): { whole: readonly CashStatement[]; waiting: readonly StatementPage[] } {
  const whole: CashStatement[] = [];
  const parts = new Map<string, StatementPageOfAccount[]>();
  for (const page of pages.map(withBalances)) {
    checkSum(page, warnings);
    if (isFirst(page) && isLast(page)) whole.push({ first: page, last: page, pages: [page] });
    else {
      const known = parts.get(page.number);
      if (known) known.push(page);
      else parts.set(page.number, [page]);
    }
  }
  const waiting: StatementPage[] = [];
  for (const found of parts.values()) {
    const statement = statementOf(found);
    if (statement) whole.push(statement);
    else for (const page of found) waiting.push(pageToKeep(page));
  }
  if (waiting.length > MAX_WAITING)
    throw new FeedRefusal("file", `holds more than ${MAX_WAITING} pages of statements that are not whole`);
  const inOrder = whole.toSorted(byDay);
  refuseTwice(inOrder);
  checkOrder(inOrder, warnings);
  return { whole: inOrder, waiting };
}

function isFirst({ opening }: StatementPageOfAccount): boolean {
  return opening.field.tag === "60F";
}

function isLast({ closing }: StatementPageOfAccount): boolean {
  return closing.field.tag === "62F";
}

function withBalances(page: CashPage): StatementPageOfAccount {
  const { opening, closing, message } = page;
  if (!opening) throw new FeedRefusal(`line ${message.line}`, "is an account statement without :60F:");
  if (!closing) throw new FeedRefusal(`line ${message.line}`, "is an account statement without :62F:");
  return { ...page, opening, closing };
}

/** Pages with one number are one statement if each opens with the balance that the one before closed with, from first to last. */
function statementOf(found: readonly StatementPageOfAccount[]): CashStatement | null {
  const pages = found.every(({ sequence }) => sequence !== null)
    ? found.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
    : found;
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last || !isFirst(first) || !isLast(last)) return null;
  for (const [index, page] of pages.entries()) {
    const before = pages[index - 1];
    if (!before) continue;
    if (before.sequence !== null && before.sequence === page.sequence)
      throw refuseField(page.opening.field, "begins a page whose number another page of the statement has");
    if (isFirst(page) || isLast(before)) return null;
    if (compareDecimals(before.closing.value, page.opening.value) !== 0) return null;
  }
  return { first, last, pages };
}

function pageToKeep(page: StatementPageOfAccount): StatementPage {
  const { account, currency, number, sequence, message, opening } = page;
  return {
    statement: JSON.stringify(["mt940", account.number, currency, number]),
    number: Math.max(sequence ?? 1, 1),
    is_last: isLast(page),
    text: message.text,
    place: placeOfField(opening.field),
  };
}

/**
 * Warns if the entries do not lead to the closing balance, which counts as stated. If nothing marks the end of the message, the file may be cut
 * off within that very number and is refused.
 */
function checkSum(page: StatementPageOfAccount, warnings: FeedWarnings): void {
  const { closing, message } = page;
  if (compareDecimals(sumDecimals(amountsOf(page)), closing.value) === 0) return;
  if (!message.isEnded)
    throw refuseField(
      closing.field,
      "does not follow from the opening balance and the entries, and the file ends here: it may be cut off",
    );
  warnings.add(
    () => placeOfField(closing.field),
    "does not follow from the opening balance and the entries; the balance counts as it is stated",
  );
}

function* amountsOf({ opening, booked }: StatementPageOfAccount): Generator<string> {
  yield opening.value;
  for (const { balance } of booked) if (balance !== null) yield balance;
}

function byDay(a: CashStatement, b: CashStatement): number {
  const [x, y] = [a.last.closing.day, b.last.closing.day];
  if (x !== y) return x < y ? -1 : 1;
  return Number(a.last.number) - Number(b.last.number) || 0;
}

function refuseTwice(statements: readonly CashStatement[]): void {
  // Avoids building texts that together are as large as the file.
  if (statements.length < 2) return;
  const seen = new Set<string>();
  for (const { pages } of statements) {
    const text = pages
      .map(({ message }) => Array.from(message.fields(), ({ tag, value }) => `:${tag}:${value}`).join("\n"))
      .join("\n");
    if (seen.has(text)) throw new FeedRefusal(`line ${pages[0]?.message.line}`, "a statement for the second time");
    seen.add(text);
  }
}

/** Of two statements with consecutive numbers, the second must open with the balance that the first closed with. */
function checkOrder(statements: readonly CashStatement[], warnings: FeedWarnings): void {
  statements.forEach(({ first }, index) => {
    const before = statements[index - 1]?.last;
    if (!before || Number(first.number) !== Number(before.number) + 1) return;
    if (compareDecimals(before.closing.value, first.opening.value) === 0) return;
    warnings.add(() => placeOfField(first.opening.field), "is another balance than the statement before closed with");
  });
}
