/** What the filter reads of a connector; a catalogue's own type may hold more. */
export interface Connector {
  readonly id: string;
  readonly name?: string | undefined;
  /** Kind of connector, for example `e-banking`. */
  readonly type: string;
  /** Alpha-3 codes, alpha-2 codes or English names, in any mixture. */
  readonly countries: readonly string[];
  /** `false` takes the connector out of the starting set; absent means available. */
  readonly available?: boolean | undefined;
}

/** One step of a filter: takes matching connectors out, or puts them back. */
export interface ConnectorFilterRule {
  readonly action: "include" | "exclude";
  readonly field: "connector_id" | "countries" | "type";
  /** One value or several, of which any may match; `*` stands alone and only with `connector_id`. */
  readonly value: string | readonly string[];
}

/** Ordered rules over a catalogue, as in `configuration.connector_filter` (S2 §2 and §4). */
export interface ConnectorFilter {
  readonly rules: readonly ConnectorFilterRule[];
}
