import { type FetchResult, type LoginStep, languages } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import { describe, expect, it } from "vitest";
import { judgeLoginForm, type LoginForm, sandboxAuthorizationOf } from "./authorization.js";
import { sandboxCatalogue, sandboxVariantOf, sandboxVariants } from "./catalogue.js";
import { createSandboxBanks } from "./sandbox-banks.js";

const start = new Date("2026-03-18T10:00:00Z");
let drawn = 0;

/** A sandbox with its own clock, and requests to the bank with the given variant. */
function bench(way: (typeof sandboxVariants)[number]) {
  let now = start;
  const advance = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const bank = createSandboxBanks({
    clock: () => now,
    random: (bytes) => new Uint8Array(bytes).fill(++drawn),
    sleep: async (milliseconds) => advance(milliseconds),
  });
  return {
    bank,
    requests: requestsFor(`xyz:own-row-${way}`, way),
    clock: () => now,
    advance,
  };
}

function held(step: LoginStep): Extract<LoginStep, { kind: "authenticated" }> {
  if (step.kind !== "authenticated") throw new Error(`the login ended in ${step.kind}`);
  return step;
}
function stateOf(step: LoginStep): unknown {
  if (!("state" in step)) throw new Error(`the login ended in ${step.kind}`);
  return step.state;
}
function snapshotIn({ snapshot }: FetchResult) {
  if (!snapshot) throw new Error("there are no data");
  return snapshot;
}

it("[C-5.37] each way has a bank in the catalogue; a row of one's own names it as its provider_ref", () => {
  expect(new Set(sandboxCatalogue().map(sandboxVariantOf))).toEqual(new Set(sandboxVariants));
  expect(sandboxVariantOf({ provider_ref: "report" })).toBe("report");
  expect(sandboxVariantOf({ provider_ref: "nonsense" })).toBe("password");
});

describe("[C-5.37] the bank that works by redirect", () => {
  const agreed: LoginForm = { username: " Ada ", password: "x", decision: "agree" };
  const away = bench("redirect");
  async function leave({ bank, requests, clock } = away, language: (typeof languages)[number] = "en") {
    const step = await bank.login(requests.login({}, { language }));
    if (step.kind !== "redirect") throw new Error("no redirect");
    const url = new URL(step.url);
    const authorization = sandboxAuthorizationOf(Object.fromEntries(url.searchParams));
    if (!authorization) throw new Error("an address that its page does not know");
    let nonces = 0;
    const judge = (form: LoginForm) =>
      judgeLoginForm(authorization, form, { now: clock(), nonce: `nonce ${drawn} ${nonces++}` });
    const back = async (form: LoginForm) => {
      const verdict = judge(form);
      if (verdict.kind !== "back") throw new Error(verdict.problem);
      return bank.resume(requests.resume(step.state, verdict.params));
    };
    return { url, authorization, judge, back, step };
  }

  it.each(languages)("asks for nothing, and leads to its page on the same site, in %s", async (language) => {
    expect(away.bank.credentialFields?.({ connector_id: "xyz:x", provider_ref: "redirect" })).toEqual([]);
    const { url, authorization } = await leave(away, language);
    expect(url.origin + url.pathname).toBe("https://wealth.example/sandbox/login");
    expect(authorization).toMatchObject({ state: "a-state-that-nobody-guesses", language });
  });

  it.each<[string, Partial<LoginForm>, object]>([
    ["agrees", {}, { kind: "authenticated", user_key: "ada" }],
    ["declines", { decision: "decline" }, { kind: "rejected" }],
    ["meets an error of the bank", { password: "INTERNAL_ERROR" }, { kind: "failed", error_code: "InternalError" }],
    ["is asked for a code after that", { password: "SCA_SMS" }, { kind: "challenge", challenge: { kind: "sms" } }],
    ["has to do something first", { password: "USER_INTERACTION_NEEDED" }, { error_code: "UserInteractionNeeded" }],
    ["is slow", { password: "SLOW" }, { kind: "authenticated" }],
  ])("somebody who %s comes back so", async (_, form, expected) => {
    const { back } = await leave();
    expect(await back({ ...agreed, ...form })).toMatchObject(expected);
  });

  it.each<[Partial<LoginForm>, string]>([
    [{ username: "  " }, "no_username"],
    [{ password: "INVALID_CREDENTIALS" }, "wrong_credentials"],
  ])("%j is told on its page", async (form, problem) => {
    const { judge } = await leave();
    expect(judge({ ...agreed, ...form })).toEqual({ kind: "again", problem });
  });

  it("a code is good once, for ten minutes, for the login that it was made for, and has no password in it", async () => {
    const { step, judge } = await leave();
    const other = await leave();
    const verdict = judge({ ...agreed, password: "hunter2" });
    if (verdict.kind !== "back") throw new Error("not back");
    const { code = "" } = verdict.params;
    expect(Buffer.from(code, "base64url").toString()).not.toContain("hunter2");
    const { bank, requests } = away;
    expect(await bank.resume(requests.resume(other.step, verdict.params)).catch(() => "refused")).toBe("refused");
    expect(await bank.resume(requests.resume(stateOf(other.step), verdict.params))).toEqual({ kind: "rejected" });
    expect(await bank.resume(requests.resume(step.state, verdict.params))).toMatchObject({ kind: "authenticated" });
    expect(await bank.resume(requests.resume(step.state, verdict.params))).toEqual({ kind: "rejected" });
    const late = judge(agreed);
    away.advance(10 * 60_000);
    expect(await bank.resume(requests.resume(step.state, late.kind === "back" ? late.params : {}))).toEqual({
      kind: "rejected",
    });
  });

  it.each([{}, { code: "x" }, { code: "bnVsbA" }, { code: Buffer.from('{"username":1}').toString("base64url") }])(
    "%j is no code",
    async (params) => {
      const { step } = await leave();
      expect(await away.bank.resume(away.requests.resume(step.state, params as Record<string, string>))).toEqual({
        kind: "rejected",
      });
    },
  );

  it.each([{}, { state: "s", code_challenge: "c" }, { connector_id: "x y", state: "s", code_challenge: "c" }])(
    "its page does not answer %j",
    (query) => expect(sandboxAuthorizationOf(query)).toBeNull(),
  );
});

