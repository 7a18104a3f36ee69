import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { companyWithAccounts, customerOfOddities, emptyCustomer } from "./stand-in/further-customers.js";
import { daysBefore, larkspurAtBank, larkspurNextDay } from "./stand-in/larkspur-at-bank.js";
import { type BankOptions, startOpenWealthBank } from "./stand-in/open-wealth-bank.js";

const today = "2026-11-20";
const redirect = "https://connect.example/connect/callback";
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = createHash("sha256").update(verifier).digest("base64url");

async function bank(options: Partial<BankOptions> = {}) {
  let now = Date.parse(`${today}T06:00:00Z`);
  const larkspur = larkspurAtBank(today);
  const started = await startOpenWealthBank({
    clock: () => new Date(now),
    customers: [larkspur],
    redirect_uris: [redirect],
    ...options,
  });
  onTestFinished(() => started.close());
  const client = `Basic ${Buffer.from(`${started.client_id.replace(" ", "+")}:${encodeURIComponent(started.client_secret)}`).toString("base64")}`;
  const token = async (form: Record<string, string>, authorization = client) => {
    const response = await fetch(started.token_url, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { authorization },
    });
    return (await response.json()) as Record<string, string>;
  };
  const call = (access: string, path: string, headers: Record<string, string> = {}) =>
    fetch(started.base_url + path, {
      headers: {
        authorization: `Bearer ${access}`,
        "x-correlation-id": randomUUID(),
        "user-agent": "Test/1.0",
        ...headers,
      },
    });
  return {
    ...started,
    larkspur,
    path: `/customers/${encodeURIComponent(larkspur.id)}`,
    token,
    call,
    later: (milliseconds: number) => {
      now += milliseconds;
    },
    open: async () => (await token({ grant_type: "client_credentials" })).access_token ?? "",
    async rows(access: string, path: string): Promise<string[]> {
      const pages: string[] = [];
      for (let cursor: string | null = null; cursor !== "" && pages.length < 50; ) {
        const next: Response = await call(access, cursor ? `${path}&cursor=${encodeURIComponent(cursor)}` : path);
        pages.push(await next.text());
        cursor = next.headers.get("nextCursor") ?? "";
      }
      return pages;
    },
    /** The customer's decision on the bank's page; returns where the browser is sent afterwards. */
    async decide(decision: string, params: Record<string, string> = {}): Promise<URL> {
      const query = {
        response_type: "code",
        client_id: started.client_id,
        redirect_uri: redirect,
        state: "s t",
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...params,
      };
      const page = await fetch(`${started.authorize_url}?${new URLSearchParams(query)}`, { redirect: "manual" });
      if (page.status !== 200) return new URL(page.headers.get("location") ?? `https://refused.example/${page.status}`);
      const [, request = ""] = /name="request" value="(\w+)"/.exec(await page.text()) ?? [];
      const form = new URLSearchParams({ request, user: "larkspur", decision });
      const answer = await fetch(`${started.institution.url}/oauth/decide`, {
        method: "POST",
        body: form,
        redirect: "manual",
      });
      return new URL(answer.headers.get("location") ?? "");
    },
  };
}

