import { prepareCatalog } from "@org/connector-filter";
import type { CatalogueStore } from "../ports/catalogue-store.js";
import type { Connector } from "../schemas/connector.js";

/** The catalogue as it is now, with what searching and filtering it need. Sorted by id. */
export interface CurrentCatalogue {
  readonly connectors: readonly Connector[];
  /** Lower-cased names, index by index. */
  readonly names: readonly string[];
  readonly byId: ReadonlyMap<string, Connector>;
  readonly prepared: ReturnType<typeof prepareCatalog<Connector>>;
}

/**
 * Keeps the catalogue in memory and asks the store only for its revision, so that 40,000 connectors are read once per change
 * and every replica sees an import with its next call.
 */
export function createCatalogueCache(store: CatalogueStore): () => Promise<CurrentCatalogue> {
  let held: { revision: string; catalogue: CurrentCatalogue } | undefined;
  let loading: Promise<CurrentCatalogue> | undefined;

  return async function current() {
    const revision = await store.revision();
    if (held?.revision === revision) return held.catalogue;
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  };

  async function load(): Promise<CurrentCatalogue> {
    const { revision, connectors: rows } = await store.all();
    const connectors = rows.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    const catalogue = {
      connectors,
      names: connectors.map((connector) => connector.name.toLowerCase()),
      byId: new Map(connectors.map((connector) => [connector.id, connector])),
      prepared: prepareCatalog(connectors),
    };
    held = { revision, catalogue };
    return catalogue;
  }
}
