import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAuthority } from "../../../../packages/provider-kit/test/stand-in/certificates.js";
import { START_TIMEOUT } from "../harness.js";
import { enumerationAfter, startJudge } from "./judged-openwealth.js";
import { startVersionBank, type VersionBankOptions } from "./openwealth-versions.js";
import { larkspurOf, nextDayOf } from "./openwealth-versions-customers.js";
import { companyOf, everyKindOf, nobodyOf, odditiesOf } from "./openwealth-versions-further.js";
import { type Version, values } from "./openwealth-versions-values.js";

const today = "2026-11-20";
const yesterday = "2026-11-19";
const paths = {
  "1.1": { customers: "/customerAccounts", positions: ["positions", "positions"], transactions: "transactions" },
  "1.2": { customers: "/customerAccounts", positions: ["positions", "positions"], transactions: "transactions" },
  "2.0": {
    customers: "/customers",
    positions: ["customer-position-statement", "account-position-statement"],
    transactions: "transaction-statement",
  },
} as const;
const versions = ["1.1", "1.2", "2.0"] as const;
const encoded = encodeURIComponent;

async function bank(version: Version, options: Partial<VersionBankOptions> = {}) {
  let now = Date.parse(`${today}T12:00:00Z`);
  const larkspur = larkspurOf(version, today);
  const started = await startVersionBank({
    version,
    clock: () => new Date(now),
    customers: [larkspur],
    ...options,
  });
  onTestFinished(() => started.close());
  async function token(): Promise<string> {
    const { client_id, client_secret } = started;
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
    const answer = await fetch(started.token_url, { method: "POST", body });
    return ((await answer.json()) as { readonly access_token: string }).access_token;
  }
  let authorization: string | null = `Bearer ${await token()}`;
  async function get(path: string, headers: Record<string, string> = {}, base = started.base_url) {
    const answer = await fetch(base + path, {
      headers: {
        ...(authorization && { authorization }),
        "x-correlation-id": randomUUID(),
        "user-agent": "Test/1.0",
        ...headers,
      },
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, cursor: answer.headers.get("nextcursor") };
  }
  const names = paths[version];
  const asked = (date: string, more = "", dateType = "transactionDate", endOfDay = "true") =>
    `?date=${date}&dateType=${dateType}&eodIndicator=${endOfDay}${more}`;
  return {
    ...started,
    larkspur,
    names,
    asked,
    get,
    positionsOf: (id: string, query: string) => `/customers/${encoded(id)}/${names.positions[0]}${query}`,
    transactionsOf: (id: string, query: string) => `/customers/${encoded(id)}/${names.transactions}${query}`,
    async open() {
      authorization = `Bearer ${await token()}`;
    },
    withoutToken() {
      authorization = null;
    },
    later(milliseconds: number) {
      now += milliseconds;
    },
    /** The texts of all pages, at most 20. */
    async pagesOf(path: string) {
      const found: string[] = [];
      for (let cursor: string | null = null; cursor !== "" && found.length < 20; ) {
        const { text, cursor: next } = await get(cursor ? `${path}&cursor=${encoded(cursor)}` : path);
        found.push(text);
        cursor = next ?? "";
      }
      return found;
    },
  };
}

const everybody = (version: Version) => [
  larkspurOf(version, today),
  everyKindOf(version, "every", today),
  odditiesOf(version, "odd", today),
  companyOf("co", 4),
  nobodyOf("none"),
];

/** What stands in all answers for one name, as text. */
function valuesOf(texts: readonly string[], name: string): ReadonlySet<string> {
  const found = texts.flatMap((text) => text.split(`"${name}":"`).slice(1));
  return new Set(found.map((rest) => rest.slice(0, rest.indexOf('"'))));
}

describe.each([
  ["1.1", "CustodyServices_1.1.0"],
  ["1.2", "CustodyServicesAPI_1.2.0"],
  ["2.0", "CustodyServicesAPI_2.0.3"],
  ["2.0", "CustodyServices_2.0.4"],
] as const)("OpenWealth %s by the description %s", (version, description) => {
  it(
    "answers each path with each value of the enumerations, and Prism finds no fault",
    async () => {
      const { get, names, asked, positionsOf, transactionsOf, base_url, truthOf, ...rest } = await bank(version, {
        customers: everybody(version),
      });
      const prism = await startJudge(description, base_url);
      onTestFinished(() => prism.close());
      const texts: string[] = [];
      const judged = async (path: string) => {
        const answer = await get(path, {}, prism.url);
        expect(`${answer.status} ${path} ${answer.status === 200 ? "" : answer.text}`).toBe(`200 ${path} `);
        texts.push(answer.text);
      };
      await judged(names.customers);
      for (const { id } of everybody(version)) {
        await judged(`${names.customers}/${encoded(id)}`);
        await judged(positionsOf(id, asked(yesterday, "&limit=100")));
        await judged(positionsOf(id, asked(today, "", "valueDate", "false")));
        const { portfolios, holdings, transactions } = truthOf(id);
        const days = new Set(transactions.map(({ date }) => date));
        for (const day of days) await judged(transactionsOf(id, asked(day, "", "bookingDate")));
        const [day = yesterday] = days;
        const [account] = portfolios;
        if (account) {
          await judged(`/accounts/${encoded(account.account)}/${names.positions[1]}${asked(yesterday)}`);
          await judged(`/accounts/${encoded(account.account)}/${names.transactions}${asked(day)}`);
        }
        const [held] = holdings;
        if (held) await judged(`/positions/${held.position}/${names.transactions}${asked(day)}`);
      }
      const words = values[version];
      for (const name of ["transactionType", "transactionSubtype", "movementType", "optionStyle", "fxType"] as const) {
        expect([...words[name]].filter((value) => !valuesOf(texts, name).has(value))).toEqual([]);
      }
      for (const name of ["instrumentDate", "instrumentPrice"] as const) {
        expect([...words[name]].filter((value) => !valuesOf(texts, "type").has(value))).toEqual([]);
      }
      expect(rest.violations).toEqual({ calls: [], parameters: [] });

      const { status } = await get(
        `/customers/none/${names.positions[0]}?date=${today}&eodIndicator=true`,
        {},
        prism.url,
      );
      expect(status).toBe(422);
      rest.spoil("positions", ({ currency: _, ...row }) => row);
      expect((await get(positionsOf("odd", asked(yesterday)), {}, prism.url)).status).toBe(500);
      rest.spoil("positions", null);
      rest.habits.isStrict = false;
      // The descriptions require `instrumentIdentification`, and describe no such member.
      const loose = await get(positionsOf("odd", asked(yesterday)), {}, prism.url);
      expect([loose.status, loose.text.includes("instrumentIdentification")]).toEqual([500, true]);
    },
    START_TIMEOUT,
  );

  it("has the enumerations of the description", () => {
    const isFirst = version !== "2.0";
    const words = values[version];
    expect(words.transactionType).toEqual(enumerationAfter(description, "transactionType:", "type:"));
    expect(words.movementType).toEqual(enumerationAfter(description, "movementType:", "type:"));
    expect(words.optionStyle).toEqual(enumerationAfter(description, "optionStyle:"));
    expect(words.dayCountBasis).toEqual(enumerationAfter(description, "dayCountBasis:", "type:"));
    expect(words.fxType).toEqual(enumerationAfter(description, "fxType:"));
    const dates = isFirst ? "dates:" : "financialInstrumentDate:";
    expect(words.instrumentDate).toEqual(enumerationAfter(description, dates));
    const price = isFirst ? "description: Indicates the type of the price" : "financialInstrumentPriceType:";
    expect(words.instrumentPrice).toEqual(enumerationAfter(description, price, isFirst ? "enum:" : ""));
    if (!isFirst)
      expect(words.transactionSubtype).toEqual(enumerationAfter(description, "transactionSubtype:", "type:"));
  });
});

describe.each(versions)("A bank with OpenWealth %s", (version) => {
  it("writes each figure of its truth digit by digit, with the sign beside it", async () => {
    const { get, asked, positionsOf, transactionsOf, truthOf, larkspur } = await bank(version, {
      customers: [larkspurOf(version, today), odditiesOf(version, "odd", today)],
    });
    const written = (digits: string) => (version === "1.1" ? digits : `"${digits}"`);
    const { text } = await get(positionsOf(larkspur.id, asked(yesterday)));
    for (const { amount, balance } of truthOf(larkspur.id).holdings) {
      const sign = amount.startsWith("-") ? "debit" : "credit";
      expect(text).toContain(`"amount":${written(amount.replace("-", ""))},"creditDebitIndicator":"${sign}"`);
      expect(text).toContain(`"amount":${written((balance ?? "").replace("-", ""))},`);
    }
    const odd = (await get(positionsOf("odd", asked(yesterday)))).text;
    expect(odd).toContain(
      `"amount":${version === "1.1" ? "12345678901234567890.123456789" : '"123456789012.123456789"'},`,
    );
    expect(odd).toContain(`"amount":${version === "1.1" ? "1.5E+3" : '"001500"'},`);
    expect(odd).toContain(`"amount":${version === "1.1" ? "9007199254740993.01" : '"900719925474.099301"'},`);
    const booked = (await get(transactionsOf("odd", asked("2026-11-17", "", "bookingDate")))).text;
    expect(booked).toContain(`"amount":${version === "1.1" ? "0.10000000000000000555" : '"0.100000001"'},`);
    expect(valuesOf([booked], "transactionIdentification").size).toBe(4);
    const byTransactionDate = (await get(transactionsOf("odd", asked("2026-11-17")))).text;
    expect(valuesOf([byTransactionDate], "transactionIdentification").size).toBe(3);
  });

  it("pages customers, accounts of a customer, positions of an account and transactions, which may change meanwhile", async () => {
    const customers = [larkspurOf(version, today), companyOf("co", 36), nobodyOf("none")];
    const { pagesOf, get, names, asked, positionsOf, larkspur, between, habits, pages } = await bank(version, {
      customers,
    });
    if (version === "1.1") {
      // No description of 1.1 says how the next cursor is learnt.
      expect(await pagesOf(positionsOf("co", asked(yesterday, "&limit=10")))).toHaveLength(1);
      habits.last_cursor = "absent";
    }
    const ids = (texts: readonly string[], name: string) => texts.map((text) => text.split(`"${name}":"`).length - 1);
    const ofCompany = positionsOf("co", asked(yesterday, "&limit=10"));
    expect(ids(await pagesOf(ofCompany), "accountIdentification")).toEqual([10, 10, 10, 6]);
    habits.max_page_size = 20;
    expect(ids(await pagesOf(positionsOf("co", asked(yesterday, "&limit=30"))), "accountIdentification")).toEqual([
      20, 16,
    ]);
    expect(ids(await pagesOf(`${names.customers}?limit=2`), "customerIdentification")).toEqual([2, 1]);
    const depot = `/accounts/co-1-depot/${names.positions[1]}${asked(yesterday, "&limit=1")}`;
    expect((await pagesOf(depot)).map((text) => text.split('"positionName"').length - 1)).toEqual([1, 1]);
    const booked = `/customers/${encoded(larkspur.id)}/${names.transactions}${asked("2026-10-21", "&limit=1")}`;
    expect(ids(await pagesOf(booked), "transactionIdentification")).toEqual([1]);
    expect((await get(`${ofCompany}&cursor=bad`)).status).toBe(400);
    expect((await get(`${names.customers}?limit=0`)).status).toBe(400);

    between({ list: "positions", after_page: 1, trick: "repeat" });
    const [first, second] = await pagesOf(ofCompany);
    expect(second).toBe(first);
    between({ list: "positions", after_page: 1, trick: () => nextDayOf(version, customers[0] ?? larkspur, today) });
    const held = positionsOf(larkspur.id, asked(yesterday, "&limit=1"));
    const changed = (await pagesOf(held)).join("");
    expect([changed.includes('"pos-012"'), changed.includes('"pos-021"')]).toEqual([false, false]);
    expect(pages.positions).toBeGreaterThan(10);
    between({ list: "positions", after_page: 1, trick: "loop" });
    expect(await pagesOf(ofCompany)).toHaveLength(20);
  });

  it("refuses faulty requests by name, in the words of its version", async () => {
    const { get, asked, positionsOf, transactionsOf, larkspur, habits, names, violations } = await bank(version);
    const typeOf = async (path: string) => {
      const { status, text, headers } = await get(path);
      expect(headers.get("content-type")).toMatch(/^application\/problem\+json/);
      return `${status} ${(JSON.parse(text) as { readonly type: string }).type}`;
    };
    const word = (status: number, type: string, first: string) =>
      `${status} ${version === "2.0" ? `/problems/${type}` : first}`;
    const invalid = word(400, "INVALID_PAYLOAD", "invalidPayload");
    for (const query of [
      "?dateType=valueDate&eodIndicator=true",
      `?date=20.11.2026&dateType=valueDate&eodIndicator=true`,
      `?date=${yesterday}&eodIndicator=true`,
      `?date=${yesterday}&dateType=settlementDate&eodIndicator=true`,
      `?date=${yesterday}&dateType=valueDate`,
    ]) {
      expect(await typeOf(positionsOf(larkspur.id, query))).toBe(invalid);
      expect(await typeOf(transactionsOf(larkspur.id, query))).toBe(invalid);
    }
    expect(await typeOf(positionsOf(larkspur.id, asked("2026-11-21")))).toBe(
      word(400, "MALFORMED_PAYLOAD", "malformedPayload"),
    );
    const notReady = word(404, "RESOURCE_NOT_READY", "resourceNotReady");
    expect(await typeOf(positionsOf(larkspur.id, asked(today)))).toBe(notReady);
    habits.without_run = new Set([yesterday]);
    expect(await typeOf(positionsOf(larkspur.id, asked(yesterday)))).toBe(notReady);
    habits.unfinished = "empty";
    const empty = await get(positionsOf(larkspur.id, asked(yesterday)));
    expect([empty.status, empty.text.includes('"positionName"')]).toEqual([200, false]);
    const intraday = await get(positionsOf(larkspur.id, asked(today, "", "bookingDate", "false")));
    expect(intraday.text).toContain('"dateType":"bookingDate"},"endOfDayIndicator":false');
    habits.intraday = false;
    expect(await typeOf(positionsOf(larkspur.id, asked(today, "", "bookingDate", "false")))).toBe(
      word(501, "NOT_IMPLEMENTED", "notImplemented"),
    );
    expect(await typeOf(positionsOf("nobody", asked(yesterday)))).toBe(
      word(404, "RESOURCE_DOES_NOT_EXIST", "resourceDoesNotExist"),
    );
    const other = version === "2.0" ? "/customerAccounts" : "/customers";
    expect(await typeOf(other)).toBe(word(404, "TECHNICAL_ERROR", "technicalError"));
    await get(`${names.customers}?page=2`);
    expect(violations.parameters).toEqual([`${names.customers}: page`]);
  });

  it("leaves out empty lists, and changes rows, if it is told to", async () => {
    const { get, asked, names, positionsOf, transactionsOf, habits, spoil, larkspur } = await bank(version, {
      customers: [larkspurOf(version, today), nobodyOf("none")],
    });
    expect((await get(transactionsOf("none", asked(yesterday)))).text).toContain('"transactions":[]');
    habits.isTerse = true;
    expect((await get(transactionsOf("none", asked(yesterday)))).text).not.toContain("transactions");
    expect((await get(positionsOf("none", asked(yesterday)))).text).not.toContain("accountList");
    expect((await get(`${names.customers}/none`)).text).not.toMatch(/accountOverview|accountInformationList/);
    spoil("positions", (row) => (row.identification === "pos-002" ? { ...row, currency: "Franken" } : row));
    const spoilt = (await get(positionsOf(larkspur.id, asked(yesterday)))).text;
    expect(spoilt.split("Franken")).toHaveLength(2);
  });

  it("throttles, expires, refuses, and fails on the way", async () => {
    const {
      get,
      names,
      asked,
      positionsOf,
      throttle,
      throttled,
      later,
      expireAccessAfter,
      open,
      refuse,
      fail,
      ...rest
    } = await bank(version, { customers: [companyOf("co", 1), nobodyOf("none")], client_customers: ["co"] });
    expect((await get(positionsOf("none", asked(yesterday)))).status).toBe(403);
    throttle({ calls: 1, per_ms: 10_000 });
    expect((await get(names.customers)).status).toBe(200);
    const refused = await get(names.customers);
    expect([refused.status, refused.headers.get("retry-after"), throttled()]).toEqual([429, "10", 1]);
    later(10_000);
    throttle(null);
    expireAccessAfter(1);
    expect([(await get(names.customers)).status, (await get(names.customers)).status]).toEqual([200, 401]);
    await open();
    refuse(503, "SERVICE_UNAVAILABLE", 1, { "retry-after": "7" });
    expect((await get(names.customers)).headers.get("retry-after")).toBe("7");
    refuse(500, "TECHNICAL_ERROR");
    expect((await get(names.customers)).status).toBe(500);
    fail("positions", { kind: "half" });
    const half = (await get(positionsOf("co", asked(yesterday)))).text;
    expect(() => JSON.parse(half)).toThrow();
    fail("positions", { kind: "cut" });
    await expect(get(positionsOf("co", asked(yesterday)))).rejects.toThrow();
    rest.authorization.withdraw(null);
    expect((await get(names.customers)).status).toBe(401);
  });
});

it("A bank with mutual TLS answers who has a certificate of its authority, and nobody else", async () => {
  const authority = createAuthority();
  const tls = { ...authority.issue({ names: ["127.0.0.1"] }), ca: authority.cert };
  const bank = await startVersionBank({ version: "1.2", clock: () => new Date(), customers: [], tls });
  onTestFinished(() => bank.close());
  async function statusWith(certificate: { readonly cert?: string; readonly key?: string }) {
    const options = { method: "POST", ca: authority.cert, ...certificate };
    const [answer] = (await once(request(bank.token_url, options).end(), "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  }
  expect(await statusWith(authority.issue({ names: ["client"] }))).toBe(400);
  await expect(statusWith({})).rejects.toThrow();
  await expect(statusWith(createAuthority("Another").issue({ names: ["client"] }))).rejects.toThrow();
});

describe("A bank behind bLink", () => {
  const target = { "X-CorAPI-Target-ID": "IIDX00001", "X-PSU-IP-Address": "AUTO", "X-PSU-User-Agent": "AUTO" };

  it("wants its headers, and a permission that the user has given, that holds and is not withdrawn", async () => {
    const { get, names, consents, later, withoutToken, larkspur, asked, positionsOf, violations } = await bank("1.2", {
      blink: { target_id: "IIDX00001" },
      customers: [larkspurOf("1.2", today), nobodyOf("none")],
    });
    withoutToken();
    const typed = async (headers: Record<string, string>, path: string = names.customers) => {
      const { status, text, headers: answered } = await get(path, headers);
      const { type } = JSON.parse(text) as { readonly type?: string };
      return `${status} ${type ?? ""} ${answered.get("x-corapi-source")}`;
    };
    const until = new Date(Date.parse(`${today}T12:00:00Z`) + 60_000);
    const id = consents.ask("larkspur", [larkspur.id], until);
    const permitted = { ...target, "Permission-ID": id };
    expect(await typed({ "Permission-ID": id })).toBe("400 /problems/INVALID_PAYLOAD PLATFORM");
    expect(await typed({ ...permitted, "X-CorAPI-Target-ID": "IIDX00002" })).toBe(
      "400 /problems/INVALID_PAYLOAD PLATFORM",
    );
    expect(await typed(target)).toBe("400 /problems/INVALID_PAYLOAD PLATFORM");
    expect(await typed({ ...target, "Permission-ID": "one" })).toBe("400 /problems/INVALID_PAYLOAD PLATFORM");
    expect(await typed({ ...target, "Permission-ID": randomUUID() })).toBe("401 /problems/INVALID_TOKEN PLATFORM");
    expect(await typed(permitted)).toBe("403 /problems/INSUFFICIENT_PRIVILEGES PLATFORM");
    consents.give(id);
    expect(await typed(permitted)).toBe("200  PROVIDER");
    const ofOther = positionsOf("none", asked(yesterday));
    expect(await typed(permitted, ofOther)).toBe("404 /problems/INSUFFICIENT_PRIVILEGES PROVIDER");
    later(60_000);
    expect(await typed(permitted)).toBe("401 /problems/EXPIRED_TOKEN PLATFORM");
    const renewed = consents.ask("larkspur", [larkspur.id]);
    consents.give(renewed);
    expect(await typed({ ...target, "Permission-ID": renewed })).toBe("200  PROVIDER");
    expect(await typed(permitted)).toBe("401 /problems/INVALID_TOKEN PLATFORM");
    consents.withdraw(renewed);
    expect(await typed({ ...target, "Permission-ID": renewed })).toBe("401 /problems/INVALID_TOKEN PLATFORM");
    consents.refusals.withdrawn = { status: 403, type: "INSUFFICIENT_PRIVILEGES", detail: "Revoked." };
    expect(await typed({ ...target, "Permission-ID": renewed })).toBe("403 /problems/INSUFFICIENT_PRIVILEGES PLATFORM");
    expect(violations.calls.map(({ rule }) => rule)).toEqual(Array(2).fill("a required header is missing"));
  });

  it("lets nobody in by another's permission, and none without one", async () => {
    const { get, names, consents } = await bank("1.2", {
      blink: { target_id: "IIDX00001" },
      customers: [companyOf("co", 3), companyOf("other", 3)],
    });
    const permission = (customer: string) => {
      const id = consents.ask(customer, [customer]);
      consents.give(id);
      return id;
    };
    for (const customer of ["co", "other"]) {
      const { text } = await get(names.customers, { ...target, "Permission-ID": permission(customer) });
      expect([...valuesOf([text], "customerIdentification")]).toEqual([customer]);
    }
    expect((await get(names.customers, target)).status).toBe(400);
    const withTokens = await bank("1.2", { blink: { target_id: "IIDX00001", tokens: true } });
    expect((await withTokens.get(names.customers, target)).status).toBe(200);
    withTokens.withoutToken();
    expect((await withTokens.get(names.customers, target)).status).toBe(401);
  });
});
