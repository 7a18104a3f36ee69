import type { Connector, ConnectorFilterRule } from "./connector.js";
import { type CountryKey, countryKey } from "./country.js";

/** What two texts of one field have in common when the filter takes them for equal. */
export type Key = CountryKey;

/** The keys of a rule's values; `*` is its own. */
export const ruleKeys = ({ field, value }: ConnectorFilterRule): Key[] =>
  keysOf(field, typeof value === "string" ? [value] : value);

/** The keys under which a rule with this field finds a connector. */
export const connectorKeys = (connector: Connector, field: ConnectorFilterRule["field"]): Key[] =>
  keysOf(field, field === "countries" ? connector.countries : [field === "type" ? connector.type : connector.id]);

const keysOf = (field: ConnectorFilterRule["field"], texts: readonly string[]): Key[] =>
  texts.map((text) => (field === "countries" ? countryKey(text) : text.toLowerCase()));

/**
 * Gives for each key of a field the last rule that names it, counted from 1.
 *
 * An include or exclude overrides whatever came before it (S2 §4 rule 2), so nothing else about the rules can matter.
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
