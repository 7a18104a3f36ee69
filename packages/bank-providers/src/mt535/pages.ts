import { FeedRefusal } from "@org/core";
import type { SwiftBlock, SwiftMessage } from "./message.js";
import { momentOf, refuseField, requiredField, valueOfField } from "./values.js";

/** A statement of one account, its pages in order. */
export interface HoldingsStatement {
  readonly account: string;
  readonly line: number;
  /** Day of the statement, `YYYY-MM-DD`. */
  readonly day: string;
  readonly instant: Date;
  readonly pages: readonly SwiftMessage[];
}

interface Page {
  readonly message: SwiftMessage;
  readonly account: string;
  readonly day: string;
  readonly instant: Date;
  readonly number: number;
  /** `28E`: whether more pages follow, this is the last one, or the only one. */
  readonly place: "MORE" | "LAST" | "ONLY";
}

/**
 * Puts pages together. A part of a statement says nothing about what the rest holds, so all pages of one must be in the file.
 * Statements of what has changed only, and cancellations of statements, are refused.
 */
export function statementsOf(messages: readonly SwiftMessage[]): readonly HoldingsStatement[] {
  const byAccount = new Map<string, Page[]>();
  for (const message of messages) {
    const page = readPage(message);
    const pages = byAccount.get(page.account);
    if (pages) pages.push(page);
    else byAccount.set(page.account, [page]);
  }
  return [...byAccount.values()].map(statementOf);
}

function readPage(message: SwiftMessage): Page {
  if (message.type !== null && message.type !== "535") {
    throw new FeedRefusal(`line ${message.line}`, `is an MT${message.type}; what can be read is MT535`);
  }
  const general = message.blocks.find(({ name }) => name === "GENL");
  if (!general) throw new FeedRefusal(`line ${message.line}`, "has no general information (GENL)");
  refuseOtherKinds(general);
  const paging = requiredField(general, "28E");
  const match = /^(\d{1,5})\/(MORE|LAST|ONLY)$/.exec(paging.value.trim());
  if (!match) throw refuseField(paging, "is no page, such as 00001/ONLY");
  return {
    message,
    account: valueOfField(requiredField(general, "97", "SAFE")),
    ...momentOf(requiredField(general, "98", "STAT")),
    number: Number(match[1]),
    place: match[2] as Page["place"],
  };
}

function refuseOtherKinds(general: SwiftBlock): void {
  const purpose = requiredField(general, "23G");
  if (!/^NEWM(?:\/|$)/.test(purpose.value.trim())) throw refuseField(purpose, "is no new statement (NEWM)");
  for (const field of general.fields) {
    if (field.tag === "22F" && field.qualifier === "CODE" && valueOfField(field) === "DELT") {
      throw refuseField(field, "holds only what has changed (DELT); what can be read is complete statements (COMP)");
    }
  }
}

function statementOf(pages: readonly Page[]): HoldingsStatement {
  const [first] = pages;
  if (!first) throw new FeedRefusal("file", "holds no page");
  const { account, day, instant } = first;
  pages.forEach((page, index) => {
    const paging = requiredField(page.message.blocks.find(({ name }) => name === "GENL") as SwiftBlock, "28E");
    const isLast = index === pages.length - 1;
    if (page.day !== day) throw refuseField(paging, "a second statement of one account");
    if (page.number !== index + 1)
      throw refuseField(
        paging,
        `page ${page.number} where page ${index + 1} was expected; all pages of a statement must be in one file`,
      );
    if (isLast && page.place === "MORE")
      throw refuseField(
        paging,
        "more pages follow that are not in the file; all pages of a statement must be in one file",
      );
    if (!isLast && page.place !== "MORE") throw refuseField(paging, "a second statement of one account");
  });
  return { account, line: first.message.line, day, instant, pages: pages.map(({ message }) => message) };
}
