import type { ConnectorFilter } from "@org/connector-filter";
import { alpha3Of } from "@org/connector-filter/countries";
import { type Connector, type ConnectorView, DATAFEED_TYPE } from "../schemas/connector.js";
import { type Page, pageOf } from "../schemas/paging.js";
import { searchKey } from "../search-key.js";
import { type Connectors, viewOf } from "./connectors.js";

/** What a bank customer looks for. */
export interface BankSearch {
  /** Part of a name; case and accents do not matter. Null = every name. */
  readonly name: string | null;
  /** Lower-case ISO 3166-1 alpha-3 code; null = every country. */
  readonly country: string | null;
  /** Where the customer may be, likeliest first, as lower-case alpha-3 codes: the banks there come first. */
  readonly near: readonly string[];
  /** From 1. */
  readonly page: number;
}

/** A page of the banks that a session offers: those of the customer's country first, else in catalogue order. */
export interface BanksFound extends Page<ConnectorView> {
  /** Where the offered banks are, searched for or not. */
  readonly countries: readonly string[];
  /** The customer's, where banks are offered there; null = none is likelier than others. */
  readonly home: string | null;
}

/** The banks that a filter leaves, made ready for searching. In catalogue order. */
interface Offer {
  readonly banks: readonly Connector[];
  /** Names to search in, index by index. */
  readonly names: readonly string[];
  readonly countries: readonly string[];
  /** Those of them that the filter names, in its order: whoever wrote it has customers there. */
  readonly named: readonly string[];
}

const PAGE = 50;
/** Filters whose offers are kept; each program has few. */
const KEPT = 32;

interface Kept {
  readonly offer: Offer;
  /** Who asked for it last: it counts to their share. */
  readonly tenantId: string;
}

/**
 * Searches the banks that a session offers: what a preview of its filter shows.
 * An offer is prepared once per catalogue and filter, because a person who types asks again with every key: at 40,000
 * banks a search then takes about a millisecond. A tenant of very many filters has its own prepared anew, and no others'.
 */
export function createBankOffers(deps: { connectors: Connectors }) {
  /** By the catalogue that they were made of, which is another one after every change of what is available. */
  const offers = new WeakMap<readonly Connector[], Map<string, Kept>>();
  /** By what its name is searched, which is most of the work of preparing an offer. */
  const searchKeys = new WeakMap<Connector, string>();

  return {
    async search(
      filter: ConnectorFilter | null,
      tenantId: string,
      { name, country, near, page }: BankSearch,
    ): Promise<BanksFound> {
      const offer = await offered(filter, tenantId);
      const needle = name === null ? "" : searchKey(name);
      const matches =
        needle === "" && country === null
          ? offer.banks
          : offer.banks.filter(
              (bank, index) =>
                (country === null || bank.countries.includes(country)) &&
                (needle === "" || offer.names[index]?.includes(needle)),
            );
      const home = homeIn(offer, near);
      const rows = homeFirst(matches, home).slice((page - 1) * PAGE, page * PAGE);
      return { ...pageOf(rows.map(viewOf), matches.length, page, PAGE), countries: offer.countries, home };
    },
    async has(filter: ConnectorFilter | null, tenantId: string, connectorId: string): Promise<boolean> {
      const { banks } = await offered(filter, tenantId);
      // For those of data feeds a letter is needed.
      return banks.some(({ id, type }) => id === connectorId && type !== DATAFEED_TYPE);
    },
  };

  async function offered(filter: ConnectorFilter | null, tenantId: string): Promise<Offer> {
    const all = await deps.connectors.all(tenantId);
    const kept = offers.get(all) ?? new Map<string, Kept>();
    offers.set(all, kept);
    const key = JSON.stringify(filter);
    const offer = kept.get(key)?.offer ?? prepare(await deps.connectors.allowedBy(filter, tenantId), filter);
    kept.delete(key);
    kept.set(key, { offer, tenantId });
    if (kept.size > KEPT) kept.delete(dispensable(kept));
    return offer;
  }

  function prepare(banks: readonly Connector[], filter: ConnectorFilter | null): Offer {
    const countries = [...new Set(banks.flatMap((bank) => bank.countries))].sort();
    return {
      banks,
      names: banks.map(searchKeyOf),
      countries,
      named: countriesNamedBy(filter).filter((country) => countries.includes(country)),
    };
  }

  function searchKeyOf(bank: Connector): string {
    const known = searchKeys.get(bank);
    if (known !== undefined) return known;
    const made = searchKey(bank.name);
    searchKeys.set(bank, made);
    return made;
  }
}

/** The key of the offer that was used longest ago, of those who have the most. */
function dispensable(kept: ReadonlyMap<string, Kept>): string {
  const shares = new Map<string, number>();
  for (const { tenantId } of kept.values()) shares.set(tenantId, (shares.get(tenantId) ?? 0) + 1);
  const largest = Math.max(...shares.values());
  return [...kept].find(([, { tenantId }]) => shares.get(tenantId) === largest)?.[0] as string;
}

/** Countries that a filter includes by name, in its order. */
function countriesNamedBy(filter: ConnectorFilter | null): readonly string[] {
  const included = filter?.rules.filter(({ action, field }) => action === "include" && field === "countries") ?? [];
  return included.flatMap(({ value }) => [value].flat()).flatMap((text) => alpha3Of(text) ?? []);
}

/** The customer's country: one that the filter names, if it names any, and where the customer may be, if that is offered. */
function homeIn({ countries, named }: Offer, near: readonly string[]): string | null {
  const candidates = named.length > 0 ? named : countries;
  return near.find((country) => candidates.includes(country)) ?? named[0] ?? null;
}

function homeFirst(banks: readonly Connector[], home: string | null): readonly Connector[] {
  if (home === null) return banks;
  const atHome = (bank: Connector) => bank.countries.includes(home);
  return [...banks.filter(atHome), ...banks.filter((bank) => !atHome(bank))];
}
