import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";
import { refusal, startStub } from "./stub-server.js";

const CONNECTION = "01900000-0000-7000-8000-000000000001";
const HOLDING = "01900000-0000-7000-8000-000000000002";

const answer = {
  totals: [
    { currency: "EUR", portfolio: { id: "p", name: "Growth" }, type: "F", balance: "15230.47", rows: 2 },
    { currency: "USD", portfolio: null, type: null, balance: null, rows: 1, rows_without_balance: 1 },
  ],
  as_of: { oldest: "2026-11-02", newest: "2026-11-27" },
  sources: [
    { credentials_token: HOLDING, bank: "Banco Sol", as_of: "2026-11-27T06:00:00.000Z", state: "ok" },
    {
      credentials_token: CONNECTION,
      bank: "Rheinbank",
      as_of: "2026-11-02T06:00:00.000Z",
      state: "stale",
      message: "the last extraction failed",
      next_action: "wait for the next refresh",
    },
  ],
  source_counts: { ok: 1, pending: 0, stale: 1, error: 0 },
  page: 1,
  page_size: 50,
  pages: 1,
  total: 3,
  snapshot: "r7",
  items: [{ id: HOLDING, name: "Fund A", isin: "LU0000000001", identifiers: { wkn: "A1B2C3" }, balance: "1523.47" }],
};

const cli = commandLine();
let stub: Awaited<ReturnType<typeof startStub>>;
let env: Record<string, string>;

afterAll(() => cli.remove());
beforeEach(async () => {
  stub = await startStub();
  for (const noun of ["portfolios", "investments", "transactions"])
    stub.answers[`/data/v1/list-${noun}`] = { body: answer };
  env = cli.dataFolder(stub.url, HOLDING);
});
afterEach(() => stub.stop());

const run = (line: string) => cli.run(["data", ...line.split(" ")], { env });
const bodyOf = () => JSON.parse(stub.calls()[0]?.body.toString() ?? "null");

