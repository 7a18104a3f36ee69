import type { Connector, ConnectorFilter } from "./connector.js";
import { type Key, keysOf, lastRules, ruleKeys } from "./keys.js";
import { parseConnectorFilter } from "./parse.js";

/** A catalogue that was prepared for many filters. */
export interface PreparedCatalog<C extends Connector> {
  /** Same result as `applyConnectorFilter`, for the catalogue as it was when it was prepared. @throws ConnectorFilterError */
  apply(filter?: ConnectorFilter): C[];
}

/**
 * Prepares a catalogue once, so that each filter then only touches the connectors that its rules name.
 *
 * Rules are replayed in order on positions in the catalogue. Of the rules that name a type or a country, only the last one is
 * replayed, since it overrides the others. Every rule for an id is replayed: ids match few connectors, so replaying is cheaper
 * than looking up the last rule. Rules before the point at which every type has been named decide nothing and are skipped.
 */
export function prepareCatalog<C extends Connector>(connectors: readonly C[]): PreparedCatalog<C> {
  const available = connectors.filter((connector) => connector.available !== false);
  const groups = { countries: new Map<Key, number[]>(), type: new Map<Key, number[]>() };
  const lastWithId = new Map<Key, number>();
  // To a rule, ids that differ only in case are the same, so each position links to the previous one with the same id.
  const previousWithId = available.map(({ id }, position) => {
    const key = id.toLowerCase();
    const previous = lastWithId.get(key);
    lastWithId.set(key, position);
    return previous;
  });
  available.forEach((connector, position) => {
    for (const field of ["countries", "type"] as const) {
      for (const key of keysOf(field, connector[field])) {
        const positions = groups[field].get(key);
        if (positions) positions.push(position);
        else groups[field].set(key, [position]);
      }
    }
  });
  return {
    apply(filter = { rules: [] }) {
      const { rules } = parseConnectorFilter(filter);
      const last = lastRules(rules);
      let first = rules.length;
      for (const [type] of groups.type) first = Math.min(last.type.get(type) ?? 0, first);
      const kept = new Uint8Array(available.length).fill(1);
      rules.forEach((rule, index) => {
        if (first > index + 1) return;
        const verdict = rule.action === "include" ? 1 : 0;
        for (const key of ruleKeys(rule)) {
          if (key === "*") kept.fill(verdict);
          else if (rule.field === "connector_id") {
            for (let position = lastWithId.get(key); position !== undefined; position = previousWithId[position])
              kept[position] = verdict;
          } else if (last[rule.field].get(key) === index + 1) {
            for (const position of groups[rule.field].get(key) ?? []) kept[position] = verdict;
          }
        }
      });
      return available.filter((_, position) => kept[position]);
    },
  };
}
