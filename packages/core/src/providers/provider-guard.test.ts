import { AnswerFailure, type BankProvider, type FetchResult, HttpFailure, type LoginStep } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createProviderGuard, defaultGuardSettings, type GuardSettings } from "./provider-guard.js";

const ok: LoginStep = { kind: "authenticated", user_key: "ada", access: {} };
const empty: FetchResult = {
  snapshot: { as_of: new Date(0), portfolios: [], holdings: [], transactions: [] },
  consent_expires_at: null,
};
const httpFailure = (code: HttpFailure["code"], status: number | null = null) =>
  new HttpFailure(code, `POST bank.example: ${code}`, { method: "POST", host: "bank.example", status });
const nodeError = (code: string) => Object.assign(new Error("out of order"), { code });
const never = new AbortController().signal;
const requests = requestsFor("esp:bank");
const login = requests.login({ username: "ada", password: "secret" });
const access = requests.fetch({}, { refresh: true });
const connector = { connector_id: "esp:bank", provider_ref: null };

/** A guard around a bank that the test scripts. Its sleeps end when the test advances time. */
function bench(bank: Partial<BankProvider>, settings: Partial<GuardSettings> = {}) {
  let now = 0;
  const sleeping = new Set<{ at: number; wake: () => void }>();
  const slept: number[] = [];
  const calls: string[] = [];
  const changes: string[] = [];
  const guard = createProviderGuard({
    clock: () => new Date(now),
    random: () => 0.5,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        slept.push(milliseconds);
        const entry = { at: now + milliseconds, wake: resolve };
        sleeping.add(entry);
        signal?.addEventListener("abort", () => {
          sleeping.delete(entry);
          reject(signal.reason);
        });
      }),
    settings: { ...defaultGuardSettings, ...settings },
    onCall: ({ call, outcome }) => calls.push(`${call} ${outcome}`),
    onBreaker: ({ connector_id, state }) => changes.push(`${connector_id} ${state}`),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    guarded: guard.guard({
      name: "bank",
      login: async () => ok,
      answer: async () => ok,
      fetch: async () => empty,
      ...bank,
    }),
    guard,
    calls,
    changes,
    slept,
    settled,
    async pass(milliseconds: number) {
      await settled();
      now += milliseconds;
      for (const entry of sleeping)
        if (entry.at <= now) {
          sleeping.delete(entry);
          entry.wake();
        }
      await settled();
    },
  };
}

describe("time limits", () => {
  it.each(["login", "answer", "fetch"] as const)("end a %s whose provider obeys its signal", async (call) => {
    const hang = ({ signal }: { signal: AbortSignal }) =>
      new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { guarded, pass, calls } = bench({ [call]: hang });
    const asked =
      call === "login"
        ? guarded.login({ ...login, signal: never })
        : call === "answer"
          ? guarded.answer?.(requests.answer({}, "1"))
          : guarded.fetch({ ...access, signal: never });
    const refused = expect(asked).rejects.toMatchObject({ name: "GuardError", code: "timed_out" });
    await pass(60_000);
    await refused;
    expect(calls).toEqual([`${call} timed_out`]);
  });

  it("end a call whose provider ignores its signal, a moment later", async () => {
    const { guarded, pass, settled } = bench({ login: () => new Promise(() => undefined) });
    let ended = false;
    const refused = expect(guarded.login({ ...login, signal: never }).finally(() => (ended = true))).rejects.toThrow(
      "60 s",
    );
    await pass(60_000);
    await settled();
    expect(ended).toBe(false);
    await pass(1_000);
    await refused;
  });

  it("are not what ends a call that is given up by its caller, even if the provider ignores that", async () => {
    const caller = new AbortController();
    const { guarded, settled, pass, calls, guard } = bench({ fetch: () => new Promise(() => undefined) });
    const refused = expect(guarded.fetch({ ...access, signal: caller.signal })).rejects.toThrow("stopping");
    await settled();
    caller.abort(new Error("stopping"));
    await pass(1_000);
    await refused;
    expect(calls).toEqual(["fetch given_up"]);
    expect(guard.openBreakers()).toEqual([]);
  });

  it("take no notice of what comes afterwards: neither a late answer nor a second one", async () => {
    let answer: (step: LoginStep) => void = () => undefined;
    const { guarded, pass, calls } = bench({ login: () => new Promise((resolve) => (answer = resolve)) });
    const late = expect(guarded.login({ ...login, signal: never })).rejects.toThrow("60 s");
    await pass(60_000);
    await pass(1_000);
    await late;
    answer(ok);
    const twice = guarded.login({ ...login, signal: never });
    await pass(0);
    answer(ok);
    answer({ kind: "rejected" });
    expect(await twice).toEqual(ok);
    expect(calls).toEqual(["login timed_out", "login ok"]);
  });
});

