import { describe, expect, it, onTestFinished } from "vitest";
import { larkspur, larkspurQueries, smallCustomer, truthOf } from "./stand-in/customers.js";
import { flexErrors, waitingCodes } from "./stand-in/flex-answers.js";
import { type FlexServiceOptions, startFlexService } from "./stand-in/flex-service.js";

const start = Date.parse("2026-11-20T06:00:00Z");

/** The service, a customer, and a client that keeps to the limits by moving the clock before each call. */
async function service(options: Partial<FlexServiceOptions> = {}) {
  let now = start;
  const token = larkspur();
  const started = await startFlexService({ clock: () => new Date(now), tokens: [token], ...options });
  onTestFinished(() => started.close());
  const call = async (endpoint: string, query: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(
      `${started.base_url}/${endpoint}?${new URLSearchParams({ t: token.value, v: "3", ...query })}`,
      {
        headers: { "user-agent": "Test/1.0", ...headers },
      },
    );
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };
  return {
    ...started,
    token,
    call,
    later: (milliseconds: number) => {
      now += milliseconds;
    },
    /** Requests a statement and waits for it, with seven seconds between calls. */
    async statement(query: string, day = 7_000): Promise<string> {
      now += day;
      const [, reference = ""] = /<ReferenceCode>(\d+)</.exec((await call("SendRequest", { q: query })).text) ?? [];
      now += 7_000;
      return (await call("GetStatement", { q: reference })).text;
    },
  };
}

const codeIn = (text: string) => Number(/<ErrorCode>(\d+)</.exec(text)?.[1]);

