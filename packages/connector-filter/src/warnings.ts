import { compileConnectorFilter } from "./compile.js";
import type { Connector, ConnectorFilter, ConnectorFilterRule } from "./connector.js";
import { type Key, ruleKeys } from "./keys.js";
import { parseConnectorFilter } from "./parse.js";

/** A part of a filter that is valid but has no effect. */
export interface ConnectorFilterWarning {
  /** Location, starting at `connector_filter`: `connector_filter.rules[2].value[0]`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Lists the values of a filter that no available connector has, each with its location. A rule for such a value does nothing: after
 * `exclude *`, a misspelt country leaves an empty list without any hint why.
 *
 * It is a separate entry point, because applying filters does not need it.
 *
 * @throws ConnectorFilterError
 */
export function connectorFilterWarnings(
  connectors: Iterable<Connector>,
  filter: ConnectorFilter,
): ConnectorFilterWarning[] {
  const { rules } = parseConnectorFilter(filter);
  const isPresent = presenceIn([...connectors]);
  return rules.flatMap((rule, index) => {
    const path = `connector_filter.rules[${index}].value`;
    const texts = typeof rule.value === "string" ? [rule.value] : rule.value;
    return ruleKeys(rule).flatMap((key, place) =>
      isPresent(rule.field, key)
        ? []
        : [
            {
              path: typeof rule.value === "string" ? path : `${path}[${place}]`,
              message: absence(rule.field, shortened(texts[place] as string), typeof key === "number"),
            },
          ],
    );
  });
}

/**
 * Finds the rule that leaves nothing of the available connectors, after which no rule adds one back.
 *
 * @returns its index; null if the filter leaves a connector, or if there is none before the first rule
 * @throws ConnectorFilterError
 */
export function findEmptyingRule(connectors: Iterable<Connector>, filter: ConnectorFilter): number | null {
  const { rules } = parseConnectorFilter(filter);
  const catalogue = [...connectors];
  const isLeft = (count: number) => catalogue.some(compileConnectorFilter({ rules: rules.slice(0, count) }));
  if (isLeft(rules.length) || !isLeft(0)) return null;
  const isPresent = presenceIn(catalogue);
  const adds = (rule: ConnectorFilterRule) =>
    rule.action === "include" && ruleKeys(rule).some((key) => isPresent(rule.field, key));
  // Something is left after the last rule that adds. From there on rules only remove, so the search may halve.
  let [some, none] = [1 + rules.findLastIndex(adds), rules.length];
  while (none - some > 1) {
    const middle = (some + none) >> 1;
    if (isLeft(middle)) some = middle;
    else none = middle;
  }
  return none - 1;
}

/** Returns a test of whether an available connector has a key; the keys of a field are gathered when it is first asked for. */
function presenceIn(connectors: readonly Connector[]): (field: ConnectorFilterRule["field"], key: Key) => boolean {
  const known = new Map<string, Set<Key>>();
  return (field, key) => {
    if (key === "*") return true;
    const keys = known.get(field) ?? keysIn(connectors, field);
    known.set(field, keys);
    return keys.has(key);
  };
}

function keysIn(connectors: readonly Connector[], field: ConnectorFilterRule["field"]): Set<Key> {
  // Connectors share types and countries: a key is made once for each text.
  const texts = new Set<string>();
  for (const { available, id, type, countries } of connectors) {
    if (available === false) continue;
    if (field === "countries") for (const country of countries) texts.add(country);
    else texts.add(field === "type" ? type : id);
  }
  return new Set(ruleKeys({ action: "include", field, value: [...texts] }));
}

function absence(field: ConnectorFilterRule["field"], text: string, isCountry: boolean): string {
  if (field === "connector_id") return `no available connector has the id ${text}`;
  if (field === "type") return `no available connector has the type ${text}`;
  return isCountry
    ? `no available connector is in ${text}`
    : `${text} is no country that is known by this name or code, and no available connector has it`;
}

/** Maximum length of a value that a message repeats. */
const MAX_LENGTH = 60;

const shortened = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
