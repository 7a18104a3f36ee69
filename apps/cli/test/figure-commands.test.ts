import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";
import { startStub } from "./stub-server.js";

const P = "01900000-0000-7000-8000-000000000001";
const C = "01900000-0000-7000-8000-000000000002";
const coverage = { portfolios: 1, valued: 1, carried: 0, missing: 0, details: [] };
const end = { coverage, sources: [], source_counts: { ok: 1, pending: 0, stale: 0, error: 0 } };
const paged = { ...end, page: 1, page_size: 50, pages: 1, total: 1 };
const totals = [{ currency: "EUR", balance: "310.00" }];
const sums = [{ currency: "EUR", net: "15.00", taxes: "5.00", gross: "20.00", count: 1 }];
const held = { id: "h", name: "A", isin: null, balance: "110.00", currency: "EUR", portfolio_id: P };
const performance = {
  ...{ from: "2026-03-03", to: "2026-03-05", method: "twr", rules: 1, currency: "EUR", ...end },
  opening: { date: "2026-03-02", balance: "1000.00" },
  closing: { date: "2026-03-05", balance: "1525.10" },
  flows: { in: "500.00", out: "0.00", count: 1 },
  ...{ gain: "25.10", return: "0.020100", annualised: null, return_gross_of_fees: "0.020200" },
  return_gross_of_fees_and_taxes: "0.020300",
  entries: [{ portfolio_id: P, date: "2026-03-04", balance: "7.00" }],
  estimated: [{ from: "2026-03-03", to: "2026-03-05", flows: "500.00", large: true }],
  gaps: [{ reason: "no_data", portfolio_id: null }],
};
const missing = { date: "2026-03-04", totals: [], complete: false, rates: [], coverage };
const refused = [{ reason: "rate_missing", from: "USD", to: "EUR", date: "2026-03-04" }];
const answers: Readonly<Record<string, object>> = {
  "list-history": {
    ...paged,
    items: [
      { date: "2026-03-03", totals, complete: true, rates: [], coverage },
      { ...missing, refused },
      { ...missing, date: "2026-03-05", coverage: { ...coverage, valued: 0, missing: 1 } },
    ],
  },
  "holdings-at": { ...paged, items: [{ ...held, amount: "10", as_of: "2026-03-02" }] },
  summary: {
    ...paged,
    ...{ date: "2026-03-03", totals, complete: false, rates: [] },
    items: [{ key: "USD", totals: [{ currency: "EUR", balance: "210.00" }], share: "0.677419" }],
    coverage: {
      ...coverage,
      details: [{ portfolio_id: P, state: "missing", since: "2026-02-02", reason: "stale" }],
    },
  },
  performance,
  income: { ...paged, items: [{ key: "2026-03", totals: sums }], totals: sums, unvalued: 2 },
  gains: {
    ...{ ...paged, date: "2026-03-03", items: [{ ...held, cost: "100.00", gain: "10.00", gain_share: "0.100000" }] },
    totals: [
      {
        ...{ currency: "EUR", balance: "110.00", cost: "100.00", gain: "10.00", holdings: 1 },
        ...{ balance_without_cost: "70.00", holdings_without_cost: 1 },
      },
    ],
  },
};

const cli = commandLine();
const stub = await startStub();
const env = cli.dataFolder(stub.url, C);
afterAll(async () => {
  await stub.stop();
  cli.remove();
});
beforeEach(() => {
  stub.sent.length = 0;
  for (const [name, body] of Object.entries(answers)) stub.answers[`/data/v1/${name}`] = { body };
});
const run = (line: string) => cli.run(line.split(" "), { env });

