import type { BankProvider, LoginStep } from "@org/core";
import { createLighthouseBank } from "@org/example-bank-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBank } from "./bank-stub.js";

const connector_id = "deu:lighthouse";
const now = new Date("2026-03-02T09:00:00.000Z");
const signal = new AbortController().signal;

let bank: Awaited<ReturnType<typeof startBank>>;
let provider: BankProvider;
beforeAll(async () => {
  bank = await startBank();
  provider = createLighthouseBank({ baseUrl: bank.url, clock: () => now });
});
afterAll(() => bank.stop());

const login = (password: string) => provider.login({ connector_id, username: "ada", password, signal });
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
    const answer = (text: string) => provider.answer({ connector_id, state, answer: text, signal });
    expect(await answer("000000")).toEqual({ kind: "rejected" });
    expect(await answer("123456")).toMatchObject({ kind: "authenticated", user_key: "ada" });
  });
});

describe("[C-5.15] an approval in the bank's app", () => {
  it.each([
    [null, { kind: "waiting" }],
    [true, { kind: "authenticated", user_key: "ada" }],
    [false, { kind: "rejected" }],
  ])("that is %j is seen by a poll", async (approval, step) => {
    const asked = await login("app");
    expect(asked).toMatchObject({ kind: "challenge", challenge: { kind: "app" } });
    const state = kept((asked as Extract<LoginStep, { kind: "challenge" }>).state);
    bank.approval = approval;
    expect(await provider.poll?.({ connector_id, state, signal })).toMatchObject(step);
    bank.approval = null;
  });
});

describe("a fetch", () => {
  it("brings the accounts, and a new access each time", async () => {
    const first = await provider.fetch({
      connector_id,
      access: accessOf(await login("right")),
      refresh: false,
      signal,
    });
    expect(first).toMatchObject({
      consent_expires_at: new Date("2026-09-01T00:00:00Z"),
      snapshot: {
        as_of: now,
        portfolios: [{ key: "LH-1", balance: "1500.50" }],
        holdings: [{ key: "DE0007164600", portfolio_key: "LH-1", amount: "10.5" }],
        transactions: null,
      },
    });
    if (first.refused !== undefined) throw new Error(first.refused);
    const second = await provider.fetch({ connector_id, access: kept(first.access), refresh: true, signal });
    expect(second).toMatchObject({ snapshot: { portfolios: [{ key: "LH-1" }] } });
  });

  it.each([
    ["ACCOUNT_LOCKED", "blocked"],
    ["SCA_NEEDED", "sca_required"],
    ["CONSENT_OVER", "consent_expired"],
  ])("that is answered with %s is refused as %s", async (code, refused) => {
    const access = accessOf(await login("right"));
    bank.refusal = code;
    expect(await provider.fetch({ connector_id, access, refresh: true, signal })).toEqual({ refused });
    bank.refusal = null;
  });

  it("with a token that was used before is refused as rejected", async () => {
    const access = accessOf(await login("right"));
    await provider.fetch({ connector_id, access, refresh: false, signal });
    expect(await provider.fetch({ connector_id, access, refresh: true, signal })).toEqual({ refused: "rejected" });
  });

  it("of a bank that is down fails, and is not taken for an answer", async () => {
    bank.refusal = "DOWN";
    await expect(
      provider.fetch({ connector_id, access: { refresh_token: "x" }, refresh: true, signal }),
    ).rejects.toThrow("503");
    bank.refusal = null;
  });

  it("obeys its signal", async () => {
    const stopped = AbortSignal.abort(new Error("stopped"));
    const asked = provider.fetch({ connector_id, access: { refresh_token: "x" }, refresh: true, signal: stopped });
    await expect(asked).rejects.toThrow("stopped");
  });
});
