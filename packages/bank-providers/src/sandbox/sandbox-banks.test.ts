import { randomBytes } from "node:crypto";
import type { LoginStep } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import { describe, expect, it } from "vitest";
import { createSandboxBanks } from "./sandbox-banks.js";
import { LARGE_HOLDINGS } from "./snapshot.js";

const now = new Date("2026-03-18T10:00:00Z");
const connector_id = "esp:caja-miralbosque";
const asked = requestsFor(connector_id);
const never = new AbortController().signal;

function bench() {
  const slept: number[] = [];
  const sleep = async (milliseconds: number, signal: AbortSignal) => {
    slept.push(milliseconds);
    signal.throwIfAborted();
  };
  const bank = createSandboxBanks({ clock: () => now, random: randomBytes, sleep });
  const login = (password: string, username = "ada", signal = never) =>
    bank.login(asked.login({ username, password }, { signal }));
  const answer = async (state: unknown, text: string, signal = never) =>
    bank.answer?.(asked.answer(state, text, { signal }));
  const fetch = async (access: unknown, connector = connector_id, signal = never) => {
    const result = await bank.fetch(requestsFor(connector).fetch(access, { signal }));
    if (result.snapshot === undefined) throw new Error(`refused: ${result.refused}`);
    return result;
  };
  return { bank, login, answer, fetch, slept };
}

function accessOf(step: LoginStep): unknown {
  if (step.kind !== "authenticated") throw new Error(`login ended in ${step.kind}`);
  return JSON.parse(JSON.stringify(step.access));
}

describe("[C-5.16] the password picks the scenario", () => {
  it.each([
    ["INVALID_CREDENTIALS", { kind: "rejected" }],
    ["INTERNAL_ERROR", { kind: "failed", error_code: "InternalError" }],
    ["USER_INTERACTION_NEEDED", { kind: "failed", error_code: "UserInteractionNeeded" }],
    ["ALREADY_EXISTS", { kind: "failed", error_code: "AlreadyExists" }],
    ["SCA_TYPE_NOT_ALLOWED", { kind: "failed", error_code: "UnsupportedChallengeMethod" }],
    ["SCA_SMS", { kind: "challenge", challenge: { kind: "sms" } }],
    ["SCA_CODE", { kind: "challenge", challenge: { kind: "code" } }],
    ["SCA_APP", { kind: "challenge", challenge: { kind: "app" } }],
    ["SCA_QR", { kind: "challenge", challenge: { kind: "qr", qr: expect.stringMatching(/./) } }],
    ["DATA_ERROR_PORTFOLIO", { kind: "authenticated" }],
    ["DATA_ERROR_TRANSACTIONS", { kind: "authenticated" }],
    ["BLOCKED_AFTER", { kind: "authenticated" }],
    ["CONSENT_EXPIRES", { kind: "authenticated" }],
    ["EMPTY", { kind: "authenticated" }],
    ["LARGE", { kind: "authenticated" }],
    ["HISTORY_GAPS", { kind: "authenticated" }],
    ["NO_HISTORY", { kind: "authenticated" }],
    ["anything else", { kind: "authenticated" }],
    ["invalid_credentials", { kind: "authenticated" }],
    ["constructor", { kind: "authenticated" }],
    ["", { kind: "authenticated" }],
  ])("%j", async (password, step) => {
    const { login, slept } = bench();
    expect(await login(password)).toMatchObject(step);
    expect(slept).toEqual([]);
  });

  it("[C-9.22] SLOW takes 8 s and then succeeds", async () => {
    const { login, slept } = bench();
    expect(await login("SLOW")).toMatchObject({ kind: "authenticated" });
    expect(slept).toEqual([8000]);
  });
});

