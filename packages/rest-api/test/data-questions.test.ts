import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, startFixture } from "./fixture.js";

const account = "01990000-0000-7000-9000-000000000001";

let api: Fixture;
beforeAll(async () => {
  api = await startFixture();
  const { connection_id } = await api.refreshable();
  const { now, portfolio, holding, transaction } = samples;
  const fund = holding({ name: "Café Fund", isin: "LU0000000001", balance: "300.00" });
  await api.storage.inTenant(api.tenantIds.first, ({ snapshots }) =>
    snapshots.publish({
      connection_id,
      as_of: now,
      published_at: now,
      portfolios: [portfolio({ portfolio_id: account, name: "Growth", balance: "900.00", type: "UM" })],
      holdings: [
        fund,
        holding({ name: "Share", isin: "CH0000000002", balance: "700.00", currency: "CHF", type: "VI" }),
        holding({ name: "Other fund", isin: null, balance: "600.00", valuation_date: "2026-01-15" }),
        holding({ name: "Unpriced", isin: null, balance: null, type: "AEP", subtype: "PE" }),
      ],
      transactions: [
        transaction({
          holding_id: fund.holding_id,
          description: "Dividend Café Fund",
          balance: "12.50",
          facts: { kind: "dividend", identifiers: { isin: "LU0000000001" } },
        }),
        transaction({ balance: "-200.00", facts: { kind: "buy" } }),
      ],
    }),
  );
});
afterAll(() => api.close());

const read = async (name: string, body: object = {}) => (await api.post(`/data/v1/${name}`, body)).body;
const names = ({ items }: { items: readonly { name: string }[] }) => items.map(({ name }) => name);

describe("[C-4.120] a read of data", () => {
  it("sorts, and takes a part of a name or an ISIN", async () => {
    const fields = ["name"];
    expect(names(await read("list-investments", { sort: "-balance", fields }))).toEqual([
      "Other fund",
      "Café Fund",
      "Unpriced",
      "Share",
    ]);
    expect(names(await read("list-investments", { name: "CAFE", fields }))).toEqual(["Café Fund"]);
    expect(names(await read("list-investments", { isin: ["ch0000000002"], fields }))).toEqual(["Share"]);
  });

  it("answers totals by one or two groups, and as of when they are", async () => {
    const { totals, as_of, items, total, pages } = await read("list-investments", {
      currency: "EUR",
      totals_by: ["type", "portfolio"],
      totals_only: true,
    });
    const portfolio = { id: account, name: "Growth" };
    expect(totals).toEqual([
      { currency: "EUR", type: "AEP", portfolio, balance: null, rows: 1, rows_without_balance: 1 },
      { currency: "EUR", type: "F", portfolio, balance: "900.00", rows: 2 },
    ]);
    expect([as_of, items, total, pages]).toEqual([{ oldest: "2026-01-15", newest: "2026-02-27" }, [], 3, 1]);
  });

  it("takes kinds of transactions and answers what they belong to", async () => {
    const { items, totals } = await read("list-transactions", {
      kind: "DIVIDEND",
      isin: "LU0000000001",
      totals_by: "kind",
      fields: ["kind", "bank", "portfolio_id", "investment_id"],
    });
    expect(items).toEqual([
      { kind: "dividend", bank: expect.any(String), portfolio_id: account, investment_id: expect.any(String) },
    ]);
    expect(totals).toEqual([{ currency: "EUR", kind: "dividend", balance: "12.50", rows: 1 }]);
  });
});

it("[C-4.121] an answer has what sums it up first and its rows last", async () => {
  expect(Object.keys(await read("list-portfolios"))).toEqual([
    "totals",
    "as_of",
    "sources",
    "source_counts",
    "page",
    "page_size",
    "pages",
    "total",
    "snapshot",
    "items",
  ]);
});

describe("[C-4.122] what a product does not have is refused by name, with what it has", () => {
  const portfolioGroups = "must be one of type, bank, client_ref, or a list of one or two different ones";
  it.each([
    ["list-portfolios", "sort", "valuation_date", "must be one of -balance, balance, name, -name"],
    ["list-transactions", "sort", "name", "must be one of -operationDate, operationDate, -balance, balance"],
    ["list-portfolios", "totals_by", "subtype", portfolioGroups],
    ["list-portfolios", "totals_by", ["type", "type"], portfolioGroups],
    ["list-portfolios", "totals_by", [], portfolioGroups],
    [
      "list-investments",
      "totals_by",
      ["type", "bank", "portfolio"],
      "must be one of type, subtype, bank, portfolio, client_ref, or a list of one or two different ones",
    ],
    ["list-investments", "totals_only", "yes", "must be true or false"],
    ["list-transactions", "kind", "gift", "dividend"],
    ["list-investments", "isin", "Apple", "two letters, nine letters or digits, and a digit"],
    ["list-investments", "name", 7, "must be a string"],
  ])("%s %s %j", async (name, field, value, message) => {
    const { error } = await read(name, { [field]: value });
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field }] });
    expect(JSON.stringify(error)).toContain(message);
  });
});

it("[C-4.126] the API document says what types, subtypes and kinds mean", () => {
  const said = JSON.stringify(api.document);
  for (const meaning of ["VI equities", "UM unmanaged", "of DV: FOP fund options", "transfer_in securities in"])
    expect(said).toContain(meaning);
});
