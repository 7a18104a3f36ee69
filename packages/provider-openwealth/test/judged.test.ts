import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createPace, type FetchResult, hostsIn, type SnapshotData } from "@org/provider-kit";
import { createHttpClient } from "@org/provider-kit/http";
import { requestsFor } from "@org/provider-kit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAuthority } from "../../provider-kit/test/stand-in/certificates.js";
import definition from "../src/index.js";
import { companyWithAccounts, customerOfOddities, emptyCustomer } from "./stand-in/further-customers.js";
import { larkspurAtBank, larkspurNextDay } from "./stand-in/larkspur-at-bank.js";
import { type BankOptions, type OpenWealthBank, startOpenWealthBank } from "./stand-in/open-wealth-bank.js";
import type { HoldingTruth, OpenWealthTruth } from "./stand-in/truth.js";

const today = "2026-11-20";
const day = 24 * 60 * 60_000;
const requests = requestsFor("che:stand-in", "stand-in");
const redirect = requests.login({}).callback_url;

interface Judging extends Partial<BankOptions> {
  readonly auth?: "client_credentials" | "authorization_code";
  readonly settings_tls?: { readonly cert: string; readonly key: string; readonly ca?: string };
}

/** The stand-in and the provider, on a clock that moves when they wait. */
async function judged({ auth = "client_credentials", settings_tls, ...options }: Judging = {}) {
  let now = Date.parse(`${today}T12:00:00Z`);
  const clock = () => new Date(now);
  const bank = await startOpenWealthBank({
    clock,
    customers: [larkspurAtBank(today)],
    redirect_uris: [redirect],
    ...options,
  });
  onTestFinished(() => bank.close());
  const settings = definition.settings.parse({
    banks: [
      {
        id: "stand-in",
        name: "Bank of the stand-in",
        country: "che",
        base_url: bank.base_url,
        auth: {
          type: auth,
          token_url: bank.token_url,
          ...(auth === "authorization_code" ? { authorize_url: bank.authorize_url, revoke_url: bank.revoke_url } : {}),
          client_id: bank.client_id,
          client_secret: bank.client_secret,
        },
        ...(settings_tls ? { tls: settings_tls } : {}),
        ...(options.required_headers ? { headers: options.required_headers } : {}),
      },
    ],
  });
  const http = createHttpClient({ hosts: hostsIn(settings), clock });
  onTestFinished(() => http.close());
  const sleep = async (milliseconds: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    // Time limits of a whole call are longer than any wait for a bank and do not move the clock.
    if (milliseconds >= 40_000) await once(signal, "abort").then(() => signal.throwIfAborted());
    now += milliseconds;
  };
  const provider = await definition.create({
    settings,
    http,
    clock,
    sleep,
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
    log: { info: () => {}, warn: () => {} },
    pace: createPace({ clock, sleep }),
  });
  return {
    bank,
    provider,
    later: (milliseconds: number) => {
      now += milliseconds;
    },
    async access(customer_id = larkspurAtBank(today).id): Promise<unknown> {
      const step = await provider.login(requests.login({ customer_id }));
      if (step.kind !== "authenticated") throw new Error(`The login ended as ${JSON.stringify(step)}`);
      return step.access;
    },
    /** As the server does: a new access in an answer replaces the old one. */
    async fetched(
      access: unknown,
      since: Date | null = null,
    ): Promise<{ result: FetchResult; access: unknown; waits: number }> {
      let state: unknown = null;
      let held = access;
      for (let waits = 0; ; waits += 1) {
        const result = await provider.fetch(requests.fetch(held, { refresh: true, since, pending_state: state }));
        held = result.access ?? held;
        const wait = result.pending ?? result.throttled;
        if (!wait || waits > 50) return { result, access: held, waits };
        state = result.pending?.state ?? state;
        now += wait.retry_after * 1_000;
      }
    },
    /** Takes the customer through the bank's page and returns the result of the return. */
    async throughThePage(decision = "approve", user = "larkspur") {
      const step = await provider.login(requests.login({}));
      if (step.kind !== "redirect") throw new Error(`The login began as ${JSON.stringify(step)}`);
      const params = await decided(bank, step.url, decision, user);
      return { step, params, state: params.get("state"), resumed: () => resume(step.state, params) };
    },
  };

  async function resume(state: unknown, params: URLSearchParams) {
    const { state: _, ...rest } = Object.fromEntries(params);
    return provider.resume?.(requests.resume(state, rest as Record<string, string>));
  }
}

