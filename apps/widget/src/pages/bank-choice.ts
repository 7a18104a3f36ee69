import { type FieldProblem, type Html, html, problemSummary, textField } from "@org/pages";
import { type BankQuery, searchOf } from "../bank-list.js";
import type { BanksAnswer } from "../widget-state.js";
import { cancelForm, type Page, type PageContext, postForm, titled } from "./page.js";

/** The banks that the session allows, to search and to choose from. */
export function bankChoicePage(
  context: PageContext,
  query: BankQuery,
  banks: BanksAnswer,
  problems: readonly FieldProblem[] = [],
): Page {
  const { messages } = context;
  return {
    status: problems.length > 0 ? 400 : 200,
    title: titled(messages, messages.bankTitle, problems),
    body: html`${problemSummary(messages.errorHeading, problems)}
<h1>${messages.bankTitle}</h1>
${searchForm(context, query, banks.countries)}
<p class="count" role="status">${banks.total === 0 ? messages.noBanks : messages.banksFound(banks.total)}</p>
${banks.items.length > 0 && bankForm(context, banks.items)}
${banks.pages > 1 && pageLinks(context, query, banks.pages)}
${cancelForm(context)}`,
  };
}

function searchForm({ messages, path }: PageContext, query: BankQuery, countries: BanksAnswer["countries"]): Html {
  const options = countries.map(
    ({ code, name }) => html`<option value="${code}"${code === query.country && html` selected`}>${name}</option>`,
  );
  return html`<form class="search" method="get" action="${path}" role="search">
<div>${textField({ name: "name", label: messages.bankSearch, type: "search", autocomplete: "off", value: query.name ?? "" }, [])}</div>
<div><label for="country">${messages.bankCountry}</label>
<select id="country" name="country"><option value="">${messages.allCountries}</option>${options}</select></div>
<button class="whole" type="submit">${messages.search}</button></form>`;
}

function bankForm(context: PageContext, banks: BanksAnswer["items"]): Html {
  const items = banks.map(
    ({ id, name, detail }) =>
      html`<li><button type="submit" name="connector_id" value="${id}">${name}<small>${detail}</small></button></li>
`,
  );
  return postForm(context, "bank", html`<ul class="banks" aria-label="${context.messages.bankList}">${items}</ul>`);
}

function pageLinks({ messages, path }: PageContext, query: BankQuery, pages: number): Html {
  const link = (page: number, label: string) =>
    page >= 1 && page <= pages && html`<a href="${path}?${searchOf({ ...query, page })}">${label}</a>`;
  return html`<nav aria-label="${messages.pagesLabel}">${link(query.page - 1, messages.previousPage)}
<span>${messages.pageOf(query.page, pages)}</span>
${link(query.page + 1, messages.nextPage)}</nav>`;
}
