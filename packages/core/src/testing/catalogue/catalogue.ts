import { isDeepStrictEqual } from "node:util";
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

    async decided() {
      guard();
      return [...connectors.values()].filter(({ metadata }) => metadata.institution !== undefined);
    },

    async find(connectorId) {
      guard();
      return connectors.get(connectorId) ?? null;
    },

    async importAll(added) {
      guard();
      const counts = { inserted: 0, updated: 0, unchanged: 0 };
      for (const connector of new Map(added.map((row) => [row.id, row])).values()) {
        const before = connectors.get(connector.id);
        if (isDeepStrictEqual(before, connector)) counts.unchanged += 1;
        else {
          counts[before ? "updated" : "inserted"] += 1;
          connectors.set(connector.id, { ...connector });
        }
      }
      if (counts.inserted + counts.updated > 0) revision += 1;
      return counts;
    },
  };
}