describe("[C-5.37] the bank that asks for a method and for accounts", () => {
  const { bank, requests } = bench("choices");
  const enter = async (password = "x") => bank.login(requests.login({ username: "ada", password }));
  const choose = async (method: string) => bank.answer(requests.fields(stateOf(await enter()), { method }));

  it.each([
    ["sms", "123456"],
    ["app", "approve"],
    ["qr", ""],
  ])("%s: confirmed, it asks which accounts to share", async (method, answer) => {
    const challenge = await choose(method);
    expect(challenge).toMatchObject({ kind: "challenge", challenge: { kind: method } });
    expect(await bank.answer(requests.answer(stateOf(challenge), "wrong"))).toEqual({ kind: "rejected" });
    expect(await bank.answer(requests.answer(stateOf(challenge), answer))).toMatchObject({
      kind: "ask",
      fields: [{ name: "accounts", kind: "choice" }],
    });
  });

  it("a security question in place of a code", async () => {
    const question = await choose("question");
    expect(await bank.answer(requests.fields(stateOf(question), { first_pet: "Fido" }))).toEqual({ kind: "rejected" });
    expect(await bank.answer(requests.fields(stateOf(question), { first_pet: " rex" }))).toMatchObject({ kind: "ask" });
  });

  it("a method that is not supported ends the login, one that was not offered is refused", async () => {
    expect(await choose("unsupported")).toEqual({ kind: "failed", error_code: "UnsupportedChallengeMethod" });
    expect(await choose("constructor")).toEqual({ kind: "rejected" });
  });

  it("passwords pick faults as at every bank; a password that asks for a code comes to the accounts too", async () => {
    expect(await enter("INVALID_CREDENTIALS")).toEqual({ kind: "rejected" });
    const asked = await enter("SCA_CODE");
    expect(await bank.answer(requests.answer(stateOf(asked), "123456"))).toMatchObject({ kind: "ask" });
  });

  it("what is shared is what is fetched: one account with all that is in it, or everything", async () => {
    const asked = await bank.answer(requests.fields(stateOf(await choose("question")), { first_pet: "Rex" }));
    const share = async (accounts: string) => {
      const { access } = held(await bank.answer(requests.fields(stateOf(asked), { accounts })));
      return snapshotIn(await bank.fetch(requests.fetch(access)));
    };
    const whole = await share("all");
    expect(whole.portfolios?.length).toBeGreaterThan(1);
    const [first] = whole.portfolios ?? [];
    const isOfFirst = ({ portfolio_key }: { readonly portfolio_key: string }) => portfolio_key === first?.key;
    expect(await share(first?.key ?? "")).toEqual({
      ...whole,
      portfolios: [first],
      holdings: whole.holdings?.filter(isOfFirst),
      transactions: whole.transactions?.filter(isOfFirst),
      earlier_days: whole.earlier_days?.map(({ date, portfolios, holdings }) => ({
        date,
        portfolios: portfolios.filter(({ key }) => key === first?.key),
        holdings: holdings.filter(isOfFirst),
      })),
    });
  });
});

