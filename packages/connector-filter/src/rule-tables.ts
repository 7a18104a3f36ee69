import type { ConnectorFilter } from "./connector.js";
import type { CountryKey } from "./country.js";
import { eachField, ruleKeys } from "./field.js";
import { parseConnectorFilter } from "./parse.js";

/**
 * A filter turned inside out: for each value the last rule that names it.
 *
 * An include or exclude overrides whatever came before it (S2 §4 rule 2), so the last rule that matches a connector
 * alone decides on it. That is the greatest of the last rules of its id, its type and its countries, found in a few
 * look-ups however many rules there are. Rules count from 1 here; 0 stands for none, which keeps the connector.
 */
export function ruleTables(filter: ConnectorFilter = { rules: [] }) {
  const { rules } = parseConnectorFilter(filter);
  const last = eachField(() => new Map<CountryKey, number>());
  let lastOfAll = 0;
  rules.forEach((rule, index) => {
    for (const key of ruleKeys(rule)) {
      if (key === "*") lastOfAll = index + 1;
      else last[rule.field].set(key, index + 1);
    }
  });
  return { ...last, lastOfAll, keeps: [true, ...rules.map(({ action }) => action === "include")] };
}