async function decided(bank: OpenWealthBank, url: string, decision: string, user: string): Promise<URLSearchParams> {
  const page = await (await fetch(url)).text();
  const [, request = ""] = /name="request" value="(\w+)"/.exec(page) ?? [];
  const body = new URLSearchParams({ request, user, decision });
  const answer = await fetch(`${bank.institution.url}/oauth/decide`, { method: "POST", body, redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "").searchParams;
}

function dataOf(result: FetchResult): SnapshotData {
  if (!result.snapshot) throw new Error(`The fetch ended as ${JSON.stringify(result)}`);
  return result.snapshot;
}

/** Holdings and portfolios in the form of the truth, in a fixed order. */
function seen({ portfolios, holdings }: SnapshotData, truth: OpenWealthTruth) {
  const isMoney = new Set(
    truth.portfolios.filter(({ balance }) => balance !== undefined).map(({ account }) => account),
  );
  return {
    portfolios: (portfolios ?? [])
      .map(({ key, currency, ref_account, balance }) =>
        [key, currency, ref_account, isMoney.has(key) ? balance : "-"].join(" "),
      )
      .sort(),
    holdings: (holdings ?? [])
      .map((one) => [one.portfolio_key, one.name, one.isin, one.amount, one.balance, one.currency].join(" "))
      .sort(),
  };
}

function told({ portfolios, holdings }: OpenWealthTruth): ReturnType<typeof seen> {
  return {
    portfolios: portfolios
      .map(({ account, currency, reference, balance = "-" }) => [account, currency, reference, balance].join(" "))
      .sort(),
    holdings: holdings
      .map((one) => [one.account, one.name, one.isin, one.amount, one.balance, one.currency].join(" "))
      .sort(),
  };
}

/** Exact sum of decimal strings, without trailing zeros. */
function sum(figures: readonly string[]): string {
  const places = Math.max(0, ...figures.map((figure) => (figure.split(".")[1] ?? "").length));
  const total = figures.reduce((all, figure) => {
    const [whole = "0", part = ""] = figure.split(".");
    return all + BigInt(`${whole}${part.padEnd(places, "0")}`);
  }, 0n);
  const digits = String(total < 0n ? -total : total).padStart(places + 1, "0");
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, "");
  return `${total < 0n ? "-" : ""}${text}`;
}

/** By transaction: its day, the postings by account and currency, and total units, however many rows show it. */
function posted({ transactions }: SnapshotData, truth: OpenWealthTruth): Record<string, unknown> {
  return Object.fromEntries(
    truth.transactions.map(({ id, cash }) => {
      const rows = (transactions ?? []).filter(
        ({ key }) => key === id || key?.startsWith(`${id}:`) || key?.startsWith(`${id}/`) || key?.startsWith(`${id}#`),
      );
      const currencies = [...new Set(Object.keys(cash).map((name) => name.split(" ")[1] ?? ""))];
      const balances = currencies.map((currency) => [
        currency,
        sum(rows.filter((row) => row.currency === currency).flatMap(({ balance }) => balance ?? [])),
      ]);
      return [
        id,
        {
          days: [...new Set(rows.map(({ operation_date }) => operation_date))],
          balances: Object.fromEntries(balances),
        },
      ];
    }),
  );
}

function booked({ transactions }: OpenWealthTruth): Record<string, unknown> {
  return Object.fromEntries(
    transactions.map(({ id, date, cash }) => {
      const byCurrency = Object.entries(cash).map(([name, figure]) => [name.split(" ")[1] ?? "", sum([figure])]);
      return [id, { days: [date], balances: Object.fromEntries(byCurrency) }];
    }),
  );
}

