import { describe, expect, it } from "vitest";
import type { LetterAccounts } from "./account-index.js";
import { isSameAccount } from "./accounts.js";
import { matchesPattern } from "./file-names.js";
import { createRoutingCosts, type Route, type Routed, routeSchema, routingOf } from "./routing.js";

const [LETTER, OTHER, THIRD] = [1, 2, 3].map((n) => `019b0000-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];
const letters: readonly LetterAccounts[] = [
  { tenant_id: "one", letter_id: LETTER, connection_id: null, accounts: ["12-345.01", "CH93 0076 2011 6238 5295 7"] },
  { tenant_id: "two", letter_id: OTHER, connection_id: null, accounts: ["900.1"] },
];
const rule = (when: object, to: object): Route => routeSchema.parse({ when, to });
const toLetters = rule({}, { connector_id: "che:custodian" });
const routed = (account: string | null, more: Partial<Routed> = {}): Routed => ({
  account,
  servicer: null,
  sender: null,
  names: ["statement.fin"],
  ...more,
});
const goes = async (file: Routed, routes: readonly Route[], named = letters) => {
  const routing = await routingOf(file, routes, () => named);
  return "target" in routing ? Object.values(routing.target)[0] : routing.proposals.map(({ letter_id }) => letter_id);
};

describe("where an account goes", () => {
  it.each([
    ["12-345.01", "1234501", true],
    ["12-345.01", "12 345 01", true],
    ["12-345.01", "12/345/01", true],
    ["ch93 0076", "CH930076", true],
    ["12-345.01", "123-45.01", false],
    ["1.23", "12.3", false],
    ["0012", "12", false],
    ["---", "", false],
  ])("%s and %s: one account is %s", (one, other, isOne) => {
    expect([isSameAccount(one, other), isSameAccount(other, one)]).toEqual([isOne, isOne]);
  });

  it("to the letter that names it, however it is grouped, and to nobody whose number only has the same digits", async () => {
    expect(await goes(routed("1234501"), [toLetters])).toBe(LETTER);
    expect(await goes(routed("CH9300762011623852957"), [toLetters])).toBe(LETTER);
    // Only proposed, not routed.
    expect(await goes(routed("123-45.01"), [toLetters])).toEqual([LETTER]);
    expect(await goes(routed("900.10"), [toLetters])).toEqual([]);
    expect(await goes(routed(null), [toLetters])).toEqual([]);
  });

  it("a rule for the account counts before letters, and two claims are none", async () => {
    const claimed: readonly LetterAccounts[] = [
      ...letters,
      { tenant_id: "two", letter_id: THIRD, connection_id: null, accounts: ["12345.01", "1234501"] },
    ];
    expect(await goes(routed("1234501"), [toLetters], claimed)).toEqual([LETTER, THIRD]);
    const direct = rule({ account: "12 34501" }, { letter_id: OTHER });
    expect(await goes(routed("1234501"), [toLetters, direct], claimed)).toBe(OTHER);
    const against = rule({ account: "1234501" }, { letter_id: THIRD });
    expect(await goes(routed("1234501"), [direct, against], claimed)).toEqual([]);
  });

  it("all that a rule says has to hold: name, sender and servicer", async () => {
    const only = rule({ name: "stat*.fin", servicer: "CUSTCHZZ", sender: "Custodian AG" }, { letter_id: LETTER });
    const whole = { servicer: "CUSTCHZZ80A", sender: "custodian ag" };
    expect(await goes(routed("1", whole), [only])).toBe(LETTER);
    for (const other of [{ names: ["x.fin"] }, { servicer: "CUSTDEFF" }, { servicer: null }, { sender: "Custodian" }])
      expect(await goes(routed("1", { ...whole, ...other }), [only])).toEqual([]);
  });

  it("patterns cost time in proportion, whatever they are", () => {
    const began = process.cpuUsage();
    expect(matchesPattern("a".repeat(255), `${"*a".repeat(127)}b`)).toBe(false);
    expect(matchesPattern("Statement_2024.FIN", "statement_????.fin")).toBe(true);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(10);
  });
});

it("a file of very many accounts costs in proportion to them, however many letters and rules there are", async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => ({
    tenant_id: "one",
    letter_id: `letter ${index}`,
    connection_id: null,
    accounts: [`CH93-0076-2011-6238-${index}`],
  }));
  const rules = Array.from({ length: 1_000 }, (_, index) => rule({ account: `77-${index}` }, { letter_id: OTHER }));
  const costs = createRoutingCosts();
  costs.comparisonsLeft = 100_000;
  const began = process.cpuUsage();
  const reasons: object[] = [];
  for (let index = 0; index < 5_000; index += 1)
    reasons.push(await routingOf(routed(`0790-12345678-${index}`), [...rules, toLetters], () => many, costs));
  const { user, system } = process.cpuUsage(began);
  expect(reasons.every((routing) => "reason" in routing)).toBe(true);
  expect(costs.comparisonsLeft).toBe(0);
  // Comparing all 25 million pairs of numbers took a minute.
  expect((user + system) / 1_000).toBeLessThan(10_000);
  expect(await routingOf(routed("CH93 0076 2011 6238 4711"), [...rules, toLetters], () => many)).toEqual({
    target: { letter_id: "letter 4711" },
  });
});
