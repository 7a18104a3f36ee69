import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { HttpClient, HttpRequest } from "../http-client.js";
import { maskSettings } from "../secret.js";
import { requestsFor } from "../testing/requests.js";
import { defineOwnKeyProvider } from "./own-key-provider.js";

const account = z.object({ id: z.string() });
const server = {
  authorize_url: "https://login.broker.example/authorize",
  token_url: "https://login.broker.example/token",
};
const portal = defineOwnKeyProvider({
  name: "portal",
  title: "Portal",
  environments: {
    sim: { base_url: "https://sim.broker.example", connector: { id: "dnk:portal-sim", name: "Practice" } },
    live: { base_url: "https://api.broker.example", connector: { id: "dnk:portal", name: "Portal" } },
  },
  credentials: { rights: "trade" },
  auth: { oauthCode: { sim: server, live: { ...server, redirect_in_refresh: true } } },
  delivers: { updates: "login" },
  limits: [{ every_ms: 60_000, calls: 2 }],
  who: async (calls) => (await calls.get("/account", account)).id,
  read: {
    async accounts(calls) {
      const { id } = await calls.get("/account", account);
      const row = { key: id, name: "Depot", balance: null, currency: "EUR", ref_account: null, type: "S" } as const;
      return { portfolios: [row], holdings: [] };
    },
  },
});

const client = { client_id: "wealth", client_secret: "s3cret" };
const settings = portal.settings.parse({ clients: { live: client } });
const now = new Date("2026-11-20T10:00:00Z");
const callback_url = "https://wealth.example/connect/callback";
const requests = requestsFor("dnk:portal", "live");

/** What was sent, and the broker's answers. */
let sent: string[];
let forms: Readonly<Record<string, string>>[];
let issued: number;
let answers: (what: string) => { status: number; body?: unknown } | null;
beforeEach(() => {
  [sent, forms, issued, answers] = [[], [], 0, () => null];
});
const http = {
  async request({ url, headers, form }: HttpRequest) {
    const bearer = headers?.authorization?.replace("Bearer ", "");
    const what = form ? "/token" : `${new URL(url).pathname} ${bearer}`;
    sent.push(what);
    const plain = { status: 200, headers: {}, retry_after_seconds: null };
    const given = answers(what);
    if (given) return { ...plain, ...given };
    if (!form) return { ...plain, body: { id: "ada" } };
    forms.push(form);
    issued += 1;
    const tokens = { access_token: `at-${issued}`, expires_in: 1_200, refresh_token: `rt-${issued}` };
    return { ...plain, status: 201, body: { ...tokens, refresh_token_expires_in: 2_400 } };
  },
} as unknown as HttpClient;

async function provider(pace: Parameters<typeof portal.create>[0]["pace"] = async () => null) {
  const log = { info() {}, warn() {} };
  const random = (bytes: number) => new Uint8Array(bytes).fill(7);
  return portal.create({ settings, http, clock: () => now, sleep: async () => {}, pace, random, log });
}

async function loggedIn() {
  const replica = await provider();
  const away = await replica.login(requests.login({}));
  if (away.kind !== "redirect") throw new Error(away.kind);
  const step = await replica.resume?.(requests.resume(away.state, { code: "code-1" }));
  if (step?.kind !== "authenticated") throw new Error(step?.kind);
  return { away: new URL(away.url).searchParams, step };
}

