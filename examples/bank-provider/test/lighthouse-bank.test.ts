import { createLighthouseBank } from "@org/example-bank-provider";
import type { BankProvider, LoginStep } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBank } from "./bank-stub.js";

const asked = requestsFor("deu:lighthouse");
const now = new Date("2026-03-02T09:00:00.000Z");

let bank: Awaited<ReturnType<typeof startBank>>;
let provider: BankProvider;
beforeAll(async () => {
  bank = await startBank();
  provider = createLighthouseBank({ baseUrl: bank.url, clock: () => now });
});
afterAll(() => bank.stop());

const login = (password: string) => provider.login(asked.login({ username: "ada", password }));
/** What is kept between two calls is JSON, and comes back as such. */
const kept = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const accessOf = (step: LoginStep) => {
  if (step.kind !== "authenticated") throw new Error(`the login ended in ${step.kind}`);
  return kept(step.access);
};

describe("[C-5.15] a login", () => {
  it("lets the customer in, and says who it is", async () => {
    expect(await login("right")).toMatchObject({ kind: "authenticated", user_key: "ada" });
  });

  it("is rejected with a wrong password", async () => {
    expect(await login("wrong")).toEqual({ kind: "rejected" });
  });

  it("asks for a code, takes it, and refuses another", async () => {
    const step = await login("sms");
    expect(step).toMatchObject({
      kind: "challenge",
      challenge: { kind: "sms", message: expect.stringContaining("42") },
    });
    const state = kept((step as Extract<LoginStep, { kind: "challenge" }>).state);
    const answer = (text: string) => provider.answer?.(asked.answer(state, text));
    expect(await answer("000000")).toEqual({ kind: "rejected" });
    expect(await answer("123456")).toMatchObject({ kind: "authenticated", user_key: "ada" });
  });
});

describe("[C-5.15] an approval in the bank's app", () => {
  it.each([
    [null, { kind: "waiting" }],
    [true, { kind: "authenticated", user_key: "ada" }],
    [false, { kind: "rejected" }],
  ])("that is %j is seen by a look", async (approval, expected) => {
    const step = await login("app");
    expect(step).toMatchObject({ kind: "challenge", challenge: { kind: "app" } });
    const state = kept((step as Extract<LoginStep, { kind: "challenge" }>).state);
    bank.approval = approval;
    expect(await provider.look?.(asked.look(state))).toMatchObject(expected);
    bank.approval = null;
  });
});

describe("a fetch", () => {
  it("brings the accounts, and a new access each time", async () => {
    const first = await provider.fetch(asked.fetch(accessOf(await login("right"))));
    expect(first).toMatchObject({
      consent_expires_at: new Date("2026-09-01T00:00:00Z"),
      snapshot: {
        as_of: now,
        portfolios: [{ key: "LH-1", balance: "1500.50" }],
        holdings: [{ key: "DE0007164600", portfolio_key: "LH-1", amount: "10.5" }],
        transactions: null,
      },
    });
    if (first.snapshot === undefined) throw new Error(first.refused);
    const second = await provider.fetch(asked.fetch(first.access, { refresh: true }));
    expect(second).toMatchObject({ snapshot: { portfolios: [{ key: "LH-1" }] } });
  });

  it.each([
    ["ACCOUNT_LOCKED", "blocked"],
    ["SCA_NEEDED", "sca_required"],
    ["CONSENT_OVER", "consent_expired"],
  ])("that is answered with %s is refused as %s", async (code, refused) => {
    const access = accessOf(await login("right"));
    bank.refusal = code;
    expect(await provider.fetch(asked.fetch(access, { refresh: true }))).toEqual({ refused });
    bank.refusal = null;
  });

  it("with a token that was used before is refused as rejected", async () => {
    const access = accessOf(await login("right"));
    await provider.fetch(asked.fetch(access));
    expect(await provider.fetch(asked.fetch(access, { refresh: true }))).toEqual({ refused: "rejected" });
  });

  it("of a bank that is down fails, and is not taken for an answer", async () => {
    bank.refusal = "DOWN";
    await expect(provider.fetch(asked.fetch({ refresh_token: "x" }))).rejects.toThrow("503");
    bank.refusal = null;
  });

  it("obeys its signal", async () => {
    const stopped = AbortSignal.abort(new Error("stopped"));
    const fetched = provider.fetch(asked.fetch({ refresh_token: "x" }, { signal: stopped }));
    await expect(fetched).rejects.toThrow("stopped");
  });
});