describe("[C-4.160] data", () => {
  it.each([
    ["portfolios", {}],
    ["portfolios --portfolio-type M UM --currency EUR --sort name", { portfolio_type: ["M", "UM"], sort: "name" }],
    ["investments --sort -balance --page-size 10", { sort: "-balance", page_size: 10 }],
    ["portfolios --totals-by client_ref bank", { totals_by: ["client_ref", "bank"] }],
    ["transactions --totals-by kind client_ref", { totals_by: ["kind", "client_ref"] }],
    [
      `investments --isin LU0000000001 --portfolio-id p --inv-type F --subtype FT --min-balance 12.50`,
      { isin: ["LU0000000001"], portfolio_id: "p", inv_type: ["F"], subtype: ["FT"], min_balance: "12.50" },
    ],
    [
      `transactions --kind dividend interest --start-date 2026-01-01 --end-date 2026-12-31 --totals-by kind --totals-only`,
      {
        ...{ kind: ["dividend", "interest"], start_date: "2026-01-01", end_date: "2026-12-31" },
        ...{ totals_by: ["kind"], totals_only: true },
      },
    ],
    [
      `transactions --client-ref M-17 --connection ${CONNECTION} --investment-id ${HOLDING} --name fee --fields id bank --snapshot r7 --page 2`,
      {
        ...{ credentials_token: [CONNECTION], investment_id: HOLDING, name: "fee", fields: ["id", "bank"] },
        ...{ client_ref: ["M-17"], snapshot: "r7", page: 2 },
      },
    ],
  ])("%s asks with the endpoint's parameters, as the tenant", async (line, body) => {
    const { code, stderr } = await run(line);
    expect([code, stderr]).toEqual([0, expect.stringContaining("stale: Rheinbank")]);
    expect(bodyOf()).toMatchObject({ page: 1, ...body });
  });

  it("shows rows, totals with what they leave out, dates, and the connections that are not up to date", async () => {
    const { stdout, stderr } = await run("investments --totals-by portfolio type --fields name identifiers balance");
    expect(stdout.split("\n")).toEqual([
      "NAME    IDENTIFIERS       BALANCE",
      'Fund A  {"wkn":"A1B2C3"}  1523.47',
      "page 1 of 1, 3 investments",
      "PORTFOLIO  TYPE  TOTAL     CURRENCY  ROWS  WITHOUT_BALANCE  NOTIONAL",
      "Growth     F     15230.47  EUR       2     0                0",
      "-          -     -         USD       1     1                0",
      "as of 2026-11-02 to 2026-11-27",
      "",
    ]);
    expect(stderr).toBe(
      `stale: Rheinbank (${CONNECTION}): the last read failed, and is repeated by itself; its last data are of 2026-11-02\n`,
    );
  });

  it("[C-14.953] divides the totals by client, and says nothing of what is nobody's", async () => {
    const totals = [
      { ...answer.totals[0], client_ref: "M-17" },
      { ...answer.totals[1], client_ref: null },
    ];
    stub.answers["/data/v1/list-investments"] = { body: { ...answer, totals } };
    const { stdout } = await run("investments --totals-by client_ref --totals-only");
    expect(stdout.split("\n").slice(1, 4)).toEqual([
      "CLIENT_REF  TOTAL     CURRENCY  ROWS  WITHOUT_BALANCE  NOTIONAL",
      "M-17        15230.47  EUR       2     0                0",
      "-           -         USD       1     1                0",
    ]);
  });

  it("--totals-only shows no table of rows, and --json the whole answer", async () => {
    expect((await run("investments --totals-only")).stdout).not.toContain("NAME");
    expect((await cli.json(["data", "investments"], { env })).document).toEqual(answer);
  });

  it("[C-5.225] shows a transaction with what it said before", async () => {
    const version = { operationDate: "2026-02-02", description: "Fee", kind: "fee", amount: null, currency: "EUR" };
    const [first, second] = ["2026-02-03T04:10:00.000Z", "2026-02-04T04:10:00.000Z"];
    const body = {
      id: HOLDING,
      credentials_token: CONNECTION,
      versions: [
        { ...version, balance: "-12.50", read_at: second, ended_at: null, ended_by: null },
        { ...version, balance: "-12.05", read_at: first, ended_at: second, ended_by: "replaced" },
      ],
    };
    stub.answers["/data/v1/show-transaction"] = { body };
    const { code, stdout } = await run(`transaction ${HOLDING} --connection ${CONNECTION}`);
    expect(code).toBe(0);
    expect(bodyOf()).toEqual({ credentials_token: CONNECTION, transaction_id: HOLDING });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(
        /^READ_AT +ENDED_AT +ENDED_BY +OPERATIONDATE +DESCRIPTION +KIND +AMOUNT +BALANCE +CURRENCY$/,
      ),
      expect.stringMatching(/^2026-02-04T\S+ +- +- +2026-02-02 +Fee +fee +- +-12.50 +EUR$/),
      expect.stringMatching(/^2026-02-03T\S+ +2026-02-04T\S+ +replaced +2026-02-02 +Fee +fee +- +-12.05 +EUR$/),
      "",
    ]);
    const printed = await cli.json(["data", "transaction", HOLDING, "--connection", CONNECTION], { env });
    expect(printed.document).toEqual(body);
    expect((await run(`transaction ${HOLDING}`)).stderr).toContain("--connection");
  });

  it("[C-8.182] shows why a number is what it is", async () => {
    const version = { amount: null, currency: "EUR", valuation_date: null, came_at: "2026-03-04T06:10:00.000Z" };
    const file = { kind: "file", name: "a.zip", part: "b.csv", place: "line 2", format: "mapping:fern" };
    const body = {
      ...{ id: HOLDING, what: "portfolio", name: "Depot\u001b[2J", credentials_token: CONNECTION },
      ...{ date: "2026-03-03", parts: [] },
      versions: [
        { ...version, balance: "102.00", current: true, source: file },
        { ...version, balance: "100.00", current: false, source: { kind: "provider", provider: "sandbox" } },
      ],
    };
    stub.answers["/data/v1/why"] = { body };
    const { code, stdout } = await cli.run(["why", HOLDING, "--date", "2026-03-03"], { env });
    expect(code).toBe(0);
    expect(bodyOf()).toEqual({ id: HOLDING, date: "2026-03-03" });
    expect(stdout.split("\n")).toEqual([
      "portfolio, Depot [2J, 2026-03-03",
      expect.stringMatching(/^BALANCE +CURRENCY +AMOUNT +VALUATION_DATE +CAME_AT +CURRENT +SOURCE$/),
      expect.stringMatching(/^102.00 +EUR +- +- +2026-03-04T\S+ +yes +a.zip b.csv line 2 \(mapping:fern\)$/),
      expect.stringMatching(/^100.00 +EUR +- +- +2026-03-04T\S+ +no +sandbox$/),
      "",
    ]);
    expect((await cli.json(["why", HOLDING], { env })).document).toEqual(body);
    stub.answers["/data/v1/why"] = { body: { ...body, date: null, versions: [] } };
    expect((await cli.run(["why", HOLDING], { env })).stdout).toMatch("nothing is known of this portfolio");
    expect((await cli.run(["why", HOLDING, "--date", "soon"], { env })).stderr).toContain("--date");
  });

  it.each([
    ["investments --sort price", "--sort"],
    ["portfolios --sort -valuation_date", "--sort"],
    ["investments --inv-type XX", "--inv-type"],
    ["transactions --kind lottery", "--kind"],
    ["transactions --totals-by type", "--totals-by"],
    ["transactions --start-date 2026-02-30", "--start-date"],
    ["portfolios --isin LU0000000001", "--isin"],
  ])("%s is refused before the server is asked, and the option named", async (line, option) => {
    const { code, stderr } = await run(line);
    expect([code, stderr]).toEqual([2, expect.stringContaining(option)]);
    expect(stub.calls()).toEqual([]);
  });

  it("a refusal of the server names the parameter", async () => {
    const details = [{ field: "isin", error_type: "InvalidValue", rule: "must be an ISIN" }];
    stub.answers["/data/v1/list-investments"] = { status: 400, body: refusal("VALIDATION_ERROR", undefined, details) };
    const { code, stderr } = await run("investments --isin X");
    expect([code, stderr]).toEqual([1, expect.stringContaining("isin must be an ISIN")]);
  });
});
