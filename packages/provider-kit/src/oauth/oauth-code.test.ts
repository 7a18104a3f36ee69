import { expect, test } from "vitest";
import {
  AnswerFailure,
  type FetchResult,
  type HttpRequest,
  isOutage,
  type LoginStep,
  type OpenGrant,
  oauthCode,
  ReadInterrupted,
} from "../index.js";
import { requestsFor } from "../testing/requests.js";

const requests = requestsFor("che:broker");
const now = new Date("2026-11-20T10:00:00Z");
const client = {
  authorize_url: "https://login.broker.example/authorize?realm=1",
  token_url: "https://login.broker.example/token",
  revoke_url: "https://login.broker.example/revoke",
  client_id: "wealth",
  client_secret: "s3cret",
};
const usable = {
  access_token: "at-0",
  ends_at: now.getTime() + 3_600_000,
  refresh_token: "rt-0",
  refresh_ends_at: null,
};
const ended = { ...usable, ends_at: now.getTime() };
const nothing: FetchResult = {
  snapshot: { as_of: now, portfolios: null, holdings: null, transactions: null },
  consent_expires_at: null,
};

interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly retry_after?: number;
}

/** The customer's tokens and the broker's answers; `order` is what happened, one word each. */
function broker(answer: (what: string, form: Readonly<Record<string, string>>) => Reply = () => ({})) {
  const order: string[] = [];
  const sent: HttpRequest[] = [];
  let issued = 0;
  const oauth = oauthCode(client, {
    clock: () => now,
    random: (bytes) => new Uint8Array(bytes).fill(7),
    http: {
      async request(request) {
        const { pathname } = new URL(request.url);
        const bearer = request.headers?.authorization?.replace("Bearer ", "");
        const what = pathname === "/data" ? `data ${bearer}` : pathname.slice(1);
        request.signal.throwIfAborted();
        order.push(what);
        sent.push(request);
        if (what === "token") issued += 1;
        const tokens = { access_token: `at-${issued}`, expires_in: 1_200, refresh_token: `rt-${issued}` };
        const {
          status = 200,
          body = what === "token" ? tokens : {},
          retry_after = null,
        } = answer(what, request.form ?? {});
        request.signal.throwIfAborted();
        return { status, headers: {}, body: body as never, retry_after_seconds: retry_after };
      },
    },
  });
  return { oauth, order, sent };
}

const DATA = { method: "GET", url: "https://api.broker.example/data", read: "json" } as const;

/** A fetch that sends two requests at once; `saved` are the accesses that were stored on the way. */
async function fetched(at: ReturnType<typeof broker>, access: unknown, save?: () => Promise<void>) {
  const saved: unknown[] = [];
  const request = requests.fetch(access, {
    saveAccess: async (renewed) => {
      at.order.push("save");
      await save?.();
      saved.push(renewed);
    },
  });
  const result = await at.oauth.fetch(request, async ({ http }) => {
    const { signal } = request;
    const both = await Promise.all([http.request({ ...DATA, signal }), http.request({ ...DATA, signal })]);
    if (both.some(({ status }) => status === 401)) throw new ReadInterrupted({ refused: "rejected" });
    if (both.some(({ status }) => status !== 200)) throw new AnswerFailure("no data", { status: 500 });
    return nothing;
  });
  return { result, saved };
}

test("[C-5.153] a customer is sent away with PKCE and our state, and comes back with a code that is exchanged once", async () => {
  const { oauth, sent } = broker();
  const step = oauth.redirect(requests.login({}), "kept");
  if (step.kind !== "redirect") throw new Error(step.kind);
  expect(Object.fromEntries(new URL(step.url).searchParams)).toMatchObject({
    realm: "1",
    response_type: "code",
    state: "a-state-that-nobody-guesses",
    code_challenge_method: "S256",
  });
  const enter = async (grant: OpenGrant, kept: unknown) =>
    ({ kind: "authenticated", user_key: String(kept), access: grant.tokens() }) as const;
  expect(await oauth.resume(requests.resume(step.state, { code: "c0de" }), enter)).toEqual({
    kind: "authenticated",
    user_key: "kept",
    access: { ...usable, access_token: "at-1", refresh_token: "rt-1", ends_at: now.getTime() + 1_200_000 },
  });
  expect(sent.map(({ form }) => form?.code)).toEqual(["c0de"]);
  expect(new URL(step.url).searchParams.get("code_challenge")).not.toBe(sent[0]?.form?.code_verifier);
});

