import { addDecimals, compareDecimals } from "@org/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { post } from "./http-client.js";
import { backends } from "./installation.js";
import { rawCaller, toolCall } from "./mcp-clients.js";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly balance: string | null;
  readonly currency: string;
  readonly type: string;
  readonly kind: string | null;
  readonly operationDate: string;
}

/** What a model has in one call is what it would find by reading every row. */
describe.each(backends)("[C-4.120] questions about data on %s", (backend) => {
  let server: TestServer;
  let mcp: ReturnType<typeof rawCaller>;
  let holdings: readonly Row[];
  let transactions: readonly Row[];

  beforeAll(async () => {
    server = await startTestServer({ backend });
    for (const username of ["first", "second"]) {
      const { widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
      await connectBank(widgetUrl, { username, password: "a password" });
    }
    mcp = rawCaller(server.mcpUrl, server.demo.token);
    holdings = await allRows("svc-investments", {});
    transactions = await allRows("svc-investment-transactions", {
      fields: ["balance", "currency", "kind", "operationDate"],
    });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  async function allRows(tool: string, args: object): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await mcp.call(tool, { ...args, page, page_size: 100 });
      rows.push(...answer.items);
      pages = answer.pages;
    }
    return rows;
  }

  it("the ten largest holdings, those of one currency together", async () => {
    const largest = totalsOf(holdings, ({ currency }) => currency).reduce((most, one) =>
      compareDecimals(one.balance, most.balance) > 0 ? one : most,
    );
    const expected = holdings
      .filter(({ currency, balance }) => currency === largest.of && balance !== null)
      .toSorted((a, b) => compareDecimals(String(b.balance), String(a.balance)) || (a.id < b.id ? -1 : 1))
      .slice(0, 10);
    const { items, pages } = await mcp.call("svc-investments", { sort: "-balance", page_size: 10 });
    expect(items.slice(0, expected.length)).toEqual(expected);
    expect(pages).toBe(Math.ceil(holdings.length / 10));
  });

  it("totals by type, without a row", async () => {
    const { items, totals, total, as_of } = await mcp.call("svc-investments", { totals_by: "type", totals_only: true });
    expect([items, total]).toEqual([[], holdings.length]);
    expect(as_of).toEqual({ oldest: expect.any(String), newest: expect.any(String) });
    const found = totals.map(({ currency, type, balance }: Row) => ({ of: `${currency} ${type}`, balance }));
    expect(normal(found)).toEqual(normal(totalsOf(holdings, ({ currency, type }) => `${currency} ${type}`)));
  });

  it("the dividends of a year, and what each kind came to", async () => {
    const year = String(transactions[0]?.operationDate.slice(0, 4));
    const period = { start_date: `${year}-01-01`, end_date: `${year}-12-31`, totals_only: true };
    const ofYear = transactions.filter(({ operationDate }) => operationDate.startsWith(year));
    const byKind = (await mcp.call("svc-investment-transactions", { ...period, totals_by: "kind" })).totals;
    const found = byKind.map(({ currency, kind, balance }: Row) => ({ of: `${currency} ${kind}`, balance }));
    expect(normal(found)).toEqual(normal(totalsOf(ofYear, ({ currency, kind }) => `${currency} ${kind}`)));
    const dividends = await mcp.call("svc-investment-transactions", { ...period, kind: "dividend" });
    expect(dividends.total).toBe(ofYear.filter(({ kind }) => kind === "dividend").length);
    expect(dividends.total).toBeGreaterThan(0);
  });

  it("one security, by a part of its name", async () => {
    const [{ name } = { name: "" }] = holdings;
    const found = await mcp.call("svc-investments", { name: name.slice(1).toUpperCase() });
    expect(found.items.map((row: Row) => row.id)).toContain(holdings[0]?.id);
    expect(found.total).toBeLessThan(holdings.length);
  });

  it("[C-4.121] a direct answer, one of the SDK and REST have the same bytes", async () => {
    const args = { sort: "-balance", page_size: 3, totals_by: ["type", "bank"], currency: "EUR" };
    const direct = (await mcp.request(toolCall("svc-investments", args))).body.result.content[0].text;
    const batch = (await mcp.request([toolCall("svc-investments", args), { jsonrpc: "2.0", id: 2, method: "ping" }]))
      .body;
    expect(batch[0].result.content[0].text).toBe(direct);
    const fields = ["id", "name", "isin", "amount", "balance", "currency", "valuation_date", "type", "subtype"];
    const rest = await post(
      `${server.url}/data/v1/list-investments`,
      { ...args, fields },
      { token: server.demo.token },
    );
    const { hint: _, ...answer } = JSON.parse(direct);
    expect(rest.text).toBe(JSON.stringify(answer));
  });
});

/** Sums of groups of rows; those in which no row has a balance are left out. */
function totalsOf(rows: readonly Row[], groupOf: (row: Row) => string) {
  const sums = new Map<string, string>();
  for (const row of rows)
    if (row.balance !== null) sums.set(groupOf(row), addDecimals(sums.get(groupOf(row)) ?? "0", row.balance));
  return [...sums].map(([of, balance]) => ({ of, balance }));
}

function normal(totals: readonly { readonly of: string; readonly balance: string | null }[]) {
  const plain = totals.flatMap(({ of, balance }) => (balance === null ? [] : [`${of} ${addDecimals(balance, "0")}`]));
  return plain.sort();
}
