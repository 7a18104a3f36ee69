import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { CustodyTransaction } from "./custody-answers.js";
import { transactionKind } from "./transaction-kinds.js";

const of = (group: string, type = "") => ({ group, type }) as CustodyTransaction;
const signs = (group: string, type?: string) => [
  transactionKind(of(group, type), { units: "5" }),
  transactionKind(of(group, type), { units: "-5" }),
  transactionKind(of(group, type), { money: "5" }),
  transactionKind(of(group, type), { money: "-5" }),
  transactionKind(of(group, type), { money: null }),
];
const always = (kind: string) => Array.from({ length: 5 }, () => kind);
const bySign = (in_: string, out: string) => [in_, out, in_, out, "other"];

const groups: readonly (readonly [group: string, kinds: readonly string[]])[] = [
  ["cash", bySign("deposit", "withdrawal")],
  ["corporateActions", always("other")],
  ["credit", always("other")],
  ["fees", always("fee")],
  ["fiduciary", always("other")],
  ["fx", always("fx")],
  ["interest", always("interest")],
  ["interestSwap", always("other")],
  ["medium-termNotes", always("other")],
  ["moneyMarket", always("other")],
  ["otc", always("other")],
  ["others", always("other")],
  ["physical", bySign("transfer_in", "transfer_out")],
  ["securitiesExchange", ["buy", "sell", "other", "other", "other"]],
  ["securitiesTransfer", bySign("transfer_in", "transfer_out")],
  ["taxes", always("tax")],
];

test.each(groups)("[C-5.264] a transaction of the group %s whose subtype says nothing", (group, kinds) => {
  expect(signs(group, "words of the bank")).toEqual(kinds);
});

/** The groups that a description lists. */
function groupsIn(description: string): readonly string[] {
  const text = readFileSync(new URL(`../test/description/${description}.yaml`, import.meta.url), "utf8");
  const lines = text.split("\n").map((line) => line.trim());
  const at = lines.findIndex((line, index) => line === "transactionType:" && lines[index + 1] === "type: string");
  const from = lines.indexOf("enum:", at) + 1;
  const to = lines.findIndex((line, index) => index >= from && !line.startsWith("- "));
  return lines.slice(from, to).map((line) => line.slice(2));
}

test.each(["CustodyServices_1.1.0", "CustodyServicesAPI_1.2.0", "CustodyServicesAPI_2.0.3", "CustodyServices_2.0.4"])(
  "[C-5.264] every group of %s is among them, but for those of over-the-counter trades",
  (description) => {
    const listed = groupsIn(description);
    expect(listed.length).toBeGreaterThan(12);
    const known = new Set(groups.map(([group]) => group));
    const others = listed.filter((group) => !known.has(group));
    expect(others.filter((group) => !group.startsWith("otc"))).toEqual([]);
    for (const group of others) expect(signs(group, "words of the bank")).toEqual(always("other"));
  },
);

test("[C-5.264] a subtype of 2.0 says more than its group", () => {
  expect(signs("corporateActions", "dividendCash")).toEqual(always("dividend"));
  expect(signs("corporateActions", "split")).toEqual(always("split"));
  expect(signs("securitiesExchange", "sellToClose")).toEqual(always("sell"));
  expect(signs("fx", "openFxForward")).toEqual(always("other"));
  expect(signs("cash", "inflowOutflowPhysical")).toEqual(bySign("deposit", "withdrawal"));
  expect(signs("cash", "interest")).toEqual(always("interest"));
  expect(signs("corporateActions", "interest")).toEqual(always("coupon"));
});
