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
  const passes = compileConnectorFilter(filter);
  const kept: C[] = [];
  for (let index = 0; index < connectors.length; index++)
    if (passes(connectors[index] as C)) kept.push(connectors[index] as C);
  return kept;
}