describe("repetition", () => {
  it("tries a fetch that throws three times in all, with growing pauses that chance shortens", async () => {
    let asked = 0;
    const { guarded, pass, slept } = bench({
      fetch: async () => {
        asked += 1;
        if (asked < 3) throw new Error("connection reset");
        return empty;
      },
    });
    const fetched = guarded.fetch({ ...access, signal: never });
    await pass(500);
    await pass(1_000);
    expect(await fetched).toEqual(empty);
    expect(slept.filter((milliseconds) => milliseconds < 60_000)).toEqual([500, 1_000]);
  });

  it("[C-5.154] tries a fetch again with the access that it has saved", async () => {
    const given: unknown[] = [];
    const saved: unknown[] = [];
    const { guarded, pass } = bench({
      async fetch(request) {
        given.push(request.access);
        if (given.length > 1) return empty;
        await request.saveAccess("renewed");
        throw new Error("connection reset");
      },
    });
    const saveAccess = async (renewed: unknown) => void saved.push(renewed);
    const fetched = guarded.fetch({ ...access, access: "former", saveAccess });
    await pass(500);
    expect(await fetched).toEqual(empty);
    expect([given, saved]).toEqual([["former", "renewed"], ["renewed"]]);
  });

  it("gives up with the third failure, and answers it", async () => {
    let asked = 0;
    const { guarded, pass } = bench({
      fetch: async () => {
        asked += 1;
        throw new Error(`failure ${asked}`);
      },
    });
    const failed = expect(guarded.fetch({ ...access, signal: never })).rejects.toThrow("failure 3");
    await pass(500);
    await pass(1_000);
    await failed;
  });

  it.each(["login", "answer"] as const)("never asks a %s again", async (call) => {
    let asked = 0;
    const { guarded } = bench({
      [call]: async () => {
        asked += 1;
        throw new Error("connection reset");
      },
    });
    await expect(guarded[call]?.({ ...login, ...requests.answer({}, "1") })).rejects.toThrow("connection reset");
    expect(asked).toBe(1);
  });

  it("does not ask again for what the bank refuses", async () => {
    const { guarded, calls } = bench({ fetch: async () => ({ refused: "blocked" }) });
    expect(await guarded.fetch({ ...access, signal: never })).toEqual({ refused: "blocked" });
    expect(calls).toEqual(["fetch ok"]);
  });
});

