import { expect, it } from "vitest";
import { z } from "zod";
import type { HttpAnswer, HttpClient, HttpRequest } from "../http-client.js";
import type { PaceLimit } from "../pace.js";
import { type CallRules, createInstitutionCalls } from "./institution-calls.js";
import { basicAuth, headerAuth, type OutgoingRequest } from "./key-auth.js";

const now = new Date("2026-03-02T09:00:00.000Z");
const key = { id: "id-of-ada", secret: "sécret" };

/** Calls to an institution that gives one answer, and what it was asked. */
function callsWith(
  answer: Partial<HttpAnswer>,
  rules: Partial<CallRules<"id" | "secret">> = {},
  { late = null, ...given }: { application?: string; mayWait?: null; late?: { retry_after: number } | null } = {},
) {
  const asked: HttpRequest[] = [];
  const http = {
    request: async (request: HttpRequest) => {
      asked.push(request);
      return { status: 200, headers: {}, body: {}, retry_after_seconds: null, ...answer };
    },
  } as unknown as HttpClient;
  const paced: { key: string; limits: readonly PaceLimit[]; longest: number | undefined }[] = [];
  const calls = createInstitutionCalls(
    { auth: basicAuth("id", "secret"), ...rules },
    {
      http,
      pace: async (key, limits, _, longest) => {
        paced.push({ key, limits, longest });
        return key.includes("application") ? late : null;
      },
      clock: () => now,
      base_url: "https://api.bank.example/v1",
      key,
      identity: "ada",
      mayWait: { until: new Date(now.getTime() + 20_000) },
      signal: new AbortController().signal,
      ...given,
    },
  );
  return { calls, asked, paced };
}

const anything = z.unknown();
const inSeconds = (seconds: number) => String(now.getTime() / 1_000 + seconds);

it("[C-5.147] a key is sent as the institution wants it, and only to the institution", async () => {
  const basic = callsWith({});
  await basic.calls.get("/accounts?page=2", anything, { size: "9", none: undefined });
  expect(basic.asked[0]?.headers).toEqual({
    authorization: `Basic ${Buffer.from("id-of-ada:sécret").toString("base64")}`,
  });
  expect(String(basic.asked[0]?.url)).toBe("https://api.bank.example/v1/accounts?page=2&size=9");
  const headers = callsWith({}, { auth: headerAuth({ "x-id": "id", "x-secret": "secret" }) });
  await headers.calls.post("/accounts", anything, { page: "2" });
  expect(headers.asked[0]).toMatchObject({
    method: "POST",
    form: { page: "2" },
    headers: { "x-id": "id-of-ada", "x-secret": "sécret" },
  });
  for (const path of ["https://elsewhere.example/", "@elsewhere.example/", "@elsewhere:999999/", ".elsewhere.example/"])
    await expect(async () => basic.calls.get(path, anything)).rejects.toThrow("leads elsewhere");
  expect(basic.asked).toHaveLength(1);
});

const codes = {
  codeOf: (body: unknown) => (body as { error?: string[] }).error?.[0] ?? null,
  codes: {
    "EAPI:Invalid key": "rejected",
    "EAPI:Rate limit exceeded": "throttled",
    "EGeneral:Temporary lockout": { throttled: 900 },
    "EAPI:Invalid nonce": "repeat",
    "EService:Unavailable": "outage",
  },
} as const;

