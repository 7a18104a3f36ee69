import { createHmac } from "node:crypto";
import type { BankProvider, HttpRequest, LoginRequest } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import snaptrade from "@org/provider-snaptrade";
import { describe, expect, it } from "vitest";
import { ACCOUNT, CONNECTION, openPortal } from "./scripted-portal.js";

const requests = requestsFor("usa:snaptrade-lighthouse", "LIGHTHOUSE");
const success = { status: "SUCCESS", connection_id: CONNECTION };
const callback_url = "https://wealth.example/connect/callback";

/** Takes a customer to the portal and back. */
async function visit(
  provider: Omit<BankProvider, "name">,
  params: Readonly<Record<string, string>>,
  existing_access: unknown = null,
  saveAccess: LoginRequest["saveAccess"] = async () => {},
) {
  const away = await provider.login(
    requests.login({}, { existing_access, callback_url, callback_state: "state-1", saveAccess }),
  );
  if (away.kind !== "redirect") throw new Error(`the step is ${away.kind}`);
  const step = await provider.resume?.(requests.resume(away.state, params));
  if (step === undefined) throw new Error("nobody comes back");
  return step;
}

async function entered(provider: Omit<BankProvider, "name">) {
  const step = await visit(provider, success);
  if (step.kind !== "authenticated") throw new Error(`the step is ${step.kind}`);
  return step;
}

describe("[C-5.242] a login at SnapTrade", () => {
  it("has a user of its own, whom nobody guesses, and goes to the portal to read only", async () => {
    const { provider, asked } = await openPortal();
    const step = await entered(provider);
    const again = await entered(provider);
    expect(again).toMatchObject({ user_key: step.user_key, reference: CONNECTION });
    const [first, second] = asked.filter(({ path }) => path === "/snapTrade/registerUser").map(({ json }) => json);
    expect(first).toEqual({ userId: expect.stringMatching(/^wealth-connect-[\w-]{32}$/) });
    expect(second).not.toEqual(first);
    expect(asked.find(({ path }) => path === "/snapTrade/login")?.json).toEqual({
      broker: "LIGHTHOUSE",
      connectionType: "read",
      customRedirect: `${callback_url}?state=state-1&from=snaptrade`,
      immediateRedirect: true,
    });
  });

  it.each([
    [{ status: "ABANDONED" }, { kind: "rejected", declined: true }],
    [{ from: "snaptrade?status=ABANDONED" }, { kind: "rejected", declined: true }],
    [{ from: "snaptrade" }, { kind: "rejected", declined: true }],
    [
      { from: "snaptrade?status=ERROR", error_code: "1006" },
      { kind: "rejected", declined: true },
    ],
    [{ status: "ERROR", status_code: "403", error_code: "1066" }, { kind: "rejected" }],
    [
      { status: "ERROR", status_code: "403", error_code: "1140" },
      { kind: "failed", error_code: "UserInteractionNeeded" },
    ],
    [{ status: "SUCCESS", connection_id: "00000000-0000-0000-0000-000000000000" }, { kind: "rejected" }],
    [{ connection_id: CONNECTION }, { kind: "rejected", declined: true }],
  ])("that comes back with %j has said before how its user is removed", async (params, expected) => {
    const { provider, users } = await openPortal();
    const saved: unknown[] = [];
    const save = async (access: unknown) => {
      expect(users.size).toBe(0);
      saved.push(access);
    };
    expect(await visit(provider, params, null, save)).toEqual(expected);
    expect(saved).toEqual([{ user_id: [...users.keys()][0] }]);
    for (const _ of ["once", "again"]) await provider.revoke?.(requests.revoke(saved[0]));
    expect(users.size).toBe(0);
  });

  it("makes no user that could not be removed", async () => {
    const { provider, users } = await openPortal();
    const saveAccess = () => Promise.reject(new Error("the session has moved on"));
    await expect(provider.login(requests.login({}, { saveAccess }))).rejects.toThrow("moved on");
    expect(users.size).toBe(0);
  });

  it("at another brokerage than that of its row lets nobody in; a row without one, and a repair, go to any", async () => {
    const { provider, brokerage } = await openPortal();
    const { access } = await entered(provider);
    brokerage.slug = "BEACON";
    expect(await visit(provider, success)).toEqual({ kind: "rejected" });
    expect(await visit(provider, success, access)).toMatchObject({ kind: "authenticated", access });
    const away = await provider.login(requests.login({}, { provider_ref: null }));
    if (away.kind !== "redirect") throw new Error(`the step is ${away.kind}`);
    const back = requests.resume(away.state, success, { provider_ref: null });
    expect(await provider.resume?.(back)).toMatchObject({ kind: "authenticated" });
  });

  it("whose brokerage could not be reached, or that gets no portal, is a failure", async () => {
    const { provider, answers } = await openPortal();
    await expect(visit(provider, { status: "ERROR", error_code: "3000" })).rejects.toThrow(
      /brokerage could not be reached/,
    );
    answers.set("POST /snapTrade/login", { status: 500, body: { detail: "Encountered an unexpected exception." } });
    await expect(provider.login(requests.login({}))).rejects.toThrow(/answered 500/);
  });

  it("is known by the accounts at the brokerage, or by its connection where they have no ids of their own", async () => {
    const { provider, accounts } = await openPortal();
    accounts.push({ ...accounts[0], id: "second", institution_account_id: "1-A" });
    expect(await entered(provider)).toMatchObject({ user_key: "accounts 1-A 54953432" });
    accounts[1] = { ...accounts[1], institution_account_id: null };
    const step = await entered(provider);
    expect(step).toMatchObject({ user_key: `connection ${CONNECTION}` });
    accounts[1] = { ...accounts[1], institution_account_id: "1-A" };
    const fetched = await provider.fetch(requests.fetch(step.access));
    expect(fetched).toMatchObject({ user_key: "accounts 1-A 54953432", access: { connection_id: CONNECTION } });
    expect(await provider.fetch(requests.fetch(fetched.access))).not.toHaveProperty("user_key");
  });
});

