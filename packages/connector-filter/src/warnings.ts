import type { Connector, ConnectorFilter } from "./connector.js";
import { countryKey } from "./country.js";
import { parseConnectorFilter } from "./parse.js";

/** Something in a filter that is allowed and does nothing. */
export interface ConnectorFilterWarning {
  /** Where it is, from `connector_filter`: `connector_filter.rules[2].value[0]`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Names the countries of a filter that no available connector has, each where it stands. Such a rule does nothing: after
 * `exclude *`, a country that is misspelt leaves an empty list and no hint why.
 *
 * It has an entry of its own since whoever applies filters does not need it.
 *
 * @throws ConnectorFilterError
 */
export function connectorFilterWarnings(
  connectors: Iterable<Connector>,
  filter: ConnectorFilter,
): ConnectorFilterWarning[] {
  const asked = parseConnectorFilter(filter).rules.flatMap(({ field, value }, index) => {
    if (field !== "countries") return [];
    const path = `connector_filter.rules[${index}].value`;
    return typeof value === "string"
      ? [{ path, text: value }]
      : value.map((text, place) => ({ path: `${path}[${place}]`, text }));
  });
  if (asked.length === 0) return [];
  const texts = new Set<string>();
  for (const { available, countries } of connectors)
    if (available !== false) for (const text of countries) texts.add(text);
  const present = new Set([...texts].map(countryKey));
  return asked.flatMap(({ path, text }) => {
    const key = countryKey(text);
    if (present.has(key)) return [];
    const shown = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
    const message =
      typeof key === "number"
        ? `no available connector is in ${shown}`
        : `${shown} is no country that is known by this name or code, and no available connector has it`;
    return [{ path, message }];
  });
}

/** Characters of a value that a message repeats. */
const MAX_LENGTH = 60;