it.each<[string, Partial<HttpAnswer>, Partial<CallRules>, object]>([
  ["401", { status: 401 }, {}, { end: { refused: "rejected" } }],
  ["403 by a rule", { status: 403 }, { statuses: { 403: "blocked" } }, { end: { refused: "blocked" } }],
  ["403 without a rule", { status: 403 }, {}, { name: "AnswerFailure", status: 403 }],
  ["429 with a time", { status: 429, retry_after_seconds: 7 }, {}, { end: { throttled: { retry_after: 7 } } }],
  ["429 without a time", { status: 429 }, {}, { end: { throttled: { retry_after: 60 } } }],
  [
    "429 with the moment of its reset",
    { status: 429, headers: { "x-ratelimit-reset": inSeconds(25) } },
    {},
    { end: { throttled: { retry_after: 25 } } },
  ],
  ["503 with a time", { status: 503, retry_after_seconds: 9 }, {}, { end: { throttled: { retry_after: 9 } } }],
  ["503", { status: 503 }, {}, { name: "AnswerFailure", status: 503 }],
  ["a code with 200", { body: { error: ["EAPI:Invalid key"] } }, codes, { end: { refused: "rejected" } }],
  ["a limit as a code", { body: { error: ["EAPI:Rate limit exceeded"] } }, codes, { end: { throttled: {} } }],
  [
    "a limit as a code, for a known time",
    { body: { error: ["EGeneral:Temporary lockout"] } },
    codes,
    { end: { throttled: { retry_after: 900 } } },
  ],
  [
    "an outage as a code",
    { body: { error: ["EService:Unavailable"] } },
    codes,
    {
      name: "AnswerFailure",
      status: 503,
      message: "GET api.bank.example/v1/accounts answered 200 (EService:Unavailable)",
    },
  ],
  [
    "a code for a nonce that is too low, also the second time",
    { body: { error: ["EAPI:Invalid nonce"] } },
    codes,
    {
      name: "AnswerFailure",
      status: 200,
      message: "GET api.bank.example/v1/accounts answered 200 (EAPI:Invalid nonce)",
    },
  ],
  [
    "another code",
    { body: { error: ["EGeneral:Bad"] } },
    codes,
    { message: "GET api.bank.example/v1/accounts answered 200 (EGeneral:Bad)" },
  ],
  [
    "a code that may be anything",
    { body: { error: ["<secret>"] } },
    codes,
    { message: "GET api.bank.example/v1/accounts answered 200" },
  ],
])("[C-5.149] what an answer means: %s", async (_, answer, rules, expected) => {
  await expect(callsWith(answer, rules).calls.get("/accounts", anything)).rejects.toMatchObject(expected);
});

it.each([
  ["/positions?symbol=AAPL", "/positions"],
  ["/accounts/7712-A/activities/AAPL", "/accounts/*/activities/*"],
  ["/users/id-of-ada/TradesHistory/abcDEfgH", "/users/*/TradesHistory/*"],
])("[C-5.302] the message of a call says which one, and nothing of a customer: %s", async (path, shown) => {
  await expect(callsWith({ status: 400 }).calls.get(path, anything)).rejects.toThrow(
    new RegExp(`^GET api\\.bank\\.example/v1${shown.replaceAll("*", "\\*")} answered 400$`),
  );
});

it("[C-5.149] an answer that cannot be read names places and no value", async () => {
  const { calls } = callsWith({ body: { rows: [{ qty: "secret" }] } });
  const schema = z.object({ rows: z.array(z.object({ qty: z.number() })) });
  await expect(calls.get("/accounts", schema)).rejects.toThrow(
    "GET api.bank.example/v1/accounts answered what cannot be read: rows.0.qty invalid_type",
  );
});

it("[C-5.199] names that an institution has chosen stand in no message, and are no rules", async () => {
  const accounts = { "DE89 3704 0044": { qty: "1" }, [`7712${"0".repeat(100_000)}`]: { qty: "1" } };
  const { calls } = callsWith({ body: { accounts } });
  const schema = z.object({ accounts: z.record(z.string(), z.object({ qty: z.number() })) });
  await expect(calls.get("/accounts", schema)).rejects.toThrow(
    /cannot be read: accounts\.\*\.qty invalid_type, accounts\.\*\.qty invalid_type$/,
  );
  for (const code of ["__proto__", "constructor"])
    await expect(callsWith({ body: { error: [code] } }, codes).calls.get("/accounts", anything)).rejects.toMatchObject({
      name: "AnswerFailure",
      message: `GET api.bank.example/v1/accounts answered 200 (${code})`,
    });
});