describe("[C-5.156] defineOwnKeyProvider with a login at the institution", () => {
  it("needs a client for one environment at least, serves the rows of those, and keeps their secrets", async () => {
    const { signal } = new AbortController();
    expect(await portal.connectors?.(settings, { http, clock: () => new Date(0), signal })).toEqual([
      { id: "dnk:portal", name: "Portal", provider_ref: "live" },
    ]);
    const of = (provider_ref: string) => ({ connector_id: "dnk:x", provider_ref });
    expect([portal.serves?.(settings, of("live")), portal.serves?.(settings, of("sim"))]).toEqual([true, false]);
    expect(maskSettings(portal.settings, settings)).toMatchObject({ clients: { live: { client_secret: "set" } } });
    for (const wrong of [{}, { clients: {} }, { clients: { other: client } }, { clients: { live: {} } }])
      expect(portal.settings.safeParse(wrong).success).toBe(false);
    const elsewhere = requestsFor("dnk:portal-sim", "sim").login({});
    await expect(async () => (await provider()).login(elsewhere)).rejects.toThrow("has no environment for this row");
  });

  it("asks for no fields, says what it delivers and nothing of a key, and finds out whether it is known there", async () => {
    const { credentialFields, terms } = await provider();
    const row = { connector_id: "dnk:portal", provider_ref: "live" };
    expect([credentialFields?.(row), terms?.(row)]).toEqual([[], { rights: "trade", updates: "login" }]);
    const { signal } = new AbortController();
    answers = () => ({ status: 400, body: { error: "invalid_grant" } });
    expect(await portal.check?.({ settings, http, clock: () => new Date(0), signal })).toMatchObject({ ok: true });
    answers = () => ({ status: 401, body: { error: "invalid_client" } });
    expect(await portal.check?.({ settings, http, clock: () => new Date(0), signal })).toMatchObject({
      ok: false,
      cause: "client_refused",
    });
  });

  it("sends the customer away with PKCE, exchanges the code once, and names the customer by a call with the token", async () => {
    const { away, step } = await loggedIn();
    expect(Object.fromEntries(away)).toMatchObject({
      client_id: "wealth",
      redirect_uri: callback_url,
      code_challenge_method: "S256",
    });
    expect(sent).toEqual(["/token", "/account at-1"]);
    expect(forms[0]).toMatchObject({ code: "code-1", redirect_uri: callback_url });
    // The end of a token that is replaced with every use is no end of the consent.
    expect(step).toMatchObject({ user_key: "ada", access: { user_key: "ada" }, consent_expires_at: null });
  });

  it("stores a replaced refresh token before it uses it, with the redirect_uri that the institution wants to see", async () => {
    const { step } = await loggedIn();
    const access = { ...(step.access as object), tokens: { ...tokensOf(step.access), ends_at: now.getTime() } };
    sent = [];
    const result = await (await provider()).fetch(
      requests.fetch(access, { saveAccess: async (saved) => void sent.push(`save ${tokensOf(saved).refresh_token}`) }),
    );
    expect(sent).toEqual(["/token", "save rt-2", "/account at-2"]);
    expect(forms[1]).toMatchObject({ grant_type: "refresh_token", refresh_token: "rt-1", redirect_uri: callback_url });
    expect(result).toMatchObject({ snapshot: { portfolios: [{ key: "ada" }] }, access: { user_key: "ada" } });
  });

  it("[C-5.188] refuses an access whose refresh token has ended as an expired consent, so that its customer is asked to log in", async () => {
    const { step } = await loggedIn();
    answers = () => ({ status: 400, body: { error: "invalid_grant" } });
    const past = { ends_at: now.getTime(), refresh_ends_at: now.getTime() };
    const access = { ...(step.access as object), tokens: { ...tokensOf(step.access), ...past } };
    expect(await (await provider()).fetch(requests.fetch(access))).toEqual({ refused: "consent_expired" });
  });

  it("refuses an access whose grant has ended, and one that is none; a limit is no refusal", async () => {
    const { step } = await loggedIn();
    answers = (what) => (what === "/token" ? { status: 400, body: { error: "invalid_grant" } } : { status: 401 });
    const replica = await provider();
    expect(await replica.fetch(requests.fetch(step.access))).toEqual({ refused: "rejected" });
    expect(await replica.fetch(requests.fetch({ key: {} }))).toEqual({ refused: "rejected" });
    const late = await provider(async () => ({ retry_after: 9 }));
    expect(await late.fetch(requests.fetch(step.access))).toEqual({ throttled: { retry_after: 9 } });
  });
});

function tokensOf(access: unknown) {
  return (access as { tokens: { refresh_token: string } }).tokens;
}
