/**
 * Ordered include and exclude rules over a catalogue of bank connectors (S2 §4).
 *
 *   connector.ts  the types of a connector, a rule and a filter
 *   parse.ts      parses a filter from unknown input and lists its faults
 *   keys.ts       when a filter treats two texts as equal; country.ts does it for countries
 *   compile.ts    turns a filter into a predicate for one connector; apply.ts filters a list
 *   prepare.ts    applies many filters to one catalogue
 *   explain.ts    tells which rule decided
 *   warnings.ts   a separate entry point: tells which values match nothing, and which rule leaves nothing
 */
export { applyConnectorFilter } from "./apply.js";
export { compileConnectorFilter } from "./compile.js";
export type { Connector, ConnectorFilter, ConnectorFilterRule } from "./connector.js";
export { type ConnectorExplanation, explainConnector } from "./explain.js";
export { ConnectorFilterError, type ConnectorFilterIssue, parseConnectorFilter } from "./parse.js";
export { type PreparedCatalog, prepareCatalog } from "./prepare.js";