it("[C-5.200] a read ends at an institution that answers on and on", async () => {
  const { calls, asked } = callsWith({ bytes: 16 * 1024 * 1024 });
  for (const page of ["1", "2", "3", "4"]) await calls.get("/accounts", anything, { page });
  await expect(calls.get("/accounts", anything)).rejects.toThrow(
    "api.bank.example answers one read with more than 67108864 bytes",
  );
  expect(asked).toHaveLength(4);
  const other = callsWith({ bytes: 16 * 1024 * 1024 });
  await expect(other.calls.get("/accounts", anything)).resolves.toEqual({});
});

it("[C-5.149] a call waits for its turn by the limits of its key and of its address, no longer than its read may", async () => {
  const limits = [
    { every_ms: 60_000, calls: 200 },
    { every_ms: 1_000, calls: 1, path: "/v1/positions" },
  ];
  const { calls, paced } = callsWith({}, { limits });
  await calls.get("/positions", anything);
  await calls.get("/accounts", anything);
  expect(paced.map(({ key, limits }) => [key, limits.map(({ calls }) => calls)])).toEqual([
    ['["ada",""]', [200]],
    ['["ada","/v1/positions"]', [1]],
    ['["ada",""]', [200]],
  ]);
  expect(paced[0]?.longest).toBe(20_000);
});

it("[C-5.280] a shared limit counts for the application; a read that nobody waits for leaves room, and goes on once it has begun", async () => {
  const limits = [
    { every_ms: 60_000, calls: 250, shared: true },
    { every_ms: 86_400_000, calls: 4, shared: true },
    { every_ms: 1_000, calls: 5 },
  ];
  const application = "client 1";
  const login = callsWith({}, { limits }, { application });
  await login.calls.get("/accounts", anything);
  expect(login.paced.map(({ key, limits }) => [key, limits.map(({ every_ms, calls }) => [every_ms, calls])])).toEqual([
    ['["ada",""]', [[1_000, 5]]],
    [
      '["application","client 1",""]',
      [
        [60_000, 250],
        [86_400_000, 4],
      ],
    ],
  ]);
  const refresh = callsWith({}, { limits }, { application, mayWait: null });
  await refresh.calls.get("/accounts", anything);
  await refresh.calls.get("/positions", anything);
  const [own, first, , second] = refresh.paced;
  // A tenth is left; the rest is spread over tenths of the time.
  expect(first?.limits.map(({ every_ms, calls }) => [every_ms, calls])).toEqual([
    [60_000, 250],
    [60_000, 225],
    [6_000, 23],
    [86_400_000, 4],
    [86_400_000, 3],
  ]);
  expect([own, first, second].map((each) => each?.longest)).toEqual([0, 0, 30_000]);
  const full = callsWith({}, { limits }, { mayWait: null, late: { retry_after: 6 } });
  await expect(full.calls.get("/accounts", anything)).rejects.toMatchObject({
    end: { throttled: { retry_after: 6, shared: true } },
  });
  expect(full.paced.at(-1)?.key).toBe('["application","https://api.bank.example/v1",""]');
  expect(full.asked).toEqual([]);
});

it("[C-5.157] a request that another one overtook is sent once more, with a turn and a nonce of its own", async () => {
  const refused = { error: ["EAPI:Invalid nonce"] };
  const bodies = [refused, { error: [], total: "1" }];
  const auth = (request: OutgoingRequest) => ({ ...request, form: { nonce: String(bodies.length) } });
  const { calls, asked, paced } = callsWith(
    {
      get body() {
        return bodies.shift();
      },
    },
    { ...codes, auth, spacing_ms: 1_000 },
  );
  expect(await calls.post("/balance", z.object({ total: z.string() }), {})).toEqual({ total: "1" });
  expect(asked.map(({ form }) => form)).toEqual([{ nonce: "2" }, { nonce: "1" }]);
  expect(paced.map(({ key, limits }) => [key, limits])).toEqual(
    Array(2).fill(['["ada","order"]', [{ every_ms: 1_000, calls: 1 }]]),
  );
});
