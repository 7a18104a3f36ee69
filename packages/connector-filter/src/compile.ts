import type { Connector, ConnectorFilter } from "./connector.js";
import { byCountryCode, countryKey, packedCode } from "./country.js";
import { type Key, lastRules } from "./keys.js";
import { parseConnectorFilter } from "./parse.js";

/**
 * Turns a filter into a test of single connectors; an unavailable connector never passes.
 *
 * The last rule that matches a connector decides. That is the greatest of the last rules of its id, its type, its
 * countries and `*`: a few look-ups however many rules there are, and no allocation.
 *
 * @throws ConnectorFilterError
 */
export function compileConnectorFilter(filter: ConnectorFilter): (connector: Connector) => boolean {
  const { rules } = parseConnectorFilter(filter);
  const ids = lastRules(rules, "connector_id");
  const types = lastRules(rules, "type");
  const countries = lastRules(rules, "countries");
  const keeps = [true, ...rules.map(({ action }) => action === "include")];
  const all = ids.get("*") ?? 0;
  const ofId = idLookup(ids);
  const ofType = remembering((text) => types.get(text.toLowerCase()));
  const ofName = remembering((text) => countries.get(countryKey(text)));
  const ofCode = byCountryCode((country) => countries.get(country) ?? 0);
  return (connector) => {
    if (connector.available === false) return false;
    let last = Math.max(all, ofId(connector.id), ofType(connector.type));
    const texts = connector.countries;
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index] as string;
      const found = ofCode[packedCode(text)] as number;
      last = Math.max(last, found < 0 ? ofName(text) : found);
    }
    return keeps[last] as boolean;
  };
}

/**
 * A memory of 256 texts before look-ups that must fold the text: catalogues repeat few types and country names, and
 * comparing with one text is cheaper than hashing another.
 */
function remembering(find: (text: string) => number | undefined): (text: string) => number {
  const known: { readonly text: string; readonly found: number }[] = [];
  return (text) => {
    const slot = (text.charCodeAt(0) * 31 + text.charCodeAt(text.length - 1)) & 255;
    if (known[slot]?.text !== text) known[slot] = { text, found: find(text) ?? 0 };
    return (known[slot] as { found: number }).found;
  };
}

/**
 * Most ids are in no rule: a mark for each sample that is spares them the look-up and the folding to lower case. An id
 * of a rule that is not all ASCII may equal ids of another length and so of any sample, and marks them all.
 */
function idLookup(ids: Map<Key, number>): (id: string) => number {
  const marks = new Uint8Array(1 << 17);
  for (const id of ids.keys()) {
    if (/[\u0080-\uffff]/.test(id as string)) marks.fill(1);
    else marks[sample(id as string)] = 1;
  }
  return (id) => {
    const mark = sample(id);
    return mark >= 0 && marks[mark] === 0 ? 0 : (ids.get(id) ?? ids.get(id.toLowerCase()) ?? 0);
  };
}

/** Hashes length and last six characters of an id, in any case, to 17 bits; -1 if one of them is not ASCII. */
function sample(id: string): number {
  let hash = id.length;
  for (let index = id.length - 1; index >= 0 && index > id.length - 7; index--) {
    const character = id.charCodeAt(index);
    if (character > 127) return -1;
    hash = (Math.imul(hash, 31) + (character | 32)) | 0;
  }
  return Math.imul(hash, 0x9e3779b1) >>> 15;
}
