import { type HttpClient, HttpFailure, type HttpRequest, type LoginStep, type PaceLimit } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import { expect, it } from "vitest";
import definition from "./index.js";

const requests = requestsFor("usa:interactive-brokers");
const credentials = { token: "123456789012345678901234", query_id: "7654321" };

const position =
  '<OpenPosition conid="1" symbol="VELM" description="VELMORA" assetCategory="STK" currency="USD" position="3" positionValue="30.30" reportDate="20261120"/>';
const statementOf = (accounts: readonly string[], sections = `<OpenPositions>${position}</OpenPositions>`) =>
  `<?xml version="1.0"?><FlexQueryResponse queryName="q" type="AF"><FlexStatements count="${accounts.length}">${accounts
    .map((id) => `<FlexStatement accountId="${id}" fromDate="20261120" toDate="20261120">${sections}</FlexStatement>`)
    .join("")}</FlexStatements></FlexQueryResponse>`;
const taken = (reference = "R1") =>
  `<FlexStatementResponse timestamp="22 November, 2026 08:00 AM EST"><Status>Success</Status><ReferenceCode>${reference}</ReferenceCode><Url>https://elsewhere.example/GetStatement</Url></FlexStatementResponse>`;
const error = (code: number | string) =>
  `<FlexStatementResponse timestamp="22 November, 2026 08:00 AM EST"><Status>Warn</Status><ErrorCode>${code}</ErrorCode><ErrorMessage>words</ErrorMessage></FlexStatementResponse>`;

/** The answers to each kind of request, in order; the last one repeats. A number is an HTTP status without a body. */
interface Script {
  readonly send?: readonly (string | number | Error)[];
  readonly get?: readonly (string | number | Error)[];
  readonly late?: { retry_after: number };
}

async function provided(script: Script) {
  const left = { SendRequest: [...(script.send ?? [taken()])], GetStatement: [...(script.get ?? [])] };
  const asked: string[] = [];
  const sent: HttpRequest[] = [];
  const paced: { key: string; limits: readonly PaceLimit[]; longestMs: number | undefined }[] = [];
  const slept: number[] = [];
  const logged: unknown[][] = [];
  let now = Date.parse("2026-11-22T08:00:00Z");
  const request = async (one: HttpRequest) => {
    const call = new URL(one.url).pathname.split("/").at(-1) as keyof typeof left;
    asked.push(`${call} ${one.query?.q}`);
    sent.push(one);
    const answer = (left[call].length > 1 ? left[call].shift() : left[call][0]) ?? "";
    if (answer instanceof Error) throw answer;
    const [status, text] = typeof answer === "number" ? [answer, ""] : [200, answer];
    return { status, headers: {}, body: Buffer.from(text), retry_after_seconds: status === 429 ? 7 : null };
  };
  const provider = await definition.create({
    settings: definition.settings.parse({}),
    http: { request } as unknown as HttpClient,
    clock: () => new Date(now),
    random: () => new Uint8Array(),
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
    log: { info: () => undefined, warn: (...line) => logged.push(line) },
    pace: async (key, limits, _signal, longestMs) => {
      paced.push({ key, limits, longestMs });
      return script.late ?? null;
    },
  });
  return { provider, asked, sent, paced, slept, logged, pass: (seconds: number) => (now += seconds * 1_000) };
}

/** The access of a successful login. */
async function entered(accounts = ["U1"]) {
  const { provider } = await provided({ get: [statementOf(accounts)] });
  const step = await provider.login(requests.login(credentials));
  if (step.kind !== "authenticated") throw new Error(`login came to ${step.kind}`);
  return step;
}

/** A refresh that a caller requested. */
const waitedFor = { refresh: true, awaited: true };

const outcome = (step: LoginStep) => (step.kind === "failed" ? step.error_code : step.kind);