describe("The stand-in of the Flex Web Service", () => {
  it("prepares a statement and hands it out when it is there", async () => {
    const { call, later, begun, delivered, violations } = await service();
    const asked = await call("SendRequest", { q: larkspurQueries.activity });
    expect(asked.text).toMatch(
      /^<FlexStatementResponse timestamp='20 November, 2026 01:00 AM EST'>\n<Status>Success<\/Status>/,
    );
    const [, reference = ""] = /<ReferenceCode>(\d+)</.exec(asked.text) ?? [];
    later(2_000);
    const early = await call("GetStatement", { q: reference });
    expect(early.text).toContain("<Status>Warn</Status>");
    expect(codeIn(early.text)).toBe(1019);
    later(2_000);
    const there = await call("GetStatement", { q: reference });
    expect(there.text).toMatch(
      /^<FlexQueryResponse queryName="Wealth &amp; more" type="AF">\n<FlexStatements count="3">/,
    );
    expect(there.text).toContain(
      'accountId="U7000001" fromDate="20261021" toDate="20261119" period="Last30CalendarDays"',
    );
    later(2_000);
    expect(codeIn((await call("GetStatement", { q: "1" })).text)).toBe(1017);
    expect([...begun, ...delivered]).toEqual([
      [larkspurQueries.activity, 1],
      [larkspurQueries.activity, 1],
    ]);
    expect(violations).toEqual([]);
  });

  it("counts one request a second and ten a minute for each token, and says so", async () => {
    const { call, later, violations, busiestMinute } = await service({ tokens: [larkspur(), smallCustomer(1)] });
    const ask = async () => codeIn((await call("SendRequest", { q: larkspurQueries.activity })).text);
    expect(await ask()).toBeNaN();
    later(900);
    expect(await ask()).toBe(1018);
    for (let count = 3; count <= 10; count += 1) {
      later(1_000);
      expect(await ask()).toBeNaN();
    }
    later(1_000);
    expect(await ask()).toBe(1018);
    expect(codeIn((await call("SendRequest", { t: smallCustomer(1).value, q: "2000001" })).text)).toBeNaN();
    later(60_000);
    expect(await ask()).toBeNaN();
    expect(violations.map(({ rule }) => rule)).toEqual(["one a second", "ten a minute"]);
    expect(busiestMinute()).toBe(11);
  });

  it("refuses as the table of errors says", async () => {
    const { call, later, token, violations } = await service();
    const codes: number[] = [];
    const ask = async (query: Record<string, string>, headers?: Record<string, string>) => {
      later(7_000);
      codes.push(codeIn((await call("SendRequest", { q: larkspurQueries.activity, ...query }, headers)).text));
    };
    await ask({ t: "unknown" });
    await ask({ q: "9" });
    await ask({ q: "" });
    await ask({ fd: "20260101" });
    token.address = "203.0.113.7";
    await ask({});
    token.address = null;
    token.expires_at = new Date(start);
    await ask({});
    token.is_active = false;
    await ask({});
    expect(codes).toEqual([1015, 1014, 1020, 1003, 1013, 1012, 1011]);
    later(7_000);
    expect((await call("SendRequest", {}, { "user-agent": "" })).status).toBe(403);
    expect(violations.map(({ rule }) => rule)).toEqual(["dates in the request", "no User-Agent"]);
  });

  it.each(Object.keys(flexErrors).map(Number))("answers %i when told to, as often as told to", async (code) => {
    const { answerWith, call, later, statement } = await service();
    answerWith(code as keyof typeof flexErrors, { endpoint: "SendRequest", times: 1 });
    const { text } = await call("SendRequest", { q: larkspurQueries.activity });
    expect(codeIn(text)).toBe(code);
    expect(text).toContain((waitingCodes as readonly number[]).includes(code) ? "Warn" : "Fail");
    later(7_000);
    expect(await statement(larkspurQueries.activity)).toContain("<FlexQueryResponse");
  });

  it("keeps a statement waiting for ten minutes", async () => {
    const { takeToGenerate, call, later, statement } = await service();
    takeToGenerate(600_000);
    expect(codeIn(await statement(larkspurQueries.activity))).toBe(1019);
    later(600_000);
    expect((await call("GetStatement", { q: "1234500001" })).text).toContain("<FlexQueryResponse");
  });

  it("shows each figure of its truth in the statement, on both days and in other formats of days", async () => {
    const { statement, token, publishNextDay } = await service();
    for (const day of ["first", "second"] as const) {
      const text = await statement(larkspurQueries.activity);
      const truth = truthOf(token, larkspurQueries.activity, day, false);
      for (const { amount, balance } of truth.holdings) expect(text).toMatch(new RegExp(`"${amount}".*"${balance}"`));
      for (const { id } of truth.transactions) expect(text).toContain(`transactionID="${id}"`);
      for (const { balance } of truth.portfolios) expect(text).toContain(`="${balance}"`);
      publishNextDay();
    }
    expect(await statement(larkspurQueries.other_formats)).toContain('dateTime="2026-11-20,103011"');
    expect(await statement(larkspurQueries.movements)).not.toContain("<OpenPositions");
    expect(await statement(larkspurQueries.csv)).toContain('"U7000002","CHF","NESN","55","80.9","4449.5"');
    expect(await statement(larkspurQueries.confirmations)).toContain('type="TCF"');
    expect(await statement(larkspurQueries.empty)).toContain('<FlexStatements count="0">');
  });

  it("has a truth that adds up, and keeps what the second day's statement no longer tells", () => {
    const first = truthOf(larkspur(), larkspurQueries.activity, "first");
    const second = truthOf(larkspur(), larkspurQueries.activity, "second");
    for (const { amount, price, balance, conid, type, subtype } of [...first.holdings, ...second.holdings]) {
      if (price === undefined) continue;
      const size = subtype === "OP" ? 100 : subtype === "FT" ? 50 : type === "FI" ? 0.01 : 1;
      expect(Number(amount) * Number(price) * size, `contract ${conid}`).toBeCloseTo(Number(balance), 6);
    }
    const isins = [...first.holdings, ...second.holdings].flatMap(({ isin }) => isin ?? []);
    expect(isins.filter((isin) => !hasRightCheckDigit(isin))).toEqual([]);
    const known = new Set(first.transactions.map(({ id }) => id));
    expect(second.transactions.filter(({ id }) => !known.has(id)).map(({ id }) => id)).toEqual([
      "30000000027",
      "30000000028",
      "30000000029",
      "30000000030",
      "30000000102",
    ]);
    expect(second.transactions).toHaveLength(first.transactions.length + 5);
  });
});

/** ISO 6166: letters as two digits, every second digit from the right doubled. */
function hasRightCheckDigit(isin: string): boolean {
  const digits = [...[...isin].map((sign) => Number.parseInt(sign, 36)).join("")].reverse().map(Number);
  const sum = digits.reduce((total, digit, place) => {
    const weighed = place % 2 === 1 ? digit * 2 : digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}