describe("[C-5.17] [C-9.20] challenge answers", () => {
  const typed = ["SCA_SMS", "SCA_CODE"];
  const approved = ["SCA_APP", "SCA_QR"];
  const passed = { kind: "authenticated", user_key: "ada" };
  const wrong = { kind: "rejected" };

  it.each([
    ...[...typed, ...approved].flatMap((password): [string, string, object][] => [
      [password, "123456", passed],
      [password, " 123456 ", passed],
      [password, "INVALID_SCA", wrong],
      [password, "1234567", wrong],
      [password, "INTERNAL_ERROR", { kind: "failed", error_code: "InternalError" }],
      [password, "USER_INTERACTION_NEEDED", { kind: "failed", error_code: "UserInteractionNeeded" }],
    ]),
    ...typed.flatMap((password): [string, string, object][] => [
      [password, "", wrong],
      [password, "approve", wrong],
    ]),
    // [C-9.21] a Continue button has no input
    ...approved.flatMap((password): [string, string, object][] => [
      [password, "", passed],
      [password, "approve", passed],
    ]),
  ])("%s answered %j", async (password, text, expected) => {
    const { login, answer } = bench();
    const step = await login(password);
    if (step.kind !== "challenge") throw new Error("no challenge");
    expect(await answer(step.state, text)).toMatchObject(expected);
  });
});

describe("a poll of a challenge", () => {
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  async function challenged(password: string) {
    let time = now;
    const bank = createSandboxBanks({ clock: () => time, random: randomBytes, sleep: async () => {} });
    const step = await bank.login(asked.login({ username: "ada", password }));
    if (step.kind !== "challenge") throw new Error("no challenge");
    return {
      step,
      poll(at: Date, state: unknown) {
        time = at;
        return bank.look?.(asked.look(state));
      },
      answer: (state: unknown) => bank.answer?.(asked.answer(state, "approve")),
    };
  }

  it("[C-5.16] of SCA_QR brings a new code every five seconds, and never another challenge in between", async () => {
    const { step, poll } = await challenged("SCA_QR");
    expect(await poll(later(4.999), step.state)).toEqual({ kind: "waiting" });
    const turned = await poll(later(5), step.state);
    expect(turned).toMatchObject({ kind: "challenge", challenge: { kind: "qr", message: step.challenge.message } });
    if (turned?.kind !== "challenge") throw new Error("no challenge");
    expect(turned.challenge.qr).not.toBe(step.challenge.qr);
    expect(await poll(later(9.999), turned.state)).toEqual({ kind: "waiting" });
  });

  it("the code follows from the time alone", async () => {
    const [one, other] = [await challenged("SCA_QR"), await challenged("SCA_QR")];
    expect(await one.poll(later(60), one.step.state)).toEqual(await other.poll(later(60), other.step.state));
  });

  it("[C-9.21] Continue approves whichever code is shown", async () => {
    const { step, poll, answer } = await challenged("SCA_QR");
    const turned = await poll(later(60), step.state);
    for (const state of [step.state, (turned as { state: unknown }).state])
      expect(await answer(state)).toMatchObject({ kind: "authenticated", user_key: "ada" });
  });

  it.each(["SCA_SMS", "SCA_CODE", "SCA_APP"])("of %s waits as it is", async (password) => {
    const { step, poll } = await challenged(password);
    expect(await poll(later(60), step.state)).toEqual({ kind: "waiting" });
  });
});

describe("[C-9.23] a refresh", () => {
  it.each([
    ["BLOCKED_AFTER", { refused: "blocked" }],
    ["CONSENT_EXPIRES", { refused: "consent_expired" }],
    ["anything else", { snapshot: { as_of: now } }],
    ["SLOW", { snapshot: { as_of: now } }],
  ])("of an access that %s gave", async (password, expected) => {
    const { bank, login, fetch } = bench();
    const access = accessOf(await login(password));
    expect(await fetch(access)).toMatchObject({ snapshot: { as_of: now } });
    expect(await bank.fetch(asked.fetch(access, { refresh: true }))).toMatchObject(expected);
  });
});

describe("identity", () => {
  it("[C-5.18] is the user name, trimmed and in lower case", async () => {
    expect(await bench().login("x", "  Ada@Example.ORG ")).toMatchObject({ user_key: "ada@example.org" });
  });

  it("needs a user name", async () => {
    expect(await bench().login("x", "   ")).toEqual({ kind: "rejected" });
  });

  it("never keeps a password that names no scenario", async () => {
    const { login } = bench();
    expect(JSON.stringify(await login("hunter2"))).not.toContain("hunter2");
  });
});

