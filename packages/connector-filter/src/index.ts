/**
 * Ordered include and exclude rules over a catalogue of bank connectors (S2 §4).
 *
 *   connector.ts  what a connector, a rule and a filter are
 *   parse.ts      reads a filter from unknown input and lists its faults
 *   keys.ts       when two texts are equal to a filter; country.ts for countries
 *   compile.ts    a filter as a test of one connector; apply.ts over a list
 *   prepare.ts    many filters over one catalogue
 *   explain.ts    which rule decided; warnings.ts, an entry of its own, which countries match nothing
 */
export { applyConnectorFilter } from "./apply.js";
export { compileConnectorFilter } from "./compile.js";
export type { Connector, ConnectorFilter, ConnectorFilterRule } from "./connector.js";
export { type ConnectorExplanation, explainConnector } from "./explain.js";
export { ConnectorFilterError, type ConnectorFilterIssue, parseConnectorFilter } from "./parse.js";
export { type PreparedCatalog, prepareCatalog } from "./prepare.js";