describe("circuit breakers", () => {
  const broken = async () => {
    throw nodeError("ECONNRESET");
  };

  it("leave a connector alone that fails five times in a row, and the others not", async () => {
    let works = false;
    const { guarded, guard, calls, changes, pass } = bench({ login: async () => (works ? ok : broken()) });
    const ask = (connector_id: string) => guarded.login({ ...login, connector_id, signal: never });
    for (let time = 0; time < 5; time += 1) await expect(ask("esp:bank")).rejects.toThrow("out of order");
    works = true;
    await expect(ask("esp:bank")).rejects.toMatchObject({ code: "circuit_open", retryAt: new Date(60_000) });
    expect(await ask("fra:bank")).toEqual(ok);
    expect(guard.openBreakers()).toMatchObject([{ connector_id: "esp:bank", state: "open" }]);
    await pass(60_000);
    expect(guard.openBreakers()).toMatchObject([{ connector_id: "esp:bank", state: "half_open" }]);
    expect(await ask("esp:bank")).toEqual(ok);
    expect(guard.openBreakers()).toEqual([]);
    expect(changes).toEqual(["esp:bank open", "esp:bank closed"]);
    expect(calls.filter((call) => call.includes("circuit"))).toEqual(["login circuit_open"]);
  });

  it.each<LoginStep>([
    { kind: "failed", error_code: "InternalError" },
    { kind: "rejected" },
    { kind: "throttled", retry_after: 60 },
    { kind: "nonsense" } as never,
  ])("[C-10.23] do not count what the bank answers, however bad the news: %j", async (step) => {
    const { guarded, guard } = bench({ login: async () => step });
    for (let time = 0; time < 9; time += 1) await guarded.login({ ...login, signal: never }).catch(() => null);
    expect(guard.openBreakers()).toEqual([]);
  });

  it.each<[boolean, string, Error]>([
    [true, "no network", httpFailure("network")],
    [true, "no answer in time", httpFailure("timed_out")],
    [true, "a wrong certificate", httpFailure("tls")],
    [true, "status 503", httpFailure("status", 503)],
    [true, "an answer that came with status 502", new AnswerFailure("a web page", { status: 502 })],
    [true, "an answer that broke off", new AnswerFailure("half of it", { cause: httpFailure("network") })],
    [true, "an error that a wrong network caused", new Error("no data", { cause: httpFailure("network") })],
    [true, "no connection of another HTTP client", new TypeError("fetch failed", { cause: nodeError("ECONNREFUSED") })],
    [false, "status 404", httpFailure("status", 404)],
    [false, "too large an answer", httpFailure("too_large")],
    [false, "an answer that is no JSON", httpFailure("not_json")],
    [false, "a host that may not be called", httpFailure("refused_host")],
    [false, "a header that cannot be sent", httpFailure("unsendable")],
    [false, "an answer that cannot be used", new AnswerFailure("no account in it")],
    [false, "an answer that no schema takes", new z.ZodError([])],
    [false, "an answer that is read wrongly", new TypeError("cannot read properties of undefined")],
    [false, "an error of any other kind", new Error("out of order")],
  ])(
    "[C-5.138] [C-10.23] %s: the circuit opens after %s, five times, at whichever call of a login",
    async (opens, _, error) => {
      for (const call of ["login", "resume", "answer"] as const) {
        const { guarded, guard } = bench({ [call]: () => Promise.reject(error) });
        const ask = () =>
          call === "login"
            ? guarded.login(login)
            : call === "resume"
              ? guarded.resume?.(requests.resume({}, {}))
              : guarded.answer?.(requests.answer({}, "1"));
        for (let time = 0; time < 5; time += 1) await expect(ask()).rejects.toBe(error);
        expect(guard.openBreakers().length > 0).toBe(opens);
      }
    },
  );

  it.each<[string, Partial<BankProvider>]>([
    ["a wrong key", { login: async () => ({ kind: "rejected" }) }],
    ["a login that cannot go on", { login: async () => ({ kind: "failed", error_code: "UserInteractionNeeded" }) }],
    ["a redirect", { login: async () => ({ kind: "redirect", url: "https://bank.example", state: {} }) }],
    ["a question", { login: async () => ({ kind: "ask", fields: [{ name: "account" }], state: {} }) }],
    ["a wait", { login: async () => ({ kind: "throttled", retry_after: 60 }) }],
    ["an access that is none", { fetch: async () => ({ refused: "rejected" }) }],
    ["a failure of its own", { fetch: async () => ({ failed: { message: "no environment for this row" } }) }],
    ["an error of its own", { login: () => Promise.reject(new AnswerFailure("no environment for this row")) }],
    ["an answer that is none", { login: async () => ({ kind: "nonsense" }) as never }],
  ])(
    "[C-5.213] %s, which needs no request to the bank, does not show that it is back: the next call tries it",
    async (_, own) => {
      let bank: Partial<BankProvider> = { login: broken, fetch: broken };
      const { guarded, guard, changes, pass } = bench({
        login: async (request) => (bank.login ?? (async () => ok))(request),
        fetch: async (request) => (bank.fetch ?? (async () => empty))(request),
      });
      const ask = () => ("fetch" in own ? guarded.fetch(access) : guarded.login(login));
      for (let time = 0; time < 5; time += 1) await expect(guarded.login(login)).rejects.toThrow("out of order");
      await pass(60_000);
      bank = own;
      for (let time = 0; time < 3; time += 1) {
        await ask().catch((error) => expect(error).not.toMatchObject({ code: "circuit_open" }));
        expect(guard.openBreakers()).toMatchObject([{ state: "half_open" }]);
      }
      bank = { login: broken };
      await expect(guarded.login(login)).rejects.toThrow("out of order");
      expect(guard.openBreakers()).toMatchObject([{ state: "open" }]);
      await pass(120_000);
      bank = {};
      await ask();
      expect(changes).toEqual(["esp:bank open", "esp:bank open", "esp:bank closed"]);
    },
  );

  it("[C-10.23] a call from before that fails while one tries whether the bank is back is not what that one came to", async () => {
    let fail: (error: Error) => void = () => undefined;
    let mode: "hangs" | "fails" = "hangs";
    const late = () => new Promise<never>((_, reject) => (fail = reject));
    const bank = { login: () => (mode === "hangs" ? late() : broken()) };
    const limits = { ...defaultGuardSettings.limits, login: 300_000 };
    const { guarded, guard, pass } = bench(bank, { limits });
    const straggler = expect(guarded.login(login)).rejects.toThrow("at last");
    await pass(0);
    const failStraggler = fail;
    mode = "fails";
    for (let time = 0; time < 5; time += 1) await expect(guarded.login(login)).rejects.toThrow("out of order");
    await pass(60_000);
    mode = "hangs";
    const probe = guarded.login(login).catch(() => "failed");
    await pass(0);
    failStraggler(Object.assign(new Error("at last"), { code: "ECONNRESET" }));
    await straggler;
    expect(guard.openBreakers()).toMatchObject([{ connector_id: "esp:bank", state: "half_open" }]);
    await expect(guarded.login(login)).rejects.toMatchObject({ code: "circuit_open" });
    fail(nodeError("ECONNRESET"));
    expect(await probe).toBe("failed");
    expect(guard.openBreakers()).toMatchObject([{ connector_id: "esp:bank", state: "open" }]);
  });
});

