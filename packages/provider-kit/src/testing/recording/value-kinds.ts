import { isMinorUnit } from "../../money.js";

/**
 * What kind of value stands under a name of an answer, as far as names and shapes tell: a word of the institution's own vocabulary, a time, a count.
 * Everything else may be a customer's.
 */
export interface ValueKinds {
  isWord(name: string, value: string): boolean;
  /** A currency, a yes or no, a time, a count. */
  isPlain(name: string, value: string): boolean;
  /** Whether the author of the provider named this member: all of its values stay. */
  isNamed(name: string): boolean;
}

/** Last words of names whose values are words of a vocabulary. */
const wordNames = new Set(
  "type subtype kind status state side class category currency ccy direction mode exchange mic country language indicator buysell putcall levelofdetail".split(
    " ",
  ),
);
/** Before `code`, which alone may be a security or a branch. */
const codedNames = new Set("error status currency country type reason result response language transaction".split(" "));
const countNames = new Set("page pages count size limit offset index".split(" "));
/** What may stand before a count: `share_count`, `position_size` and `credit_limit` are a customer's. */
const pageNames = new Set(
  "page pages total current next last first per max rate item items row rows record records".split(" "),
);

const word = /^\p{L}[\p{L}_ ./&-]{0,39}\d{0,2}$/u;
/** `invalid_grant` and `EAPI:Invalid key`. */
const errorWord = /^\p{L}[\p{L}_]{0,39}(?::[\p{L} ]{1,40})?$/u;
const isoTime = /^\d{4}-\d\d-\d\d(?:[T ;][\d:.,+Z-]*)?$/;
const compactTime = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[;, T]?\d{6})?$/;
const epoch = /^1\d{9}(?:\d{3})?(?:\.\d{1,9})?$/;
const months = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec";
const writtenTime = new RegExp(
  `^\\d{1,2} (?:${months})[a-z]{0,6},? \\d{4}(?: [\\d:]{4,8})?(?: [AP]M)?(?: [A-Z]{2,4})?$`,
);
const timeName = /date|time|day|period|expir|matur|timestamp|[_a-z]at$/i;
/** When somebody was born is theirs. */
const birthName = /birth|born|dob$/i;
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** @param words further names, whose values stay whatever they look like */
export function valueKinds(words: readonly string[] = []): ValueKinds {
  const named = new Set(words.map((name) => name.toLowerCase()));
  return {
    isNamed: (name) => named.has(name.toLowerCase()),
    isWord: (name, value) =>
      (/^errors?$/i.test(name) && errorWord.test(value)) ||
      (isWordName(name) && (word.test(value) || (/code$/i.test(name) && /^\d{1,5}$/.test(value)))),
    isPlain: (name, value) =>
      /^(?:true|false|yes|no|Y|N)$/i.test(value) ||
      (/currency|ccy/i.test(name) && (currencies.has(value) || isMinorUnit(value))) ||
      isTime(name, value) ||
      (/^\d{1,6}$/.test(value) && (isCountName(name) || /^expires_?in$/i.test(name))),
  };
}

function isTime(name: string, value: string): boolean {
  if (birthName.test(name)) return false;
  if (isoTime.test(value)) return true;
  return timeName.test(name) && (compactTime.test(value) || epoch.test(value) || writtenTime.test(value));
}

function isWordName(name: string): boolean {
  const parts = partsOf(name);
  if (parts.at(-1) === "code") return codedNames.has(parts.at(-2) ?? "");
  return wordNames.has(parts.at(-1) ?? "") || wordNames.has(parts.join(""));
}

function isCountName(name: string): boolean {
  const parts = partsOf(name);
  const last = parts.at(-1) ?? "";
  if (["version", "ttl", "status"].includes(last)) return true;
  const isSize = parts.length === 1 && ["size", "limit"].includes(last);
  return countNames.has(last) && !isSize && parts.slice(0, -1).every((part) => pageNames.has(part));
}

/** `assetCategory` and `asset_category` are `asset`, `category`. */
function partsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
}