describe("The stand-in of an OpenWealth bank", () => {
  it("gives out a code for a consent, once, and refresh tokens that are good for one use", async () => {
    const { decide, token, authorization, call, path } = await bank();
    const declined = await decide("decline");
    expect([declined.searchParams.get("error"), declined.searchParams.get("state")]).toEqual(["access_denied", "s t"]);
    expect((await decide("approve", { code_challenge_method: "plain" })).searchParams.get("error")).toBe(
      "invalid_request",
    );
    expect((await decide("approve", { redirect_uri: `${redirect}/` })).pathname).toBe("/400");

    const code = (await decide("approve")).searchParams.get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: verifier };
    const first = await token(form);
    expect((await call(first.access_token ?? "", path)).status).toBe(200);
    const second = await token({ grant_type: "refresh_token", refresh_token: first.refresh_token ?? "" });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await token({ grant_type: "refresh_token", refresh_token: first.refresh_token ?? "" })).toMatchObject({
      error: "invalid_grant",
    });
    expect((await call(second.access_token ?? "", path)).status).toBe(401);
    expect(await token(form)).toMatchObject({ error: "invalid_grant" });
    expect(await token(form, "Basic eDp5")).toMatchObject({ error: "invalid_client" });
    expect(authorization.violations.map(({ rule }) => rule)).toEqual([
      "a refresh token was sent twice",
      "a code was sent twice",
    ]);
  });

  it("refuses a code with another verifier, too late, and whatever comes after a consent was taken back", async () => {
    const { decide, token, authorization, call, later, path } = await bank();
    const redeem = async (differs: Record<string, string>, wait = 0) => {
      const code = (await decide("approve")).searchParams.get("code") ?? "";
      later(wait);
      return token({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirect,
        code_verifier: verifier,
        ...differs,
      });
    };
    expect(await redeem({ code_verifier: "x" })).toMatchObject({ error: "invalid_grant" });
    expect(await redeem({}, 60_000)).toMatchObject({ error: "invalid_grant" });
    const { access_token: access = "", refresh_token: refresh = "" } = await redeem({});
    expect(authorization.isOpen("larkspur")).toBe(true);
    authorization.withdraw("larkspur");
    expect(authorization.isOpen("larkspur")).toBe(false);
    expect(await (await call(access, path)).json()).toMatchObject({ type: "/problems/INVALID_TOKEN" });
    expect(await token({ grant_type: "refresh_token", refresh_token: refresh })).toMatchObject({
      error: "invalid_grant",
    });
  });

  it("ends a consent after its time, which its answers state, whatever was refreshed meanwhile", async () => {
    const { decide, token, call, later, path } = await bank({ consent_seconds: 120, access_seconds: 300 });
    const code = (await decide("approve")).searchParams.get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: verifier };
    const first = await token(form);
    expect(first.refresh_token_expires_in).toBe(120);
    later(90_000);
    const second = await token({ grant_type: "refresh_token", refresh_token: first.refresh_token ?? "" });
    expect(second.refresh_token_expires_in).toBe(30);
    expect((await call(second.access_token ?? "", path)).status).toBe(200);
    later(30_000);
    expect((await call(second.access_token ?? "", path)).status).toBe(401);
    expect(await token({ grant_type: "refresh_token", refresh_token: second.refresh_token ?? "" })).toMatchObject({
      error: "invalid_grant",
    });
  });

  it("takes tokens back when it is asked to", async () => {
    const { open, call, path, revoke_url, client_id, client_secret } = await bank();
    const access = await open();
    const form = new URLSearchParams({ token: access, client_id, client_secret });
    expect((await fetch(revoke_url, { method: "POST", body: form })).status).toBe(200);
    expect((await call(access, path)).status).toBe(401);
  });

  it("wants its headers, and a correlation id of its own with every call", async () => {
    const { open, call, path, violations } = await bank({ required_headers: { "X-CorAPI-Target-ID": "bank-7" } });
    const access = await open();
    const target = { "x-corapi-target-id": "bank-7" };
    expect((await call(access, path)).status).toBe(400);
    const answered = await call(access, path, { ...target, "x-correlation-id": "one" });
    expect([answered.status, answered.headers.get("x-correlation-id")]).toEqual([200, "one"]);
    await call(access, path, { ...target, "x-correlation-id": "one" });
    expect((await call(access, path, { ...target, "x-correlation-id": "" })).status).toBe(400);
    expect(violations.map(({ rule }) => rule)).toEqual([
      "a required header is missing",
      "a correlation id was sent twice",
      "no correlation id",
    ]);
  });

  it("writes each figure of its truth into its answers, digit by digit", async () => {
    const oddities = customerOfOddities("odd", today);
    const { open, rows, path, larkspur, truthOf } = await bank({ customers: [larkspurAtBank(today), oddities] });
    const access = await open();
    const text = (await rows(access, `${path}/positions?date=${today}&limit=4`)).join("");
    for (const { amount, balance, currency } of truthOf(larkspur.id).holdings) {
      expect(text).toContain(`"value":${amount}}`);
      expect(text).toContain(`"valueInPositionCurrency":{"amount":${balance},"currency":"${currency}"}`);
    }
    const odd = (await rows(access, `/customers/odd/positions?date=${today}`)).join("");
    expect(odd).toContain('"value":12345678901234567890.123456789}');
    expect(odd).toContain('"amount":0.30000000000000000004,');
    expect(odd).toContain('"value":1.5E+3}');
    const booked = (await rows(access, `/customers/odd/transactions?date=${daysBefore(today, 3)}`)).join("");
    expect(booked).toContain('"amount":0.10000000000000000555,');
  });

  it("pages lists, and cuts them anew while they change", async () => {
    const { open, rows, between, larkspur, path, call } = await bank({
      customers: [larkspurAtBank(today), companyWithAccounts("co", 360), emptyCustomer("none")],
    });
    const access = await open();
    const accounts = await rows(access, "/customers/co/accounts?limit=100");
    expect(accounts.map((page) => (JSON.parse(page) as unknown[]).length)).toEqual([100, 100, 100, 60]);
    expect(await rows(access, "/customers/none/accounts?limit=1")).toEqual(["[]"]);
    expect((await call(access, `${path}/positions?date=${today}&cursor=bad`)).status).toBe(400);

    const ids = (pages: readonly string[]) =>
      pages.flatMap((page) => (JSON.parse(page) as { id: string }[]).map(({ id }) => id));
    const positions = `${path}/positions?date=${today}&limit=10`;
    between({ list: "positions", after_page: 1, trick: "repeat" });
    const repeated = ids(await rows(access, positions));
    expect(repeated.slice(0, 10)).toEqual(repeated.slice(10, 20));
    between({ list: "positions", after_page: 2, trick: () => larkspurNextDay(larkspur, today) });
    expect(new Set(repeated).size).toBe(25);
    between({ list: "positions", after_page: 1, trick: "loop" });
    expect(await rows(access, positions)).toHaveLength(50);
  });

  it("answers a day that is not over, a day without a run and a day to come as it is told to", async () => {
    const { open, call, path, services } = await bank();
    const access = await open();
    const asked = async (day: string, more = "") => {
      const answer = await call(access, `${path}/positions?date=${day}${more}`);
      const read = (await answer.json()) as { type?: string; length?: number };
      return answer.ok ? read.length : read.type;
    };
    expect([await asked(today), await asked(today, "&end_of_day_indicator=true"), await asked("2026-11-19")]).toEqual([
      25, 0, 25,
    ]);
    expect(await asked("2026-11-21")).toBe("/problems/MALFORMED_PAYLOAD");
    expect(await asked("")).toBe("/problems/INVALID_PAYLOAD");
    services.habits.unfinished = "not_ready";
    expect(await asked(today)).toBe("/problems/RESOURCE_NOT_READY");
    services.habits.without_run = new Set(["2026-11-15"]);
    expect(await asked("2026-11-15")).toBe(0);
  });

  it("throttles, expires and refuses in the middle", async () => {
    const { open, call, path, throttle, throttled, expireAccessAfter, refuse, later } = await bank({
      customers: [larkspurAtBank(today), companyWithAccounts("co", 1)],
      client_customers: ["co"],
    });
    const access = await open();
    expect(await (await call(access, path)).json()).toMatchObject({ type: "/problems/NO_ACCESS_TO_RESOURCE" });
    expect((await call(access, "/customers/nobody")).status).toBe(404);
    throttle({ calls: 2, per_ms: 10_000 });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await call(access, "/customers")).status);
    expect([...statuses, throttled()]).toEqual([200, 200, 429, 1]);
    expect((await call(access, "/customers")).headers.get("retry-after")).toBe("10");
    later(10_000);
    throttle(null);
    expireAccessAfter(1);
    expect([(await call(access, "/customers")).status, (await call(access, "/customers")).status]).toEqual([200, 401]);
    refuse(503, "SERVICE_UNAVAILABLE", 1, { "retry-after": "7" });
    const refused = await call(await open(), "/customers");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "7"]);
  });
});