it("only so many calls run at once for a connector and in all", async () => {
  let running = 0;
  let most = 0;
  const { guarded, pass } = bench(
    {
      async login() {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return ok;
      },
    },
    { places: { overall: 3, each: 2, waiting: 100, waitingEach: 100 } },
  );
  const ask = (connector_id: string, tenant: number) =>
    guarded.login({ ...login, connector_id, for_tenant: `tenant ${tenant}`, signal: new AbortController().signal });
  await Promise.all(Array.from({ length: 12 }, (_, tenant) => ask("esp:bank", tenant)));
  expect(most).toBe(2);
  await Promise.all(["a", "b", "c", "d", "e", "f"].map(ask));
  expect(most).toBe(3);
  await pass(0);
});

it("one tenant's calls leave room for another's, and a provider is not told whose they are", async () => {
  const asked: object[] = [];
  const { guarded, guard, settled } = bench({
    login(request) {
      asked.push(request);
      return new Promise(() => undefined);
    },
  });
  const ask = (for_tenant: string) =>
    void guarded.login({ ...login, for_tenant, signal: new AbortController().signal }).catch(() => undefined);
  for (let call = 0; call < 190; call += 1) ask("slow");
  await settled();
  expect(guard.calls).toMatchObject({ running: 10, waiting: 180 });
  ask("honest");
  await settled();
  expect(asked).toHaveLength(11);
  for (const request of asked) expect(request).not.toHaveProperty("for_tenant");
});

it("refuses more calls than may wait", async () => {
  const { guarded, calls } = bench(
    { login: () => new Promise(() => undefined) },
    { places: { overall: 1, each: 1, waiting: 0, waitingEach: 0 } },
  );
  guarded.login({ ...login, signal: never }).catch(() => undefined);
  await expect(guarded.login({ ...login, signal: never })).rejects.toMatchObject({ code: "busy" });
  expect(calls).toEqual(["login busy"]);
});