it("[C-5.100] asks for a statement and fetches it, says what it is, sends no dates, and follows no address of an answer", async () => {
  const { provider, sent, asked } = await provided({ get: [error(1019), statementOf(["U2", "U1"])] });
  const step = await provider.login(requests.login({ token: ` ${credentials.token}\n`, query_id: " 7654321 " }));
  expect(step).toMatchObject({ kind: "authenticated", user_key: "accounts U1 U2" });
  expect(asked).toEqual(["SendRequest 7654321", "GetStatement R1", "GetStatement R1"]);
  for (const one of sent) {
    expect(String(one.url)).toMatch(/^https:\/\/ndcdyn\.interactivebrokers\.com\/AccountManagement\/FlexWebService\//);
    expect(one.headers?.["user-agent"]).toMatch(/^Node\.js\/\d+/);
    expect(one.query).toEqual({ t: credentials.token, q: expect.any(String), v: "3" });
  }
  if (step.kind !== "authenticated") throw new Error("unreachable");
  const fetched = await provider.fetch(requests.fetch(step.access));
  expect(asked).toHaveLength(4);
  expect(asked[3]).toBe("GetStatement R1");
  expect(fetched.snapshot?.portfolios?.map(({ key }) => key)).toEqual(["U2", "U1"]);
  expect(fetched.snapshot?.holdings).toMatchObject([{ amount: "3", balance: "30.30" }, {}]);
});

const pending = [1001, 1004, 1005, 1006, 1007, 1008, 1009, 1019, 1021, 1003];
const codes: readonly [code: number, login: string, refresh: object][] = [
  ...pending.map((code) => [code, "authenticated", { pending: {} }] as [number, string, object]),
  [1010, "throws", { failed: {} }],
  [1011, "UserInteractionNeeded", { refused: "rejected" }],
  [1012, "rejected", { refused: "rejected" }],
  [1013, "UserInteractionNeeded", { refused: "blocked" }],
  [1014, "rejected", { refused: "rejected" }],
  [1015, "rejected", { refused: "rejected" }],
  [1016, "rejected", { refused: "rejected" }],
  [1018, "throttled", { throttled: { retry_after: 65 } }],
  [1020, "throws", { failed: {} }],
  [1025, "throttled", { throttled: { retry_after: 3_600 } }],
  [1099, "throws", { failed: {} }],
];

it.each(codes)("[C-5.101] error %i to SendRequest: %s at login, %o at a refresh", async (code, login, refresh) => {
  const { provider } = await provided({ send: [error(code)] });
  const came = await provider.login(requests.login(credentials)).then(outcome, () => "throws");
  expect(came).toBe(login);
  const { access } = await entered();
  expect(await provider.fetch(requests.fetch(access, { refresh: true }))).toMatchObject(refresh);
  expect(await provider.fetch(requests.fetch(access, waitedFor))).toMatchObject(refresh);
});

it.each(codes)("[C-5.101] error %i to GetStatement: %s at login, %o at a refresh", async (code, login, refresh) => {
  const isThrottled = "throttled" in refresh;
  const { provider } = await provided({ get: [error(code)] });
  const came = await provider.login(requests.login(credentials)).then(outcome, () => "throws");
  // The statement is being produced: a caller that has to wait keeps its reference.
  expect(came).toBe(isThrottled ? "authenticated" : login);
  const { access } = await entered();
  const kept = { pending: { state: { reference: "R1" } } };
  const fetched = await provider.fetch(requests.fetch(access, waitedFor));
  expect(fetched).toMatchObject(isThrottled || "pending" in refresh ? kept : refresh);
});

/** Refreshes until the result is not `pending`, as a server would. */
async function refreshed(script: Script, access: unknown) {
  const bank = await provided(script);
  let state: unknown = null;
  for (let rounds = 1; rounds < 1_000; rounds += 1) {
    const fetched = await bank.provider.fetch(requests.fetch(access, { refresh: true, pending_state: state }));
    if (!fetched.pending) return { ...bank, fetched, rounds };
    state = JSON.parse(JSON.stringify(fetched.pending.state));
    bank.pass(fetched.pending.retry_after);
  }
  throw new Error("pending for good");
}

it("[C-5.102] a statement that takes ten minutes is asked for once, and looked for ever more seldom", async () => {
  const { access } = await entered();
  const { asked, fetched } = await refreshed({ get: [...Array(9).fill(error(1019)), statementOf(["U1"])] }, access);
  expect(fetched.snapshot?.portfolios).toHaveLength(1);
  expect(asked.filter((one) => one.startsWith("Send"))).toHaveLength(1);
});

it("[C-5.102] a reference that brings nothing for an hour is given up, and a day without a statement is a failure", async () => {
  const { access } = await entered();
  const { asked, fetched } = await refreshed({ get: [error(1019)] }, access);
  expect(fetched.failed?.message).toMatch(/for a day/);
  expect(asked.filter((one) => one.startsWith("Send")).length).toBeGreaterThan(15);
  expect(asked.length).toBeLessThan(450);
});

it("[C-5.102] there is no statement (1003): pending for an hour, then a failure", async () => {
  const { access } = await entered();
  const { fetched, rounds } = await refreshed({ get: [error(1003)] }, access);
  expect(fetched.failed?.message).toMatch(/for an hour.*1003/);
  expect(rounds).toBeGreaterThan(3);
});

it("[C-5.102] a reference that is lost (1017) is asked for anew, once", async () => {
  const { access } = await entered();
  const script = { send: [taken("R1"), taken("R2")], get: [error(1017), statementOf(["U1"])] };
  const { asked, fetched } = await refreshed(script, access);
  expect(fetched.snapshot?.holdings).toHaveLength(1);
  expect(asked).toEqual(["SendRequest 7654321", "GetStatement R1", "SendRequest 7654321", "GetStatement R2"]);
  const { fetched: again } = await refreshed({ get: [error(1017)] }, access);
  expect(again.failed?.message).toMatch(/1017.*twice/);
});

it("[C-5.133] a refresh by plan waits for nothing: it sends one request, and comes back for the statement", async () => {
  const { access } = await entered();
  const { provider, asked, slept, paced } = await provided({ get: [error(1019), statementOf(["U1"])] });
  const first = await provider.fetch(requests.fetch(access, { refresh: true }));
  expect(first.pending).toMatchObject({ retry_after: 15, state: { reference: "R1" } });
  const again = { refresh: true, pending_state: first.pending?.state };
  expect((await provider.fetch(requests.fetch(access, again))).pending).toBeDefined();
  expect((await provider.fetch(requests.fetch(access, again))).snapshot).toBeDefined();
  expect(asked).toEqual(["SendRequest 7654321", "GetStatement R1", "GetStatement R1"]);
  expect(slept).toEqual([]);
  expect(paced.map(({ longestMs }) => longestMs)).toEqual([0, 0, 0]);

  const asking = await provided({ get: [error(1019), statementOf(["U1"])] });
  expect((await asking.provider.fetch(requests.fetch(access, waitedFor))).snapshot).toBeDefined();
  expect(asking.slept).toEqual([2_000, 4_000]);
  expect(asking.paced.every(({ longestMs }) => longestMs === undefined)).toBe(true);
});

it("[C-5.133] a turn that has not come loses neither the reference nor that one was lost before", async () => {
  const { access } = await entered();
  const asked_at = "2026-11-22T08:00:00.000Z";
  const state = { asked_at, since: asked_at, unavailable_since: null };
  for (const kept of [
    { ...state, reference: "R1", renewed: false },
    { ...state, reference: null, asked_at: null, renewed: true },
  ]) {
    const { provider } = await provided({ late: { retry_after: 2 } });
    expect(await provider.fetch(requests.fetch(access, { refresh: true, pending_state: kept }))).toEqual({
      pending: { retry_after: 2, state: kept },
    });
  }
});

it("[C-5.103] the customer is the set of accounts, whichever token and query; a repair keeps its customer", async () => {
  const first = await entered(["U2", "U1"]);
  const loginWith = async (accounts: readonly string[], existing_access: unknown) => {
    const { provider } = await provided({ get: [statementOf(accounts)] });
    const fields = { token: "999999999999999999999999", query_id: "55" };
    return provider.login(requests.login(fields, { existing_access }));
  };
  expect(await loginWith(["U1", "U2"], null)).toMatchObject({ user_key: first.user_key });
  expect(await loginWith(["U1", "U2", "U3"], first.access)).toMatchObject({ user_key: first.user_key });
  expect(await loginWith(["U1", "U2", "U3"], null)).toMatchObject({ user_key: "accounts U1 U2 U3" });
  expect(await loginWith(["U9"], first.access)).toMatchObject({ user_key: "accounts U9" });
});

it("[C-5.103] a statement that is late: the customer is in, known by the query until the accounts are known", async () => {
  const { provider } = await provided({ get: [error(1019)] });
  const step = await provider.login(requests.login(credentials));
  expect(step).toMatchObject({ kind: "authenticated", user_key: "query 7654321" });
  if (step.kind !== "authenticated") throw new Error("unreachable");
  const first = await provided({ get: [statementOf(["U1"])] });
  const fetched = await first.provider.fetch(requests.fetch(step.access));
  expect(first.asked).toEqual(["GetStatement R1"]);
  expect(fetched).toMatchObject({ user_key: "accounts U1", access: { user_key: "accounts U1", accounts: ["U1"] } });

  const repair = await provided({ get: [statementOf(["U1"])] });
  const existing_access = fetched.access;
  expect(
    await repair.provider.login(requests.login({ ...credentials, query_id: "55" }, { existing_access })),
  ).toMatchObject({ user_key: "accounts U1" });

  // A repair before the first statement: the connection is found by its query, and its data identify the customer.
  const early = await provided({ get: [statementOf(["U1"])] });
  const again = await early.provider.login(requests.login(credentials, { existing_access: step.access }));
  expect(again).toMatchObject({ user_key: "query 7654321" });
  if (again.kind !== "authenticated") throw new Error("unreachable");
  const after = await (await provided({ get: [statementOf(["U1"])] })).provider.fetch(requests.fetch(again.access));
  expect(after).toMatchObject({ user_key: "accounts U1", access: { user_key: "accounts U1" } });
});

it("[C-5.103] a repair by a statement that is late takes none of other accounts", async () => {
  const { access: existing_access } = await entered(["U1"]);
  const { provider } = await provided({
    get: [...Array(4).fill(error(1019)), statementOf(["U9"])],
  });
  const step = await provider.login(requests.login({ ...credentials, query_id: "55" }, { existing_access }));
  expect(step).toMatchObject({ kind: "authenticated", user_key: "accounts U1" });
  if (step.kind !== "authenticated") throw new Error("unreachable");
  expect(await provider.fetch(requests.fetch(step.access))).toEqual({ refused: "rejected" });
});

it.each([
  ["no positions", statementOf(["U1"], "<Trades/>"), /Open Positions/],
  ["nothing to take", statementOf(["U1"], "<StmtFunds/>"), /Open Positions/],
  ["no account", statementOf([]), /covers no account/],
  ["trade confirmations", statementOf([]).replace('"AF"', '"TCF"'), /Activity Flex Query/],
  ["dates of either order", statementOf(["U1"]).replace('toDate="20261120"', 'toDate="11/10/2026"'), /yyyyMMdd/],
  [
    "no field of its positions",
    statementOf(["U1"]).replaceAll(' currency="USD"', ""),
    /Currency \(Open Positions\)\. Edit it in Client Portal/,
  ],
  [
    "sections that lack fields",
    statementOf(
      ["U1"],
      `<OpenPositions>${position}</OpenPositions><CashTransactions><CashTransaction type="Dividends" dateTime="20261120"/></CashTransactions><Transfers><Transfer currency="USD" quantity="1"/></Transfers>`,
    ),
    /Currency, Amount \(Cash Transactions\); Date\/Time \(Transfers\)/,
  ],
  ["a table of text", '"ClientAccountID","Symbol"\n"U1","VELM"\n', /XML/],
])(
  "[C-5.104] a query with %s: the customer is told what to change, and goes on without the token",
  async (_, body, words) => {
    const { provider, asked } = await provided({ get: [body, statementOf(["U1"])] });
    const step = await provider.login(requests.login(credentials));
    if (step.kind !== "ask") throw new Error(`login came to ${step.kind}`);
    expect(step.fields).toMatchObject([{ name: "query_id", required: false }]);
    for (const language of ["en", "de", "fr", "es"] as const)
      expect((step.message as Record<string, string>)[language]).toMatch(language === "en" ? words : /Client Portal/);
    expect(await provider.answer?.(requests.fields(step.state, {}))).toMatchObject({ user_key: "accounts U1" });
    expect(asked.at(-2)).toBe("SendRequest 7654321");
    await provider.answer?.(requests.fields(step.state, { query_id: "42" }));
    expect(asked.at(-2)).toBe("SendRequest 42");

    const { access } = await entered();
    const later = await provided({ get: [body] });
    const { failed } = await later.provider.fetch(requests.fetch(access, waitedFor));
    expect(failed?.message).toMatch(/^the Flex query /);
  },
);

it("[C-9.433] a row without a value that its query has is left out, and the log says so; a Transfer without currency is read", async () => {
  const rows = `<CashTransaction currency="USD" type="Dividends" dateTime="20261120" amount="1.25"/><CashTransaction currency="" type="Fees" dateTime="20261120" amount="-1"/>`;
  const sections = `<AccountInformation currency="USD"/><OpenPositions>${position}</OpenPositions><CashTransactions>${rows}</CashTransactions><Transfers><Transfer conid="1" symbol="VELM" assetCategory="STK" date="20261120" direction="IN" quantity="3"/></Transfers>`;
  const { provider, logged } = await provided({ get: [statementOf(["U1"], sections)] });
  const step = await provider.login(requests.login(credentials));
  if (step.kind !== "authenticated") throw new Error(`login came to ${step.kind}`);
  const { snapshot } = await provider.fetch(requests.fetch(step.access));
  expect(snapshot?.transactions).toMatchObject([{ balance: "1.25" }, { kind: "transfer_in", currency: "USD" }]);
  expect(logged).toEqual([["movements that cannot be read are left out", { movements: 1 }]]);
});

it("[C-9.437] a statement of which one account cannot be read changes nothing: no account of a customer disappears", async () => {
  const { access } = await entered(["U1", "U2"]);
  const body = statementOf(["U1", "U2"]).replace('position="3"', 'position=""');
  const { provider } = await provided({ get: [body] });
  const { failed } = await provider.fetch(requests.fetch(access, waitedFor));
  expect(failed?.message).toMatch(/cannot be read: line 1, .*: position is empty$/);
});

const failure = (code: HttpFailure["code"]) =>
  new HttpFailure(code, `GET ndcdyn: ${code}`, { method: "GET", host: "ndcdyn" });
const half = statementOf(["U1234567"]);

it.each<[string, Script, RegExp]>([
  ["half a statement", { get: [half.slice(0, half.length - 60)] }, /cannot be read: line 1, column/],
  ["a figure that is none", { get: [half.replace('"30.30"', '"1e3"')] }, /positionValue … is not a decimal/],
  ["half an answer", { send: ["<FlexStatementResponse><Status>Succ"] }, /breaks off/],
  ["a web page", { get: ["<!DOCTYPE html><html><body>U1234567</body></html>"] }, /200 with a web page/],
  ["a web page to SendRequest", { send: ["<html></html>"] }, /200 with a web page/],
  ["nothing", { get: [""] }, /200 with nothing/],
  ["other XML", { get: ["<Error/>"] }, /200 with something else/],
  ["another status", { send: [503] }, /503 with nothing/],
  ["a redirect", { get: [302] }, /302 with nothing/],
  [
    "no reference",
    { send: ["<FlexStatementResponse><Status>Success</Status></FlexStatementResponse>"] },
    /without a code/,
  ],
  ["too much", { get: [failure("too_large")] }, /larger than 64 MiB.*shorten the period/],
  ["a connection that is cut", { get: [failure("network")] }, /network/],
  ["an answer that takes too long", { get: [failure("timed_out")] }, /timed_out/],
  ["a wrong certificate", { send: [failure("tls")] }, /tls/],
])("[C-5.105] %s is a failure in clean words", async (_, script, words) => {
  const { access } = await entered();
  const { provider, asked } = await provided(script);
  const { failed } = await provider.fetch(requests.fetch(access, waitedFor));
  expect(failed?.message).toMatch(words);
  expect(failed?.message).not.toMatch(/U1234567|12345678901|7654321|30\.30|1e3/);
  expect(asked.filter((one) => one.startsWith("Send"))).toHaveLength(1);
  await expect(provider.login(requests.login(credentials))).rejects.toThrow(words);
});

it("[C-5.105] what may be asked again at once is thrown: no way to the institution", async () => {
  const { access } = await entered();
  const { provider } = await provided({ send: [failure("network")] });
  await expect(provider.fetch(requests.fetch(access, { refresh: true }))).rejects.toThrow(HttpFailure);
});

it("[C-5.106] every request waits for its turn, by a key that does not tell the token", async () => {
  const { provider, paced, asked } = await provided({ get: [statementOf(["U1"])] });
  await provider.login(requests.login(credentials));
  expect(paced).toHaveLength(asked.length);
  expect(new Set(paced.map(({ key }) => key)).size).toBe(1);
  for (const { key, limits } of paced) {
    expect(key).toMatch(/^ibkr-flex:[0-9a-f]{32}$/);
    const perSecond = limits.map(({ every_ms, calls }) => (calls * 1_000) / every_ms);
    expect(Math.max(...perSecond)).toBeLessThanOrEqual(1);
    expect(Math.min(...perSecond)).toBeLessThanOrEqual(10 / 60);
  }
  const late = await provided({ late: { retry_after: 42 } });
  const { access } = await entered();
  expect(await late.provider.fetch(requests.fetch(access, { refresh: true }))).toEqual({
    throttled: { retry_after: 42 },
  });
  expect(late.asked).toEqual([]);
  const busy = await provided({ send: [429] });
  expect(await busy.provider.fetch(requests.fetch(access, { refresh: true }))).toEqual({
    throttled: { retry_after: 7 },
  });
});

it("[C-5.100] what cannot be a token or a query is wrong without a request", async () => {
  const { provider, asked } = await provided({});
  for (const fields of [{}, { token: "", query_id: "1" }, { token: "123456", query_id: "my query" }])
    expect(await provider.login(requests.login(fields))).toEqual({ kind: "rejected" });
  expect(asked).toEqual([]);
});

it.each(["http://flex.example/x", "ftp://flex.example/x", "file:///x"])("[C-5.100] %s is no base_url", (base_url) => {
  const { error } = definition.settings.safeParse({ base_url });
  expect(error?.issues[0]).toMatchObject({
    path: ["base_url"],
    message: "must begin with https:// (http:// is for this machine only)",
  });
});

it("[C-5.100] settings, fields and the row for the catalogue", async () => {
  expect(definition.settings.parse({ base_url: "http://127.0.0.1:1/flex/" })).toEqual({
    base_url: "http://127.0.0.1:1/flex",
  });
  expect(definition.settings.safeParse({ token: "x" }).success).toBe(false);
  const { provider } = await provided({});
  const fields = provider.credentialFields?.({ connector_id: "usa:interactive-brokers", provider_ref: null }) ?? [];
  expect(fields.map(({ name, kind }) => `${name}: ${kind}`)).toEqual(["token: secret", "query_id: text"]);
  const terms = provider.terms?.({ connector_id: "usa:interactive-brokers", provider_ref: null });
  expect(terms).toMatchObject({ rights: "read", holdings: "daily" });
  for (const { label, hint } of fields)
    for (const words of [label, hint, terms?.howTo])
      expect(Object.keys(words as object).sort()).toEqual(["de", "en", "es", "fr"]);
});
