import { type Html, html } from "@org/pages";
import type { AccessTerms } from "@org/provider-kit";
import { inLanguage, type ScreenContext } from "./screen.js";

const DAYS_OF_YEAR = 365;

/** What is read, and how far back, as far as the bank's provider says. */
export function whatIsRead({ messages }: ScreenContext, terms: AccessTerms | null): Html | null {
  const read = readWords(messages, terms);
  return read.length === 0 ? null : html`<ul>${read.map((each) => html`<li>${each}</li>`)}</ul>`;
}

/** What is read and how far back, and who else sees it, a sentence each. */
export function readWords(messages: ScreenContext["messages"], terms: AccessTerms | null): readonly string[] {
  const { holdings, transactions, updates, through } = terms ?? {};
  return [
    ...(holdings === undefined ? [] : [messages.holdingsRead[holdings]]),
    ...(transactions === undefined ? [] : [transactions === "all" ? messages.allTransactionsRead : last(transactions)]),
    ...(updates === undefined ? [] : [messages.updatesByLogin]),
    ...(through === undefined ? [] : [messages.readThrough(through)]),
  ];

  function last(days: number): string {
    const isYears = days % DAYS_OF_YEAR === 0;
    return messages.transactionsRead(isYears ? days / DAYS_OF_YEAR : days, isYears ? "years" : "days");
  }
}

/** What a customer who has just chosen the bank has not been told on the first page. */
export function termsOfChosen(context: ScreenContext, terms: AccessTerms | null): Html | null {
  const { messages } = context;
  const read = whatIsRead(context, terms);
  const rights = terms?.rights === undefined ? null : html`<p class="notice">${messages.rights[terms.rights]}</p>`;
  return read || rights ? html`<h2>${messages.privacyHeading}</h2>${read}${rights}` : null;
}

/** Where the customer makes the key. */
export function howToMakeKey({ messages, language }: ScreenContext, terms: AccessTerms | null): Html | null {
  if (terms?.howTo === undefined) return null;
  return html`<h2>${messages.howToTitle}</h2><p>${inLanguage(terms.howTo, language)}</p>`;
}
