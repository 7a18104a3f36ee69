import type { ConnectorFilter } from "@org/connector-filter";
import { alpha3Of } from "@org/connector-filter/countries";
import type { AccessTerms } from "@org/provider-kit";
import type { Connectors } from "../catalogue/connectors.js";
import { createNameIndex, type NameIndex } from "../catalogue/name-index.js";
import { fieldsOf, type ProviderDirectory, termsOf } from "../providers/provider-directory.js";
import { type CatalogueConnector, DATAFEED_TYPE } from "../schemas/connector.js";
import { type Page, toPage } from "../schemas/paging.js";
import { searchKey } from "../search-key.js";

/** A bank customer's search. */
export interface BankSearch {
  /** Part of a name; case and accents do not matter. Null = any name. */
  readonly name: string | null;
  /** Lower-case ISO 3166-1 alpha-3 code; null = any country. */
  readonly country: string | null;
  /** Where the customer may be, likeliest first, as lower-case alpha-3 codes; banks there are listed first. */
  readonly near: readonly string[];
  /** From 1. */
  readonly page: number;
}

/** One way to a bank. */
export interface BankWay {
  readonly connector_id: string;
  /** By an authorization letter, with a key that the customer makes, with a login that is entered here, or by a login on the bank's own page. */
  readonly kind: "letter" | "key" | "login" | "redirect";
  /** What its provider says of the login and the data; null if it says nothing. */
  readonly terms: AccessTerms | null;
}

/** A bank that a session offers, by one way or several. */
export interface OfferedBank {
  /** As its first way names it. */
  readonly name: string;
  /** Lower-case ISO 3166-1 alpha-3 codes of all its ways. */
  readonly countries: readonly string[];
  /** At least one, in the order in which they are offered. */
  readonly ways: readonly BankWay[];
}

/** A page of the banks that a session offers: those in the customer's country first, then in catalogue order. */
export interface BanksFound extends Page<OfferedBank> {
  /** Countries of all offered banks, not only of those found. */
  readonly countries: readonly string[];
  /** The customer's country, if banks are offered there; null = no country is likelier than others. */
  readonly home: string | null;
}

/** The banks that a filter allows, prepared for searching, in catalogue order. */
interface Offer {
  readonly banks: readonly Bank[];
  /** The names of their ways, at the places of `banks`. */
  readonly names: NameIndex;
  readonly countries: readonly string[];
  /** The countries that the filter names, in its order: whoever wrote the filter has customers there. */
  readonly named: readonly string[];
}

interface Bank {
  readonly countries: readonly string[];
  readonly ways: readonly [CatalogueConnector, ...CatalogueConnector[]];
}

const BANKS_OF_A_PAGE = 50;
/** Filters whose offers are cached; each program has few. */
const KEPT_OFFERS = 32;

interface KeptOffer {
  readonly offer: Offer;
  /** The tenant that requested it last; it counts towards their share. */
  readonly tenantId: string;
}

/**
 * Searches the banks that a session offers: those that a preview of its filter shows.
 * An offer is prepared once per catalogue and filter, because a person who types searches again with every key: at 40,000 banks a
 * search then takes about a millisecond. A tenant with very many filters evicts its own offers, not those of others.
 */