describe("[C-5.243] a repair at SnapTrade", () => {
  it("goes to the connection that is disabled, with its user, and keeps who it is whatever accounts there are now", async () => {
    const { provider, asked, accounts, users } = await openPortal();
    const { access, user_key } = await entered(provider);
    accounts.push({ ...accounts[0], id: "second", institution_account_id: "1-A" });
    expect(await visit(provider, { status: "ABANDONED" }, access)).toMatchObject({ kind: "rejected" });
    const another = { status: "ERROR", status_code: "400", error_code: "1023" };
    expect(await visit(provider, another, access)).toMatchObject({
      user_key: "another login",
      user_key_is_final: true,
    });
    expect(users.size).toBe(1);
    expect(await visit(provider, success, access)).toMatchObject({ kind: "authenticated", user_key, access });
    expect(asked.filter(({ path }) => path === "/snapTrade/registerUser")).toHaveLength(1);
    const { json } = asked.findLast(({ path }) => path === "/snapTrade/login") ?? {};
    expect(json).toMatchObject({ reconnect: CONNECTION, connectionType: "read" });
    expect(json).not.toHaveProperty("broker");
  });

  it("of a connection that SnapTrade has no more connects anew", async () => {
    const { provider, asked, users } = await openPortal();
    const { access } = await entered(provider);
    users.clear();
    expect(await provider.fetch(requests.fetch(access))).toEqual({ refused: "rejected" });
    expect(await visit(provider, success, access)).toMatchObject({ user_key: "accounts 54953432" });
    expect(asked.filter(({ path }) => path === "/snapTrade/registerUser")).toHaveLength(2);
  });
});

