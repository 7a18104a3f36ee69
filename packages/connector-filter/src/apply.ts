import { compileConnectorFilter } from "./compile.js";
import type { Connector, ConnectorFilter } from "./connector.js";

/**
 * Returns the connectors that a filter keeps, as the same objects in the same order. Without a filter: all available ones.
 *
 * @throws ConnectorFilterError
 */
export function applyConnectorFilter<C extends Connector>(
  connectors: readonly C[],
  filter: ConnectorFilter = { rules: [] },
): C[] {
  return connectors.filter(compileConnectorFilter(filter));
}
