import { expect, it } from "vitest";
import type { LetterAccounts } from "./account-index.js";
import { likeness } from "./accounts.js";
import { isHalfWritten, isPlainName, matchesPattern } from "./file-names.js";
import { type Route, routeSchema, routingOf } from "./routing.js";

const [a, b] = ["019b0000-0000-7000-8000-00000000000a", "019b0000-0000-7000-8000-00000000000b"];
const route = (when: object, to: object): Route => routeSchema.parse({ when, to });
const to = (letter_id: string) => ({ letter_id });
const connector = { connector_id: "che:bank" };
const letters: readonly LetterAccounts[] = [
  { tenant_id: "t", letter_id: a, connection_id: null, accounts: ["0012-345.67"] },
  { tenant_id: "t", letter_id: b, connection_id: null, accounts: ["99 000 1", "77777"] },
];
const of = (account: string | null, routes: readonly Route[], more: object = {}) =>
  routingOf({ account, servicer: null, sender: null, names: ["a.xml"], ...more }, routes, () => letters);

it.each<[what: string, account: string | null, routes: readonly Route[], more: object, target: string | null]>([
  ["an account, written otherwise", "00.1234/567", [route({ account: "001234567" }, to(a))], {}, a],
  ["a letter that names the account", "9900 01", [route({}, connector)], {}, b],
  ["a rule by account before letters", "990001", [route({}, connector), route({ account: "990001" }, to(a))], {}, a],
  ["letters before rules by name", "990001", [route({ name: "*" }, to(a)), route({}, connector)], {}, b],
  ["a BIC without its branch", "1", [route({ servicer: "BANKCHZZ" }, to(a))], { servicer: "BANKCHZZ80A" }, a],
  ["a head office", "1", [route({ servicer: "BANKCHZZXXX" }, to(a))], { servicer: "BANKCHZZ" }, a],
  ["another branch", "1", [route({ servicer: "BANKCHZZ80A" }, to(a))], { servicer: "BANKCHZZ" }, null],
  ["a sender", null, [route({ sender: "custodian ag" }, to(a))], { sender: "Custodian AG" }, a],
  ["a name of the file", null, [route({ name: "*.XML" }, to(a))], {}, a],
  ["all conditions hold", "1", [route({ account: "1", name: "b*" }, to(a))], {}, null],
  ["nothing", "5", [], {}, null],
  ["two rules for one account", "1", [route({ account: "1" }, to(a)), route({ account: "1" }, to(b))], {}, null],
  [
    "two rules that say the same",
    "1",
    [route({ account: "1" }, to(a)), route({ name: "*" }, to(b)), route({ account: "1" }, to(a))],
    {},
    a,
  ],
])("[C-9.202] routes by %s", async (_what, account, routes, more, target) => {
  const found = await of(account, routes, more);
  expect("target" in found ? found.target : null).toEqual(target === null ? null : { letter_id: target });
});

it("[C-9.204] proposes letters whose accounts nearly match, with why, and takes none by itself", async () => {
  expect(await of("1234567", [route({}, connector)])).toEqual({
    reason: 'no rule and no letter is for account "1234567"',
    proposals: [{ letter_id: a, tenant_id: "t", why: "the numbers differ by leading zeros" }],
  });
});

it("[C-9.211] looking for proposals among very many letters, or through very many rules, lets others have their turns", async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({
    tenant_id: "t",
    letter_id: `${index}`,
    connection_id: null,
    accounts: Array.from({ length: 20 }, (_each, number) => `CH93-0076-2011-${index}-${number}`),
  }));
  const patterns = Array.from({ length: 20_000 }, (_, index) => route({ name: `*a*a*${index}` }, to(a)));
  const unknown = { account: "CH9300762011X", servicer: null, sender: null, names: ["a".repeat(200)] };
  for (const [routes, among] of [
    [[route({}, connector)], many],
    [patterns, []],
  ] as const) {
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    expect(await routingOf(unknown, routes, () => among)).toMatchObject({ reason: expect.stringMatching(/^no rule/) });
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(0);
  }
});

it.each([
  ["001234", "1234", "leading zeros"],
  ["CH9300012345", "12345", "ends with"],
  ["1234567-EUR", "1234567", "begins with"],
  ["1234567", "1243567", "one place"],
  ["1234567", "123456", "begins with"],
  ["1234567", "1235567", "one place"],
  ["1234567", "7654321", null],
  ["123", "124", null],
])("%s and %s are alike: %s", (one, other, why) => {
  if (why === null) expect(likeness(one, other)).toBeNull();
  else expect(likeness(one, other)).toContain(why);
});

it("names and patterns: stars and question marks, in time that grows with their lengths", () => {
  expect(matchesPattern("DEPOT_2026.xml", "depot_*.XML")).toBe(true);
  expect(matchesPattern("a.xml", "?.xml")).toBe(true);
  expect(matchesPattern("Zu\u0308rich.xml", "Z\u00fcrich?xml")).toBe(true);
  expect(matchesPattern("ab.xml", "?.xml")).toBe(false);
  expect(matchesPattern("", "*")).toBe(true);
  expect(matchesPattern("a".repeat(5_000), `${"*a".repeat(100)}*b`)).toBe(false);
});

it.each([
  "../a",
  "a/b",
  "a\\b",
  "a\nb",
  "a\0b",
  "",
  ".",
  "..",
  "\u202Egnp.xml",
  "a\u200bb",
  "\u3164",
  "a\uFFFD",
  "x".repeat(256),
])("[C-9.206] %j is no name of a file", (name) => expect(isPlainName(name)).toBe(false));

it.each(["a.filepart", ".a.xml", "a.xml.part", "a~", "A.TMP"])("[C-9.206] %s is still being written", (name) => {
  expect(isHalfWritten(name)).toBe(true);
});