describe("[C-8.160] [C-8.213] figures", () => {
  it.each([
    [
      `history --from 2026-03-02 --to 2026-03-04 --interval week --client-ref M-17 M-18 --currency EUR --page 2`,
      "list-history",
      {
        ...{ from: "2026-03-02", to: "2026-03-04", interval: "week", client_ref: ["M-17", "M-18"], currency: "EUR" },
        ...{ page: 2, page_size: 50 },
      },
      /2026-03-03 +310\.00 +EUR +-\n2026-03-04 +- +- +no exchange rate from USD to EUR for 2026-03-04\n2026-03-05 +- +- +1 portfolio missing\npage 1 of 1, 1 day$/m,
    ],
    [
      `holdings-at --date 2026-03-03 --portfolio-id ${P} --connection ${C}`,
      "holdings-at",
      { date: "2026-03-03", portfolio_id: [P], credentials_token: [C], page: 1, page_size: 50 },
      /ID +NAME[\s\S]*\S+ +A +- +10 +110\.00 +EUR +2026-03-02/,
    ],
    [
      "summary --by currency --stale-after 0",
      "summary",
      { by: "currency", stale_after: 0, page: 1, page_size: 50 },
      /CURRENCY +BALANCE +IN +SHARE\nUSD +210\.00 +EUR +67\.7419%[\s\S]*310\.00 +EUR\nat the close of 2026-03-03, not complete/,
    ],
    [
      "performance --from 2026-03-03 --method twr --allow-gaps",
      "performance",
      { from: "2026-03-03", method: "twr", allow_gaps: true },
      /opening +1000\.00 \(2026-03-02\)[\s\S]*return +2\.0100%[\s\S]*entered: [\s\S]*estimated: [^\n]*: 500\.00 from 2026-03-03 to 2026-03-05 \(large\)[\s\S]*gap: a connection/,
    ],
    [
      "income --from 2026-01-01 --by month --kind dividend coupon",
      "income",
      { from: "2026-01-01", by: "month", kind: ["dividend", "coupon"], page: 1, page_size: 50 },
      /2026-03 +15\.00 +5\.00 +20\.00 +EUR +1[\s\S]*without cash, in no sum: 2 movements/,
    ],
    ["gains", "gains", { page: 1, page_size: 50 }, /h +A +- +110\.00 +100\.00 +10\.00 +10\.0000%[\s\S]*70\.00 +1/],
  ])("%s", async (line, name, body, printed) => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([0, expect.stringMatching(printed)]);
    expect(stub.calls().map((call) => [call.path, JSON.parse(call.body.toString())])).toEqual([
      [`/data/v1/${name}`, body],
    ]);
    expect(stderr).toBe(
      name === "summary" ? `missing: portfolio ${P}: its last value, of 2026-02-02, is too old (--stale-after)\n` : "",
    );
    expect((await cli.json(line.split(" "), { env })).document).toEqual(answers[name]);
  });

  it("[C-14.1124] fractions are printed in percent, and types and securities have their names", async () => {
    const items = (key: string | null) => ({
      items: [
        { key, totals, share: "0.677419" },
        { key: "?", totals, share: null },
      ],
    });
    const printed = async (line: string, name: string, more: object) => {
      stub.answers[`/data/v1/${name}`] = { body: { ...answers[name], ...more } };
      return (await run(line)).stdout;
    };
    const none = "0.000000";
    expect(
      await printed("performance --from 2026-03-03", "performance", {
        return: "-0.000001",
        return_gross_of_fees: none,
      }),
    ).toMatch(/return +-0\.0001%\nannualised +-\nreturn_gross_of_fees +0\.0000%/);
    expect(await printed("summary --by type", "summary", items("VI"))).toMatch(
      /^TYPE +NAME +BALANCE +CURRENCY +SHARE\nVI +equities +310\.00 +EUR +67\.7419%\n\? +- +310\.00 +EUR +-\n/,
    );
    stub.sent.length = 0;
    const bySecurity = "summary --by security --client-ref M-17 --date 2026-03-03 --currency EUR";
    expect(await printed(bySecurity, "summary", items("h"))).toMatch(/^h +A +310\.00/m);
    expect(JSON.parse(stub.calls()[1]?.body.toString() ?? "")).toEqual({
      ...{ client_ref: ["M-17"], date: "2026-03-03", page_size: 500 },
    });
    const byPayer = "income --by security --from 2026-01-01 --to 2026-03-31 --kind dividend";
    stub.sent.length = 0;
    expect(await printed(byPayer, "income", { items: [{ key: "h", totals: sums }] })).toMatch(
      /^SECURITY +NAME +NET[^\n]*\nh +A +15\.00[\s\S]*^TOTAL +NET/m,
    );
    expect(JSON.parse(stub.calls()[1]?.body.toString() ?? "")).toEqual({ date: "2026-03-31", page_size: 500 });
  });

  it.each([
    ["history --from 2026-03-02", "list-history"],
    ["holdings-at", "holdings-at"],
    ["summary --by security", "summary"],
    ["performance --from 2026-03-03", "performance"],
    ["income --from 2026-01-01 --by security", "income"],
    ["gains", "gains"],
    [`why ${P}`, "why"],
  ])(
    "[C-8.197] %s prints no more lines for texts with line breaks, and nothing that a terminal obeys",
    async (line, name) => {
      const source = {
        ...{ credentials_token: C, bank: "Bank", as_of: null, stale_at: null, message: "late" },
        ...{ last_error: null, next_action: "wait", connector_id: "a:b" },
      };
      const file = { kind: "file", name: "a.csv", sha256: "0", part: "b.csv", place: "line 2", format: "f" };
      const dated = { valuation_date: null, came_at: "2026", current: true };
      const version = { amount: null, balance: "1", currency: "EUR", ...dated, source: file };
      const clean =
        name === "why"
          ? { what: "holding", name: "A", date: "2026-03-03", parts: [P], versions: [version] }
          : { ...answers[name], sources: [{ ...source, state: "error" }] };
      const hostile = JSON.parse(JSON.stringify(clean), (key, value) =>
        typeof value === "string" && !["state", "kind", "method", "reason", "as_of"].includes(key)
          ? `${value}\u001b]8;;https://elsewhere.example\u0007\r\nerror:\u009b31m \u202ex`
          : value,
      );
      const printed = async (body: object) => {
        stub.answers[`/data/v1/${name}`] = { body };
        const { code, stdout, stderr } = await run(line);
        expect([code, stderr]).toEqual([0, expect.any(String)]);
        return stdout + stderr;
      };
      const lines = (text: string) => text.split("\n").length;
      const text = await printed(hostile);
      expect(text).toContain("elsewhere.example");
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(lines(text)).toBe(lines(await printed(clean)));
    },
  );

  it("[C-14.1117] counts what has many lines, calls what it divides by by its name, and says in words why data are not up to date", async () => {
    const estimated = Array.from({ length: 36 }, (_, at) => ({
      ...{ from: `2026-03-${10 + (at % 20)}`, to: "2026-03-31", flows: `${at}.00`, large: at < 2 },
    }));
    const gaps = Array.from({ length: 14 }, () => ({ reason: "no_data", portfolio_id: P }));
    const source = { credentials_token: C, bank: "Fern", as_of: "2026-03-02T10:00:00.000Z", state: "stale" };
    const sources = [
      { ...source, message: "old", next_action: "say how old" },
      { ...source, as_of: null, state: "error", message: "blocked; its holdings are known", next_action: "x" },
    ];
    stub.answers["/data/v1/performance"] = { body: { ...performance, estimated, gaps, sources } };
    const { stdout, stderr } = await run("performance --from 2026-03-03");
    expect(stdout).toContain(
      "estimated: money moved between valuations 36 times, 2 of them large: first 0.00 from 2026-03-10 to 2026-03-31, last 35.00 ",
    );
    expect(stdout.match(/^gap: /gm)).toHaveLength(10);
    expect(stdout).toContain("and 4 more: --json has all");
    expect(stderr.split("\n")).toEqual([
      `stale: Fern (${C}): nothing newer has come; its last data are of 2026-03-02`,
      `error: Fern (${C}): it is blocked, its client has to log in again; its holdings are known; it has no data`,
      "",
    ]);
    const { document } = await cli.json(["performance", "--from", "2026-03-03"], { env });
    expect(document).toMatchObject({ estimated, gaps });
    stub.answers["/data/v1/summary"] = { body: { ...answers.summary, total: 2 } };
    expect((await run("summary --by security")).stdout).toContain("page 1 of 1, 2 securities");
    expect((await run("income --from 2026-01-01 --by month")).stdout).toContain("page 1 of 1, 1 month\n");
  });

  it("says line by line what a figure lacks", async () => {
    const details = [
      { reason: "stale", portfolio_id: P, from: "2026-03-04", to: "2026-03-31" },
      { reason: "no_opening_value", date: "2026-03-02", first_valuation: null },
      { reason: "difference", portfolio_id: P, name: "A\u001b[2J", isin: null, from: "a", to: "b", difference: "-1" },
      { reason: "several_roots", returns: ["0.1", "0.2"] },
    ];
    const error = { code: "INSUFFICIENT_DATA", message: "the data do not suffice: stale", details };
    stub.answers["/data/v1/performance"] = { status: 422, body: { success: false, error, trace_id: "a".repeat(32) } };
    const { code, stdout, stderr } = await run("performance --from 2026-03-03");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.split("\n")).toEqual([
      `error: refused (422): the data do not suffice for this figure [trace ${"a".repeat(32)}]`,
      `  portfolio ${P}: no value from 2026-03-04 to 2026-03-31 that is recent enough (--stale-after)`,
      "  no value at the close of 2026-03-02 to begin with; there is none in the period",
      `  portfolio ${P}: statements of a and b differ by -1 of A [2J, which no movement explains`,
      "  several money-weighted returns fit (10.0000%, 20.0000%); ask with --method twr",
      "",
    ]);
  });

  it.each(["history", "summary", "summary --by colour", "income --from 2026-01-01", "gains --stale-after 401"])(
    "%s is refused before the server is asked",
    async (line) => {
      expect((await run(line)).code).toBe(2);
      expect(stub.calls()).toEqual([]);
    },
  );
});