describe("answers that do not keep to the interface", () => {
  const holding = {
    key: "h",
    portfolio_key: "p",
    name: "Share",
    isin: null,
    amount: "1",
    balance: "secret 1",
    currency: "EUR",
    valuation_date: null,
    type: "VI",
    subtype: null,
  };
  const sound = { ...holding, balance: "1" };
  const portfolio = { key: "p", name: "Depot", balance: null, currency: "EUR", ref_account: null, type: "S" };
  const moved = {
    ...{ key: null, portfolio_key: "p", holding_key: null, operation_date: "2026-02-27", description: "Fee" },
    ...{ amount: null, balance: "-1", currency: "EUR", unit_price: null },
  };
  const withRows = (rows: object) => ({
    snapshot: { as_of: new Date(0), portfolios: [], holdings: [], transactions: [], ...rows },
    consent_expires_at: null,
  });
  const withHoldings = (...holdings: object[]) => withRows({ portfolios: null, holdings });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "answer: "],
    ["an amount that is no decimal", withHoldings(holding), "snapshot.holdings.0.balance: must be a decimal number"],
    ["a number", withHoldings({ ...holding, balance: 0.1 }), "snapshot.holdings.0.balance: must be a string, or null"],
    ["nothing where null may be", withHoldings({ ...holding, balance: undefined }), "balance: is required, or null"],
    [
      "a day that does not exist",
      withHoldings({ ...holding, balance: "1", valuation_date: "2026-02-30" }),
      "valuation_date",
    ],
    ["a type that nobody knows", withHoldings({ ...holding, balance: "1", type: "X" }), "holdings.0.type"],
    [
      "a currency in small letters",
      withHoldings({ ...sound, currency: "usd" }),
      "holdings.0.currency: must be a currency",
    ],
    [
      "a part of a currency",
      withHoldings(sound, { ...sound, currency: "GBX" }),
      "holdings.1.currency: must be a currency",
    ],
    ["a price in pence", withHoldings({ ...sound, price: "1", price_currency: "GBp" }), "holdings.0.price_currency"],
    ["a subtype of another type", withHoldings({ ...sound, subtype: "FT" }), "holdings.0.subtype: is of another type"],
    ["a holding of no portfolio", withRows({ holdings: [sound] }), "snapshot.holdings.0.portfolio_key: is that of no"],
    [
      "a transaction of no portfolio",
      withRows({ portfolios: [portfolio], holdings: [sound], transactions: [moved, { ...moved, portfolio_key: "q" }] }),
      "snapshot.transactions.1.portfolio_key: is that of no portfolio in the answer",
    ],
    ["data of 2099", withRows({ as_of: new Date("2099-01-01") }), "snapshot.as_of: is more than two days ahead"],
    [
      "a portfolio of 2099",
      withRows({ portfolios: [{ ...portfolio, as_of: new Date("2099-01-01") }] }),
      "snapshot.portfolios.0.as_of: is more than two days ahead",
    ],
    ["an invalid time", { snapshot: { as_of: new Date("x") }, consent_expires_at: null }, "snapshot.as_of"],
    ["a refusal that nobody knows", { refused: "tired" }, "cannot be used"],
  ])(
    "[C-5.139] %s is refused, with its place and without its content, and is not asked for again",
    async (_, answer, message) => {
      let asked = 0;
      const { guarded, calls } = bench({
        fetch: async () => {
          asked += 1;
          return answer as FetchResult;
        },
      });
      const error = await guarded.fetch({ ...access, signal: never }).catch((refused: Error) => refused);
      expect(error).toMatchObject({ name: "ProviderAnswerError", message: expect.stringContaining(message) });
      expect(String(error)).not.toContain("secret 1");
      expect([asked, calls]).toEqual([1, ["fetch failed"]]);
    },
  );

  it("[C-5.139] data of two days ahead, and rows where portfolios could not be read, are taken", async () => {
    const ahead = { ...withHoldings({ ...sound, type: "DV", subtype: "FT" }) };
    const answer = { ...ahead, snapshot: { ...ahead.snapshot, as_of: new Date(2 * 86_400_000) } };
    const { guarded } = bench({ fetch: async () => answer as unknown as FetchResult });
    expect(await guarded.fetch({ ...access, signal: never })).toBe(answer);
  });

  it("[C-4.43] words of a challenge and names of fields come without characters that are not shown", async () => {
    const challenge = { kind: "sms", message: "Enter\u202e the\u0000\u200b code\ud800", qr: "a\u200bb" } as const;
    const step = { kind: "challenge", challenge, state: { more: "\u200b" } } as const;
    const { guarded } = bench({
      login: async () => step,
      credentialFields: () => [{ name: "username", label: { en: "Client\u2066 no." }, hint: { de: "Vertrag\u200b" } }],
    });
    expect(await guarded.login({ ...login, signal: never })).toEqual({
      ...step,
      challenge: { ...challenge, message: "Enter the code" },
    });
    expect(guarded.credentialFields?.(connector)).toEqual([
      { name: "username", label: { en: "Client no." }, hint: { de: "Vertrag" } },
    ]);
  });

  it.each([
    undefined,
    {},
    { kind: "challenge" },
    { kind: "authenticated", user_key: "" },
    { kind: "failed", error_code: "x" },
  ])("the step %j is refused", async (step) => {
    const { guarded } = bench({ login: async () => step as LoginStep });
    await expect(guarded.login({ ...login, signal: never })).rejects.toThrow("the provider's answer to login");
  });
});

