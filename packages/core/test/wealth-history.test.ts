import type { Uuid, Wealth, WealthReader } from "@org/core";
import { createWealth } from "@org/core";
import { describe, expect, it, vi } from "vitest";

const actor = { tenant_id: "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11", application_id: "a", trace_id: null, address: null };

type Facts = Awaited<ReturnType<WealthReader["facts"]>>;
type Loop = NonNullable<Parameters<typeof createWealth>[0]["runtime"]["loop"]>;

const connection = (credentials_token: string, more: Partial<Facts[number]> = {}): Facts[number] => ({
  ...{ credentials_token, connector_id: "b", client_ref: null, movements_until: null, has_depot_income: false },
  ...{ accounts: [], movements: [], differences: [] },
  ...more,
});

/** Figures about one connection without accounts, unless facts are given, and what they read. @param rows how much each connection has */
function unread(
  facts: Facts = [connection("c")],
  loop?: Loop,
  rows = 1,
  reader?: Parameters<typeof createWealth>[0]["reader"],
) {
  const connection_ids = facts.map(({ credentials_token }) => credentials_token as Uuid);
  const everything = { connectionsOf: async () => ({ unknown_clients: [], unknown_connections: [], connection_ids }) };
  const asked: Parameters<WealthReader["facts"]>[1][] = [];
  const wealth = createWealth({
    data: {
      portfolios: async () => ({ sources: [], source_counts: { ok: 0, pending: 0, stale: 0, error: 0 } }) as never,
    },
    reader: reader ?? everything,
    facts: {
      facts: async (_, query) => {
        asked.push(query);
        return facts.filter(
          ({ credentials_token }) => query.connection_ids?.includes(credentials_token as Uuid) ?? true,
        );
      },
      sizes: async (_, query) =>
        connection_ids
          .filter((connection_id) => query.connection_ids?.includes(connection_id) ?? true)
          .map((connection_id) => ({ connection_id, rows })),
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
      { connection_ids: ["c"], from, to, ...(closes && { closes }), with_movements: false, holdings: "none" },
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
function doubtful(at: number): Facts[number] {
  const dayOf = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
  const common = { read_at: null, has_holdings: false, holdings_value: null };
  const ids = { portfolio_id: "p", shown_as: "p", name: "p", ref_account: null };
  return connection(`c${at}`, {
    movements_until: dayOf(90),
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
  });
}

describe("figures of clients whose connections change while they are reckoned", () => {
  const ofClient = (token: string, client_ref: string) => ({ ...valued(token, "2026-01-31", "7"), client_ref });
  const request = { from: "2026-01-31", to: "2026-01-31", page: 1, page_size: 50 } as const;

  /** Figures of connections that a first look-up finds for client IN, and each later one by `later`. */
  function moving(facts: Facts, later: () => Record<"unknown_clients" | "connection_ids", readonly string[]>) {
    const lookUp = vi.fn(async () => later());
    lookUp.mockResolvedValueOnce({
      unknown_clients: [],
      connection_ids: facts.map(({ credentials_token }) => credentials_token),
    });
    const connectionsOf = async () => ({ unknown_connections: [], ...(await lookUp()) }) as never;
    return { ...unread(facts, undefined, 1, { connectionsOf }), lookUp };
  }
  const callers = [
    ["limited to it", { ...actor, client_refs: ["IN"] }, {}],
    ["that names it", actor, { client_ref: "IN" }],
  ] as const;

  it.each(callers)(
    "[C-8.196] [C-8.198] a caller %s gets the figure of after, and nothing of a connection that became another's",
    async (_, who, scope) => {
      const facts = [ofClient("c1", "IN"), ofClient("c2", "OUT")];
      const ask = (by: "history" | "summary") => {
        const { wealth } = moving(facts, () => ({ unknown_clients: [], connection_ids: ["c1"] }));
        if (by === "history") return wealth.history(who, { ...request, ...scope });
        return wealth.summary(who, { ...scope, by: "client", date: request.to, page: 1, page_size: 50 });
      };
      expect((await ask("summary")).items).toMatchObject([{ key: "IN", totals: [{ balance: "7", currency: "EUR" }] }]);
      expect((await ask("history")).items).toMatchObject([{ totals: [{ balance: "7", currency: "EUR" }] }]);
    },
  );

  it.each(callers)("[C-8.198] a caller %s is told that the reference is another one now", async (_, who, scope) => {
    const { wealth } = moving([ofClient("c1", "NEW")], () => ({ unknown_clients: ["IN"], connection_ids: [] }));
    await expect(wealth.history(who, { ...request, ...scope })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("[C-8.198] connections that never stay a client's are no figure, and asked for again", async () => {
    const { wealth, lookUp } = moving([ofClient("c1", "OUT")], () => ({ unknown_clients: [], connection_ids: ["c1"] }));
    const answer = wealth.history(actor, { ...request, client_ref: "IN" });
    await expect(answer).rejects.toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 1 });
    expect(lookUp).toHaveBeenCalledTimes(3);
  });
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
  const { wealth } = unread(
    Array.from({ length: 2_000 }, (_, at) => doubtful(at)),
    loop,
  );
  await ask(wealth);
  expect(payers.length).toBeGreaterThan(0);
  expect(new Set(payers)).toEqual(new Set([actor.tenant_id]));
});

/** A connection with an account in euros that is valued on one day. */
function valued(token: string, day: string, balance: string): Facts[number] {
  const ids = { portfolio_id: `p ${token}`, shown_as: `p ${token}`, name: token, ref_account: "DE89" };
  const valuation = { day, balance, read_at: null, has_holdings: false, holdings_value: null };
  return connection(token, {
    accounts: [
      { ...ids, currency: "EUR", is_cash: false, lists_securities: true, lists_cash: true, valuations: [valuation] },
    ],
  });
}

describe("[C-8.223] a figure over many values is reckoned piece by piece", () => {
  const facts = ["c1", "c2", "c3", "c4", "c5"].map((token, at) => valued(token, `2026-03-0${at + 1}`, `${at + 1}.5`));
  const days = { from: "2026-03-01", to: "2026-03-12", page: 1, page_size: 50 };

  it.each([
    ["history", (wealth: Wealth) => wealth.history(actor, { ...days, include_coverage: true })],
    ["income", (wealth: Wealth) => wealth.income(actor, { ...days, by: "month" })],
  ] as const)("%s reads connections of at most 50,000 rows at a time, or one, and answers the same", async (_, ask) => {
    const pieces = async (rows: number) => {
      const { wealth, asked } = unread(facts, undefined, rows);
      return [asked, await ask(wealth)] as const;
    };
    const [once, whole] = await pieces(1);
    expect(once.map(({ connection_ids }) => connection_ids)).toEqual([["c1", "c2", "c3", "c4", "c5"]]);
    const [twos, same] = await pieces(20_000);
    expect(twos.map(({ connection_ids }) => connection_ids)).toEqual([["c1", "c2"], ["c3", "c4"], ["c5"]]);
    expect(same).toEqual(whole);
    const [ones, again] = await pieces(60_000);
    expect(ones.map(({ connection_ids }) => connection_ids?.length)).toEqual([1, 1, 1, 1, 1]);
    expect(again).toEqual(whole);
    expect(whole.duplicates).toEqual([["p c1", "p c2", "p c3", "p c4", "p c5"]]);
  });

  it("a piece that cannot be read while another is reckoned is told once", async () => {
    const filter = vi.fn().mockReturnValueOnce([facts[0]]);
    filter.mockImplementation(() => {
      throw new Error("away");
    });
    const { wealth } = unread(Object.assign([...facts], { filter }), undefined, 60_000);
    await expect(wealth.history(actor, days)).rejects.toThrow("away");
  });

  it("a portfolio that is in no piece is unknown", async () => {
    const { wealth } = unread(facts, undefined, 60_000);
    await expect(wealth.history(actor, { ...days, portfolio_id: ["p c1", "gone"] })).rejects.toMatchObject({
      code: "NOT_FOUND",
      details: [{ field: "portfolio_id", message: 'no such portfolio_id: "gone"' }],
    });
  });
});

it("[C-8.224] a return that needs more than 200,000 values and movements is refused before they are read, by name", async () => {
  const facts = [valued("c1", "2026-03-01", "1"), valued("c2", "2026-03-01", "1")];
  const question = { from: "2026-03-02", allow_gaps: true };
  const { wealth, asked } = unread(facts, undefined, 100_001);
  await expect(wealth.performance(actor, question)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ field: "from", message: expect.stringContaining("200002") }],
  });
  expect(asked).toEqual([]);
  const smaller = unread(facts, undefined, 100_000);
  expect(await smaller.wealth.performance(actor, question)).toMatchObject({ gain: "0.00" });
  expect(smaller.asked.map(({ connection_ids }) => connection_ids)).toEqual([["c1", "c2"]]);
});

it("[C-8.233] a return reads the holdings of connections alone to which units came without a price", async () => {
  const plain = valued("c1", "2026-03-01", "1");
  const [movement] = doubtful(0).movements;
  if (!movement) throw new Error("there is no movement");
  const kind = {
    kind: "transfer_in",
    balance: null,
    amount: "10",
    operation_date: "2026-03-10",
    portfolio_id: "p c2",
  } as const;
  const came = {
    ...valued("c2", "2026-03-01", "1"),
    movements_until: "2026-03-31",
    movements: [{ ...movement, ...kind }],
  };
  const { wealth, asked } = unread([plain, came, valued("c3", "2026-03-01", "1")]);
  await wealth.performance(actor, { from: "2026-03-02", allow_gaps: true, stale_after: 60 });
  expect(asked.map(({ connection_ids, holdings }) => [connection_ids, holdings])).toEqual([
    [["c1", "c2", "c3"], "none"],
    [["c2"], "all"],
  ]);
});

it("[C-8.224] a period that is refused is not counted or read", async () => {
  const { wealth, asked } = unread();
  for (const from of ["2026-04-01", "2015-01-01"])
    for (const ask of [
      () => wealth.performance(actor, { from }),
      () => wealth.income(actor, { from, by: "month", page: 1, page_size: 50 }),
    ])
      await expect(ask()).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(asked).toEqual([]);
});
