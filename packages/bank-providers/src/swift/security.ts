import type { SecurityIdentifiers, Writable } from "@org/provider-kit";
import type { Warn } from "../feed-warnings.js";
import { isinAsStated, isinOfStatedCusip } from "../isin.js";
import type { SwiftField } from "./field-table.js";
import { refuseField } from "./values.js";

/** Schemes of `35B` besides the ISIN, and the identifiers that they stand for. */
const schemes: Readonly<Record<string, keyof SecurityIdentifiers>> = {
  DE: "wkn",
  CH: "valor",
  LI: "valor",
  US: "cusip",
  CA: "cusip",
  GB: "sedol",
  TS: "ticker",
};

/** What a message states about a security. `key` identifies it within an account. */
export interface SwiftSecurity {
  readonly key: string;
  readonly name: string;
  readonly isin: string | null;
  readonly identifiers?: SecurityIdentifiers;
}

/** Reads `35B`: `ISIN US0378331005`, then lines such as `/DE/865985` with a national number, then the name. The ISIN may be missing. */
export function securityOf(field: SwiftField, warn: Warn): SwiftSecurity {
  const lines = field.value.split("\n").flatMap((line) => line.trim() || []);
  const isin = /^ISIN ([A-Za-z0-9]+)$/.exec(lines[0] ?? "")?.[1];
  const numbers: [scheme: string, number: string][] = [];
  const words: string[] = [];
  for (const line of isin === undefined ? lines : lines.slice(1)) {
    const [, scheme, number] = /^\/([A-Z]{2,4})\/(.+)$/.exec(line) ?? [];
    if (scheme === undefined || number === undefined) words.push(line);
    else numbers.push([scheme, number]);
  }
  const name = words.join(" ");
  const facts = identifiersOf(numbers);
  if (isin !== undefined) return { key: `ISIN:${isin}`, name: name || isin, isin: isinAsStated(isin, warn), ...facts };
  const [first] = numbers;
  if (first) {
    const [scheme, number] = first;
    const isCusip = (scheme === "US" || scheme === "CA") && number.length === 9;
    const made = isCusip ? isinOfStatedCusip(number, scheme, warn) : null;
    return { key: `${scheme}:${number}`, name: name || number, isin: made, ...facts };
  }
  if (name === "") throw refuseField(field, "identifies no security");
  return { key: `NAME:${name}`, name, isin: null };
}

function identifiersOf(numbers: readonly (readonly [scheme: string, number: string])[]) {
  const identifiers: Writable<SecurityIdentifiers> = {};
  for (const [scheme, number] of numbers) {
    const name = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
    if (name !== undefined) identifiers[name] = number;
  }
  return Object.keys(identifiers).length > 0 ? { identifiers } : {};
}