describe("polls of challenges", () => {
  const look = requests.look({});
  const hang = () => new Promise<never>(() => undefined);

  it("are there only where the provider has them; what a connector's login asks for passes through", async () => {
    const fields = [{ name: "username" }] as const;
    expect(bench({}).guarded).not.toHaveProperty("look");
    expect(bench({}).guarded.credentialFields).toBeUndefined();
    const { guarded } = bench({ look: async () => ({ kind: "waiting" }), credentialFields: () => fields });
    expect(await guarded.look?.(look)).toEqual({ kind: "waiting" });
    expect(guarded.credentialFields?.(connector)).toEqual(fields);
  });

  it("end after 8 s and a moment, even if the provider ignores its signal", async () => {
    const { guarded, pass, calls } = bench({ look: hang });
    const refused = expect(guarded.look?.(look)).rejects.toMatchObject({ name: "GuardError", code: "timed_out" });
    await pass(8_000);
    await pass(1_000);
    await refused;
    expect(calls).toEqual(["look timed_out"]);
  });

  it("are not repeated, and what does not keep to the interface is not let through", async () => {
    for (const nonsense of [undefined, null, {}, { kind: "challenge" }, { kind: "waiting for ever" }, "waiting"]) {
      const { guarded, calls } = bench({ look: async () => nonsense as never });
      await expect(guarded.look?.(look)).rejects.toThrow("the provider's answer to look cannot be used");
      expect(calls).toEqual(["look failed"]);
    }
  });

  it("that fail do not shut out the bank's customers", async () => {
    const { guarded, guard } = bench({ look: () => Promise.reject(new Error("defect")) });
    for (let time = 0; time < 20; time += 1) await expect(guarded.look?.(look)).rejects.toThrow("defect");
    expect(guard.openBreakers()).toEqual([]);
    expect(await guarded.login({ ...login, signal: never })).toEqual(ok);
  });

  it("are not let through to a bank that is left alone, nor used to try whether it is back", async () => {
    let isBack = false;
    const { guarded, pass, guard } = bench({
      look: async () => ({ kind: "waiting" }),
      login: async () => {
        if (!isBack) throw nodeError("ECONNREFUSED");
        return ok;
      },
    });
    for (let time = 0; time < 5; time += 1)
      await expect(guarded.login({ ...login, signal: never })).rejects.toThrow("out of order");
    await expect(guarded.look?.(look)).rejects.toMatchObject({ code: "circuit_open" });
    await pass(60_000);
    await expect(guarded.look?.(look)).rejects.toMatchObject({ code: "circuit_open" });
    expect(guard.openBreakers()).toMatchObject([{ connector_id: "esp:bank", state: "half_open" }]);
    isBack = true;
    expect(await guarded.login({ ...login, signal: never })).toEqual(ok);
    expect(await guarded.look?.(look)).toEqual({ kind: "waiting" });
  });

  it("wait for no place, and take none from other calls", async () => {
    const { guarded, calls } = bench(
      { look: hang },
      { poll_places: { overall: 2, each: 1 }, places: { overall: 1, each: 1, waiting: 0, waitingEach: 0 } },
    );
    void guarded.look?.(look);
    await expect(guarded.look?.(look)).rejects.toMatchObject({ code: "busy" });
    expect(await guarded.login({ ...login, signal: never })).toEqual(ok);
    expect(calls).toEqual(["look busy", "login ok"]);
  });
});