test.each([
  ["with a line break", "at-1\nx-other: 1"],
  ["in other letters", "токен"],
  ["without an end", "a".repeat(16_385)],
  ["that is none", { value: "at-1" }],
])("[C-5.197] an access token %s is not stored, and is no outage", async (_, access_token) => {
  const at = broker(() => ({ body: { access_token, refresh_token: "rt-1" } }));
  const saved: unknown[] = [];
  const request = requests.fetch({ tokens: ended }, { saveAccess: async (access) => void saved.push(access) });
  const failure = await at.oauth
    .fetch(request, async ({ http }) => {
      await http.request({ ...DATA, signal: request.signal });
      return nothing;
    })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: "the token endpoint at login.broker.example answered 200 without a token" });
  expect([saved, at.order, isOutage(failure)]).toEqual([[], ["token"], false]);
});

test("[C-5.184] a renewal that has begun when its fetch is cut off is ended and saved, and nothing else is sent", async () => {
  const stopping = new AbortController();
  const at = broker((what) => {
    if (what === "token") stopping.abort(new Error("the server stops"));
    return {};
  });
  const saved: unknown[] = [];
  const request = {
    ...requests.fetch({ tokens: ended }, { saveAccess: async (access) => void saved.push(access) }),
    signal: stopping.signal,
  };
  const read = at.oauth.fetch(request, async ({ http }) => {
    const send = () => http.request({ ...DATA, signal: request.signal });
    await send();
    return nothing;
  });
  await expect(read).rejects.toThrow("the server stops");
  expect(saved).toMatchObject([{ tokens: { access_token: "at-1", refresh_token: "rt-1" } }]);
  expect(at.order).toEqual(["token"]);
});

test.each<[object, Reply, LoginStep]>([
  [{ error: "access_denied" }, {}, { kind: "rejected" }],
  [{ error: "server_error" }, {}, { kind: "failed", error_code: "InternalError" }],
  [{}, {}, { kind: "rejected" }],
  [{ code: "c" }, { status: 400, body: { error: "invalid_grant" } }, { kind: "rejected" }],
  [{ code: "c" }, { status: 429, retry_after: 9 }, { kind: "throttled", retry_after: 9 }],
])("[C-5.153] nobody enters who comes back with %j, answered %j", async (params, reply, step) => {
  const { oauth } = broker(() => reply);
  const { state } = oauth.redirect(requests.login({})) as { state: unknown };
  const enter = () => Promise.reject(new Error("nobody enters"));
  expect(await oauth.resume(requests.resume(state, params as Record<string, string>), enter)).toEqual(step);
});

test("[C-5.154] a new refresh token is saved before its access token is used, once for all requests, beside what else the access has", async () => {
  for (const [tokens, before] of [
    [ended, []],
    [usable, ["data at-0", "data at-0"]],
  ] as const) {
    const at = broker((what) => ({ status: what === "data at-0" ? 401 : 200 }));
    const { result, saved } = await fetched(at, { account: "7", tokens });
    expect(at.order).toEqual([...before, "token", "save", "data at-1", "data at-1"]);
    const access = { account: "7", tokens: expect.objectContaining({ access_token: "at-1", refresh_token: "rt-1" }) };
    expect(saved).toEqual([access]);
    expect(result).toEqual({ ...nothing, access });
  }
});

test("[C-5.154] a token that could not be saved is not used, and comes back with the failure", async () => {
  const at = broker();
  const { result } = await fetched(at, { tokens: ended }, () => Promise.reject(new Error("the database is away")));
  expect(result).toMatchObject({
    failed: { message: "the database is away" },
    access: { tokens: { refresh_token: expect.stringMatching(/^rt-/) } },
  });
  expect(at.order.filter((what) => what.startsWith("data"))).toEqual([]);
});

