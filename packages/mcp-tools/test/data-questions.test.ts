import { holdingSubtypes, holdingTypes, portfolioTypes, transactionKinds } from "@org/core";
import { samples } from "@org/core/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { bankInstructions, bankTools } from "../src/index.js";
import { call, contentOf, modern, startMcp, toolErrorOf } from "./mcp-server.js";
import { ids } from "./world.js";

const account = "01990000-0000-7000-9000-000000000001";
const mcp = await startMcp();

beforeAll(async () => {
  const { now, portfolio, holding, transaction } = samples;
  const dividend = { kind: "dividend", identifiers: { isin: "LU0000000001" } } as const;
  await mcp.storage.inTenant(ids.tenantB, ({ snapshots }) =>
    snapshots.publish({
      connection_id: ids.foreign,
      as_of: now,
      published_at: now,
      portfolios: [portfolio({ portfolio_id: account, name: "Growth", balance: "1650.00" })],
      holdings: [
        holding({ name: "Café Fund", balance: "300.00" }),
        holding({ name: "Share", isin: "CH0000000002", balance: "700.00", currency: "CHF", type: "VI" }),
        holding({ name: "Other fund", isin: null, balance: "600.00", valuation_date: "2026-01-15" }),
        holding({ name: "Future", isin: null, balance: "9000.00", type: "DV", subtype: "FT", is_notional: true }),
        holding({ name: "Unpriced", isin: null, balance: null, type: "AEP", subtype: "PE" }),
      ],
      transactions: [
        transaction({ description: "Dividend Café", balance: "12.50", facts: dividend }),
        transaction({ description: "Dividend Café", balance: "7.50", facts: dividend, operation_date: "2025-12-30" }),
        transaction({ description: "Purchase", balance: "-200.00", facts: { kind: "buy" } }),
      ],
    }),
  );
});

const use = async (name: string, args: object = {}) =>
  contentOf(await mcp.send({ token: "bob", body: call(name, args) }));
const names = ({ items }: { items: readonly { name: string }[] }) => items.map(({ name }) => name);

describe("[C-4.120] one call answers", () => {
  it("which holdings are the largest, each currency by itself, notionals last", async () => {
    const answer = await use("svc-investments", {
      sort: "-balance",
      page_size: 3,
      fields: ["name", "balance", "bank"],
    });
    expect(answer.items).toEqual([
      { name: "Other fund", balance: "600.00", bank: "Banco Alpha" },
      { name: "Café Fund", balance: "300.00", bank: "Banco Alpha" },
      { name: "Unpriced", balance: null, bank: "Banco Alpha" },
    ]);
    expect(answer.hint).toMatch(
      /There is more.* Rows are grouped by currency, the one with the largest total first\.$/,
    );
    expect(names(await use("svc-investments", { sort: "-balance" }))).toEqual([
      "Other fund",
      "Café Fund",
      "Unpriced",
      "Share",
      "Future",
    ]);
    expect(await use("svc-investments", { sort: "-balance", currency: "EUR" })).not.toHaveProperty("hint");
    expect(await use("svc-investments", { sort: "name" })).not.toHaveProperty("hint");
  });

  it("how much there is of each type, and what the sums leave out", async () => {
    const { totals, items, as_of } = await use("svc-investments", { totals_by: "type", totals_only: true });
    expect(totals).toEqual([
      { currency: "CHF", type: "VI", balance: "700.00", rows: 1 },
      { currency: "EUR", type: "AEP", balance: null, rows: 1, rows_without_balance: 1 },
      { currency: "EUR", type: "DV", balance: null, rows: 1, rows_notional: 1 },
      { currency: "EUR", type: "F", balance: "900.00", rows: 2 },
    ]);
    expect([items, as_of]).toEqual([[], { oldest: "2026-01-15", newest: "2026-02-27" }]);
  });

  it("the dividends of a year", async () => {
    const year = { kind: "dividend", start_date: "2026-01-01", end_date: "2026-12-31", totals_only: true };
    expect((await use("svc-investment-transactions", year)).totals).toEqual([
      { currency: "EUR", balance: "12.50", rows: 1 },
    ]);
  });

  it("how much of one security there is, by a part of its name or its ISIN", async () => {
    expect(names(await use("svc-investments", { name: "CAFE" }))).toEqual(["Café Fund"]);
    expect(names(await use("svc-investments", { isin: "ch0000000002" }))).toEqual(["Share"]);
    expect((await use("svc-investment-transactions", { isin: "LU0000000001" })).total).toBe(2);
  });
});