describe("OpenWealth, judged by the stand-in", () => {
  it("brings every figure of every kind of position, digit by digit, and what was posted in ninety days", async () => {
    const { access, fetched, bank } = await judged();
    const data = dataOf((await fetched(await access())).result);
    const truth = bank.truthOf(larkspurAtBank(today).id);
    expect(seen(data, truth)).toEqual(told(truth));
    expect(posted(data, truth)).toEqual(booked(truth));
    expect(bank.violations).toEqual([]);
  });

  it("has the facts that the positions and transactions tell", async () => {
    const { access, fetched, bank } = await judged();
    const data = dataOf((await fetched(await access())).result);
    const truth = bank.truthOf(larkspurAtBank(today).id);
    const find = (of: HoldingTruth) =>
      data.holdings?.find(({ name, balance }) => name === of.name && balance === of.balance);
    for (const one of truth.holdings) {
      const { price, price_unit = "currency", accrued_interest, identifiers = {}, type, subtype } = find(one) ?? {};
      const kinds = { ...(one.type ? { type } : {}), ...(one.subtype ? { subtype } : {}) };
      const { isin: _, figi: __, mic: ___, ...numbers } = identifiers;
      expect
        .soft({ price, unit: price ? price_unit : undefined, accrued_interest, numbers, ...kinds }, one.position)
        .toEqual({
          price: one.price,
          unit: one.price_unit,
          accrued_interest: one.accrued_interest,
          numbers: one.identifiers ?? {},
          ...(one.type ? { type: one.type } : {}),
          ...(one.subtype ? { subtype: one.subtype } : {}),
        });
    }
    for (const { id, kind, fees, taxes } of truth.transactions) {
      const rows = data.transactions?.filter(
        ({ key }) =>
          key?.startsWith(id) &&
          !truth.transactions.some((other) => other.id !== id && other.id.startsWith(id) && key.startsWith(other.id)),
      );
      if (kind) expect.soft([...new Set(rows?.map((row) => row.kind))], `${id} kind`).toEqual([kind]);
      expect.soft(sum(rows?.flatMap((row) => row.fees ?? []) ?? []), `${id} fees`).toBe(sum([fees ?? "0"]));
      expect.soft(sum(rows?.flatMap((row) => row.taxes ?? []) ?? []), `${id} taxes`).toBe(sum([taxes ?? "0"]));
    }
  });

  it("keeps digits that no double holds", async () => {
    const { access, fetched, bank } = await judged({ customers: [customerOfOddities("odd", today)] });
    const data = dataOf((await fetched(await access("odd"))).result);
    const truth = bank.truthOf("odd");
    expect(seen(data, truth)).toEqual(told(truth));
    expect(posted(data, truth)).toEqual(booked(truth));
  });

  it("reads a company with 360 accounts, whatever size its pages have", async () => {
    for (const habits of [{ page_size: 7, max_page_size: 7 }, { last_cursor: "absent" as const }]) {
      const { access, fetched, bank } = await judged({ customers: [companyWithAccounts("co", 360)], habits });
      const truth = bank.truthOf("co");
      expect(seen(dataOf((await fetched(await access("co"))).result), truth)).toEqual(told(truth));
      expect(bank.violations).toEqual([]);
    }
  });

  it("brings the next day with the same ids, from where it had been", async () => {
    const { access, fetched, bank, later } = await judged();
    const given = await access();
    const first = dataOf((await fetched(given)).result);
    later(day);
    const larkspur = bank.services.customers.get(larkspurAtBank(today).id);
    if (larkspur) larkspurNextDay(larkspur, "2026-11-21");
    const before = bank.services.pages.transactions;
    const second = dataOf((await fetched(given, first.as_of)).result);
    const truth = bank.truthOf(larkspurAtBank(today).id);
    expect(seen(second, truth)).toEqual(told(truth));
    expect(second.transactions?.some(({ key }) => key?.startsWith("trx-030-00"))).toBe(true);
    expect(bank.services.pages.transactions - before).toBeLessThan(12);
    const known = new Map(first.holdings?.map(({ name, key }) => [name, key]));
    for (const { name, key } of second.holdings ?? []) if (known.has(name)) expect(key, name).toBe(known.get(name));
  });

  it.each(["intraday", "empty", "not_ready"] as const)(
    "is not misled by how the bank answers for a day that is not over (%s)",
    async (unfinished) => {
      const { access, fetched, bank } = await judged({ habits: { unfinished } });
      const { holdings } = dataOf((await fetched(await access())).result);
      expect(holdings).toHaveLength(bank.truthOf(larkspurAtBank(today).id).holdings.length);
    },
  );

  it("goes back over days on which the bank closed no books", async () => {
    const { access, fetched, bank } = await judged({
      habits: { unfinished: "empty", without_run: new Set(["2026-11-19", "2026-11-18"]) },
    });
    const { holdings } = dataOf((await fetched(await access())).result);
    expect(holdings).toHaveLength(bank.truthOf(larkspurAtBank(today).id).holdings.length);
  });

  it("takes a page that comes twice once, and does not turn in a circle", async () => {
    const { access, fetched, bank } = await judged({ habits: { page_size: 10, max_page_size: 10 } });
    const given = await access();
    bank.between({ list: "positions", after_page: 1, trick: "repeat" });
    const { holdings } = dataOf((await fetched(given)).result);
    expect(holdings).toHaveLength(25);
    bank.between({ list: "positions", after_page: 2, trick: "loop" });
    const before = bank.services.pages.positions;
    const turned = await fetched(given).then(
      ({ result }) => result,
      (error: unknown) => error,
    );
    expect((turned as FetchResult).refused).toBeUndefined();
    expect((turned as FetchResult).snapshot?.holdings?.length ?? 25).toBe(25);
    expect(bank.services.pages.positions - before).toBeLessThan(10_000);
  });

  it("does not mix positions of two days when the books close between two pages", async () => {
    const { access, fetched, bank } = await judged({
      habits: { page_size: 10, max_page_size: 10, position_date: "2026-11-19" },
    });
    const larkspur = bank.services.customers.get(larkspurAtBank(today).id);
    bank.between({
      list: "positions",
      after_page: 1,
      trick: () => {
        if (larkspur) larkspurNextDay(larkspur, today);
        bank.services.habits.position_date = today;
      },
    });
    const data = dataOf((await fetched(await access())).result);
    const truth = bank.truthOf(larkspurAtBank(today).id);
    expect(seen(data, truth)).toEqual(told(truth));
  });

  it("gets another token when one ends in the middle, for both kinds of access", async () => {
    const own = await judged();
    const given = await own.access();
    own.bank.expireAccessAfter(3);
    expect(dataOf((await own.fetched(given)).result).holdings).toHaveLength(25);

    const { bank, fetched, throughThePage } = await judged({ auth: "authorization_code" });
    const step = await (await throughThePage()).resumed();
    if (step?.kind !== "authenticated") throw new Error(`The login ended as ${JSON.stringify(step)}`);
    bank.expireAccessAfter(3);
    const first = await fetched(step.access);
    expect(dataOf(first.result).holdings).toHaveLength(25);
    bank.authorization.expireAccess();
    expect(dataOf((await fetched(first.access)).result).holdings).toHaveLength(25);
    expect(bank.authorization.violations).toEqual([]);
  });

  it("does not lose a new refresh token to a failure that comes after it", async () => {
    const { bank, fetched, throughThePage } = await judged({ auth: "authorization_code" });
    const step = await (await throughThePage()).resumed();
    if (step?.kind !== "authenticated") throw new Error(`The login ended as ${JSON.stringify(step)}`);
    bank.authorization.expireAccess();
    bank.institution.fail(({ path }) => path.includes("/custody/"), { kind: "cut" }, 50);
    const broken = await fetched(step.access).catch(() => ({ access: step.access, result: null }));
    expect(broken.result?.snapshot).toBeUndefined();
    bank.institution.heal();
    expect(dataOf((await fetched(broken.access)).result).holdings).toHaveLength(25);
    expect(bank.authorization.violations).toEqual([]);
  });

  it("says how long the bank wants to be left alone, in seconds and by date, and counts it against nobody", async () => {
    const { access, provider, bank } = await judged();
    const given = await access();
    for (const wait of ["600", new Date(Date.parse(`${today}T12:10:00Z`)).toUTCString()]) {
      bank.institution.heal();
      bank.refuse(429, "SERVICE_UNAVAILABLE", 50, { "retry-after": wait });
      const { throttled } = await provider.fetch(requests.fetch(given, { refresh: true }));
      expect(throttled?.retry_after).toBeGreaterThan(500);
    }
  });

  it("takes a consent that was withdrawn at the bank for what it is, and comes back by the bank's page as the same customer", async () => {
    const { bank, fetched, provider, throughThePage } = await judged({ auth: "authorization_code" });
    const step = await (await throughThePage()).resumed();
    if (step?.kind !== "authenticated") throw new Error(`The login ended as ${JSON.stringify(step)}`);
    bank.authorization.withdraw("larkspur");
    const { result } = await fetched(step.access);
    expect(result.refused).toBe("rejected");
    const again = await provider.login(requests.login({}, { existing_access: step.access }));
    if (again.kind !== "redirect") throw new Error(`The repair began as ${JSON.stringify(again)}`);
    const { state: _, ...params } = Object.fromEntries(await decided(bank, again.url, "approve", "larkspur"));
    expect(await provider.resume?.(requests.resume(again.state, params as Record<string, string>))).toMatchObject({
      kind: "authenticated",
      user_key: step.user_key,
    });
  });

  it("hands the bank the server's state, and redeems no code that somebody else brought", async () => {
    const { bank, provider, throughThePage } = await judged({ auth: "authorization_code" });
    const one = await throughThePage();
    expect(one.state).toBe("a-state-that-nobody-guesses");
    const other = await throughThePage();
    const { state: _, ...params } = Object.fromEntries(other.params);
    const swapped = await provider
      .resume?.(requests.resume(one.step.state, params as Record<string, string>))
      .catch(() => null);
    expect(swapped?.kind).not.toBe("authenticated");
    expect(bank.authorization.violations.map(({ rule }) => rule)).toEqual(["a code came with a wrong verifier"]);
  });

  it("asks which customer where there are several, and lets nobody in who has none", async () => {
    const customers = [larkspurAtBank(today), companyWithAccounts("co", 4), emptyCustomer("none")];
    const users = [
      { name: "adviser", customers: customers.map(({ id }) => id) },
      { name: "nobody", customers: [] },
    ];
    const { provider, fetched, throughThePage } = await judged({ auth: "authorization_code", customers, users });
    const asked = await (await throughThePage("approve", "adviser")).resumed();
    if (asked?.kind !== "ask") throw new Error(`The login went on as ${JSON.stringify(asked)}`);
    const [field] = asked.fields;
    const values = field?.options?.map(({ value }) => value) ?? [];
    expect(values).toHaveLength(3);
    const forged = await provider
      .answer?.(requests.fields(asked.state, { [field?.name ?? ""]: "co2" }))
      .catch(() => null);
    expect(forged?.kind).not.toBe("authenticated");
    const company = values.find((value) => value.includes("co")) ?? values[1] ?? "";
    const step = await provider.answer?.(requests.fields(asked.state, { [field?.name ?? ""]: company }));
    if (step?.kind !== "authenticated") throw new Error(`The answer ended as ${JSON.stringify(step)}`);
    expect(dataOf((await fetched(step.access)).result).portfolios).toHaveLength(4);
    const nobody = await (await throughThePage("approve", "nobody")).resumed();
    expect(nobody?.kind).not.toBe("authenticated");
  });

  it("lets nobody in by a number that the bank does not know or does not give", async () => {
    const { provider } = await judged({
      customers: [larkspurAtBank(today), emptyCustomer("none")],
      client_customers: ["none"],
    });
    for (const customer_id of ["nobody", larkspurAtBank(today).id, "../customers", "none/accounts"]) {
      const step = await provider.login(requests.login({ customer_id })).catch(() => null);
      expect(step?.kind, customer_id).not.toBe("authenticated");
    }
    expect((await provider.login(requests.login({ customer_id: "none" }))).kind).toBe("authenticated");
  });

  it("sends the headers of the settings and shows its certificate, and trusts no other", async () => {
    const authority = createAuthority();
    const server = authority.issue({ names: ["127.0.0.1"] });
    const client = authority.issue({ names: ["wealth-connect.example"] });
    const tls = { ...server, ca: authority.cert };
    const { access, fetched, bank } = await judged({
      tls,
      settings_tls: { ...client, ca: authority.cert },
      required_headers: { "X-CorAPI-Target-ID": "bank-7", "X-PSU-IP-Address": "AUTO" },
    });
    expect(dataOf((await fetched(await access())).result).holdings).toHaveLength(25);
    expect(new Set(bank.institution.requests.map(({ client_name }) => client_name))).toEqual(
      new Set(["wealth-connect.example"]),
    );

    const wrong = createAuthority("Somebody").issue({ names: ["127.0.0.1"] });
    const expired = authority.issue({
      names: ["127.0.0.1"],
      not_before: new Date(0),
      not_after: new Date(1_000_000_000_000),
    });
    for (const shown of [wrong, expired, authority.issue({ names: ["bank.example"] })]) {
      const distrusted = await judged({ tls: shown, settings_tls: { ...client, ca: authority.cert } });
      await expect(distrusted.access()).rejects.toThrow();
      expect(distrusted.bank.institution.requests).toEqual([]);
    }
  });

  it.each(["accounts", "positions", "transactions", "token"] as const)(
    "is not misled by what goes wrong on the way of %s",
    async (list) => {
      const { access, fetched, bank, later } = await judged();
      const given = await access();
      for (const fault of [
        { kind: "cut" },
        { kind: "cut_in_the_middle" },
        { kind: "half" },
        { kind: "html" },
        { kind: "html", status: 503 },
        ...(list === "positions" ? [{ kind: "huge", bytes: 64 * 1024 * 1024 + 1 } as const] : []),
        { kind: "instead", reply: { body: "null" } },
        { kind: "instead", reply: { body: '[{"id":7}]' } },
        { kind: "instead", reply: { status: 302, headers: { location: "https://elsewhere.example/" } } },
      ] as const) {
        later(day / 24);
        bank.institution.heal();
        bank.fail(list, fault, 3);
        const outcome = await fetched(given).then(
          ({ result }) => result,
          (error: unknown) => error,
        );
        const { snapshot, refused } = outcome as FetchResult;
        const what = `${fault.kind} ${String((outcome as Error).message ?? "")}`;
        // It fails, or everything is there; it is never half done, and never counts against the customer.
        if (snapshot) expect([snapshot.holdings?.length, snapshot.portfolios?.length], what).toEqual([25, 5]);
        expect(refused, what).toBeUndefined();
        const text = `${(outcome as Error).stack} ${JSON.stringify(snapshot ? null : outcome)}`;
        expect(text).not.toContain(bank.client_secret);
        expect(text).not.toContain(larkspurAtBank(today).id);
      }
    },
  );

  it("gives its access back, twice if asked to", async () => {
    const { bank, provider, throughThePage } = await judged({ auth: "authorization_code" });
    const step = await (await throughThePage()).resumed();
    if (step?.kind !== "authenticated") throw new Error(`The login ended as ${JSON.stringify(step)}`);
    await provider.revoke?.(requests.revoke(step.access));
    expect(bank.authorization.isOpen("larkspur")).toBe(false);
    await provider.revoke?.(requests.revoke(step.access));
  });
});
