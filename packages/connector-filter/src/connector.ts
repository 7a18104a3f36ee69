/** The fields of a connector that the filter reads. A catalogue's own type may have more. */
export interface Connector {
  readonly id: string;
  readonly name?: string | undefined;
  /** Kind of connector, for example `e-banking`. */
  readonly type: string;
  /** Alpha-3 codes, alpha-2 codes or English names, in any combination. */
  readonly countries: readonly string[];
  /** `false` removes the connector from the starting set; absent means available. */
  readonly available?: boolean | undefined;
}

/** One step of a filter: removes matching connectors, or puts them back. */
export interface ConnectorFilterRule {
  readonly action: "include" | "exclude";
  readonly field: "connector_id" | "countries" | "type";
  /** One value or several, any of which may match. `*` is valid only on its own and with `connector_id`. */
  readonly value: string | readonly string[];
}

/** Ordered rules over a catalogue, as in `configuration.connector_filter` (S2 §2 and §4). */
export interface ConnectorFilter {
  readonly rules: readonly ConnectorFilterRule[];
}
