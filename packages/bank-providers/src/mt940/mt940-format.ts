import {
  type FeedContent,
  type FeedFormat,
  type FeedReadOptions,
  FeedRefusal,
  type HoldingData,
  type StatementPage,
  type TransactionData,
} from "@org/provider-kit";
import { CashBookings } from "../cash-booking.js";
import { FeedWarnings } from "../feed-warnings.js";
import { cashHolding, latestAsOf, type StatedPortfolio, startOfDay } from "../stated-portfolio.js";
import { readMessages, type SwiftMessage, swiftText } from "../swift/message.js";
import { placeOfField, placeOfLine } from "../swift/values.js";
import { cashMessageType, formatHint, interimRefusal } from "../unread-formats.js";
import { chainsOf } from "./chain.js";
import { accountNumberOf, type CashPage, isInterim, readCashPage } from "./statement.js";

/** Reads customer statements (MT940). An account becomes a portfolio of liquidity, its closing balance a holding. */
export const mt940Format = cashFormat("940", "SWIFT customer statement (MT940)");
/** Reads interim reports (MT942) if `interim` asks for them: booked movements only. */
export const mt942Format = cashFormat("942", "SWIFT interim transaction report (MT942)");
/** Reads statements between banks (MT950), which are customer statements without the purpose of each entry. */
export const mt950Format = cashFormat("950", "SWIFT statement message (MT950)");

/** All of them share one reader, because a batch of the network mixes statements and reports in any order. */
function cashFormat(type: string, title: string): FeedFormat {
  return {
    name: `mt${type}`,
    title,
    recognises: (head) => cashMessageType(head) === type,
    read: (file, options) => readSnapshot(swiftText(file), options),
  };
}

/** The messages about one account in one currency. */
interface AccountPages {
  readonly number: string;
  readonly statements: CashPage[];
  readonly reports: CashPage[];
}

const cashTypes: ReadonlySet<string> = new Set(["940", "942", "950"]);

function readSnapshot(text: string, { interim }: FeedReadOptions): FeedContent {
  const warnings = new FeedWarnings();
  const messages = cashMessages(readMessages(text, cashTypes), interim, warnings);
  const accounts = new Map<string, AccountPages>();
  for (const message of messages) {
    const number = accountNumberOf(message);
    const read = () => {
      const page = readCashPage(message, warnings);
      const key = page.portfolio_key;
      const known = accounts.get(key) ?? { number: page.account.number, statements: [], reports: [] };
      accounts.set(key, known);
      known[isInterim(message) ? "reports" : "statements"].push(page);
    };
    if (number === null) read();
    else warnings.account(number, read);
  }
  const stated: StatedPortfolio[] = [];
  const held: HoldingData[] = [];
  const kept: { readonly key: string; readonly page: StatementPage }[] = [];
  const bookings = new CashBookings();
  const readAccount = (key: string, { statements, reports }: AccountPages) => {
    const chains = chainsOf(statements, warnings);
    for (const page of chains.waiting) kept.push({ key, page });
    for (const { pages } of chains.whole) for (const page of pages) bookings.addStated(bookedOf(page, warnings));
    const last = chains.whole.at(-1)?.last;
    if (last) {
      const { value, currency, day, field } = last.closing;
      const place = placeOfLine(field);
      stated.push({ ...portfolioOf(key, last), balance: value, as_of: startOfDay(day), place });
      held.push(cashHolding(key, currency, value, day, place));
    }
    for (const report of reports) bookings.addReported(bookedOf(report, warnings));
    const [report] = reports.toSorted((a, b) => reportedAt(b).getTime() - reportedAt(a).getTime());
    if (report && !last)
      stated.push({
        ...portfolioOf(key, report),
        balance: null,
        holdings_unknown: true,
        as_of: reportedAt(report),
      });
  };
  for (const [key, pages] of accounts) warnings.account(pages.number, () => readAccount(key, pages));
  // A number may stand for accounts in several currencies; a fault in one refuses all of them.
  const isTaken = (key: string) => !warnings.isRefused(accounts.get(key)?.number ?? "");
  const portfolios = stated.filter(({ key }) => isTaken(key));
  const waiting = kept.filter(({ key }) => isTaken(key));
  const refused = warnings.refusedAccounts(portfolios.length + waiting.length > 0);
  const sender = messages.find((message) => message.sender !== null)?.sender;
  return {
    as_of: latestAsOf(portfolios),
    portfolios,
    holdings: held.filter(({ portfolio_key }) => isTaken(portfolio_key)),
    transactions: bookings.list().filter(({ portfolio_key }) => isTaken(portfolio_key)),
    warnings: warnings.list(),
    ...warnings.leftOut(),
    ...refused,
    ...(waiting.length > 0 && { pages: waiting.map(({ page }) => page) }),
    ...(sender && { sender }),
  };
}

/** The messages to read. Others in the same file are left out with a warning; a file that has only such messages is refused. */
function cashMessages(
  messages: readonly SwiftMessage[],
  interim: boolean,
  warnings: FeedWarnings,
): readonly SwiftMessage[] {
  const refusals = messages.map((message) => {
    if (message.type !== null && !cashTypes.has(message.type)) return `is an MT${message.type}, which is not read`;
    return isInterim(message) && !interim ? interimRefusal("MT942") : null;
  });
  const found = messages.filter((_, index) => refusals[index] === null);
  const [first] = messages;
  if (!first) throw new FeedRefusal("file", "holds no message");
  if (found.length === 0) throw new FeedRefusal(`line ${first.line}`, `${refusals[0]}; ${formatHint}`);
  messages.forEach(({ line }, index) => {
    const refusal = refusals[index];
    if (refusal) warnings.add(() => `line ${line}`, refusal);
  });
  return found;
}

function bookedOf({ booked, leftOut }: CashPage, warnings: FeedWarnings): readonly TransactionData[] {
  for (const { field, why } of leftOut) warnings.add(() => placeOfField(field), why);
  return booked;
}

function reportedAt({ reported, lastDay, message }: CashPage): Date {
  if (reported) return reported;
  if (lastDay === null) throw new FeedRefusal(`line ${message.line}`, "is an interim report without :13D:");
  return startOfDay(lastDay);
}

function portfolioOf(key: string, { account, currency, message }: CashPage) {
  const servicer = account.servicer ?? message.sender;
  return {
    key,
    name: account.number,
    currency,
    ref_account: account.number,
    type: "L",
    cash_account: true,
    ...(servicer && { servicer }),
  } as const;
}
