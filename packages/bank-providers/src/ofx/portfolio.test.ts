import { describe, expect, it } from "vitest";
import { accessRefusal, fundPosition, parse, statementFile } from "../../test/ofx-files.js";
import { ofxFormat } from "./ofx-format.js";

const list = (...positions: string[]) => `<INVPOSLIST>${positions.join("")}</INVPOSLIST>`;
const balances = (...entries: string[]) => `<INVBAL><AVAILCASH>5<BALLIST>${entries.join("")}</BALLIST></INVBAL>`;
const balance = (name: string, value: string, type = "DOLLAR", extra = "") =>
  `<BAL><NAME>${name}<DESC>${name}<BALTYPE>${type}<VALUE>${value}${extra}</BAL>`;
const totalOf = (inside: string) => parse(statementFile(inside)).portfolios?.[0]?.balance;

describe("[C-9.30] a portfolio's balance", () => {
  it.each([
    ["the pension plan's total", `${list(fundPosition("A", "3"))}<INV401KBAL><TOTAL>1000.00</INV401KBAL>`, "1000.00"],
    [
      "the account value among the balances",
      list(fundPosition("A", "3")) + balances(balance("AccountValue", "9.990")),
      "9.990",
    ],
    ["the net worth, however it is spelled", balances(balance("Cash", "1"), balance("Net-Worth", "7")), "7"],
    ["the account value before the net worth", balances(balance("Networth", "7"), balance("Account Value", "8")), "8"],
    [
      "the sum when a total is a percentage",
      list(fundPosition("A", "3")) + balances(balance("Networth", "7", "PERCENT")),
      "8",
    ],
    [
      "the sum when a total is in another currency",
      balances(balance("Networth", "7", "DOLLAR", "<CURRENCY><CURRATE>1<CURSYM>EUR</CURRENCY>")),
      "5",
    ],
    [
      "the exact sum of the positions",
      list(fundPosition("A", "0.10"), fundPosition("B", "10200.0"), fundPosition("C", "-.005")),
      "10200.095",
    ],
    ["the sum with cash", `${list(fundPosition("A", "3.1"))}<INVBAL><AVAILCASH>-1.05</INVBAL>`, "2.05"],
    ["zero for an empty position list", list(), "0"],
    ["nothing without total, positions and cash", "", null],
    [
      "nothing when the positions have several currencies",
      list(fundPosition("A", "3", "<CURRENCY><CURRATE>1<CURSYM>EUR</CURRENCY>")),
      null,
    ],
  ])("is %s", (_, inside, expected) => {
    expect(totalOf(inside)).toBe(expected);
  });

  it("is refused when it has more digits than can be kept", () => {
    const large = "9".repeat(28);
    expect(accessRefusal(statementFile(list(fundPosition("A", large), fundPosition("B", large))))).toContain(
      "too many digits",
    );
  });
});

/** Balance, holdings and warnings of a statement in short form. */
function readAll(inside: string) {
  const { portfolios, holdings, warnings } = ofxFormat.read(Buffer.from(statementFile(inside)));
  return {
    balance: portfolios?.[0]?.balance,
    holdings: holdings?.map(({ name, amount, balance: value, type }) => `${name} ${amount} ${value} ${type}`),
    warnings: warnings.map(({ message }) => message),
  };
}

const held = list(fundPosition("A", "5171.44"));
const cash = (value: string, rest = "") => `<INVBAL><AVAILCASH>${value}${rest}</INVBAL>`;
const netWorth = (value: string) => `<BALLIST>${balance("Networth", value)}</BALLIST>`;
const givesWay = (total: string) => [
  `states a total of ${total} over holdings that are worth more; their sum stands for it`,
];

it.each([
  ["a plan's total of zero", `${held}<INV401KBAL><TOTAL>0.0</INV401KBAL>`, "5171.44", givesWay("0.0")],
  ["one below zero", `${held}<INV401KBAL><CASHBAL>1<TOTAL>-3</INV401KBAL>`, "5172.44", givesWay("-3")],
  ["an account's total of zero", held + cash("0", netWorth("0.00")), "5171.44", givesWay("0.00")],
  ["zero over cash alone", cash("7", netWorth("0")), "7", givesWay("0")],
  [
    "a smaller one that a margin debt explains",
    held + cash("0", `<MARGINBALANCE>-9000${netWorth("-3828.56")}`),
    "-3828.56",
    [],
  ],
  ["zero over nothing", list(fundPosition("A", "0")) + cash("0", netWorth("0")), "0", []],
  ["a smaller one above zero", held + cash("0", netWorth("5000")), "5000", []],
])("%s: the balance", (_, inside, expected, warned) => {
  expect(readAll(inside)).toMatchObject({ balance: expected, warnings: warned });
});

it("a total of zero over holdings of several currencies is no balance either", () => {
  const euros = fundPosition("B", "3", "<CURRENCY><CURRATE>1<CURSYM>EUR</CURRENCY>");
  expect(readAll(`${list(euros)}<INV401KBAL><TOTAL>0</INV401KBAL>`)).toMatchObject({
    balance: null,
    warnings: givesWay("0"),
  });
});

const fund = fundPosition("SWEEP", "100.50").replace("<UNITS>1", "<UNITS>100.50");

it.each([
  ["cash of an account", held + cash("18073.98"), "23245.42", ["A 1 5171.44 F", "Cash USD 18073.98 18073.98 L"]],
  [
    "a plan's cash",
    `${held}<INV401KBAL><CASHBAL>1.00<TOTAL>5172.44</INV401KBAL>`,
    "5172.44",
    ["A 1 5171.44 F", "Cash USD 1.00 1.00 L"],
  ],
  ["debt", held + cash("-71.44"), "5100.00", ["A 1 5171.44 F", "Cash USD -71.44 -71.44 L"]],
  ["no cash", held + cash("0.00"), "5171.44", ["A 1 5171.44 F"]],
  [
    "a sweep fund beside equal cash, both in the total",
    list(fund) + cash("100.5", netWorth("201")),
    "201",
    ["SWEEP 100.50 100.50 F", "Cash USD 100.5 100.5 L"],
  ],
])("%s is a holding of type L, and holdings add up to the balance", (_, inside, expected, holdings) => {
  expect(readAll(inside)).toEqual({ balance: expected, holdings, warnings: [] });
});

it.each([
  ["the stated total has it once", held + cash("20", netWorth("5171.44")), "5171.44", 1],
  ["a sweep fund is worth exactly as much", list(fund) + cash("100.5"), "100.50", 1],
])("cash that is a position already is not counted again: %s", (_, inside, expected, holdings) => {
  const read = readAll(inside);
  expect(read.balance).toBe(expected);
  expect(read.holdings).toHaveLength(holdings);
  expect(read.warnings).toEqual([expect.stringMatching(/^the cash of .* is among the positions already/)]);
});

it.each([
  ["the cash itself", "-40", ["Cash USD -40 -40 L"], "5131.44", 1],
  ["beside other cash", "10", ["Cash USD 10 10 L", "Margin debt USD -40 -40 L"], "5141.44", 0],
])("[C-9.434] a margin debt counts once: %s", (_, amount, more, expected, warned) => {
  const read = readAll(held + cash(amount, "<MARGINBALANCE>-40"));
  expect(read).toMatchObject({ balance: expected, holdings: ["A 1 5171.44 F", ...more] });
  expect(read.warnings).toHaveLength(warned);
});
