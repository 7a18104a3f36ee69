import type { WealthReader } from "@org/core";
import { createWealth } from "@org/core";
import { expect, it } from "vitest";

const actor = { tenant_id: "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11", application_id: "a", trace_id: null, address: null };

/** Figures about nothing, and what they read. */
function unread() {
  const asked: Parameters<WealthReader["facts"]>[1][] = [];
  const wealth = createWealth({
    data: {
      portfolios: async () => ({ sources: [], source_counts: { ok: 0, pending: 0, stale: 0, error: 0 } }) as never,
    },
    reader: { connectionsOf: async () => ({ unknown_clients: [], unknown_connections: [], connection_ids: [] }) },
    facts: {
      facts: async (_, query) => {
        asked.push(query);
        return [];
      },
    },
    rates: { between: async () => [] },
    runtime: { clock: () => new Date("2026-03-31T12:00:00Z") },
  });
  return { wealth, asked };
}

it.each([
  ["day", 2, ["2026-03-11", "2026-03-20"], undefined, 31],
  ["day", 4, ["2026-03-31", "2026-03-31"], undefined, 31],
  [
    "week",
    1,
    ["2026-03-01", "2026-03-31"],
    ["2026-03-01", "2026-03-08", "2026-03-15", "2026-03-22", "2026-03-29", "2026-03-31"],
    6,
  ],
  ["month", 1, ["2026-03-31", "2026-03-31"], ["2026-03-31"], 1],
] as const)(
  "[C-9.625] history by %s reads the days of page %i alone",
  async (interval, page, [from, to], closes, total) => {
    const { wealth, asked } = unread();
    const request = { from: "2026-03-01", interval, page, page_size: 10 };
    const answer = await wealth.history(actor, request);
    expect(asked).toEqual([
      { connection_ids: null, from, to, ...(closes && { closes }), with_movements: false, holdings: "none" },
    ]);
    expect([answer.items[0]?.date, answer.items.at(-1)?.date]).toEqual([closes?.[0] ?? from, to]);
    expect(answer).toMatchObject({ page, page_size: 10, total, pages: Math.ceil(total / 10) });
  },
);

it("[C-9.625] a page past the last one reads a day, so that ids are checked, and has none", async () => {
  const { wealth, asked } = unread();
  const request = { from: "2026-03-01", to: "2026-03-20", page: 9, page_size: 10 };
  expect(await wealth.history(actor, request)).toMatchObject({ items: [], total: 20, pages: 2 });
  expect(asked).toMatchObject([{ from: "2026-03-20", to: "2026-03-20" }]);
  await expect(wealth.history(actor, { ...request, portfolio_id: "gone" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(wealth.history(actor, { ...request, to: "2026-04-01" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
});
