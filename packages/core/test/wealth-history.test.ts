import type { Wealth, WealthReader } from "@org/core";
import { createWealth } from "@org/core";
import { expect, it } from "vitest";

const actor = { tenant_id: "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11", application_id: "a", trace_id: null, address: null };

type Facts = Awaited<ReturnType<WealthReader["facts"]>>;
type Loop = NonNullable<Parameters<typeof createWealth>[0]["runtime"]["loop"]>;

/** Figures about nothing, unless facts are given, and what they read. */
function unread(facts: Facts = [], loop?: Loop) {
  const asked: Parameters<WealthReader["facts"]>[1][] = [];
  const wealth = createWealth({
    data: {
      portfolios: async () => ({ sources: [], source_counts: { ok: 0, pending: 0, stale: 0, error: 0 } }) as never,
    },
    reader: { connectionsOf: async () => ({ unknown_clients: [], unknown_connections: [], connection_ids: [] }) },
    facts: {
      facts: async (_, query) => {
        asked.push(query);
        return facts;
      },
    },
    rates: { between: async () => [] },
    runtime: { clock: () => new Date("2026-03-31T12:00:00Z"), loop },
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

/** An account of cash alone with deposits and withdrawals on consecutive days, which are as good as zero at every rate that is tried. */
function doubtful(): Facts[number] {
  const dayOf = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
  const common = { read_at: null, has_holdings: false, holdings_value: null };
  const ids = { portfolio_id: "p", shown_as: "p", name: "p", ref_account: null };
  return {
    ...{
      credentials_token: "c",
      connector_id: "b",
      client_ref: null,
      movements_until: dayOf(90),
      has_depot_income: false,
    },
    accounts: [
      {
        ...{ ...ids, currency: "EUR", is_cash: true, lists_securities: false, lists_cash: true },
        valuations: Array.from({ length: 90 }, (_, day) => ({ ...common, day: dayOf(day + 1), balance: "0" })),
      },
    ],
    movements: [1, 6, 15, 20, 15, 6, 1].map((amount, at) => ({
      ...{ id: `${at}`, portfolio_id: "p", holding_id: null, isin: null, operation_date: dayOf(at + 2), amount: null },
      ...{
        kind: at % 2 === 0 ? "deposit" : "withdrawal",
        balance: `${at % 2 === 0 ? "" : "-"}${amount}000`,
        currency: "EUR",
      },
      ...{ fees: null, taxes: null, gross: null, first_read_at: null },
    })),
    differences: [],
  };
}

it("[C-8.196] a caller that is limited to clients is told nothing of a connection that became another's meanwhile", async () => {
  const ofClient = (client_ref: string) => ({ ...doubtful(), client_ref, movements: [] });
  const { wealth } = unread([ofClient("IN"), ofClient("OUT")]);
  const request = { by: "client", date: "2026-01-31", page: 1, page_size: 50 } as const;
  const keys = async (client_refs?: readonly string[]) =>
    (await wealth.summary({ ...actor, ...(client_refs && { client_refs }) }, request)).items.map(({ key }) => key);
  expect(await keys()).toEqual(["IN", "OUT"]);
  expect(await keys(["IN"])).toEqual(["IN"]);
});

it.each([
  ["values of many days", (wealth: Wealth) => wealth.history(actor, { from: "2026-01-01", page: 1, page_size: 500 })],
  [
    "a search for a return",
    (wealth: Wealth) =>
      wealth.performance(actor, { from: "2026-01-02", method: "mwr", allow_gaps: true }).catch((error) => error.code),
  ],
] as const)("[C-8.216] %s let the work of others run in between, at the tenant's expense", async (_, ask) => {
  const payers: string[] = [];
  const loop = {
    wait: (share: () => { name: string }) => {
      payers.push(share().name);
      return null;
    },
  };
  const { wealth } = unread(Array.from({ length: 2_000 }, doubtful), loop);
  await ask(wealth);
  expect(payers.length).toBeGreaterThan(0);
  expect(new Set(payers)).toEqual(new Set([actor.tenant_id]));
});
