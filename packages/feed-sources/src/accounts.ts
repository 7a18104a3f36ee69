/** Normalises an account number: removes the characters that group digits, and ignores case. */
export function accountKey(number: string): string {
  return number.replace(/[\s./_-]+/g, "").toUpperCase();
}

/**
 * Whether two numbers denote the same account: they differ only in case and in the characters that group digits. If both are grouped, the groups must
 * be the same, since `12-345` and `123-45` are two accounts; spaces do not count as grouping.
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
 * Why two different account numbers may denote the same account, in words; null if nothing suggests it. Used only for proposals: files are never
 * routed by it.
 */
export function likeness(one: string, other: string): string | null {
  return isSameAccount(one, other) ? null : likenessOfKeys(accountKey(one), accountKey(other));
}

/** The same as {@link likeness}, for two different {@link accountKey}s. For comparing very many numbers. */
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

/** Shorter numbers are contained in too many others. */
const MIN_PART = 5;

/** Whether one changed, added or missing character, or two swapped neighbours, explain the difference. */
function isOneSlip(short: string, long: string): boolean {
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length === short.length + 1) return short.slice(at) === long.slice(at + 1);
  if (long.length !== short.length) return false;
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const isExchanged = short[at] === long[at + 1] && short[at + 1] === long[at];
  return isExchanged && short.slice(at + 2) === long.slice(at + 2);
}
