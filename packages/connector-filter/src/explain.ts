import type { Connector, ConnectorFilter } from "./connector.js";
import { connectorKeys, ruleKeys } from "./keys.js";
import { parseConnectorFilter } from "./parse.js";

/** Why a connector is in the answer of a filter, or not. */
export interface ConnectorExplanation {
  readonly included: boolean;
  /** Index of the rule that decided, the last one that matches; null when none did. */
  readonly rule: number | null;
  readonly reason: string;
}

/**
 * Says what a filter decides on one connector and by which rule.
 *
 * @throws ConnectorFilterError
 */
export function explainConnector(connector: Connector, filter: ConnectorFilter = { rules: [] }): ConnectorExplanation {
  const { rules } = parseConnectorFilter(filter);
  if (connector.available === false) return { included: false, rule: null, reason: "not available" };
  const index = rules.findLastIndex((rule) => {
    const keys = connectorKeys(connector, rule.field);
    return ruleKeys(rule).some((key) => key === "*" || keys.includes(key));
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
