import type { CatalogueConnector } from "../schemas/connector.js";

/** The catalogue of connectors, the same for all tenants. */
export interface CatalogueStore {
  /** Increases whenever the catalogue changes; cheap to read. */
  revision(): Promise<string>;
  /** Every connector in catalogue order: by id, compared as code points. */
  all(): Promise<{ revision: string; connectors: readonly CatalogueConnector[] }>;
  /** The connectors about whose institution an operator has decided: those with `institution` in their metadata. */
  decided(): Promise<readonly CatalogueConnector[]>;
  find(connectorId: string): Promise<CatalogueConnector | null>;
  /** Inserts or replaces by id, all rows or none. Rows that are stored already as they are given are not written; if all are, nothing is. */
  importAll(connectors: readonly CatalogueConnector[]): Promise<ImportedRows>;
}

/** How many rows of an import were new, differed from the stored ones, or were equal to them. */
export interface ImportedRows {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
}
