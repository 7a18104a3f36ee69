import { createPace, type FetchResult, hostsIn, type SnapshotData } from "@org/provider-kit";
import { createHttpClient } from "@org/provider-kit/http";
import { requestsFor } from "@org/provider-kit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAuthority } from "../../provider-kit/test/stand-in/certificates.js";
import definition from "../src/index.js";
import { larkspur, larkspurQueries, smallCustomer, truthOf } from "./stand-in/customers.js";
import { type FlexErrorCode, flexErrors, waitingCodes } from "./stand-in/flex-answers.js";
import { type FlexServiceOptions, startFlexService } from "./stand-in/flex-service.js";
import type { FlexTruth } from "./stand-in/truth.js";

const requests = requestsFor("usa:interactive-brokers");

/** The stand-in and the provider, on a clock that moves when they wait. */
async function judged(options: Partial<FlexServiceOptions> = {}) {
  let now = Date.parse("2026-11-20T12:00:00Z");
  const clock = () => new Date(now);
  const token = larkspur();
  const service = await startFlexService({ clock, tokens: [token], ...options });
  onTestFinished(() => service.close());
  const settings = definition.settings.parse({ base_url: service.base_url });
  const http = createHttpClient({ hosts: hostsIn(settings), clock });
  onTestFinished(() => http.close());
  const sleep = async (milliseconds: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    now += milliseconds;
  };
  const provider = await definition.create({
    settings,
    http,
    clock,
    sleep,
    random: (bytes) => new Uint8Array(bytes),
    log: { info: () => {}, warn: () => {} },
    pace: createPace({ clock, sleep }),
  });
  const login = (query_id: string = larkspurQueries.activity, value = token.value) =>
    provider.login(requests.login({ token: value, query_id }));
  return {
    service,
    provider,
    token,
    login,
    later: (milliseconds: number) => {
      now += milliseconds;
    },
    async access(query_id?: string): Promise<unknown> {
      const step = await login(query_id);
      if (step.kind !== "authenticated") throw new Error(`The login ended as ${JSON.stringify(step)}`);
      return step.access;
    },
    /** As the server does: pending data are requested again after the stated time. */
    async fetched(access: unknown, refresh = true): Promise<{ result: FetchResult; waits: number }> {
      let state: unknown = null;
      for (let waits = 0; ; waits += 1) {
        const result = await provider.fetch(requests.fetch(access, { refresh, pending_state: state }));
        const wait = result.pending ?? result.throttled;
        if (!wait || waits > 100) return { result, waits };
        state = result.pending?.state ?? state;
        now += wait.retry_after * 1_000;
      }
    },
  };
}

function dataOf(result: FetchResult): SnapshotData {
  if (!result.snapshot) throw new Error(`The fetch ended as ${JSON.stringify(result)}`);
  return result.snapshot;
}

/** The parts of a snapshot that the truth states, row by row, in a fixed order. */
function seen({ portfolios, holdings, transactions }: SnapshotData) {
  const accounts = new Map((portfolios ?? []).map(({ key, ref_account }) => [key, ref_account ?? key]));
  return {
    portfolios: (portfolios ?? []).map((one) => `${accounts.get(one.key)} ${one.balance} ${one.currency}`).sort(),
    holdings: (holdings ?? [])
      .map((one) =>
        [
          accounts.get(one.portfolio_key),
          one.isin,
          one.amount,
          one.balance,
          one.currency,
          one.valuation_date,
          one.type,
          one.subtype,
        ].join(" "),
      )
      .sort(),
    transactions: (transactions ?? [])
      .map((one) =>
        [
          accounts.get(one.portfolio_key),
          one.operation_date,
          isNothing(one.amount) ? "-" : one.amount,
          isNothing(one.balance) ? "-" : one.balance,
          one.currency,
        ].join(" "),
      )
      .sort(),
  };
}

function told({ portfolios, holdings, transactions }: FlexTruth): ReturnType<typeof seen> {
  return {
    portfolios: portfolios.map(({ account, balance, currency }) => `${account} ${balance} ${currency}`).sort(),
    holdings: holdings
      .map((one) =>
        [one.account, one.isin, one.amount, one.balance, one.currency, one.valuation_date, one.type, one.subtype].join(
          " ",
        ),
      )
      .sort(),
    transactions: transactions
      .map((one) =>
        [
          one.account,
          one.operation_date,
          isNothing(one.amount) ? "-" : one.amount,
          isNothing(one.balance) ? "-" : one.balance,
          one.currency,
        ].join(" "),
      )
      .sort(),
  };
}

/** Zero and null both mean that nothing moved. */
function isNothing(figure: string | null): boolean {
  return figure === null || figure === "0";
}

