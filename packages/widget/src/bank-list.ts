import { countryName } from "@org/connector-filter/countries";
import { type BanksFound, DATAFEED_TYPE } from "@org/core";
import type { Request } from "express";
import type { ScreenContext } from "./screens/screen.js";

/** The customer's search in the list of banks. */
export interface BankQuery {
  readonly name: string | null;
  /** Lower-case ISO 3166-1 alpha-3 code. */
  readonly country: string | null;
  readonly page: number;
}

/** One page of the list, with localized texts. */
export interface BankList {
  readonly items: readonly BankItem[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  /** Countries of the offered banks: the customer's country first, then the others by name. */
  readonly countries: readonly { readonly code: string; readonly name: string }[];
}

/** One bank of the list. */
export interface BankItem {
  readonly id: string;
  readonly name: string;
  /** Its countries, and whether it is connected by letter. */
  readonly detail: string;
  /** Whether it has no login and so cannot be chosen here. */
  readonly by_letter: boolean;
}

/** Reads the search in an address. Invalid values are ignored, because an address may have been cut or edited. */
export function bankQueryOf({ query }: Request): BankQuery {
  const name = typeof query.name === "string" ? query.name.replaceAll("\0", "").trim().slice(0, 100) : "";
  const country = typeof query.country === "string" && /^[a-z]{3}$/.test(query.country) ? query.country : null;
  const page = typeof query.page === "string" && /^[1-9]\d{0,5}$/.test(query.page) ? Number(query.page) : 1;
  return { name: name === "" ? null : name, country, page };
}

/** The search as a query string. */
export function searchOf({ name, country, page }: BankQuery): string {
  return new URLSearchParams({ name: name ?? "", country: country ?? "", page: String(page) }).toString();
}

/** Localizes a page of the list, with countries sorted by name in the language. */
export function bankListOf(
  found: BanksFound,
  { language, messages }: Pick<ScreenContext, "language" | "messages">,
): BankList {
  const atHome = ({ code }: { readonly code: string }) => Number(code === found.home);
  return {
    items: found.items.map(({ id, name, countries, type }) => {
      const by_letter = type === DATAFEED_TYPE;
      const places = countries.map((code) => countryName(code, language)).join(", ");
      return { id, name, detail: by_letter ? `${places} · ${messages.byLetter}` : places, by_letter };
    }),
    total: found.total,
    page: found.page,
    pages: found.pages,
    countries: found.countries
      .map((code) => ({ code, name: countryName(code, language) }))
      .sort((a, b) => atHome(b) - atHome(a) || a.name.localeCompare(b.name, language)),
  };
}