describe("[C-10.11] what a fetch comes to", () => {
  it.each<[string, FetchResult]>([
    ["pending", { pending: { retry_after: 600, state: { reference: "1" } } }],
    ["throttled", { throttled: { retry_after: 60 } }],
  ])("%s is no failure, however often it is", async (outcome, result) => {
    const { guarded, guard, calls } = bench({ fetch: async () => result });
    for (let time = 0; time < 9; time += 1) expect(await guarded.fetch(access)).toEqual(result);
    expect(guard.openBreakers()).toEqual([]);
    expect(new Set(calls)).toEqual(new Set([`fetch ${outcome}`]));
  });

  it("[C-5.179] [C-10.23] failed is the customer's own: it hands on the new access, is not tried again, and opens no circuit", async () => {
    const result: FetchResult = {
      failed: { message: "the query has no section of accounts" },
      access: { token: "new" },
    };
    const { guarded, guard, calls } = bench({ fetch: async () => result });
    for (let time = 0; time < 9; time += 1) expect(await guarded.fetch(access)).toEqual(result);
    expect(calls).toEqual(Array(9).fill("fetch failed"));
    expect(guard.openBreakers()).toEqual([]);
  });

  it("failed counts as one that throws where it says that the institution is out of order", async () => {
    const result: FetchResult = { failed: { message: "cut off", outage: true }, access: { token: "new" } };
    const { guarded, guard, calls } = bench({ fetch: async () => result });
    for (let time = 0; time < 5; time += 1) expect(await guarded.fetch(access)).toEqual(result);
    expect(calls).toEqual(Array(5).fill("fetch failed"));
    await expect(guarded.fetch(access)).rejects.toMatchObject({ code: "circuit_open" });
    expect(guard.openBreakers()).toMatchObject([{ connector_id: "esp:bank", state: "open" }]);
  });

  it.each([
    [{ pending: { retry_after: -1, state: 1 } }, "pending.retry_after"],
    [{ pending: { retry_after: 1 } }, "pending.state"],
    [{ throttled: { retry_after: Number.NaN } }, "throttled.retry_after"],
    [{ refused: "blocked", throttled: { retry_after: 1 } }, "exactly one of"],
    [{ access: {} }, "exactly one of"],
  ])("%j is not let through", async (result, place) => {
    const { guarded } = bench({ fetch: async () => result as FetchResult });
    await expect(guarded.fetch(access)).rejects.toThrow(place);
  });
});

describe("[C-10.12] a redirect and what is asked in the middle", () => {
  const fields = [
    { name: "method", kind: "choice", label: "By\u200b what?", options: [{ value: "1", label: "App\u202e" }] },
  ];

  it.each<[object, string | null]>([
    [{ kind: "redirect", url: "https://bank.example/login?state=1", state: {} }, null],
    [{ kind: "redirect", url: "http://127.0.0.1:8080/login", state: {} }, null],
    [{ kind: "redirect", url: "http://bank.example/login", state: {} }, "url: must be an https URL"],
    [{ kind: "redirect", url: "javascript:alert(1)", state: {} }, "url: must be an https URL"],
    [{ kind: "redirect", url: "secret, not a URL", state: {} }, "url: must be an https URL"],
    [{ kind: "redirect", url: "https://bank.example" }, "state: is required"],
    [{ kind: "ask", fields: [], state: {} }, "fields"],
    [{ kind: "ask", fields: [{ name: "__proto__" }], state: {} }, "fields.0.name"],
    [{ kind: "ask", fields: [{ name: "csrf_token" }], state: {} }, "fields.0.name"],
    [{ kind: "ask", fields: [{ name: "a", kind: "choice" }], state: {} }, "fields.0.options: is required"],
    [{ kind: "ask", fields: [{ name: "a", pattern: "(" }], state: {} }, "fields.0.pattern"],
    [{ kind: "ask", fields: [{ name: "a" }, { name: "a" }], state: {} }, "fields: must have different names"],
  ])("%j", async (step, fault) => {
    const { guarded } = bench({ resume: async () => step as LoginStep });
    const asked = guarded.resume?.(requests.resume({}, { code: "1" }));
    if (fault === null) expect(await asked).toEqual(step);
    else {
      const error = await asked?.catch((refused: Error) => refused);
      expect(error).toMatchObject({ message: expect.stringContaining(fault) });
      expect(String(error)).not.toContain("secret");
    }
  });

  it("[C-4.43] words of what is asked come without characters that are not shown", async () => {
    const { guarded } = bench({
      login: async () => ({ kind: "ask", fields, message: { de: "Wie\u2066?" }, state: 1 }) as LoginStep,
    });
    expect(await guarded.login(login)).toEqual({
      kind: "ask",
      fields: [{ name: "method", kind: "choice", label: "By what?", options: [{ value: "1", label: "App" }] }],
      message: { de: "Wie?" },
      state: 1,
    });
  });

  it("[C-5.166] what is told before a login comes without characters that are not shown; what cannot be told is not let through", () => {
    const terms = { rights: "trade", howTo: { de: "Unter\u202e API" }, holdings: "daily", transactions: 730 } as const;
    const told = (stated: object) => bench({ terms: () => stated }).guarded.terms?.(connector);
    expect(told(terms)).toEqual({ ...terms, howTo: { de: "Unter API" } });
    expect(told({ transactions: "all" })).toEqual({ transactions: "all" });
    expect(bench({}).guarded.terms).toBeUndefined();
    for (const [name, wrong] of Object.entries({ rights: "all", howTo: 1, holdings: "hourly", transactions: 0.5 }))
      expect(() => told({ ...terms, [name]: wrong })).toThrow(name);
  });

  it("fields that cannot be drawn are not let through", () => {
    const { guarded } = bench({ credentialFields: () => [{ name: "Token" }] });
    expect(() => guarded.credentialFields?.(connector)).toThrow("0.name");
  });
});

