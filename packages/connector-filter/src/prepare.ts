import type { Connector, ConnectorFilter } from "./connector.js";
import { type Key, keysOf, lastRules, ruleKeys } from "./keys.js";
import { parseConnectorFilter } from "./parse.js";

/** A catalogue that was prepared for many filters. */
export interface PreparedCatalog<C extends Connector> {
  /** Same result as `applyConnectorFilter`, for the connectors as they were when they were prepared. @throws ConnectorFilterError */
  apply(filter?: ConnectorFilter): C[];
  /** Adds a connector at the end: a large catalogue may be prepared bit by bit, beginning with an empty one. */
  add(connector: C): void;
}

/**
 * Prepares a catalogue once, so that each filter then only touches the connectors that its rules name.
 *
 * Rules are replayed in order on positions in the catalogue. Of the rules that name a type or a country, only the last one is
 * replayed, since it overrides the others. Every rule for an id is replayed: ids match few connectors, so replaying is cheaper
 * than looking up the last rule. Rules before the point at which every type has been named decide nothing and are skipped.
 */
export function prepareCatalog<C extends Connector>(connectors: readonly C[]): PreparedCatalog<C> {
  const available: C[] = [];
  const groups = { countries: new Map<Key, number[]>(), type: new Map<Key, number[]>() };
  const lastWithId = new Map<Key, number>();
  // To a rule, ids that differ only in case are the same, so each position links to the previous one with the same id.
  const previousWithId: (number | undefined)[] = [];
  const add = (connector: C) => {
    if (connector.available === false) return;
    const position = available.push(connector) - 1;
    const id = connector.id.toLowerCase();
    previousWithId.push(lastWithId.get(id));
    lastWithId.set(id, position);
    for (const field of ["countries", "type"] as const) {
      for (const key of keysOf(field, connector[field])) {
        const positions = groups[field].get(key) ?? [];
        positions.push(position);
        groups[field].set(key, positions);
      }
    }
  };
  connectors.forEach(add);
  return {
    add,
    apply(filter = { rules: [] }) {
      const { rules } = parseConnectorFilter(filter);
      const last = lastRules(rules);
      let first = rules.length;
      for (const [type] of groups.type) first = Math.min(last.type.get(type) ?? 0, first);
      const kept = new Uint8Array(available.length).fill(1);
      rules.forEach((rule, index) => {
        if (first > index + 1) return;
        const verdict = Number(rule.action === "include");
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
