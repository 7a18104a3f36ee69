import type { Connector, ConnectorFilter } from "./connector.js";
import { type CountryKey, codeNumber, countryKey, keyOfCode } from "./country.js";
import { ruleTables } from "./rule-tables.js";

/**
 * Turns a filter into a test of single connectors; an unavailable connector never passes.
 *
 * @throws ConnectorFilterError
 */
export function compileConnectorFilter(filter?: ConnectorFilter): (connector: Connector) => boolean {
  const { connector_id, countries, type, lastOfAll, keeps } = ruleTables(filter);
  const lastOfId = idLookup(connector_id);
  const lastOfType = remembering((text) => type.get(text.toLowerCase()));
  const lastOfName = remembering((text) => countries.get(countryKey(text)));
  const lastOfCode = new Int32Array(keyOfCode.length);
  for (const [key, rule] of countries) if (typeof key === "number") lastOfCode[key] = rule;
  return (connector) => {
    if (connector.available === false) return false;
    let last = Math.max(lastOfAll, lastOfId(connector.id), lastOfType(connector.type));
    for (let index = 0; index < connector.countries.length; index++) {
      const country = connector.countries[index] as string;
      const code = codeNumber(country);
      last = Math.max(last, code < 0 ? lastOfName(country) : (lastOfCode[keyOfCode[code] as number] as number));
    }
    return keeps[last] as boolean;
  };
}

const remembered = 4096;

/** A bounded memory before look-ups that must fold the text: catalogues repeat few types and country names. */
function remembering(find: (text: string) => number | undefined): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    let found = known.get(text);
    if (found === undefined) {
      found = find(text) ?? 0;
      if (known.size < remembered) known.set(text, found);
    }
    return found;
  };
}

function idLookup(lastOfId: Map<CountryKey, number>): (id: string) => number {
  const marks = new Uint8Array(1 << 17);
  for (const id of lastOfId.keys()) {
    const mark = sample(id as string);
    if (mark < 0) marks.fill(1);
    else marks[mark] = 1;
  }
  return (id) => {
    const mark = sample(id);
    return mark >= 0 && marks[mark] === 0 ? 0 : (lastOfId.get(id) ?? lastOfId.get(id.toLowerCase()) ?? 0);
  };
}

/**
 * Hashes some ASCII letters of an id, in any case, into 17 bits: the last four and, further left, ever fewer; -1 when
 * it meets another letter.
 */
function sample(id: string): number {
  let hash = id.length;
  for (let index = id.length - 1, step = 4; index >= 0; index -= step++ >> 2) {
    const letter = id.charCodeAt(index);
    if (letter > 127) return -1;
    hash = Math.imul(hash, 31) + (letter | 32);
  }
  return Math.imul(hash, 0x9e3779b1) >>> 15;
}
