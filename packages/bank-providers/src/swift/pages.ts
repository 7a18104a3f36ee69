import { FeedRefusal, type StatementPage } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { formatHint } from "../unread-formats.js";
import type { SwiftBlock, SwiftField } from "./field-table.js";
import type { SwiftMessage } from "./message.js";
import { accountOf } from "./movements.js";
import { fieldOf, placeOfField, refuseField, requiredField, valueOfField } from "./values.js";

/** A statement of one account, its pages in order. */
export interface SecuritiesStatement {
  readonly account: string;
  readonly line: number;
  /** Day of the statement, `YYYY-MM-DD`. */
  readonly day: string;
  readonly instant: Date;
  readonly pages: readonly SwiftMessage[];
}

/** A kind of statement about a safekeeping account. */
export interface StatementKind {
  readonly type: string;
  /**
   * Reads the date of a statement from its general information, and the text that distinguishes it from other statements of the account. Refuses
   * other kinds of statements.
   */
  momentOf(general: SwiftBlock): { readonly stated: string; readonly day: string; readonly instant: Date };
  /** Whether every statement of an account counts, and not only the latest. */
  readonly isHistory?: true;
}

interface Page {
  readonly message: SwiftMessage;
  /** Its paging field, `28E`. */
  readonly paging: SwiftField;
  readonly account: string;
  /** The same for all pages of a statement, and different for every other statement. */
  readonly statement: string;
  readonly day: string;
  readonly instant: Date;
  readonly number: number;
  /** `28E`: whether more pages follow, this is the last one, or the only one. */
  readonly place: "MORE" | "LAST" | "ONLY";
}

/**
 * Groups pages into statements, in whatever order they come. Part of a statement says nothing about the rest, so pages of an incomplete one are
 * returned to wait for other files. Of several statements of one account the latest counts, or each if the kind is a history. A fault of a page,
 * such as a cancellation, refuses its account.
 */
export function statementsOf(
  messages: readonly SwiftMessage[],
  kind: StatementKind,
  warnings: FeedWarnings,
): { whole: readonly SecuritiesStatement[]; waiting: readonly (SecuritiesStatement & { page: StatementPage })[] } {
  const pages = new Map<string, [Page, ...Page[]]>();
  for (const message of messagesOf(messages, kind, warnings)) {
    const general = generalOf(message, kind);
    const account = accountOf(requiredField(general, "97", "SAFE"));
    warnings.account(account, () => {
      const page = readPage(message, general, account, kind);
      const known = pages.get(page.statement);
      if (known) known.push(page);
      else pages.set(page.statement, [page]);
    });
  }
  const latest = new Map<string, SecuritiesStatement>();
  const all: SecuritiesStatement[] = [];
  const waiting: (SecuritiesStatement & { page: StatementPage })[] = [];
  for (const found of pages.values()) {
    const inOrder = found.toSorted((a, b) => a.number - b.number);
    const [{ account }] = found;
    let isComplete = false;
    const read = () => {
      isComplete = isWhole(inOrder);
    };
    if (!warnings.account(account, read)) continue;
    if (!isComplete) {
      for (const page of inOrder) waiting.push({ ...statementOf([page]), page: pageToKeep(page) });
      if (waiting.length > MAX_WAITING)
        throw new FeedRefusal("file", `holds more than ${MAX_WAITING} pages of statements that are not whole`);
      continue;
    }
    const statement = statementOf(inOrder);
    if (kind.isHistory) {
      all.push(statement);
      continue;
    }
    const known = latest.get(statement.account);
    const older = known && (known.instant > statement.instant ? statement : known);
    if (older) warnings.add(() => `line ${older.line}`, "is an older statement of its account; the latest one counts");
    if (older !== statement) latest.set(statement.account, statement);
  }
  const isTaken = ({ account }: SecuritiesStatement) => !warnings.isRefused(account);
  return { whole: (kind.isHistory ? all : [...latest.values()]).filter(isTaken), waiting: waiting.filter(isTaken) };
}

/** Maximum number of waiting pages in one file; each is a database row until the others come. */
const MAX_WAITING = 1_000;

/** Other messages in the same file are left out with a warning. */
function messagesOf(
  messages: readonly SwiftMessage[],
  { type }: StatementKind,
  warnings: FeedWarnings,
): readonly SwiftMessage[] {
  const [others, found] = [[] as SwiftMessage[], [] as SwiftMessage[]];
  for (const message of messages) (message.type === null || message.type === type ? found : others).push(message);
  const [first] = others;
  if (first && found.length === 0) throw new FeedRefusal(`line ${first.line}`, otherMessage(`MT${first.type}`, type));
  for (const other of others) warnings.add(() => `line ${other.line}`, `is an MT${other.type}, which is not read`);
  return found;
}

/** Refusal of a message of another kind. */
export function otherMessage(name: string, type: string): string {
  return `is an ${name}; what can be read is MT${type}; ${formatHint}`;
}

/** The general information of a message, which alone says what account it is about. */
function generalOf(message: SwiftMessage, kind: StatementKind): SwiftBlock {
  const [stray] = message.fields();
  if (stray) throw new FeedRefusal(`line ${stray.line}`, `:${stray.tag}: outside of a block`);
  const general = message.blocks.find(({ name }) => name === "GENL");
  if (!general) {
    const reason = `is an MT${kind.type} without general information (GENL); ${formatHint}`;
    throw new FeedRefusal(`line ${message.line}`, reason);
  }
  return general;
}

function readPage(message: SwiftMessage, general: SwiftBlock, account: string, kind: StatementKind): Page {
  const purpose = requiredField(general, "23G");
  if (!/^NEWM(?:\/|$)/.test(purpose.value.trim())) throw refuseField(purpose, "is no new statement (NEWM)");
  const { stated, ...moment } = kind.momentOf(general);
  const paging = requiredField(general, "28E");
  const match = /^(\d{1,5})\/(MORE|LAST|ONLY)$/.exec(paging.value.trim());
  if (!match) throw refuseField(paging, "is no page, such as 00001/ONLY");
  const number = fieldOf(general, "13", "STAT");
  return {
    message,
    paging,
    account,
    statement: JSON.stringify([account, stated, number && valueOfField(number)]),
    ...moment,
    number: Number(match[1]),
    place: match[2] as Page["place"],
  };
}

/** Whether these are all pages of their statement. Refuses two pages with one number, and pages after the last one. */
function isWhole(pages: readonly Page[]): boolean {
  pages.forEach(({ paging, number, place }, index) => {
    const isLast = index === pages.length - 1;
    if (number === pages[index - 1]?.number || (!isLast && place !== "MORE"))
      throw refuseField(paging, "a second statement of one account");
  });
  const last = pages.at(-1);
  return last?.place === "ONLY" || (last?.place === "LAST" && last.number === pages.length);
}

function statementOf(pages: readonly Page[]): SecuritiesStatement {
  const [first] = pages;
  if (!first) throw new FeedRefusal("file", "holds no page");
  const { account, day, instant, message } = first;
  return { account, line: message.line, day, instant, pages: pages.map((page) => page.message) };
}

function pageToKeep({ message, paging, statement, number, place }: Page): StatementPage {
  return { statement, number, is_last: place !== "MORE", text: message.text, place: placeOfField(paging) };
}