describe("[C-10.13] resume, revoke and notify", () => {
  const broken = () => Promise.reject(nodeError("ECONNRESET"));
  const resume = requests.resume({}, {});
  const revoke = requests.revoke({});
  const notify = { headers: {}, body: new Uint8Array(), signal: never };

  it("are there only where the provider has them", () => {
    for (const call of ["resume", "look", "revoke", "notify"]) expect(bench({}).guarded).not.toHaveProperty(call);
  });

  it("resume is asked once, and counts as a login does", async () => {
    const { guarded, guard, calls } = bench({ resume: broken });
    for (let time = 0; time < 5; time += 1) await expect(guarded.resume?.(resume)).rejects.toThrow("out of order");
    expect(calls).toEqual(Array(5).fill("resume failed"));
    expect(guard.openBreakers()).toMatchObject([{ connector_id: "esp:bank", state: "open" }]);
  });

  it.each([
    ["revoke", 30_000],
    ["notify", 10_000],
  ] as const)("%s has its time, fails by itself and shuts nobody out", async (call, limit) => {
    let hangs = false;
    const { guarded, guard, calls, pass } = bench({
      [call]: () => (hangs ? new Promise<never>(() => undefined) : broken()),
    });
    const ask = () => (call === "revoke" ? guarded.revoke?.(revoke) : guarded.notify?.(notify));
    for (let time = 0; time < 9; time += 1) await expect(ask()).rejects.toThrow("out of order");
    expect(guard.openBreakers()).toEqual([]);
    hangs = true;
    const late = expect(ask()).rejects.toMatchObject({ code: "timed_out" });
    await pass(limit);
    await pass(1_000);
    await late;
    expect(calls.at(-1)).toBe(`${call} timed_out`);
  });

  it("notify has places of its own and says nothing that the interface does not have", async () => {
    const { guarded } = bench(
      { notify: () => new Promise(() => undefined) },
      { notify_places: { overall: 1, each: 1 } },
    );
    void guarded.notify?.(notify).catch(() => undefined);
    await expect(guarded.notify?.(notify)).rejects.toMatchObject({ code: "busy" });
    expect(await guarded.login(login)).toEqual(ok);
    await expect(bench({ notify: async () => ({ kind: "fine" }) as never }).guarded.notify?.(notify)).rejects.toThrow(
      "kind",
    );
  });
});

it("[C-10.14] what fails under one tenant's settings says nothing of others at the same connector", async () => {
  const { guard } = bench({});
  const broken = { name: "bank", login: () => Promise.reject(httpFailure("network")), fetch: async () => empty };
  const own = guard.guard(broken, "tenant 1");
  const others = guard.guard({ ...broken, login: async () => ok });
  for (let time = 0; time < 5; time += 1) await expect(own.login(login)).rejects.toThrow("network");
  await expect(own.login(login)).rejects.toMatchObject({ code: "circuit_open" });
  expect(await others.login(login)).toEqual(ok);
  expect(guard.openBreakers()).toMatchObject([{ connector_id: "esp:bank", state: "open" }]);
});
