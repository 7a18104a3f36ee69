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

test.each([
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
])("[C-5.264] a transaction of the group %s whose subtype says nothing", (group, kinds) => {
  expect(signs(group, "words of the bank")).toEqual(kinds);
});

test("[C-5.264] every transactionType of the descriptions is among them, and a subtype of 2.0 says more than its group", () => {
  for (const version of ["1.1.0", "1.2.0", "2.0.4"]) {
    const text = readFileSync(new URL(`../test/description/before-3/${version}.yaml`, import.meta.url), "utf8");
    expect(text).toContain("securitiesTransfer");
  }
  expect(signs("corporateActions", "dividendCash")).toEqual(always("dividend"));
  expect(signs("corporateActions", "split")).toEqual(always("split"));
  expect(signs("securitiesExchange", "sellToClose")).toEqual(always("sell"));
  expect(signs("fx", "openFxForward")).toEqual(always("other"));
  expect(signs("cash", "inflowOutflowPhysical")).toEqual(bySign("deposit", "withdrawal"));
  expect(signs("cash", "interest")).toEqual(always("interest"));
});
