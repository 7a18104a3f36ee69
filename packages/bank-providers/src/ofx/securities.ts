import { type FeedWarnings, quotedText, type Warn } from "../feed-warnings.js";
import { isinAsStated, isinOfStatedCusip } from "../isin.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { isNotGiven } from "../markup/not-given.js";
import { childOf, childrenOf, requiredChild, requiredText, textOf } from "../markup/values.js";

/** Identifies a security in a file. `key` is the same in every file of the bank: `CUSIP:023135106`. */
export interface SecurityId {
  readonly key: string;
  readonly number: string;
  /** `CUSIP`, `ISIN`, `PRIVATE`, …, in upper case. */
  readonly scheme: string;
}

/** Reads the required `SECID` of a position or transaction. */
export function readSecurityId(element: MarkupElement): SecurityId {
  const id = requiredChild(element, "SECID");
  const number = requiredText(id, "UNIQUEID");
  if (isNotGiven(number)) throw refuse(requiredChild(id, "UNIQUEID"), `${quotedText(number)} names no security`);
  const scheme = requiredText(id, "UNIQUEIDTYPE").toUpperCase();
  return { key: `${scheme}:${number}`, number, scheme };
}

/**
 * The ISIN of a security, or null. A CUSIP is converted with the prefix of the country in whose currency it is quoted: CA for Canadian dollars,
 * otherwise US. A wrong check digit gives a warning and no ISIN; the file is not refused for that.
 */
export function isinOfSecurity(security: SecurityId, quotedIn: string, warn: Warn): string | null {
  if (security.scheme === "CUSIP") return isinOfStatedCusip(security.number, quotedIn === "CAD" ? "CA" : "US", warn);
  return security.scheme === "ISIN" ? isinAsStated(security.number, warn) : null;
}

/** Names from the file's security list: all names of each identifier, in order. */
export class SecurityNames {
  readonly #names = new Map<string, string[]>();

  constructor(root: MarkupElement, warnings: FeedWarnings) {
    const messageSet = childOf(root, "SECLISTMSGSRSV1");
    for (const list of messageSet ? childrenOf(messageSet, "SECLIST") : []) {
      for (const entry of list.children) this.#add(entry, warnings);
    }
  }

  /** The security's name, or its number if the list does not have it. */
  of(security: SecurityId): string {
    return this.#names.get(security.key)?.[0] ?? security.number;
  }

  /**
   * The name of the `index`-th of `count` positions in one security. If the list names the identifier as often as it is held (share classes under
   * one number), each position has its own name, in order; otherwise the first name stands for all.
   */
  ofPosition(security: SecurityId, index: number, count: number): string {
    const names = this.#names.get(security.key) ?? [];
    return (names.length === count ? names[index] : names[0]) ?? security.number;
  }

  #add(entry: MarkupElement, warnings: FeedWarnings): void {
    // An entry without a number names nothing that is held.
    const info = childOf(entry, "SECINFO");
    const id = info && childOf(info, "SECID");
    const [number, scheme] = [id && textOf(id, "UNIQUEID"), id && textOf(id, "UNIQUEIDTYPE")];
    const name = info && textOf(info, "SECNAME");
    if (!number || !scheme) warnings.at(entry)("names a security without its number; it is left out");
    if (!number || !scheme || !name) return;
    const key = `${scheme.toUpperCase()}:${number}`;
    const names = this.#names.get(key);
    if (names) names.push(name);
    else this.#names.set(key, [name]);
  }
}