describe("[C-5.37] the decoupled bank", () => {
  it.each([
    ["x", { kind: "authenticated", user_key: "ada" }],
    ["SCA_DECLINED", { kind: "rejected" }],
  ])("takes a minute, whatever is pressed meanwhile; with %s it ends so", async (password, end) => {
    const { bank, requests, advance } = bench("decoupled");
    const asked = await bank.login(requests.login({ username: "ada", password }));
    expect(asked).toMatchObject({ kind: "challenge", challenge: { kind: "app" } });
    advance(59_999);
    expect(await bank.look(requests.look(stateOf(asked)))).toEqual({ kind: "waiting" });
    expect(await bank.answer(requests.answer(stateOf(asked), "approve"))).toEqual(asked);
    advance(1);
    expect(await bank.look(requests.look(stateOf(asked)))).toMatchObject(end);
  });
});

describe("[C-5.37] the bank that prepares its report", () => {
  it("says when to come again, asks for the same report then, and has it after half a minute", async () => {
    const { bank, requests, advance } = bench("report");
    const { access } = held(await bank.login(requests.login({ username: "ada", password: "x" })));
    const first = await bank.fetch(requests.fetch(access));
    expect(first).toMatchObject({ pending: { retry_after: 30 } });
    advance(20_000);
    const again = await bank.fetch(requests.fetch(access, { pending_state: first.pending?.state ?? null }));
    expect(again).toEqual({ pending: { retry_after: 10, state: first.pending?.state } });
    advance(10_000);
    const there = await bank.fetch(requests.fetch(access, { pending_state: again.pending?.state ?? null }));
    expect(snapshotIn(there).portfolios?.length).toBeGreaterThan(0);
  });
});

it("[C-5.37] the bank with fields of its own has every kind of them, in every language, and its PIN picks faults", async () => {
  const { bank, requests } = bench("fields");
  const fields = bank.credentialFields?.({ connector_id: "xyz:x", provider_ref: "fields" }) ?? [];
  expect(new Set(fields.map(({ kind = "text" }) => kind))).toEqual(new Set(["text", "secret", "number", "choice"]));
  for (const { label } of fields) expect(Object.keys(label ?? {}).sort()).toEqual([...languages].sort());
  expect(fields.some(({ required }) => required === false)).toBe(true);
  const login = (pin: string) => bank.login(requests.login({ customer_number: "12345678", pin }));
  expect(await login("1234")).toMatchObject({ kind: "authenticated", user_key: "12345678" });
  expect(await login("INVALID_CREDENTIALS")).toEqual({ kind: "rejected" });
});

describe("[C-9.23] later fetches", () => {
  it("THROTTLED: each refresh is asked to come later, once, and keeps the access that it was given", async () => {
    const { bank, requests } = bench("password");
    let { access } = held(await bank.login(requests.login({ username: "ada", password: "THROTTLED" })));
    for (let day = 0; day < 2; day += 1) {
      const refused = await bank.fetch(requests.fetch(access, { refresh: true }));
      expect(refused).toMatchObject({ throttled: { retry_after: 60 } });
      access = refused.access;
      const taken = await bank.fetch(requests.fetch(access, { refresh: true }));
      expect(snapshotIn(taken).as_of).toEqual(start);
      access = taken.access;
    }
  });

  it.each([
    ["CONSENT_ENDS_SOON", 6],
    ["CONSENT_EXPIRES", 1],
  ])("%s: the consent's end is known at login", async (password, days) => {
    const { bank, requests } = bench("password");
    const { consent_expires_at } = held(await bank.login(requests.login({ username: "ada", password })));
    expect(consent_expires_at).toEqual(new Date(start.getTime() + days * 86_400_000));
  });

  it("an access may be given back twice", async () => {
    const { bank, requests } = bench("password");
    const { access } = held(await bank.login(requests.login({ username: "ada", password: "x" })));
    for (let time = 0; time < 2; time += 1) await bank.revoke?.(requests.revoke(access));
  });
});
