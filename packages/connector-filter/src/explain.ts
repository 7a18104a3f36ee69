import type { Connector, ConnectorFilter } from "./connector.js";
import { keysOf, ruleKeys } from "./keys.js";
import { parseConnectorFilter } from "./parse.js";

/** Why a filter includes or excludes a connector. */
export interface ConnectorExplanation {
  readonly included: boolean;
  /** Index of the deciding rule, which is the last one that matches; null when none matches. */
  readonly rule: number | null;
  readonly reason: string;
}

/**
 * Explains what a filter decides about one connector, and by which rule.
 *
 * @throws ConnectorFilterError
 */
export function explainConnector(connector: Connector, filter: ConnectorFilter = { rules: [] }): ConnectorExplanation {
  const { rules } = parseConnectorFilter(filter);
  if (connector.available === false) return { included: false, rule: null, reason: "not available" };
  const fields = { ...connector, connector_id: ["*", connector.id] };
  const index = rules.findLastIndex((rule) => {
    const keys = keysOf(rule.field, fields[rule.field]);
    return ruleKeys(rule).some((key) => keys.includes(key));
  });
  const rule = rules[index];
  if (!rule) return { included: true, rule: null, reason: "no rule matches" };
  const { action, field } = rule;
  return {
    included: action === "include",
    rule: index,
    reason: `rule ${index} matches last: ${action} ${field}`,
  };
}
