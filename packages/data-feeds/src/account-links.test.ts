import { readFileSync } from "node:fs";
import type { FeedAccount } from "@org/core";
import { expect, it } from "vitest";
import { accountRulesOf, currentLinks } from "./account-links.js";

it("[C-9.163] the rule of docs/reference/data-feeds.md links a cash account to its depot", () => {
  const page = readFileSync(new URL("../../../docs/reference/data-feeds.md", import.meta.url), "utf8");
  const [, row = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const { rules, fault } = accountRulesOf(JSON.parse(row).account_rules);
  expect(fault).toBeNull();
  const accounts = ["12345678.001", "12345678.S1"].map((number) => ({ number, is_cash: number.endsWith("001") }));
  expect(currentLinks(accounts as FeedAccount[], [], { letter: [], rules })).toEqual([
    { account: "12345678001", portfolio: "12345678S1", origin: "rule" },
  ]);
});