describe("[C-5.244] an access that is given back", () => {
  it("goes with its connection and its user, unless a connection that stays has them", async () => {
    const { provider, users, asked } = await openPortal();
    const one = await entered(provider);
    const deleted = () => asked.filter(({ method }) => method === "DELETE").map(({ path }) => path);
    await provider.revoke?.(requests.revoke(one.access, { kept_accesses: [one.access] }));
    expect(deleted()).toEqual([]);
    await provider.revoke?.(requests.revoke(one.access));
    expect(deleted()).toEqual([`/connection/${CONNECTION}`, "/snapTrade/deleteUser"]);
    expect(users.size).toBe(0);
    await provider.revoke?.(requests.revoke(one.access));
    expect(users.size).toBe(0);
  });
});

describe("[C-5.245] the key of a person", () => {
  it("belongs to one tenant, and neither registers a user nor sends one", async () => {
    const { provider, asked, settings } = await openPortal({ key_type: "personal" });
    expect(snaptrade.tenantOnly?.(settings)).toMatch(/accounts of its owner/);
    expect(snaptrade.tenantOnly?.({ ...settings, key_type: "commercial" })).toBeNull();
    const { access } = await entered(provider);
    expect(await provider.fetch(requests.fetch(access))).toMatchObject({
      snapshot: { portfolios: [{ key: ACCOUNT }] },
    });
    await provider.revoke?.(requests.revoke(access));
    expect(asked.filter(({ query }) => "userId" in query || "userSecret" in query)).toEqual([]);
    expect(asked.map(({ method, path }) => `${method} ${path}`)).not.toContain("POST /snapTrade/registerUser");
    // An access of the other kind of key is none.
    const commercial = await openPortal();
    expect(await commercial.provider.fetch(requests.fetch(access))).toEqual({ refused: "rejected" });
  });
});

describe("[C-5.246] a signature that is not right", () => {
  it("is the installation's fault: no customer is refused, and the check says so", async () => {
    const { provider, http, settings, answers, clock } = await openPortal();
    const { access } = await entered(provider);
    const refusal = {
      status: 401,
      body: { detail: "Unable to verify signature sent", status_code: 401, code: "1076" },
    };
    for (const path of [`/authorizations/${CONNECTION}`, "/snapTrade/partners", "/snapTrade/registerUser"])
      for (const method of ["GET", "POST"]) answers.set(`${method} ${path}`, refusal);
    await expect(provider.fetch(requests.fetch(access))).rejects.toThrow(/answered 401 \(1076\)/);
    await expect(provider.login(requests.login({}))).rejects.toThrow(/answered 401 \(1076\)/);
    const { signal } = new AbortController();
    expect(await snaptrade.check?.({ settings, http, clock, signal })).toMatchObject({
      ok: false,
      cause: "client_refused",
    });
  });
});

