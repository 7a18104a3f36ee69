import type { ConnectorView, Page, SessionLanguage } from "@org/core";
import type { Request } from "express";
import { countryName } from "./country-name.js";
import type { BanksAnswer } from "./widget-state.js";

/** What the customer looks for in the list of banks. */
export interface BankQuery {
  readonly name: string | null;
  /** Lower-case ISO 3166-1 alpha-3 code. */
  readonly country: string | null;
  readonly page: number;
}

/** The search in an address. Whatever cannot be one is left out: an address may have been cut or edited. */
export function bankQueryOf({ query }: Request): BankQuery {
  const name = typeof query.name === "string" ? query.name.replaceAll("\0", "").trim().slice(0, 100) : "";
  const country = typeof query.country === "string" && /^[a-z]{3}$/.test(query.country) ? query.country : null;
  const page = typeof query.page === "string" && /^[1-9]\d{0,5}$/.test(query.page) ? Number(query.page) : 1;
  return { name: name === "" ? null : name, country, page };
}

/** The query as it stands in the address of a page. */
export function searchOf({ name, country, page }: BankQuery): string {
  return new URLSearchParams({ name: name ?? "", country: country ?? "", page: String(page) }).toString();
}

/** A page of the list in words: countries by name, in the order of the language. */
export function bankListOf(
  found: Page<ConnectorView> & { readonly countries: readonly string[] },
  language: SessionLanguage,
): BanksAnswer {
  const places = (codes: readonly string[]) => codes.map((code) => countryName(code, language)).join(", ");
  return {
    items: found.items.map(({ id, name, countries, type }) => ({ id, name, detail: `${places(countries)} · ${type}` })),
    total: found.total,
    page: found.page,
    pages: found.pages,
    countries: found.countries
      .map((code) => ({ code, name: countryName(code, language) }))
      .sort((a, b) => a.name.localeCompare(b.name, language)),
  };
}