describe("Interactive Brokers, judged by the stand-in", () => {
  it.each(["activity", "other_formats"] as const)(
    "brings every figure of the query %s, digit by digit, on both days",
    async (name) => {
      const { access, fetched, token, service, later } = await judged();
      const query = larkspurQueries[name];
      const given = await access(query);
      for (const day of ["first", "second"] as const) {
        const { result } = await fetched(given, day === "second");
        expect(seen(dataOf(result))).toEqual(told(truthOf(token, query, day, false)));
        later(24 * 60 * 60_000);
        service.publishNextDay();
      }
      expect(service.violations).toEqual([]);
    },
  );

  it("keeps the ids of what it brought from day to day", async () => {
    const { access, fetched, service, later } = await judged();
    const given = await access();
    const first = dataOf((await fetched(given)).result);
    later(24 * 60 * 60_000);
    service.publishNextDay();
    const second = dataOf((await fetched(given)).result);
    const keys = ({ transactions }: SnapshotData) =>
      (transactions ?? []).map(({ portfolio_key, key }) => `${portfolio_key} ${key}`);
    const stillListed = keys(first).filter((key) => keys(second).includes(key));
    // All except the deposit that the second period no longer covers.
    expect(stillListed).toHaveLength(keys(first).length - 1);
    const held = ({ holdings }: SnapshotData) =>
      (holdings ?? []).map(({ portfolio_key, key }) => `${portfolio_key} ${key}`).sort();
    expect(held(second)).toEqual(held(first));
  });

  it("has the facts that the rows tell", async () => {
    const { access, fetched, token } = await judged();
    const { portfolios, holdings, transactions } = dataOf((await fetched(await access())).result);
    const accounts = new Map((portfolios ?? []).map(({ key, ref_account }) => [key, ref_account ?? key]));
    const truth = truthOf(token, larkspurQueries.activity, "first");
    for (const {
      account,
      isin,
      amount,
      balance,
      price,
      price_unit,
      cost,
      accrued_interest,
      identifiers = {},
    } of truth.holdings) {
      const found = holdings?.find(
        (one) =>
          accounts.get(one.portfolio_key) === account &&
          one.isin === isin &&
          one.amount === amount &&
          one.balance === balance,
      );
      const { cusip, figi } = found?.identifiers ?? {};
      expect
        .soft(
          [found?.price, price && (found?.price_unit ?? "currency"), found?.cost, found?.accrued_interest, cusip, figi],
          `${isin} ${amount}`,
        )
        .toEqual([price, price_unit, cost, accrued_interest, identifiers.cusip, identifiers.figi]);
    }
    for (const {
      id,
      account,
      operation_date,
      amount,
      balance,
      currency,
      kind,
      fees,
      taxes,
      settlement_date,
      unit_price,
    } of truth.transactions) {
      const found = transactions?.find(
        (one) =>
          accounts.get(one.portfolio_key) === account &&
          one.operation_date === operation_date &&
          one.currency === currency &&
          (one.amount === amount || (isNothing(one.amount) && isNothing(amount))) &&
          (one.balance === balance || (isNothing(one.balance) && isNothing(balance))),
      );
      expect.soft(found, id).toBeDefined();
      const told = {
        ...(kind ? { kind } : {}),
        ...(settlement_date ? { settlement_date } : {}),
        ...(unit_price ? { unit_price } : {}),
      };
      expect.soft(found, id).toMatchObject(told);
      if (kind)
        expect.soft([found?.fees ?? "0", found?.taxes ?? "0"], `${id} charged`).toEqual([fees ?? "0", taxes ?? "0"]);
    }
  });

  it("knows the same accounts behind another query as the same customer", async () => {
    const { login, later } = await judged();
    const one = await login();
    later(10_000);
    const other = await login(larkspurQueries.other_formats);
    expect([one.kind, other.kind]).toEqual(["authenticated", "authenticated"]);
    if (one.kind === "authenticated" && other.kind === "authenticated") expect(other.user_key).toBe(one.user_key);
  });

  it.each<[FlexErrorCode, unknown]>([
    [1012, { kind: "rejected" }],
    [1014, { kind: "rejected" }],
    [1015, { kind: "rejected" }],
    [1016, { kind: "rejected" }],
    [1011, { kind: "failed", error_code: "UserInteractionNeeded" }],
    [1013, { kind: "failed", error_code: "UserInteractionNeeded" }],
  ])("takes %i at the login for what it is", async (code, step) => {
    for (const endpoint of ["SendRequest", "GetStatement"] as const) {
      const { service, login } = await judged();
      service.answerWith(code, { endpoint });
      expect(await login()).toEqual(step);
    }
  });

  it.each<[FlexErrorCode, string]>([
    [1011, "rejected"],
    [1012, "rejected"],
    [1014, "rejected"],
    [1015, "rejected"],
    [1016, "rejected"],
    [1013, "blocked"],
  ])("takes %i at a refresh as %s", async (code, refused) => {
    for (const endpoint of ["SendRequest", "GetStatement"] as const) {
      const { service, access, fetched, later } = await judged();
      const given = await access();
      later(24 * 60 * 60_000);
      service.answerWith(code, { endpoint });
      expect((await fetched(given)).result.refused).toBe(refused);
    }
  });

  it.each(waitingCodes)("waits while the service says %i, and asks for the same statement", async (code) => {
    for (const endpoint of ["SendRequest", "GetStatement"] as const) {
      const { service, access, fetched, later } = await judged();
      const given = await access();
      later(24 * 60 * 60_000);
      const before = service.begun.get(larkspurQueries.activity) ?? 0;
      service.answerWith(code, { endpoint, times: 3 });
      const { result } = await fetched(given);
      expect(dataOf(result).portfolios).toHaveLength(3);
      expect(service.begun.get(larkspurQueries.activity)).toBe(before + 1);
      expect(service.violations).toEqual([]);
    }
  });

  it("waits ten minutes for one statement, without a request too many", async () => {
    const { service, access, fetched, later } = await judged();
    const given = await access();
    later(24 * 60 * 60_000);
    service.takeToGenerate(600_000);
    const { result, waits } = await fetched(given);
    expect(dataOf(result).portfolios).toHaveLength(3);
    expect(waits).toBeGreaterThan(0);
    expect(service.begun.get(larkspurQueries.activity)).toBe(2);
    expect(service.violations).toEqual([]);
    expect(service.busiestMinute()).toBeLessThanOrEqual(10);
  });

  it("is throttled when the service says so, and holds it against nobody", async () => {
    const { service, access, provider, later } = await judged();
    const given = await access();
    later(24 * 60 * 60_000);
    service.answerWith(1018, { times: 1 });
    const { throttled } = await provider.fetch(requests.fetch(given, { refresh: true }));
    expect(throttled?.retry_after).toBeGreaterThanOrEqual(1);
  });

  it("gives up 1003 after an hour", async () => {
    const { service, access, provider, later } = await judged();
    const given = await access();
    later(24 * 60 * 60_000);
    service.answerWith(1003);
    let state: unknown = null;
    let passed = 0;
    for (;;) {
      const result = await provider
        .fetch(requests.fetch(given, { refresh: true, pending_state: state }))
        .catch((error: unknown) => error);
      const wait = (result as FetchResult).pending;
      if (!wait) {
        expect((result as FetchResult).refused).toBeUndefined();
        expect((result as FetchResult).snapshot).toBeUndefined();
        break;
      }
      state = wait.state;
      passed += wait.retry_after;
      later(wait.retry_after * 1_000);
    }
    expect(passed).toBeGreaterThanOrEqual(3_000);
    expect(passed).toBeLessThanOrEqual(2 * 3_600);
    expect(service.violations).toEqual([]);
  });

  it("asks for a new statement once when its reference is not known any more", async () => {
    const { service, access, provider, fetched, later } = await judged();
    const given = await access();
    later(24 * 60 * 60_000);
    service.takeToGenerate(60_000);
    const first = await provider.fetch(requests.fetch(given, { refresh: true }));
    expect(first.pending).toBeDefined();
    service.forgetReferences();
    later((first.pending?.retry_after ?? 0) * 1_000);
    service.takeToGenerate(0);
    const second = await provider.fetch(
      requests.fetch(given, { refresh: true, pending_state: first.pending?.state ?? null }),
    );
    const { result } = second.snapshot ? { result: second } : await fetched(given);
    expect(dataOf(result).portfolios).toHaveLength(3);
    service.answerWith(1017, { endpoint: "GetStatement" });
    later(24 * 60 * 60_000);
    const begun = service.begun.get(larkspurQueries.activity) ?? 0;
    const last = await fetched(given).then(
      ({ result: ended }) => ended.failed,
      (error: unknown) => error,
    );
    expect(last).toBeDefined();
    expect((service.begun.get(larkspurQueries.activity) ?? 0) - begun).toBeLessThanOrEqual(2);
  });

  it.each(["SendRequest", "GetStatement"] as const)(
    "is not misled by what goes wrong on the way of %s",
    async (endpoint) => {
      const { service, access, fetched, later, token } = await judged();
      const given = await access();
      for (const fault of [
        { kind: "cut" },
        { kind: "cut_in_the_middle" },
        { kind: "half" },
        { kind: "html" },
        { kind: "html", status: 503 },
        { kind: "huge", bytes: 64 * 1024 * 1024 + 1 },
        { kind: "instead", reply: { status: 302, headers: { location: "https://elsewhere.example/" } } },
        { kind: "instead", reply: { body: "" } },
      ] as const) {
        later(24 * 60 * 60_000);
        service.institution.heal();
        service.fail(endpoint, fault);
        const outcome = await fetched(given).then(
          ({ result }) => result,
          (error: unknown) => error,
        );
        // It either fails, or succeeds when repeated; it is never half done, and never counts against the customer.
        if ((outcome as FetchResult).snapshot) expect(dataOf(outcome as FetchResult).portfolios).toHaveLength(3);
        else expect((outcome as FetchResult).refused, fault.kind).toBeUndefined();
        expect(String((outcome as Error).stack ?? JSON.stringify(outcome))).not.toContain(token.value);
      }
      expect(service.violations).toEqual([]);
    },
  );

  it.each(["csv", "confirmations", "empty"] as const)(
    "does not let in with a query that brings no accounts (%s)",
    async (name) => {
      const { login } = await judged();
      const step = await login(larkspurQueries[name]).catch((error: unknown) => ({
        kind: "thrown",
        error: String(error),
      }));
      expect(step.kind).not.toBe("authenticated");
    },
  );

  it("asks about a query without positions before it takes it", async () => {
    const { login } = await judged();
    expect((await login(larkspurQueries.movements)).kind).toBe("ask");
  });

  it("keeps every token of many within its limits", async () => {
    const { service, provider, later } = await judged({ tokens: [smallCustomer(1), smallCustomer(2)] });
    for (const number of [1, 2]) {
      const token = smallCustomer(number);
      const [query_id = ""] = token.queries.keys();
      for (let times = 0; times < 4; times += 1) {
        const step = await provider.login(requests.login({ token: token.value, query_id })).catch(() => null);
        if (step?.kind !== "authenticated") later(60_000);
      }
    }
    expect(service.violations).toEqual([]);
    expect(service.busiestMinute()).toBeLessThanOrEqual(10);
  });

  it("says nothing of the token in what it throws, whatever the service answers", async () => {
    for (const code of Object.keys(flexErrors).map(Number) as FlexErrorCode[]) {
      const { service, login, token } = await judged();
      service.answerWith(code);
      const outcome = await login().catch((error: unknown) => error);
      const { access: _, ...told } = outcome as Record<string, unknown>;
      expect(`${String((outcome as Error).stack)} ${JSON.stringify(told)}`).not.toContain(token.value);
    }
  });

  it("trusts no certificate that it does not know, and stops waiting when it is told to", async () => {
    const { login, service, provider, token } = await judged({
      tls: createAuthority().issue({ names: ["127.0.0.1"] }),
    });
    const untrusted = await login().catch((error: unknown) => error);
    expect(untrusted).toBeInstanceOf(Error);
    expect(String((untrusted as Error).stack)).not.toContain(token.value);
    expect(service.calls.SendRequest).toBe(0);

    const silent = await judged();
    silent.service.fail("SendRequest", { kind: "hang" });
    const stop = new AbortController();
    const waiting = silent.provider.login(
      requests.login({ token: silent.token.value, query_id: larkspurQueries.activity }, { signal: stop.signal }),
    );
    await expect.poll(() => silent.service.institution.requests.length).toBe(1);
    stop.abort(new Error("told to"));
    await expect(waiting).rejects.toThrow();
    expect(provider).toBeDefined();
  });

  it("is the same customer after a first statement that took its time", async () => {
    const { service, login, provider, token, fetched, later } = await judged();
    service.takeToGenerate(600_000);
    const first = await login();
    if (first.kind !== "authenticated") throw new Error(`The login ended as ${first.kind}`);
    const { result } = await fetched(first.access, false);
    const access = result.access ?? first.access;
    expect(dataOf(result).portfolios).toHaveLength(3);
    service.takeToGenerate(0);
    later(24 * 60 * 60_000);
    const fields = { token: token.value, query_id: larkspurQueries.activity };
    const repair = await provider.login(requests.login(fields, { existing_access: access }));
    const user_key = result.snapshot && result.user_key;
    expect(user_key).toEqual(expect.any(String));
    expect(repair).toMatchObject({ kind: "authenticated", user_key });
    later(60_000);
    const again = await login(larkspurQueries.other_formats);
    expect(again).toMatchObject({ kind: "authenticated", user_key });
  });
});
