import type { CatalogueConnector } from "../schemas/connector.js";

/** The catalogue of connectors, the same for all tenants. */
export interface CatalogueStore {
  /** Increases whenever the catalogue changes; cheap to read. */
  revision(): Promise<string>;
  /** Every connector in catalogue order: by id, compared as code points. */
  all(): Promise<{ revision: string; connectors: readonly CatalogueConnector[] }>;
  find(connectorId: string): Promise<CatalogueConnector | null>;
  /** Inserts or replaces by id, all rows or none. */
  importAll(connectors: readonly CatalogueConnector[]): Promise<{ inserted: number; updated: number }>;
}