describe("[C-5.19] a fetch", () => {
  const fetched = async (password: string, username = "ada") => {
    const { login, fetch } = bench();
    return fetch(accessOf(await login(password, username)));
  };

  it("brings the same data for the same user name, other data for another", async () => {
    const first = await fetched("x", "Ada");
    expect(await fetched("y", " ada ")).toEqual(first);
    expect(await fetched("x", "grace")).not.toEqual(first);
  });

  it("[C-4.21] of EMPTY brings lists that are really empty", async () => {
    expect((await fetched("EMPTY")).snapshot).toEqual({ as_of: now, portfolios: [], holdings: [], transactions: [] });
  });

  it("[C-4.21] of the DATA_ERROR scenarios lacks the product that failed, and only that", async () => {
    const whole = (await fetched("x")).snapshot;
    expect((await fetched("DATA_ERROR_PORTFOLIO")).snapshot).toEqual({
      ...whole,
      portfolios: null,
      earlier_days: undefined,
    });
    expect((await fetched("DATA_ERROR_TRANSACTIONS")).snapshot).toEqual({ ...whole, transactions: null });
  });

  it("of LARGE brings thousands of holdings", async () => {
    expect((await fetched("LARGE")).snapshot.holdings).toHaveLength(LARGE_HOLDINGS);
  });

  it.each<[string, Date | null, string[] | undefined]>([
    ["x", null, ["2023-03-17", "2026-03-13"]],
    ["x", new Date("2026-03-13T07:00:00Z"), ["2026-03-13", "2026-03-13"]],
    ["x", new Date("2026-03-17T07:00:00Z"), undefined],
    ["NO_HISTORY", null, undefined],
  ])("[C-8.140] [C-8.145] of %j, read last at %j, has the earlier days since", async (password, since, expected) => {
    const { bank, login } = bench();
    const { snapshot } = await bank.fetch(
      asked.fetch(accessOf(await login(password)), { refresh: since !== null, since }),
    );
    const dates = snapshot?.earlier_days?.map(({ date }) => date);
    expect(dates && [dates[0], dates.at(-1)]).toEqual(expected);
  });

  it("tells when the consent ends: 180 days after the login under PSD2, a day for CONSENT_EXPIRES", async () => {
    const { login, fetch } = bench();
    expect((await fetched("x")).consent_expires_at).toBeNull();
    expect((await fetched("CONSENT_EXPIRES")).consent_expires_at).toEqual(new Date("2026-03-19T10:00:00Z"));
    expect((await fetch(accessOf(await login("x")), "esp:banca-torresoto")).consent_expires_at).toEqual(
      new Date("2026-09-14T10:00:00Z"),
    );
  });

  it("serves connectors of an imported catalogue", async () => {
    const { login, fetch } = bench();
    const { snapshot } = await fetch(accessOf(await login("x")), "jpn:some-bank");
    expect(snapshot.portfolios?.[0]?.currency).toBe("EUR");
  });
});

it("every call obeys its signal", async () => {
  const { login, answer, fetch } = bench();
  const stopped = AbortSignal.abort(new Error("stopped"));
  const access = accessOf(await login("x"));
  await expect(login("x", "ada", stopped)).rejects.toThrow("stopped");
  await expect(answer({ username: "ada", scenario: "SCA_SMS" }, "123456", stopped)).rejects.toThrow("stopped");
  await expect(fetch(access, connector_id, stopped)).rejects.toThrow("stopped");
});

it("SLOW stops when its signal does", async () => {
  const controller = new AbortController();
  const bank = createSandboxBanks({
    clock: () => now,
    random: randomBytes,
    sleep: (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  const login = bank.login(asked.login({ username: "ada", password: "SLOW" }, { signal: controller.signal }));
  controller.abort(new Error("stopped"));
  await expect(login).rejects.toThrow("stopped");
});

it.each([null, {}, "x", { username: 1, scenario: null }, { username: "ada", scenario: null, granted_at: "soon" }])(
  "access that it never wrote (%j) is a fault",
  async (access) => {
    await expect(bench().fetch(access)).rejects.toThrow(TypeError);
  },
);
