/** What of a number is no grouping: signs that only group digits go, and case says nothing. */
export function accountKey(number: string): string {
  return number.replace(/[\s./_-]+/g, "").toUpperCase();
}

/**
 * Whether two numbers are of one account: they are written alike but for case and the signs that group digits. Where both are grouped,
 * they have to be grouped alike, for `12-345` and `123-45` are two accounts; spaces say nothing.
 */
export function isSameAccount(one: string, other: string): boolean {
  if (accountKey(one) === "" || accountKey(one) !== accountKey(other)) return false;
  const [a, b] = [groupsOf(one), groupsOf(other)];
  return a.length === 1 || b.length === 1 || a.join("-") === b.join("-");
}

function groupsOf(number: string): readonly string[] {
  return number
    .replace(/\s+/g, "")
    .toUpperCase()
    .split(/[./_-]+/)
    .filter((group) => group !== "");
}

/**
 * Why two account numbers that differ may be the same account, in words; null where nothing speaks for it. Only ever a proposal: files
 * are never routed by it.
 */
export function likeness(one: string, other: string): string | null {
  return isSameAccount(one, other) ? null : likenessOfKeys(accountKey(one), accountKey(other));
}

/** What {@link likeness} says at most, by {@link accountKey}s: for whoever compares very many numbers. */
export function likenessOfKeys(a: string, b: string): string | null {
  if (a === "" || b === "") return null;
  if (a === b) return "the numbers differ in how their digits are grouped";
  if (a.length !== b.length && a.replace(/^0+/, "") === b.replace(/^0+/, ""))
    return "the numbers differ by leading zeros";
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= MIN_PART && long.endsWith(short)) return "one number ends with the other";
  if (short.length >= MIN_PART && long.startsWith(short)) return "one number begins with the other";
  if (short.length >= MIN_PART && isOneSlip(short, long)) return "the numbers differ in one place";
  return null;
}

/** Shorter numbers are in too many others. */
const MIN_PART = 5;

/** Whether one character changed, added or two neighbours exchanged makes the one of the other. */
function isOneSlip(short: string, long: string): boolean {
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length === short.length + 1) return short.slice(at) === long.slice(at + 1);
  if (long.length !== short.length) return false;
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const isExchanged = short[at] === long[at + 1] && short[at + 1] === long[at];
  return isExchanged && short.slice(at + 2) === long.slice(at + 2);
}
