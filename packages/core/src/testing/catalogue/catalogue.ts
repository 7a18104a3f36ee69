import type { CatalogueStore } from "../../catalogue/catalogue-store.js";
import type { CatalogueConnector } from "../../schemas/connector.js";
import { compareText } from "../state.js";

/** {@link CatalogueStore} in memory. `guard` runs before every call. */
export function memoryCatalogue(guard: () => void): CatalogueStore {
  let revision = 0;
  const connectors = new Map<string, CatalogueConnector>();
  return {
    async revision() {
      guard();
      return String(revision);
    },

    async all() {
      guard();
      const inOrder = [...connectors.values()].sort((a, b) => compareText(a.id, b.id));
      return { revision: String(revision), connectors: inOrder };
    },

    async find(connectorId) {
      guard();
      return connectors.get(connectorId) ?? null;
    },

    async importAll(added) {
      guard();
      const before = connectors.size;
      for (const connector of added) connectors.set(connector.id, { ...connector });
      if (added.length > 0) revision += 1;
      const inserted = connectors.size - before;
      return { inserted, updated: added.length - inserted };
    },
  };
}
