import type { ConnectorFilter } from "@org/connector-filter";
import type { BankProvider } from "../ports/bank-provider.js";
import { type Connector, type ConnectorView, DATAFEED_TYPE } from "../schemas/connector.js";
import { type Page, pageOf } from "../schemas/paging.js";
import { type Connectors, viewOf } from "./connectors.js";

/** What a bank customer looks for. */
export interface BankSearch {
  /** Part of a name; case and accents do not matter. Null = every name. */
  readonly name: string | null;
  /** Lower-case ISO 3166-1 alpha-3 code; null = every country. */
  readonly country: string | null;
  /** From 1. */
  readonly page: number;
}

/** The banks that a filter leaves to choose from, made ready for searching. In catalogue order. */
interface Offer {
  readonly banks: readonly Connector[];
  /** Names to search in, index by index. */
  readonly names: readonly string[];
  readonly ids: ReadonlySet<string>;
  readonly countries: readonly string[];
}

const PAGE = 50;
/** Filters whose offers are kept; each program has few. */
const KEPT = 32;

/**
 * Searches the banks that a session offers: available ones that its filter allows and that a provider can log in to.
 * An offer is prepared once per catalogue and filter, because a person who types asks again with every key: at 40,000
 * banks a search then takes about a millisecond.
 */
export function createBankOffers(deps: { connectors: Connectors; providers: ReadonlyMap<string, BankProvider> }) {
  let catalogue: readonly Connector[] | undefined;
  let offers = new Map<string, Offer>();

  return {
    async search(filter: ConnectorFilter | null, { name, country, page }: BankSearch) {
      const offer = await offered(filter);
      const needle = name === null ? "" : folded(name.trim());
      const matches =
        needle === "" && country === null
          ? offer.banks
          : offer.banks.filter(
              (bank, index) =>
                (country === null || bank.countries.includes(country)) &&
                (needle === "" || offer.names[index]?.includes(needle)),
            );
      const rows = matches.slice((page - 1) * PAGE, page * PAGE).map(viewOf);
      const found: Page<ConnectorView> & { countries: readonly string[] } = {
        ...pageOf(rows, matches.length, page, PAGE),
        countries: offer.countries,
      };
      return found;
    },
    async has(filter: ConnectorFilter | null, connectorId: string): Promise<boolean> {
      return (await offered(filter)).ids.has(connectorId);
    },
  };

  async function offered(filter: ConnectorFilter | null): Promise<Offer> {
    // The list of all connectors is a new one after every change of the catalogue.
    const all = await deps.connectors.all();
    if (all !== catalogue) {
      catalogue = all;
      offers = new Map();
    }
    const key = JSON.stringify(filter);
    const kept = offers;
    const offer = kept.get(key) ?? prepare(await deps.connectors.allowedBy(filter));
    kept.delete(key);
    kept.set(key, offer);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
    return offer;
  }

  function prepare(allowed: readonly Connector[]): Offer {
    const banks = allowed.filter((bank) => bank.type !== DATAFEED_TYPE && deps.providers.has(bank.provider));
    return {
      banks,
      names: banks.map((bank) => folded(bank.name)),
      ids: new Set(banks.map((bank) => bank.id)),
      countries: [...new Set(banks.flatMap((bank) => bank.countries))].sort(),
    };
  }
}

/** Lower case without accents, so that "munchen" finds "München". */
function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