it("[C-4.124] totals alone are answered without a hint about pages", async () => {
  const args = { totals_only: true, page_size: 1, sort: "-balance" };
  for (const page of [1, 9]) {
    const answer = await use("svc-investments", { ...args, page });
    expect(answer).toMatchObject({ page, pages: 5, total: 5, items: [] });
    expect(answer).not.toHaveProperty("hint");
  }
});

it("[C-4.125] totals of a portfolio's holdings that leave something out say why its own balance may differ", async () => {
  for (const args of [{ portfolio_id: account }, { totals_by: ["type", "portfolio"] }])
    expect((await use("svc-investments", args)).hint).toContain(
      "A portfolio's own balance, in svc-portfolios, may differ",
    );
  for (const args of [{ totals_by: "type" }, { portfolio_id: account, currency: "CHF" }])
    expect(await use("svc-investments", args)).not.toHaveProperty("hint");
  expect(bankTools.listed().find(({ name }) => name === "svc-portfolios")?.description).toContain("may differ");
});

it("[C-4.121] every page has its rows last, in both eras", async () => {
  const order = [
    "totals",
    "as_of",
    "sources",
    "source_counts",
    "hint",
    "page",
    "page_size",
    "pages",
    "total",
    "snapshot",
  ];
  for (const name of [
    "svc-connectors",
    "svc-credentials",
    "svc-portfolios",
    "svc-investments",
    "svc-investment-transactions",
  ])
    for (const body of [
      { body: call(name, { page_size: 1 }) },
      modern("tools/call", { name, arguments: { page_size: 1 } }),
    ]) {
      const members = Object.keys(contentOf(await mcp.send(body)));
      expect(members, name).toEqual([...order.filter((member) => members.includes(member)), "items"]);
    }
});

it("[C-4.122] a group, sort or kind that a tool does not have is refused by name, with those that it has", async () => {
  for (const [name, field, value, allowed] of [
    ["svc-portfolios", "totals_by", "kind", "must be one of type, bank"],
    ["svc-investments", "totals_by", ["type", "type"], "one or two different ones"],
    ["svc-investments", "totals_by", ["type", "bank", "portfolio"], "one or two different ones"],
    ["svc-investments", "sort", "-name", "must be one of -balance, balance, name, -valuation_date"],
    ["svc-investment-transactions", "kind", "gift", "dividend"],
  ] as const) {
    const error = toolErrorOf(await mcp.send({ body: call(name, { [field]: value }) }));
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field }] });
    expect(error.message).toContain(allowed);
  }
});

it("[C-4.126] every code of a type, subtype or kind stands in the description of its parameter, with its meaning", () => {
  const described = (tool: string, parameter: string) =>
    (bankTools.named(tool)?.input.shape[parameter] as { description?: string } | undefined)?.description;
  for (const [tool, parameter, codes] of [
    ["svc-portfolios", "portfolio_type", portfolioTypes],
    ["svc-investments", "inv_type", holdingTypes],
    ["svc-investments", "subtype", holdingSubtypes],
    ["svc-investment-transactions", "kind", transactionKinds],
  ] as const)
    for (const code of codes) expect(described(tool, parameter)).toMatch(new RegExp(`[ ,;:] ?${code} [a-z]`));
});

it("[C-4.126] nothing sends a model to read pages for what totals and sort answer", () => {
  for (const { description = "" } of bankTools.listed()) expect(description).not.toMatch(/read all pages|adding rows/);
  expect(bankInstructions).toContain("do not read pages to add up or to compare");
});
