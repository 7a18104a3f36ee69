import { compileConnectorFilter } from "./compile.js";
import type { Connector, ConnectorFilter } from "./connector.js";

/**
 * Gives the connectors that a filter leaves, the same objects in the same order; without a filter, all available ones.
 *
 * @throws ConnectorFilterError
 */
export function applyConnectorFilter<C extends Connector>(
  connectors: readonly C[],
  filter: ConnectorFilter = { rules: [] },
): C[] {
  const passes = compileConnectorFilter(filter);
  // A copy compacted in place is faster than pushing: the list never grows.
  const kept = connectors.slice();
  let size = 0;
  for (let index = 0; index < connectors.length; index++) {
    const connector = connectors[index] as C;
    if (passes(connector)) kept[size++] = connector;
  }
  kept.length = size;
  return kept;
}
