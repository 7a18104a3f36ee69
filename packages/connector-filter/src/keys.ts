import type { ConnectorFilterRule } from "./connector.js";
import { type CountryKey, countryKey } from "./country.js";

/** What two texts of one field share when the filter treats them as equal. */
export type Key = CountryKey;

const known = new WeakMap<ConnectorFilterRule, readonly Key[]>();

/** Returns the keys of a parsed rule's values, which are made once; `*` is its own key. */
export function ruleKeys(rule: ConnectorFilterRule): readonly Key[] {
  let keys = known.get(rule);
  if (!keys) {
    keys = keysOf(rule.field, rule.value);
    known.set(rule, keys);
  }
  return keys;
}

/** Returns the keys of what a rule or a connector has in a field. */
export const keysOf = (field: ConnectorFilterRule["field"], value: ConnectorFilterRule["value"]): Key[] =>
  (typeof value === "string" ? [value] : value).map((text) =>
    field === "countries" ? countryKey(text) : text.toLowerCase(),
  );

/**
 * Returns the last rule that names each country and each type, counted from 1.
 *
 * An include or exclude overrides everything before it (S2 §4 rule 2), so no other rule for that key matters.
 */
export function lastRules(rules: readonly ConnectorFilterRule[]) {
  const last = { countries: new Map<Key, number>(), type: new Map<Key, number>() };
  rules.forEach((rule, index) => {
    if (rule.field !== "connector_id") for (const key of ruleKeys(rule)) last[rule.field].set(key, index + 1);
  });
  return last;
}
