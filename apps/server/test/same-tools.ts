import { addDecimals } from "@org/core";
import { expect } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: rows of tools.
type Row = any;
type Call = (tool: string, args: object) => Promise<Row>;

const DECIMAL = /^-?\d+(\.\d+)?$/;
/** The tools that list data, with the decimals of their rows. */
const lists = {
  "svc-portfolios": ["balance"],
  "svc-investments": ["amount", "balance"],
  "svc-investment-transactions": ["amount", "balance", "unitPrice"],
} as const;

/**
 * What the tools answer of a connection with data, whichever way it was made: the same fields, in the same formats, with pages, totals and
 * references that agree.
 */
export async function expectSameTools(tools: { readonly call: Call }, credentials_token: string): Promise<void> {
  const call: Call = (tool, args) => tools.call(tool, args);
  const portfolios = new Set<string>();
  for (const [tool, decimals] of Object.entries(lists)) {
    const whole = await call(tool, { credentials_token, page_size: 500 });
    expect([tool, whole.items.length, whole.pages]).toEqual([tool, whole.total, Math.min(whole.total, 1)]);
    expect(whole.sources).toMatchObject([{ credentials_token }]);
    expect(new Set(whole.items.map(({ id }: Row) => id)).size).toBe(whole.total);
    const parts = [];
    const page_size = Math.max(Math.ceil(whole.total / 3), 1);
    for (let page = 1; page <= Math.ceil(whole.total / page_size); page += 1)
      parts.push(...(await call(tool, { credentials_token, page, page_size })).items);
    expect(parts).toEqual(whole.items);
    for (const row of whole.items as readonly Row[]) {
      expect([tool, Object.keys(row).sort()]).toEqual([tool, Object.keys(whole.items[0]).sort()]);
      expect(row.currency).toMatch(/^[A-Z0-9]{3,}$/);
      for (const name of decimals)
        if (row[name] !== null) expect([name, row[name]]).toEqual([name, expect.stringMatching(DECIMAL)]);
    }
    for (const { currency, balance, rows_notional } of whole.totals as readonly Row[]) {
      const own = whole.items.filter((row: Row) => row.currency === currency && row.balance !== null);
      const sum = own.map((row: Row) => row.balance).reduce(addDecimals, "0");
      // Notionals of contracts are part of no sum.
      if (rows_notional === undefined)
        expect([tool, currency, sum]).toEqual([tool, currency, addDecimals(balance ?? "0", "0")]);
    }
    if (tool === "svc-portfolios") for (const { id } of whole.items) portfolios.add(id);
  }
  for (const tool of ["svc-investments", "svc-investment-transactions"]) {
    const { items } = await call(tool, { credentials_token, page_size: 500, fields: ["portfolio_id"] });
    for (const { portfolio_id } of items) expect(portfolios).toContain(portfolio_id);
  }
  expect(await call("svc-needs-relogin", { credentials_token })).toMatchObject({ needs_relogin: false });
  const { items } = await call("svc-credentials", { page_size: 500 });
  expect(items.map((one: Row) => one.credentials_token)).toContain(credentials_token);
}
