import type { Connector, ConnectorFilterRule } from "./connector.js";
import { type CountryKey, countryKey } from "./country.js";

/** What two texts of one field share when the filter treats them as equal. */
export type Key = CountryKey;

/** Returns the keys of a rule's values; `*` is its own key. */
export const ruleKeys = ({ field, value }: ConnectorFilterRule): Key[] =>
  keysOf(field, typeof value === "string" ? [value] : value);

/** Returns the keys under which a rule with this field finds a connector. */
export const connectorKeys = (connector: Connector, field: ConnectorFilterRule["field"]): Key[] =>
  keysOf(field, field === "countries" ? connector.countries : [field === "type" ? connector.type : connector.id]);

const keysOf = (field: ConnectorFilterRule["field"], texts: readonly string[]): Key[] =>
  texts.map((text) => (field === "countries" ? countryKey(text) : text.toLowerCase()));

/**
 * Returns the last rule that names each key of a field, counted from 1.
 *
 * An include or exclude overrides everything before it (S2 §4 rule 2), so no other rule for that key matters.
 */
export function lastRules(
  rules: readonly ConnectorFilterRule[],
  field: ConnectorFilterRule["field"],
): Map<Key, number> {
  const last = new Map<Key, number>();
  rules.forEach((rule, index) => {
    if (rule.field === field) for (const key of ruleKeys(rule)) last.set(key, index + 1);
  });
  return last;
}
