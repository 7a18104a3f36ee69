import type { BankProvider, LoginStep } from "@org/provider-kit";
import { createHttpClient } from "@org/provider-kit/http";
import { type ConformanceSetup, conformanceCases, requestsFor } from "@org/provider-kit/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import lighthouse from "../src/index.js";
import { startLighthouse } from "./lighthouse-stand-in.js";

const now = new Date("2026-03-02T09:00:00.000Z");
const requests = requestsFor("deu:lighthouse");

async function setup(pin: string): Promise<ConformanceSetup> {
  const bank = await startLighthouse();
  return {
    definition: lighthouse,
    settings: { base_url: bank.url, api_key: "api-key-of-ours" },
    connector: { connector_id: "deu:lighthouse", provider_ref: null },
    clock: () => now,
    customer: {
      fields: { customer_number: "12345678", pin },
      challenge: ({ kind }) => (kind === "app" ? null : "123456"),
    },
    institution: bank,
    stranger: { customer_number: "12345678", pin: "wrong" },
    ...(pin === "sms-pin" && { wrong_answer: "000000" }),
    figures: ["12345678901234567.50", "10.50", "1500.10", "250.00"],
    close: bank.stop,
  };
}

describe.each(["sms-pin", "app-pin", "any-pin"])("[C-10.22] the Lighthouse Bank by %s keeps the rule:", (pin) => {
  for (const { name, run } of conformanceCases(() => setup(pin)))
    it(name, async () => {
      await run();
    });
});

describe("what is special about the Lighthouse Bank", () => {
  let bank: Awaited<ReturnType<typeof startLighthouse>>;
  let http: ReturnType<typeof createHttpClient>;
  let provider: BankProvider;
  beforeAll(async () => {
    bank = await startLighthouse();
    http = createHttpClient({ hosts: [new URL(bank.url).host], clock: () => now });
    const settings = lighthouse.settings.parse({ base_url: bank.url, api_key: "api-key-of-ours" });
    const unused = { random: (bytes: number) => new Uint8Array(bytes), sleep: async () => {}, pace: async () => null };
    const log = { info() {}, warn() {} };
    provider = {
      name: "lighthouse",
      ...(await lighthouse.create({ settings, http, clock: () => now, log, ...unused })),
    };
  });
  afterAll(async () => {
    await http.close();
    await bank.stop();
  });
  afterEach(() => Object.assign(bank, { refusal: null, approval: true, broken: "" }));

  const login = (pin: string) => provider.login(requests.login({ customer_number: "12345678", pin }));
  const accessOf = (step: LoginStep) => {
    if (step.kind !== "authenticated") throw new Error(`the login ended in ${step.kind}`);
    return step.access;
  };

  it("[C-5.15] a login lets in, asks by text message, and tells a locked customer from a wrong PIN", async () => {
    expect(await login("right")).toMatchObject({ kind: "authenticated", user_key: "12345678" });
    expect(await login("locked")).toEqual({ kind: "failed", error_code: "UserInteractionNeeded" });
    expect(await login("sms-pin")).toMatchObject({
      challenge: { kind: "sms", message: expect.stringContaining("42") },
    });
  });

  it.each([
    [null, { kind: "waiting" }],
    [true, { kind: "authenticated", user_key: "12345678" }],
    [false, { kind: "rejected" }],
  ])("[C-5.15] an approval in the app that is %j is seen by a look", async (approval, expected) => {
    const step = await login("app-pin");
    if (step.kind !== "challenge") throw new Error("no challenge");
    bank.approval = approval;
    expect(await provider.look?.(requests.look(step.state))).toMatchObject(expected);
  });

  it("a fetch brings the accounts, the bookings of those, the end of the consent, and a new access", async () => {
    const first = await provider.fetch(requests.fetch(accessOf(await login("right"))));
    expect(first).toMatchObject({
      consent_expires_at: new Date("2026-09-01T00:00:00Z"),
      snapshot: {
        as_of: now,
        portfolios: [{ key: "LH-1", balance: "12345678901234567.50" }],
        holdings: [{ key: "DE0007164600", portfolio_key: "LH-1", amount: "10.50" }],
        transactions: [{ key: "B-1", balance: "250.00" }],
      },
    });
    const again = await provider.fetch(requests.fetch(first.access, { refresh: true, since: now }));
    expect(again.snapshot?.portfolios).toHaveLength(1);
  });

  it.each([
    ["ACCOUNT_LOCKED", "blocked"],
    ["SCA_NEEDED", "sca_required"],
    ["CONSENT_OVER", "consent_expired"],
  ])("a fetch that is answered with %s is refused as %s", async (code, refused) => {
    const access = accessOf(await login("right"));
    bank.refusal = code;
    expect(await provider.fetch(requests.fetch(access, { refresh: true }))).toEqual({ refused });
  });

  it("a refusal that nobody knows is a failure", async () => {
    const access = accessOf(await login("right"));
    bank.refusal = "MERCURY_IN_RETROGRADE";
    expect(await provider.fetch(requests.fetch(access))).toEqual({
      failed: { message: expect.stringContaining("code"), outage: false },
    });
  });

  it("a token that was used before is refused as rejected", async () => {
    const access = accessOf(await login("right"));
    await provider.fetch(requests.fetch(access));
    expect(await provider.fetch(requests.fetch(access, { refresh: true }))).toEqual({ refused: "rejected" });
  });

  it("a fetch that fails after the token was exchanged hands back the new one, which still works", async () => {
    const access = accessOf(await login("right"));
    bank.broken = "/bookings";
    const failed = await provider.fetch(requests.fetch(access));
    expect(failed).toEqual({
      failed: { message: `GET ${new URL(bank.url).host}: answered 503`, outage: true },
      access: { refresh_token: expect.any(String) },
    });
    bank.broken = "";
    expect(await provider.fetch(requests.fetch(failed.access))).toMatchObject({ consent_expires_at: expect.any(Date) });
  });
});