describe("[C-5.247] a notification of SnapTrade", () => {
  const now = "2026-03-10T18:00:00Z";
  const event = { webhookId: "w-1", clientId: "LARKSPUR", userId: "user", eventType: "ACCOUNT_HOLDINGS_UPDATED" };
  const told = { ...event, brokerageAuthorizationId: CONNECTION, eventTimestamp: "2026-03-10T17:56:00.038+00:00" };
  /** As SnapTrade signs: names in order, no spaces. */
  const signed = (json: string, key = "consumer-key-77ab") => ({
    headers: { signature: createHmac("sha256", key).update(json).digest("base64") },
    signal: new AbortController().signal,
  });
  const sorted = (value: object) => JSON.stringify(value, Object.keys(value).sort());

  it("names its connection if it is signed with the consumer key, whatever the order and spacing of its JSON", async () => {
    const { provider } = await openPortal({}, now);
    const changed = { kind: "changed", references: [CONNECTION] };
    for (const body of [sorted(told), JSON.stringify(told), JSON.stringify(told, null, 2)])
      expect(await provider.notify?.({ ...signed(sorted(told)), body: Buffer.from(body) })).toEqual(changed);
    const odd =
      '{"brokerageAuthorizationId":"b-1","details":{"note":"d\\u00e9j\\u00e0","price":19.20},"eventTimestamp":"2026-03-10T18:01:00Z"}';
    const body = Buffer.from(odd.replace("d\\u00e9j\\u00e0", "déjà"));
    expect(await provider.notify?.({ ...signed(odd), body })).toEqual({ kind: "changed", references: ["b-1"] });
    const { brokerageAuthorizationId: _, ...ofUser } = told;
    const none = { ...signed(sorted(ofUser)), body: Buffer.from(JSON.stringify(ofUser)) };
    expect(await provider.notify?.(none)).toEqual({ kind: "changed", references: [] });
  });

  it("is not believed if it cannot be read", async () => {
    const { provider } = await openPortal({}, now);
    for (const json of ["", "{", "null", `${"[".repeat(50_000)}${"]".repeat(50_000)}`])
      expect(await provider.notify?.({ ...signed(json), body: Buffer.from(json) })).toEqual({ kind: "unverified" });
  });

  it.each<[string, object, string?]>([
    ["an old one", { ...told, eventTimestamp: "2026-03-10T17:54:59Z" }],
    ["one from ahead", { ...told, eventTimestamp: "2026-03-10T18:05:01Z" }],
    ["one without a time", { ...told, eventTimestamp: undefined }],
    ["one of another client", { ...told, clientId: "OTHER" }],
    ["one that another key signed", told, "another-key"],
  ])("is not believed: %s", async (_, content, key) => {
    const { provider } = await openPortal({}, now);
    const json = sorted(content);
    expect(await provider.notify?.({ ...signed(json, key), body: Buffer.from(json) })).toEqual({ kind: "unverified" });
  });
});

describe("[C-5.248] brokerages of SnapTrade", () => {
  it("are rows of the catalogue if they take new connections", async () => {
    const { http, settings, answers, clock } = await openPortal();
    const one = { slug: "LIGHTHOUSE", name: "Lighthouse", display_name: "Lighthouse Brokers", enabled: true };
    const allowed_brokerages = [
      { ...one, url: "https://www.lighthouse.ca/en", maintenance_mode: false },
      { ...one, slug: "BEACON FLEX", display_name: null, url: null },
      { ...one, slug: "CLOSED", enabled: false },
      { ...one, slug: "MENDED", maintenance_mode: true },
    ];
    answers.set("GET /snapTrade/partners", { status: 200, body: { allowed_brokerages } });
    const { signal } = new AbortController();
    const row = { type: "e-banking" };
    expect(await snaptrade.connectors?.(settings, { http, clock, signal })).toEqual([
      {
        ...row,
        id: "usa:snaptrade-lighthouse",
        name: "Lighthouse Brokers",
        countries: ["can"],
        provider_ref: "LIGHTHOUSE",
        identifiers: { domain: "lighthouse.ca" },
      },
      {
        ...row,
        id: "usa:snaptrade-beacon-flex",
        name: "Lighthouse",
        countries: ["usa", "can"],
        provider_ref: "BEACON FLEX",
      },
    ]);
  });
});

it("[C-5.240] every request is signed over its body, path and query as they are sent", async () => {
  const { provider, asked } = await openPortal();
  await provider.fetch(requests.fetch((await entered(provider)).access));
  await provider.login(requests.login({}, { provider_ref: null }));
  for (const { path, url, json, headers } of asked) {
    const content = json === undefined ? null : Object.fromEntries(Object.entries(json as object).sort());
    const text = JSON.stringify({ content, path: `/api/v1${path}`, query: url.search.slice(1) });
    const expected = createHmac("sha256", "consumer-key-77ab").update(text).digest("base64");
    expect((headers as HttpRequest["headers"])?.Signature).toBe(expected);
  }
  expect(asked.length).toBeGreaterThan(6);
});
