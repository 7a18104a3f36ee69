import { countryName } from "@org/connector-filter/countries";
import type { BanksFound, BankWay } from "@org/core";
import type { Request } from "express";
import type { ScreenContext } from "./screens/screen.js";
import { readWords } from "./screens/terms.js";

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
  readonly name: string;
  /** Its countries, and whether it is connected by letter or in several ways. */
  readonly detail: string;
  /** At least one, in the order in which they are offered. */
  readonly ways: readonly WayItem[];
}

/** One way to a bank. */
export interface WayItem {
  /** The connector's id. */
  readonly id: string;
  readonly title: string;
  /** What this way reads and how far back, and who else sees it. */
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
    items: found.items.map(({ name, countries, ways }) => {
      const places = countries.map((code) => countryName(code, language)).join(", ");
      const how =
        ways.length > 1 ? messages.waysToConnect(ways.length) : ways[0]?.kind === "letter" && messages.byLetter;
      return { name, detail: how ? `${places} · ${how}` : places, ways: ways.map((way) => wayItem(way, messages)) };
    }),
    total: found.total,
    page: found.page,
    pages: found.pages,
    countries: found.countries
      .map((code) => ({ code, name: countryName(code, language) }))
      .sort((a, b) => atHome(b) - atHome(a) || a.name.localeCompare(b.name, language)),
  };
}

function wayItem({ connector_id, kind, terms }: BankWay, messages: ScreenContext["messages"]): WayItem {
  const title = terms?.through === undefined ? messages.wayTitle[kind] : messages.wayThrough(terms.through);
  return { id: connector_id, title, detail: readWords(messages, terms).join(" · "), by_letter: kind === "letter" };
}
