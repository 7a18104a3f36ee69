import type { Connector, ConnectorFilter } from "./connector.js";
import { countryKey } from "./country.js";
import { parseConnectorFilter } from "./parse.js";

/** A part of a filter that is valid but has no effect. */
export interface ConnectorFilterWarning {
  /** Location, starting at `connector_filter`: `connector_filter.rules[2].value[0]`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Lists the countries of a filter that no available connector has, each with its location. A rule for such a country does
 * nothing: after `exclude *`, a misspelt country leaves an empty list without any hint why.
 *
 * It is a separate entry point, because applying filters does not need it.
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

/** Maximum length of a value that a message repeats. */
const MAX_LENGTH = 60;
