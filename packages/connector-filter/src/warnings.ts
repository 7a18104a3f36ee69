import { compileConnectorFilter } from "./compile.js";
import type { Connector, ConnectorFilter, ConnectorFilterRule } from "./connector.js";
import { type Key, keysOf, ruleKeys } from "./keys.js";
import { parseConnectorFilter, parsed } from "./parse.js";

/** A part of a filter that is valid but has no effect. */
export interface ConnectorFilterWarning {
  /** Location, starting at `connector_filter`: `connector_filter.rules[2].value[0]`. */
  readonly path: string;
  readonly message: string;
}

/** The checks of a catalogue's filters, for the catalogue as it was when they were prepared. */
export interface PreparedWarnings {
  /** The first `most` of {@link connectorFilterWarnings}; all by default. @throws ConnectorFilterError */
  warnings(filter: ConnectorFilter, most?: number): ConnectorFilterWarning[];
  /** Same result as {@link findEmptyingRule}. @throws ConnectorFilterError */
  emptyingRule(filter: ConnectorFilter): number | null;
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
  return prepareWarnings(connectors).warnings(filter);
}

/**
 * Finds the rule that leaves nothing of the available connectors, after which no rule adds one back.
 *
 * @returns its index; null if the filter leaves a connector, or if there is none before the first rule
 * @throws ConnectorFilterError
 */
export function findEmptyingRule(connectors: Iterable<Connector>, filter: ConnectorFilter): number | null {
  return prepareWarnings(connectors).emptyingRule(filter);
}

/** Prepares the checks of many filters over one catalogue. The values of a field are gathered when a filter first names it. */
export function prepareWarnings(connectors: Iterable<Connector>): PreparedWarnings {
  const available = [...connectors].filter((connector) => connector.available !== false);
  const present = new Map<ConnectorFilterRule["field"], Set<Key>>();
  return { warnings, emptyingRule };

  function warnings(filter: ConnectorFilter, most = Number.POSITIVE_INFINITY): ConnectorFilterWarning[] {
    const { rules } = parseConnectorFilter(filter);
    const found: ConnectorFilterWarning[] = [];
    for (const [index, rule] of rules.entries()) {
      const path = `connector_filter.rules[${index}].value`;
      const texts = typeof rule.value === "string" ? [rule.value] : rule.value;
      for (const [place, key] of ruleKeys(rule).entries()) {
        if (found.length >= most) return found;
        if (isPresent(rule.field, key)) continue;
        found.push({
          path: typeof rule.value === "string" ? path : `${path}[${place}]`,
          message: absence(rule.field, shortened(texts[place] as string), typeof key === "number"),
        });
      }
    }
    return found;
  }

  function emptyingRule(filter: ConnectorFilter): number | null {
    const { rules } = parseConnectorFilter(filter);
    if (available.length === 0 || available.some(compileConnectorFilter(filter))) return null;
    const adds = (rule: ConnectorFilterRule) =>
      rule.action === "include" && ruleKeys(rule).some((key) => isPresent(rule.field, key));
    // Something is left after the last rule that adds. From there on rules only remove, so the search may halve.
    let [some, none] = [1 + rules.findLastIndex(adds), rules.length];
    let left = available;
    while (none - some > 1) {
      const middle = (some + none) >> 1;
      const further = left.filter(compileConnectorFilter(beginningOf(rules, middle)));
      if (further.length === 0) none = middle;
      else [some, left] = [middle, further];
    }
    return none - 1;
  }

  function isPresent(field: ConnectorFilterRule["field"], key: Key): boolean {
    if (key === "*") return true;
    let keys = present.get(field);
    if (!keys) {
      // Connectors share types and countries: a key is made once for each text.
      const texts: Iterable<string> =
        field === "connector_id"
          ? available.map(({ id }) => id)
          : new Set(available.flatMap(({ type, countries }) => (field === "type" ? type : countries)));
      keys = new Set(keysOf(field, [...texts]));
      present.set(field, keys);
    }
    return keys.has(key);
  }
}

/** Returns a filter of the first of these parsed rules, whose keys are known by now. */
function beginningOf(rules: readonly ConnectorFilterRule[], count: number): ConnectorFilter {
  const filter = { rules: rules.slice(0, count) };
  parsed.add(filter);
  return filter;
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
