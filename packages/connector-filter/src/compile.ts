import type { Connector, ConnectorFilter } from "./connector.js";
import { countryKey, countryOfCode } from "./country.js";
import { type Key, lastRules, ruleKeys } from "./keys.js";
import { parseConnectorFilter } from "./parse.js";

/**
 * Compiles a filter into a predicate for single connectors. An unavailable connector never passes.
 *
 * The last rule that matches a connector decides. It is the largest of the last rules for the connector's id, its type, its
 * countries and `*`, so a test takes a few look-ups regardless of the number of rules, and allocates nothing.
 *
 * @throws ConnectorFilterError
 */
export function compileConnectorFilter(filter: ConnectorFilter): (connector: Connector) => boolean {
  const { rules } = parseConnectorFilter(filter);
  const { type: types, countries } = lastRules(rules);
  const keeps = [true, ...rules.map(({ action }) => action === "include")];
  // "*" is only valid for ids and on its own, as a string or in a list of one.
  const all = 1 + rules.findLastIndex(({ value }) => value.length === 1 && value[0] === "*");
  const ofCountry = new Int32Array(256).map((_, country) => countries.get(country) ?? 0);
  // A cache of 256 types: catalogues have few, and comparing one string is cheaper than hashing another.
  const known: string[] = [];
  const ofKnown: number[] = [];
  // Most ids appear in no rule. Ids whose sample is not marked by a rule skip the look-up and the lower-casing.
  const marks = new Uint8Array(1 << 17);
  const ids = new Map<Key, number>();
  // The ids of the rules from this index on have been added. Ids are added lazily: only rules after the one that decides so far matter.
  let first = rules.length;
  const addIds = (index: number) => {
    const rule = rules[index];
    if (rule?.field !== "connector_id") return;
    const keys = ruleKeys(rule) as readonly string[];
    for (const id of keys) {
      const mark = sample(id);
      if (marks[mark] !== 0 && ids.has(id)) continue;
      ids.set(id, index + 1);
      marks[mark] = 1;
    }
    // Lower-casing a non-ASCII id may change its length, and so its sample.
    if (keys.some((id) => /[^\0-~]/.test(id))) marks.fill(1);
  };
  return (connector) => {
    if (connector.available === false) return false;
    const { id, type } = connector;
    const slot = (type.length * 31 + type.charCodeAt(0)) & 255;
    if (known[slot] !== type) {
      known[slot] = type;
      ofKnown[slot] = Math.max(all, types.get(type.toLowerCase()) ?? 0);
    }
    let last = ofKnown[slot] as number;
    for (const text of connector.countries) {
      const country = countryOfCode(text);
      last = Math.max(last, country ? (ofCountry[country] as number) : (countries.get(countryKey(text)) ?? 0));
    }
    while (first > last) addIds(--first);
    if (marks[sample(id)] !== 0) last = Math.max(last, ids.get(id.toLowerCase()) ?? 0);
    return keeps[last] as boolean;
  };
}

/** Hashes the length and four characters of an id to 17 bits, ignoring case; -1 if one of the characters is not ASCII. */
function sample(id: string): number {
  const size = id.length;
  const a = id.charCodeAt(size - 1);
  const b = id.charCodeAt(size - 2);
  const c = id.charCodeAt(size - 3);
  const d = id.charCodeAt(size - 8);
  const packed = a | (b << 8) | (c << 16) | (d << 24) | 0x20202020;
  return (a | b | c | d) > 127 ? -1 : Math.imul(packed + size, 0x9e3779b1) >>> 15;
}
