import type { Connector, ConnectorFilter } from "./connector.js";
import type { CountryKey } from "./country.js";
import { connectorKeys, eachField, type Field } from "./field.js";
import { ruleTables } from "./rule-tables.js";

/** A catalogue made ready for many filters. */
export interface PreparedCatalog<C extends Connector> {
  /** Answers what `applyConnectorFilter` answers for the catalogue as it was when prepared. */
  apply(filter?: ConnectorFilter): C[];
}

/** Prepares a catalogue once, so that each filter then touches only the connectors that its rules name. */
export function prepareCatalog<C extends Connector>(connectors: readonly C[]): PreparedCatalog<C> {
  const available = connectors.filter((connector) => connector.available !== false);
  const positions = eachField(() => new Map<CountryKey, number[]>());
  const fields = Object.keys(positions) as Field[];
  available.forEach((connector, position) => {
    for (const field of fields) {
      for (const key of connectorKeys(connector, field)) {
        const known = positions[field].get(key);
        if (known) known.push(position);
        else positions[field].set(key, [position]);
      }
    }
  });
  return {
    apply(filter) {
      const tables = ruleTables(filter);
      const last = new Int32Array(available.length).fill(tables.lastOfAll);
      for (const field of fields) {
        for (const [key, rule] of tables[field]) {
          for (const position of positions[field].get(key) ?? []) {
            if (rule > (last[position] as number)) last[position] = rule;
          }
        }
      }
      return available.filter((_, position) => tables.keeps[last[position] as number]);
    },
  };
}
