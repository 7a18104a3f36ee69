import type { ConnectorView, Page as ListPage } from "@org/core";
import { type FieldProblem, type Html, html, problemSummary, textField } from "@org/pages";
import { countryName } from "../country-name.js";
import { cancelForm, type Page, type PageContext, postForm, titled } from "./page.js";

/** What the customer looks for in the list of banks. */
export interface BankQuery {
  readonly name: string | null;
  /** Lower-case ISO 3166-1 alpha-3 code. */
  readonly country: string | null;
  readonly page: number;
}

/** The banks that the session allows, to search and to choose from. */
export function bankChoicePage(
  context: PageContext,
  query: BankQuery,
  banks: ListPage<ConnectorView> & { readonly countries: readonly string[] },
  problems: readonly FieldProblem[] = [],
): Page {
  const { messages } = context;
  return {
    status: problems.length > 0 ? 400 : 200,
    title: titled(messages, messages.bankTitle, problems),
    body: html`${problemSummary(messages.errorHeading, problems)}
<h1>${messages.bankTitle}</h1>
${searchForm(context, query, banks.countries)}
<p role="status">${banks.total === 0 ? messages.noBanks : messages.banksFound(banks.total)}</p>
${banks.items.length > 0 && bankForm(context, banks.items)}
${banks.pages > 1 && pageLinks(context, query, banks.pages)}
${cancelForm(context)}`,
  };
}

function searchForm({ messages, path, language }: PageContext, query: BankQuery, countries: readonly string[]): Html {
  const options = countries
    .map((code) => ({ code, name: countryName(code, language) }))
    .sort((a, b) => a.name.localeCompare(b.name, language))
    .map(
      ({ code, name }) => html`<option value="${code}"${code === query.country && html` selected`}>${name}</option>`,
    );
  return html`<form method="get" action="${path}" role="search">
${textField({ name: "name", label: messages.bankSearch, type: "search", autocomplete: "off", value: query.name ?? "" }, [])}
<label for="country">${messages.bankCountry}</label>
<select id="country" name="country"><option value="">${messages.allCountries}</option>${options}</select>
<button type="submit">${messages.search}</button></form>`;
}

function bankForm(context: PageContext, banks: readonly ConnectorView[]): Html {
  const names = (bank: ConnectorView) => bank.countries.map((code) => countryName(code, context.language)).join(", ");
  const items = banks.map(
    (bank) =>
      html`<li><button type="submit" name="connector_id" value="${bank.id}">${bank.name}<small>${names(bank)} · ${bank.type}</small></button></li>
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

/** The query as it stands in the address of the page. */
export function searchOf({ name, country, page }: BankQuery): string {
  return new URLSearchParams({ name: name ?? "", country: country ?? "", page: String(page) }).toString();
}
