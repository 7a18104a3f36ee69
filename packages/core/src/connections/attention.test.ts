import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pendingStatus } from "../schemas/credential-status.js";
import { type Attention, attentionOf, namedAccount } from "./attention.js";

const now = new Date("2026-03-01T12:00:00.000Z");
const ready = { ...pendingStatus("2026-01-01T00:00:00.000Z"), pending: false };
const { product, transaction } = ready.errored;
const failed = {
  auth: { product: { ...product, auth: true }, transaction },
  holdings: { product: { ...product, investment: true }, transaction },
  all: {
    product: { ...product, portfolio: true, investment: true },
    transaction: { ...transaction, investment: true },
  },
};
type Change = Partial<typeof ready>;
const of = (change: Change, provider = "sandbox", usesKey = false) =>
  attentionOf({ status: { ...ready, ...change }, provider }, now, usesKey);

const states: [string, Change, Attention["state"] | null, RegExp?][] = [
  ["nothing", {}, null],
  ["old data", { last_update: "2009-01-01T00:00:00.000Z" }, null],
  ["a block", { blocked: true, pending: true, sca_token: "a" }, "blocked", /^gets no data$/],
  ["a second factor", { sca_token: "a", errored: failed.all }, "needs_relogin", /second factor/],
  ["a refused login", { errored: failed.auth }, "needs_relogin", /refused/],
  ["a reset", { reset_token: "a", pending: true }, "needs_relogin", /new login/],
  [
    "first data",
    { pending: true, consent_expires_at: "2026-03-02T00:00:00.000Z" },
    "pending",
    /no data yet|no file yet/,
  ],
  ["one product", { errored: failed.holdings }, "incomplete", /^no holdings came$/],
  ["all products", { errored: failed.all }, "incomplete", /^no accounts, holdings or transactions came$/],
  ["a consent of 14 days", { consent_expires_at: "2026-03-15T12:00:00.000Z" }, null],
  ["a shorter one", { consent_expires_at: "2026-03-15T11:59:59.999Z" }, "consent_ends", /ends on 2026-03-15/],
  ["one that ended", { consent_expires_at: "2026-02-28T00:00:00.000Z" }, "consent_ends", /ended on 2026-02-28/],
];

describe("what a connection needs from somebody", () => {
  it("[C-5.169] a connection by a key of the customer's own needs a new key, not a login", () => {
    const next_action = "enter a new key";
    expect(of({ errored: failed.auth }, "sandbox", true)).toMatchObject({ message: "key refused", next_action });
    for (const [, change] of states) expect(of(change, "sandbox", true)?.next_action).not.toBe("log in");
  });

  it.each(states)("[C-4.140] %s", (_, change, state, message) => {
    expect(of(change)?.state ?? null).toBe(state);
    if (message) expect(of(change)?.message).toMatch(message);
  });

  it.each(states)(
    "[C-4.142] %s is said in few words, without names of tools or endpoints; a data feed has no login",
    (_, change) => {
      for (const provider of ["sandbox", "datafeed"]) {
        const { message = "", next_action = "" } = of(change, provider) ?? {};
        expect(message.length + next_action.length).toBeLessThan(110);
        expect(message + next_action).not.toMatch(/svc-|\/|_/);
        if (provider === "datafeed") expect(`${message} ${next_action}`).not.toMatch(/log in|consent_ends/i);
      }
      const isMet = of(change) !== null;
      expect(of(change, "datafeed")?.next_action.includes("operator") ?? false).toBe(isMet);
    },
  );
});

describe("an account in a list", () => {
  it.each([
    ["ES91 2100 0418", "0418"],
    ["ES76…1332", "1332"],
    ["DE-12-x4.5/6y", "456y"],
    ["1234", "1234"],
    ["123", null],
    ["*** 12 *", null],
    ["", null],
    [null, null],
  ])("[C-4.141] number %j: last four %j", (ref_account, last_four) => {
    expect(namedAccount({ name: "Main", ref_account })).toEqual({ name: "Main", last_four });
  });

  it("[C-4.141] never has more of a number than its last four letters and digits, and no other character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (ref_account) => {
        const { last_four } = namedAccount({ name: "", ref_account });
        if (last_four === null) return;
        expect([...last_four]).toHaveLength(4);
        expect(last_four).toMatch(/^[\p{L}\p{N}]{4}$/u);
      }),
    );
  });
});