test("[C-5.153] an answer without a refresh token keeps the former one; nothing is asked for while a token holds", async () => {
  const at = broker((what) => (what === "token" ? { body: { access_token: "at-9" } } : {}));
  const { saved } = await fetched(at, { tokens: ended });
  expect(saved).toEqual([{ tokens: { ...ended, access_token: "at-9", ends_at: null } }]);
  const idle = broker();
  expect((await fetched(idle, { tokens: usable })).result).toEqual(nothing);
  expect(idle.order).toEqual(["data at-0", "data at-0"]);
});

test.each<[string, object, Reply, object]>([
  ["a revoked grant", ended, { status: 400, body: { error: "invalid_grant" } }, { refused: "rejected" }],
  [
    "a grant whose end was announced",
    { ...ended, refresh_ends_at: now.getTime() },
    { status: 400, body: { error: "invalid_grant" } },
    { refused: "consent_expired" },
  ],
  ["a new login that is due", ended, { status: 400, body: { error: "login_required" } }, { refused: "sca_required" }],
  ["no refresh token", { ...ended, refresh_token: null }, {}, { refused: "sca_required" }],
  ["fewer requests", ended, { status: 429, retry_after: 9 }, { throttled: { retry_after: 9 } }],
])("[C-5.153] a token that is not renewed: %s", async (_, tokens, reply, outcome) => {
  expect(
    await fetched(
      broker(() => reply),
      { tokens },
    ),
  ).toEqual({ result: outcome, saved: [] });
});

test("[C-5.153] a renewal answered 500 is the institution's outage; a refusal of ourselves is none, and no customer's login is lost", async () => {
  for (const [status, isDown] of [
    [500, true],
    [401, false],
  ] as const) {
    const at = broker(() => ({ status, body: { error: "invalid_client" } }));
    const failure: unknown = await fetched(at, { tokens: ended }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "OAuthFailure", oauth_code: "invalid_client" });
    expect(isOutage(failure)).toBe(isDown);
    expect(String(failure)).not.toMatch(/s3cret|rt-0/);
  }
});

test("[C-5.154] whatever a read comes to after a renewal, the new access comes along, and a failure is not retried", async () => {
  const access = { tokens: expect.objectContaining({ refresh_token: "rt-1" }) };
  const answering = (status: number) => broker((what) => ({ status: what === "token" ? 200 : status }));
  const down = await fetched(answering(503), { tokens: ended });
  expect(down.result).toEqual({ failed: { message: "no data", outage: true }, access });
  const refusing = await fetched(answering(401), { tokens: usable });
  expect(refusing.result).toMatchObject({ refused: "rejected", access: { tokens: { refresh_token: "rt-1" } } });
});

test("[C-5.153] an access without tokens is rejected unasked; one that ends gives both tokens back, where there is an address for it", async () => {
  const at = broker((what) => (what === "revoke" ? { status: 400, body: { error: "invalid_token" } } : {}));
  expect((await fetched(at, { key: "1" })).result).toEqual({ refused: "rejected" });
  await at.oauth.revoke(requests.revoke(null));
  expect(at.sent).toEqual([]);
  await at.oauth.revoke(requests.revoke({ tokens: usable }));
  expect(at.sent.map(({ form }) => form?.token)).toEqual(["rt-0", "at-0"]);
});

test.each<[string, object, readonly string[]]>([
  ["other tokens", { refresh_token: "rt-1", access_token: "at-1" }, ["rt-0", "at-0"]],
  ["no tokens that can be refreshed", { refresh_token: null, access_token: "at-1" }, ["rt-0", "at-0"]],
  ["the same refresh token", { access_token: "at-1" }, []],
  ["the same access token", { refresh_token: null }, []],
])("[C-5.214] what is given back while a connection with %s stays", async (_, kept, sent) => {
  const at = broker(() => ({}));
  const kept_accesses = [{ key: "of another kind" }, { tokens: { ...usable, ...kept } }];
  await at.oauth.revoke(requests.revoke({ tokens: usable }, { kept_accesses }));
  expect(at.sent.map(({ form }) => form?.token)).toEqual(sent);
});