export function createBankOffers(deps: { connectors: Connectors; providers: Pick<ProviderDirectory, "for"> }) {
  /** Offers by the catalogue they were made from; every change of availability makes a new catalogue. */
  const offers = new WeakMap<readonly CatalogueConnector[], Map<string, KeptOffer>>();
  /** Search key of each bank's name, which is most of the work of preparing an offer. */
  const searchKeys = new WeakMap<CatalogueConnector, string>();

  return {
    async search(
      filter: ConnectorFilter | null,
      tenantId: string,
      { name, country, near, page }: BankSearch,
    ): Promise<BanksFound> {
      const offer = await offered(filter, tenantId);
      const needle = name === null ? "" : searchKey(name);
      const named =
        needle === "" ? offer.banks : offer.names.matching(needle).map((place) => offer.banks[place] as Bank);
      const matches = country === null ? named : named.filter((bank) => bank.countries.includes(country));
      const home = homeIn(offer, near);
      const rows = homeFirst(matches, home).slice((page - 1) * BANKS_OF_A_PAGE, page * BANKS_OF_A_PAGE);
      return {
        ...toPage(
          rows.map((bank) => offeredBank(bank, tenantId)),
          matches.length,
          page,
          BANKS_OF_A_PAGE,
        ),
        countries: offer.countries,
        home,
      };
    },
    async has(filter: ConnectorFilter | null, tenantId: string, connectorId: string): Promise<boolean> {
      const { banks } = await offered(filter, tenantId);
      // Data feeds are connected by letter.
      return banks.some(({ ways }) => ways.some(({ id, type }) => id === connectorId && type !== DATAFEED_TYPE));
    },
  };

  async function offered(filter: ConnectorFilter | null, tenantId: string): Promise<Offer> {
    const all = await deps.connectors.all(tenantId);
    const kept = offers.get(all) ?? new Map<string, KeptOffer>();
    offers.set(all, kept);
    const key = JSON.stringify(filter);
    const offer = kept.get(key)?.offer ?? prepare(await deps.connectors.allowedBy(filter, tenantId), filter);
    kept.delete(key);
    kept.set(key, { offer, tenantId });
    if (kept.size > KEPT_OFFERS) kept.delete(dispensable(kept));
    return offer;
  }

  function prepare(allowed: readonly CatalogueConnector[], filter: ConnectorFilter | null): Offer {
    const banks = banksOf(allowed);
    const countries = [...new Set(banks.flatMap((bank) => bank.countries))].sort();
    return {
      banks,
      names: createNameIndex(banks.map(({ ways }) => ways.map(searchKeyOf).join("\n"))),
      countries,
      named: countriesNamedBy(filter).filter((country) => countries.includes(country)),
    };
  }

  function offeredBank({ countries, ways }: Bank, tenantId: string): OfferedBank {
    return { name: ways[0].name, countries, ways: ways.map((way) => wayOf(way, tenantId)) };
  }

  function wayOf(connector: CatalogueConnector, tenantId: string): BankWay {
    const terms = termsOf(deps.providers, connector, tenantId);
    return { connector_id: connector.id, kind: kindOf(connector, terms, tenantId), terms };
  }

  function kindOf(connector: CatalogueConnector, terms: AccessTerms | null, tenantId: string): BankWay["kind"] {
    if (connector.type === DATAFEED_TYPE) return "letter";
    if (terms?.howTo !== undefined) return "key";
    try {
      return fieldsOf(deps.providers, connector, tenantId).length > 0 ? "login" : "redirect";
    } catch {
      return "login"; // No list fails for a provider.
    }
  }

  function searchKeyOf(bank: CatalogueConnector): string {
    const known = searchKeys.get(bank);
    if (known !== undefined) return known;
    const made = searchKey(bank.name);
    searchKeys.set(bank, made);
    return made;
  }
}

/** Puts the connectors of one institution together, at the place of the first of them. */
function banksOf(connectors: readonly CatalogueConnector[]): readonly Bank[] {
  const shared = new Map<string, CatalogueConnector>();
  for (const connector of connectors) if (connector.ways) shared.set(connector.id, connector);
  const taken = new Set<string>();
  return connectors.flatMap((connector) => {
    if (taken.has(connector.id)) return [];
    if (connector.ways === undefined) return { countries: connector.countries, ways: [connector] };
    const ways = connector.ways.flatMap((id) => shared.get(id) ?? []);
    for (const { id } of ways) taken.add(id);
    return {
      countries: [...new Set(ways.flatMap(({ countries }) => countries))],
      ways: ways as unknown as Bank["ways"],
    };
  });
}

/** Returns the key of the least recently used offer of the tenants that have the most. */
function dispensable(kept: ReadonlyMap<string, KeptOffer>): string {
  const shares = new Map<string, number>();
  for (const { tenantId } of kept.values()) shares.set(tenantId, (shares.get(tenantId) ?? 0) + 1);
  const largest = Math.max(...shares.values());
  return [...kept].find(([, { tenantId }]) => shares.get(tenantId) === largest)?.[0] as string;
}

/** Returns the countries that a filter includes by name, in its order. */
function countriesNamedBy(filter: ConnectorFilter | null): readonly string[] {
  const included = filter?.rules.filter(({ action, field }) => action === "include" && field === "countries") ?? [];
  return included.flatMap(({ value }) => [value].flat()).flatMap((text) => alpha3Of(text) ?? []);
}

/**
 * Returns the customer's likeliest country where banks are offered. If the filter names countries, only these count, and the first
 * is the default.
 */
function homeIn({ countries, named }: Offer, near: readonly string[]): string | null {
  const candidates = named.length > 0 ? named : countries;
  return near.find((country) => candidates.includes(country)) ?? named[0] ?? null;
}

function homeFirst(banks: readonly Bank[], home: string | null): readonly Bank[] {
  if (home === null) return banks;
  const atHome = (bank: Bank) => bank.countries.includes(home);
  return [...banks.filter(atHome), ...banks.filter((bank) => !atHome(bank))];
}
