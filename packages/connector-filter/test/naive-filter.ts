import type { Connector, ConnectorFilter, ConnectorFilterRule } from "../src/index.js";

/** The filter exactly as S2 §4 words it, one rule after the other, without any code of the package. */
export function naiveFilter<C extends Connector>(connectors: readonly C[], filter?: ConnectorFilter): C[] {
  const all = connectors.filter((connector) => connector.available !== false);
  const current = new Set(all);
  for (const rule of filter?.rules ?? []) {
    for (const connector of all) {
      if (!matches(connector, rule)) continue;
      if (rule.action === "exclude") current.delete(connector);
      else current.add(connector);
    }
  }
  return all.filter((connector) => current.has(connector));
}

/** Returns the last matching rule, which is the one that included or excluded the connector. */
export function naiveRule(connector: Connector, filter?: ConnectorFilter): number | null {
  let decided: number | null = null;
  filter?.rules.forEach((rule, index) => {
    if (connector.available !== false && matches(connector, rule)) decided = index;
  });
  return decided;
}

function matches(connector: Connector, { field, value }: ConnectorFilterRule): boolean {
  const values = typeof value === "string" ? [value] : value;
  if (field === "countries") return connector.countries.some((one) => values.some((other) => sameCountry(one, other)));
  if (field === "connector_id" && values[0] === "*") return true;
  const text = field === "type" ? connector.type : connector.id;
  return values.some((other) => sameText(text, other));
}

/** Both codes and some names of a few countries. Any other text only equals itself. */
export const spellings = [
  ["ESP", "ES", "Spain"],
  ["FRA", "FR", "France"],
  ["GBR", "GB", "UK", "United Kingdom", "Great Britain"],
  ["USA", "US", "United States", "United States of America"],
  ["CIV", "CI", "Côte d'Ivoire", "Ivory Coast"],
  ["CZE", "CZ", "Czechia", "Czech Republic"],
  ["KOR", "KR", "South Korea"],
  ["TUR", "TR", "Turkey", "Türkiye"],
  ["UKR", "UA", "Ukraine"],
];

function sameCountry(one: string, other: string): boolean {
  return sameText(one, other) || spellings.some((names) => isIn(names, one) && isIn(names, other));
}

const isIn = (spelled: readonly string[], text: string): boolean =>
  spelled.some((one, index) => (index < 2 && one !== "US" ? sameText(one, text) : sameText(bare(one), bare(text))));

/** Accents, punctuation and filler words are ignored in names. */
const bare = (name: string): string => name.normalize("NFD").replace(/\b(?:and|of|the)\b|[^\p{L}\p{N}]/giu, "");

const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
