import { addDecimals } from "@org/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { deliver, mapping } from "./wealth-files.js";

const BACKEND = oneBackend("what a store keeps is in the conformance suite of stores; this is about the endpoints");
const DAY_MS = 86_400_000;
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);

/** Files by client, in the order in which they come. */
const files: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "M-17": [
    ["2026-03-02;cash;1;;1000.00;EUR;;"],
    ["2026-03-03;cash;1;;1010.00;EUR;;"],
    ["2026-03-04;cash;1;;1525.10;EUR;;", "2026-03-04;deposit;1;;500.00;EUR;;"],
  ],
  "M-18": [["2026-03-03;cash;2;;100.00;EUR;;", "2026-03-03;cash;3;;252.00;USD;;"]],
  "M-19": [
    [
      "2026-03-03;holding;4;A;110.00;EUR;100.00;",
      "2026-03-03;holding;4;B;70.00;EUR;;",
      "2026-03-03;dividend;4;A;15.00;EUR;;5.00",
    ],
  ],
};

describe("figures over REST", () => {
  let server: TestServer;
  /** A connection and its portfolios, by client. */
  const made: Record<string, { connection: string; portfolios: readonly string[] }> = {};

  beforeAll(async () => {
    server = await startTestServer({ backend: BACKEND });
    await server.operator.post(
      "/operator/v1/rates/import?name=rates.csv",
      "date,base,quote,rate\n2026-03-03,EUR,USD,1.2\n",
      {
        headers: { "content-type": "application/octet-stream" },
      },
    );
    for (const [client_ref, days] of Object.entries(files)) {
      await deliver(server, server.demo, client_ref, days);
      const { body } = await server.demo.post("/data/v1/list-portfolios", { client_ref, include_source_token: true });
      const ids = body.items.map(({ id }: { id: string }) => id);
      made[client_ref] = { connection: body.items[0].credentials_token, portfolios: ids };
    }
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const ask = (name: string, body: object) => server.demo.post(`/data/v1/${name}`, body);
  async function figure(name: string, body: object) {
    const { status, text, body: answer } = await ask(name, body);
    expect([name, status, text]).toEqual([name, 200, text]);
    return answer;
  }

  it("[C-8.155] performance: a deposit is no gain, and what was earned before and after it is linked", async () => {
    const answer = await figure("performance", { client_ref: "M-17", from: "2026-03-03", to: "2026-03-05" });
    expect(answer).toMatchObject({
      ...{ from: "2026-03-03", to: "2026-03-05", method: "twr", rules: 1, currency: "EUR" },
      opening: { date: "2026-03-02", balance: "1000.00" },
      closing: { date: "2026-03-05", balance: "1525.10" },
      flows: { in: "500.00", out: "0.00", count: 1 },
      ...{ entries: [], gain: "25.10", return: "0.020100", annualised: null, return_gross_of_fees: "0.020100" },
      ...{ return_gross_of_fees_and_taxes: "0.020100", estimated: [], gaps: [] },
      coverage: { portfolios: 1, valued: 0, carried: 1, missing: 0 },
    });
  });

  it("[C-8.155] list-history and summary: amounts in two currencies are one total at the day's rate, which is told", async () => {
    const rates = [{ currency: "USD", rate: "0.8333333333", date: "2026-03-03", source: "rates.csv" }];
    const totals = [{ currency: "EUR", balance: "310.00" }];
    const history = await figure("list-history", {
      ...{ client_ref: "M-18", from: "2026-03-03", to: "2026-03-03", currency: "EUR" },
    });
    expect(history.items).toMatchObject([{ date: "2026-03-03", totals, complete: true, rates }]);
    const summary = await figure("summary", {
      client_ref: "M-18",
      date: "2026-03-03",
      by: "currency",
      currency: "EUR",
    });
    expect(summary).toMatchObject({ date: "2026-03-03", totals, complete: true });
    expect(summary.items).toEqual([
      { key: "EUR", totals: [{ currency: "EUR", balance: "100.00" }], share: "0.322581" },
      { key: "USD", totals: [{ currency: "EUR", balance: "210.00" }], share: "0.677419" },
    ]);
  });

  it("[C-8.155] holdings-at, gains and income: what was held, what it gained and what it paid", async () => {
    const [portfolio_id] = made["M-19"]?.portfolios ?? [];
    const held = await figure("holdings-at", { client_ref: "M-19", date: "2026-03-04" });
    expect(
      held.items.map((row: Record<string, string>) => [row.name, row.balance, row.portfolio_id, row.as_of]),
    ).toEqual([
      ["A", "110.00", portfolio_id, "2026-03-03"],
      ["B", "70.00", portfolio_id, "2026-03-03"],
    ]);
    const gains = await figure("gains", { client_ref: "M-19", date: "2026-03-03" });
    expect(gains.items[0]).toMatchObject({
      ...{ name: "A", portfolio_id, currency: "EUR", balance: "110.00", cost: "100.00", gain: "10.00" },
      gain_share: "0.100000",
    });
    expect(gains.totals).toEqual([
      {
        ...{ currency: "EUR", balance: "110.00", cost: "100.00", gain: "10.00", holdings: 1 },
        ...{ balance_without_cost: "70.00", holdings_without_cost: 1 },
      },
    ]);
    const income = await figure("income", { client_ref: "M-19", from: "2026-01-01", to: "2026-03-31", by: "month" });
    const sums = [{ currency: "EUR", net: "15.00", taxes: "5.00", gross: "20.00", count: 1 }];
    expect(income).toMatchObject({ items: [{ key: "2026-03", totals: sums }], totals: sums, unvalued: 0 });
  });

  it("[C-8.210] a cash account's dividend is counted in no period once its depot has told one, also long before", async () => {
    const letter_id = await waitingLetter(server, server.demo, sandboxBanks.datafeed);
    const header = mapping.recognise.header.join(";");
    const depot = (day: string, ...rows: string[]) =>
      ingest(
        server,
        { letter_id },
        Buffer.from([header, `${day};holding;8;A;110.00;EUR;;`, ...rows, ""].join("\n")),
        "a.csv",
      );
    const payment = "<STMTTRN><TRNTYPE>DIV<DTPOSTED>20260310<TRNAMT>15.00<FITID>1</STMTTRN>";
    const cash = await ingest(
      server,
      { letter_id },
      Buffer.from(
        `<OFX><BANKMSGSRSV1><STMTTRNRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>POFICHBE
<ACCTID>CH9300762011623852957<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${payment}</BANKTRANLIST>
<LEDGERBAL><BALAMT>115.00<DTASOF>20260310</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
      ),
    );
    expect((await depot("2026-03-03")).body).toMatchObject({ status: "ingested" });
    const { connection_id: credentials_token } = cash.body;
    const march = { credentials_token, from: "2026-03-05", to: "2026-03-31", by: "kind" };
    const net = async (more: object = {}) =>
      (await figure("income", { ...march, ...more })).totals.map((total: { net: string }) => total.net);
    expect(await net()).toEqual(["15.00"]);
    await depot("2026-02-02", "2026-02-02;dividend;8;A;7.00;EUR;;");
    expect([await net(), await net({ from: "2026-01-01" })]).toEqual([[], ["7.00"]]);
  });

  it("[C-8.156] a figure that would be a guess is a 422 that says what is missing; allow_gaps answers it with the same list", async () => {
    const [portfolio_id] = made["M-17"]?.portfolios ?? [];
    const late = { client_ref: "M-17", from: "2026-03-03", to: "2026-03-31" };
    const details = [{ reason: "stale", portfolio_id, from: "2026-03-04", to: "2026-03-31" }];
    const { status, body } = await ask("performance", late);
    expect([status, body]).toEqual([
      422,
      {
        success: false,
        error: { code: "INSUFFICIENT_DATA", message: "the data do not suffice: stale", details },
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ]);
    expect(await figure("performance", { ...late, allow_gaps: true })).toMatchObject({
      return: "0.020100",
      gaps: details,
    });
    const inFrancs = { client_ref: "M-18", currency: "CHF" };
    const missing = { reason: "rate_missing", from: "EUR", to: "CHF", date: "2026-03-03" };
    const refused = await ask("summary", { ...inFrancs, date: "2026-03-03", by: "type" });
    expect([refused.status, refused.body.error.details]).toEqual([422, expect.arrayContaining([missing])]);
    const { items } = await figure("list-history", { ...inFrancs, from: "2026-03-02", to: "2026-03-03" });
    expect(items[1]).toMatchObject({ totals: [], complete: false, refused: expect.arrayContaining([missing]) });
  });

  it("[C-8.157] a wrong argument is named, unknown ids are not found, and null is as if left out", async () => {
    const period = { from: "2026-03-03", to: "2026-03-05" };
    const sound: Record<string, object> = {
      "list-history": period,
      "holdings-at": { date: "2026-03-03" },
      summary: { date: "2026-03-03", by: "bank" },
      performance: { ...period, client_ref: "M-17" },
      income: { ...period, by: "kind" },
      gains: { date: "2026-03-03" },
    };
    const later = dayAfter(new Date().toISOString(), 2);
    const days = ["2026-02-30", "03/02/2026", null, later];
    const everywhere = { currency: ["eur", "EURO"], stale_after: [-1, 401, "7"], client_ref: [""], colour: ["red"] };
    const paging = { page: [0, 1.5], page_size: [0, 501] };
    const dated = { date: days };
    const ofPeriod = { from: [...days, "2026-03-06"], to: days };
    const wrong: Record<string, Readonly<Record<string, readonly unknown[]>>> = {
      "list-history": { ...ofPeriod, ...paging, interval: ["year"], include_coverage: ["yes"] },
      "holdings-at": { ...dated, ...paging },
      summary: { ...dated, ...paging, by: ["colour", null] },
      performance: { ...ofPeriod, method: ["xirr"], allow_gaps: [1], page: [1] },
      income: { ...ofPeriod, ...paging, by: ["day"], kind: ["buy", []] },
      gains: { ...dated, ...paging },
    };
    for (const [name, body] of Object.entries(sound)) {
      const expected = await figure(name, body);
      const nulls = {
        currency: null,
        stale_after: null,
        ...(name === "performance" && { method: null, allow_gaps: null }),
      };
      expect(await figure(name, { ...body, ...nulls })).toEqual(expected);
      for (const [field, values] of Object.entries({ ...everywhere, ...wrong[name] }))
        for (const value of values) {
          const { status, body: answer } = await ask(name, { ...body, [field]: value });
          const fields = answer.error?.details?.map((fault: { field: string }) => fault.field);
          expect([name, field, value, status, fields]).toEqual([
            name,
            field,
            value,
            400,
            [expect.stringContaining(field)],
          ]);
        }
      const unknown = "0192a5c0-8f21-7d10-8a3b-5c9e1f4b7a20";
      for (const [field, value] of Object.entries({
        client_ref: "M-99",
        credentials_token: unknown,
        portfolio_id: [unknown],
      })) {
        const { status, body: answer } = await ask(name, { ...body, [field]: value });
        expect([name, field, status, answer.error.details?.[0]?.field]).toEqual([name, field, 404, field]);
      }
    }
  });

  it("[C-8.157] a period has at most 3,660 days, and a list comes in pages", async () => {
    const to = "2026-03-05";
    const ofDays = (days: number) => ask("list-history", { from: dayAfter(to, 1 - days), to, interval: "month" });
    const longest = await ofDays(3_660);
    expect([longest.status, longest.body.total]).toEqual([200, 122]);
    const longer = await ofDays(3_661);
    expect([longer.status, longer.body.error.details]).toEqual([
      400,
      [{ field: "from", error_type: "InvalidValue", rule: "must begin a period of at most 3660 days" }],
    ]);
    const page = await figure("list-history", { from: "2026-03-02", to, page: 2, page_size: 3 });
    expect(page).toMatchObject({ items: [{ date: to }], page: 2, page_size: 3, pages: 2, total: 4 });
  });

  it.each(["day", "week", "month"])(
    "[C-9.625] the pages of a history by %s are what one page of the whole is",
    async (interval) => {
      const asked = { from: "2026-02-20", to: "2026-04-20", interval, include_coverage: true, currency: "EUR" };
      const whole = await figure("list-history", { ...asked, page_size: 100 });
      const page_size = interval === "day" ? 13 : 2;
      const items: unknown[] = [];
      for (let page = 1; page <= Math.ceil(whole.total / page_size); page += 1) {
        const { items: some, ...rest } = await figure("list-history", { ...asked, page, page_size });
        expect(rest).toMatchObject({ total: whole.total, source_counts: whole.source_counts });
        items.push(...some);
      }
      expect(items).toEqual(whole.items);
    },
  );

  it("[C-8.159] a read is a line of the audit trail under its tool or endpoint", async () => {
    const object_id = made["M-17"]?.connection;
    for (const name of ["performance", "gains"])
      await figure(name, {
        credentials_token: object_id,
        ...(name === "gains" ? {} : { from: "2026-03-03", to: "2026-03-05" }),
      });
    // [C-8.161]
    const [{ id }] = (await server.demo.post("/data/v1/list-portfolios", { credentials_token: object_id })).body.items;
    await figure("why", { id });
    await eventually(async () => {
      const { items } = await server.operate("/operator/v1/audit/list", {
        action: "data.read",
        tenant_id: server.demo.tenantId,
        page_size: 1_000,
      });
      const tools = items
        .filter((line: { object_id: string }) => line.object_id === object_id)
        .map((line: { facts: { tool: string } }) => line.facts.tool);
      return ["wealth-performance", "gains", "wealth-why"].every((tool) => tools.includes(tool));
    }, "the reads are written");
  });

  it("[C-8.155] what a sandbox bank tells: parts make the total, and the total is that of the history", async () => {
    const { id: session_id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: "somebody", password: "a password" });
    const { connection_id } = await server.demo.tools.call("svc-session-status", { session_id });
    const of = { credentials_token: connection_id };
    const summary = await figure("summary", { ...of, by: "security", page_size: 500 });
    expect(summary.sources).toMatchObject([{ credentials_token: connection_id, state: "ok" }]);
    expect(summary.totals.length).toBeGreaterThan(0);
    for (const { currency, balance } of summary.totals) {
      const parts = summary.items.flatMap(({ totals }: { totals: { currency: string; balance: string }[] }) =>
        totals.filter((total) => total.currency === currency),
      );
      const sum = parts.reduce((so_far: string, part: { balance: string }) => addDecimals(so_far, part.balance), "0");
      expect(addDecimals(sum, `-${balance}`.replace("--", ""))).toMatch(/^-?0(\.0+)?$/);
    }
    const { items } = await figure("list-history", {
      ...of,
      from: dayAfter(summary.date, -1_000),
      to: summary.date,
      interval: "month",
      page_size: 500,
    });
    expect(items.at(-1)).toMatchObject({ date: summary.date, totals: summary.totals });
    expect(items.length).toBeGreaterThan(30);
  });

  it("[C-4.184] holdings in another currency: amounts are converted, a price is as stated and names its currency", async () => {
    const today = new Date().toISOString().slice(0, "YYYY-MM-DD".length);
    const rates = `date,base,quote,rate\n${dayAfter(today, -1)},EUR,CHF,2\n`;
    await server.operator.post("/operator/v1/rates/import?name=francs.csv", rates, {
      headers: { "content-type": "application/octet-stream" },
    });
    const { id: session_id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: "priced", password: "a password" });
    const { connection_id } = await server.demo.tools.call("svc-session-status", { session_id });
    const of = { credentials_token: connection_id, page_size: 500 };
    const stated = (await figure("holdings-at", of)).items;
    const priced = stated.filter((row: Record<string, string>) => row.price && row.price_unit !== "percent");
    expect(priced.length).toBeGreaterThan(0);
    const doubled = (amount?: string) => amount && addDecimals(amount, amount);
    const expected = stated.map(({ id, price, price_unit, balance, accrued_interest }: Record<string, string>) => ({
      ...{ id, price, currency: "CHF", balance: doubled(balance), accrued_interest: doubled(accrued_interest) },
      price_currency: price && price_unit !== "percent" ? "EUR" : undefined,
    }));
    expect(
      (await figure("holdings-at", { ...of, currency: "CHF" })).items.map(
        ({ id, price, currency, balance, accrued_interest, price_currency }: Record<string, string>) => ({
          ...{ id, price, currency, balance, accrued_interest, price_currency },
        }),
      ),
    ).toEqual(expected);
  });
});
