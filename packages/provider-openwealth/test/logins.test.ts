import { createHash } from "node:crypto";
import type { LoginStep } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import openWealth from "@org/provider-openwealth";
import { expect, test } from "vitest";
import { type Asked, bankSettings, clientCredentials, providerOf, type Said, scriptedBank } from "./scripted-bank.js";

const requests = requestsFor("che:alpenrose", "alpenrose");
const everybody = [
  { id: "c-1", number: "12345-6", referenceCurrency: "CHF" },
  { id: "c-2", number: "77-1" },
];
const tokens = { access_token: "at-1", token_type: "Bearer", expires_in: 300, refresh_token: "rt-1" };

/** A bank that shows its customers to any caller with a token. */
function bankWith(customers: readonly object[], token: Said = { body: tokens }) {
  return scriptedBank((asked) => (asked.path === "/token" ? token : pageOf(customers, asked)));
}

function pageOf(customers: readonly object[], { query }: Asked): Said {
  const at = Number(query.cursor ?? 0);
  const next = at + 1 < customers.length ? String(at + 1) : "";
  return { body: customers.slice(at, at + 1), headers: { nextcursor: next } };
}

function partOf<Kind extends LoginStep["kind"]>(step: LoginStep | undefined, kind: Kind) {
  if (step?.kind !== kind) throw new Error(`the step is ${JSON.stringify(step)}`);
  return step as Extract<LoginStep, { kind: Kind }>;
}

test("settings are refused with the place of each fault", () => {
  const faults = (change: Record<string, unknown>) =>
    openWealth.settings.safeParse({ banks: [bankSettings(change)] }).error?.issues.map(({ path }) => path.join("."));
  expect(faults({})).toBeUndefined();
  expect(faults({ base_url: "http://127.0.0.1:4010" })).toBeUndefined();
  expect(faults({ base_url: "http://bank.example" })).toEqual(["banks.0.base_url"]);
  expect(faults({ base_url: "http://127.bank.example" })).toEqual(["banks.0.base_url"]);
  expect(faults({ id: "Bank 1", country: "CH" })).toEqual(["banks.0.id", "banks.0.country"]);
  expect(faults({ auth: { ...clientCredentials, authorize_url: "https://x.example" } })).toEqual(["banks.0.auth"]);
  expect(faults({ headers: { Authorization: "x" } })).toEqual(["banks.0.headers.Authorization"]);
  expect(faults({ headers: { "X-A": "a\r\nb" } })).toEqual(["banks.0.headers.X-A"]);
  expect(faults({ tls: { cert: "pem" } })).toEqual(["banks.0.tls"]);
  const twice = openWealth.settings.safeParse({ banks: [bankSettings(), bankSettings()] });
  expect(twice.error?.issues.map(({ path }) => path.join("."))).toEqual(["banks.1.id"]);
});

test("[C-5.107] one row for each bank; credentials of the client belong to one tenant", async () => {
  const settings = openWealth.settings.parse({
    banks: [bankSettings(), bankSettings({ id: "b2", auth: clientCredentials })],
  });
  const http = scriptedBank(() => ({}));
  expect(
    await openWealth.connectors?.(settings, { http, clock: () => new Date(0), signal: new AbortController().signal }),
  ).toEqual([
    { id: "che:alpenrose", name: "Alpenrose", country: "che", provider_ref: "alpenrose" },
    { id: "che:b2", name: "Alpenrose", country: "che", provider_ref: "b2" },
  ]);
  expect(openWealth.tenantOnly?.(settings)).toContain("(b2)");
  expect(openWealth.tenantOnly?.(openWealth.settings.parse({ banks: [bankSettings()] }))).toBeNull();
});

test("[C-5.107] with credentials of the client the customer is found by number or id, over all pages", async () => {
  const bank = bankWith(everybody);
  const { provider } = await providerOf(bank, { auth: clientCredentials });
  expect(provider.credentialFields?.({ connector_id: "che:alpenrose", provider_ref: "alpenrose" })).toMatchObject([
    { name: "customer_id" },
  ]);
  const step = await provider.login(requests.login({ customer_id: " 77-1 " }));
  expect(step).toEqual({
    kind: "authenticated",
    user_key: "c-2",
    user_key_is_final: true,
    access: { customer_id: "c-2", customer_number: "77-1", tokens: null },
  });
  expect(await provider.login(requests.login({ customer_id: "c-2" }))).toEqual(step);
  expect(await provider.login(requests.login({ customer_id: "99" }))).toEqual({ kind: "rejected" });
  expect(bank.asked.filter(({ path }) => path === "/token")).toHaveLength(1);
});

test("[C-5.107] only the customers that the settings list can be connected", async () => {
  const { provider } = await providerOf(bankWith(everybody), { auth: clientCredentials, customer_ids: ["12345-6"] });
  expect(await provider.login(requests.login({ customer_id: "77-1" }))).toEqual({ kind: "rejected" });
  const { access } = partOf(await provider.login(requests.login({ customer_id: "c-1" })), "authenticated");
  const narrowed = await providerOf(bankWith(everybody), { auth: clientCredentials, customer_ids: ["77-1"] });
  expect(await narrowed.provider.fetch(requests.fetch(access))).toEqual({ refused: "rejected" });
});

test("[C-5.114] the client says who it is by HTTP Basic, or in the form; headers and certificate go with every request", async () => {
  const change = { headers: { "X-CorAPI-Target-ID": "CH9" }, tls: { cert: "CERT", key: "KEY" } };
  const bank = bankWith(everybody);
  const { provider } = await providerOf(bank, { auth: clientCredentials, ...change });
  await provider.login(requests.login({ customer_id: "c-1" }));
  const [token, ...reads] = bank.asked;
  const basic = Buffer.from("wealth+connect:s3cret%2B").toString("base64");
  expect(token?.headers).toMatchObject({ authorization: `Basic ${basic}`, "X-CorAPI-Target-ID": "CH9" });
  expect(token?.form).toEqual({ grant_type: "client_credentials" });
  expect(reads.map(({ headers }) => headers.authorization)).toEqual(reads.map(() => "Bearer at-1"));
  for (const { headers, tls } of bank.asked) {
    expect(headers["X-CorAPI-Target-ID"]).toBe("CH9");
    expect(tls).toEqual({ cert: "CERT", key: "KEY" });
  }
  const posting = bankWith(everybody);
  const other = await providerOf(posting, { auth: { ...clientCredentials, client_authentication: "post" } });
  await other.provider.login(requests.login({ customer_id: "c-1" }));
  expect(posting.asked[0]?.form).toMatchObject({ client_id: "wealth connect", client_secret: "s3cret+" });
  expect(posting.asked[0]?.headers.authorization).toBeUndefined();
});

test("[C-5.108] a redirect with PKCE, whose code is exchanged with the verifier", async () => {
  const bank = bankWith(everybody.slice(0, 1));
  const { provider } = await providerOf(bank);
  expect(provider.credentialFields?.({ connector_id: "che:alpenrose", provider_ref: "alpenrose" })).toEqual([]);
  const terms = { rights: "read", holdings: "daily", transactions: 90 };
  expect(provider.terms?.({ connector_id: "che:alpenrose", provider_ref: "alpenrose" })).toEqual(terms);
  const { url, state } = partOf(await provider.login(requests.login({})), "redirect");
  expect(bank.asked).toHaveLength(0);
  const query = Object.fromEntries(new URL(url).searchParams);
  expect(query).toMatchObject({
    tenant: "1",
    response_type: "code",
    client_id: "wealth connect",
    scope: "custody offline_access",
    redirect_uri: "https://wealth.example/connect/callback",
    state: "a-state-that-nobody-guesses",
    code_challenge_method: "S256",
  });
  const step = await provider.resume?.(requests.resume(state, { code: "c0de" }));
  expect(partOf(step, "authenticated")).toMatchObject({
    user_key: "c-1",
    access: { tokens: { refresh_token: "rt-1" } },
  });
  const { form } = bank.asked[0] as Asked;
  expect(form).toMatchObject({ grant_type: "authorization_code", code: "c0de", redirect_uri: query.redirect_uri });
  const verifier = form.code_verifier ?? "";
  expect(verifier).toMatch(/^[\w-]{43}$/);
  expect(createHash("sha256").update(verifier).digest("base64url")).toBe(query.code_challenge);
});

test("[C-5.108] several customers are asked about; the one under repair is not", async () => {
  const { provider } = await providerOf(bankWith(everybody));
  const away = partOf(await provider.login(requests.login({})), "redirect");
  const asking = partOf(await provider.resume?.(requests.resume(away.state, { code: "c" })), "ask");
  expect(asking.fields).toMatchObject([
    {
      name: "customer",
      kind: "choice",
      options: [
        { value: "c-1", label: "12345-6 (CHF)" },
        { value: "c-2", label: "77-1" },
      ],
    },
  ]);
  const picked = await provider.answer?.(requests.fields(asking.state, { customer: "c-2" }));
  const { access } = partOf(picked, "authenticated");
  expect(await provider.answer?.(requests.fields(asking.state, { customer: "c-9" }))).toEqual({ kind: "rejected" });

  const repair = partOf(await provider.login(requests.login({}, { existing_access: access })), "redirect");
  const again = await provider.resume?.(requests.resume(repair.state, { code: "c" }));
  expect(partOf(again, "authenticated").user_key).toBe("c-2");
});

test.each([
  [{ error: "access_denied" }, { kind: "rejected" }],
  [{ error: "login_required" }, { kind: "rejected" }],
  [{ error: "invalid_scope" }, { kind: "failed", error_code: "InternalError" }],
  // Anybody can type this into an address, and must not make the bank look broken for others: nothing is thrown.
  [{ error: "server_error" }, { kind: "failed", error_code: "InternalError" }],
  [{ error: "temporarily_unavailable" }, { kind: "failed", error_code: "InternalError" }],
  [{}, { kind: "rejected" }],
])("back without a code: %j", async (params, step) => {
  const bank = bankWith(everybody);
  const { provider } = await providerOf(bank);
  const { state } = partOf(await provider.login(requests.login({})), "redirect");
  expect(await provider.resume?.(requests.resume(state, params as Record<string, string>))).toEqual(step);
  expect(bank.asked).toHaveLength(0);
});

test("a code of another issuer is not shown to this bank", async () => {
  const bank = bankWith([everybody[0] as object]);
  const auth = { ...(bankSettings().auth as object), issuer: "https://login.bank.example" };
  const { provider } = await providerOf(bank, { auth });
  const { state } = partOf(await provider.login(requests.login({})), "redirect");
  for (const params of [{ code: "c" }, { code: "c", iss: "https://other.example" }] as Record<string, string>[])
    expect(await provider.resume?.(requests.resume(state, params))).toEqual({ kind: "rejected" });
  expect(bank.asked).toHaveLength(0);
  const back = { code: "c", iss: "https://login.bank.example" };
  expect((await provider.resume?.(requests.resume(state, back)))?.kind).toBe("authenticated");
});

test("pages of nonsense, of endless items and without an end are given up, whatever they say", async () => {
  const resumed = async (page: (asked: Asked) => Said) => {
    const bank = scriptedBank((asked) => (asked.path === "/token" ? { body: tokens } : page(asked)));
    const { provider } = await providerOf(bank);
    const { state } = partOf(await provider.login(requests.login({})), "redirect");
    return { asked: bank.asked, step: provider.resume?.(requests.resume(state, { code: "c" })) };
  };
  const [nonsense, many] = [JSON.stringify(Array(10_000).fill(0)), JSON.stringify(Array(20_001).fill({ id: "a" }))];
  await expect((await resumed(() => ({ body: nonsense }))).step).rejects.toThrow(/not as described.*: 0:[^;]*$/);
  await expect((await resumed(() => ({ body: many }))).step).rejects.toThrow("at most 20000 items");
  const deep = { id: "a", more: Array(20_001).fill(0) };
  await expect((await resumed(() => ({ body: [deep] }))).step).rejects.toThrow("at most 20000 values");
  let page = 0;
  const endless = await resumed(() => ({ body: [{ id: `c-${++page}` }], headers: { nextcursor: String(page) } }));
  await expect(endless.step).rejects.toThrow("do not end");
  expect(endless.asked.length).toBeLessThan(1_100);
});

test("[C-5.113] a code that the bank refuses may be got again; faults of ours and the bank's are thrown, without a secret", async () => {
  const resumed = async (token: Said, customers: readonly object[] = everybody) => {
    const { provider } = await providerOf(bankWith(customers, token));
    const { state } = partOf(await provider.login(requests.login({})), "redirect");
    return provider.resume?.(requests.resume(state, { code: "c0de" }));
  };
  expect(await resumed({ status: 400, body: { error: "invalid_grant" } })).toEqual({ kind: "rejected" });
  expect(await resumed({ body: tokens }, [])).toEqual({ kind: "failed", error_code: "UserInteractionNeeded" });
  await expect(resumed({ status: 401, body: { error: "invalid_client" } })).rejects.toThrow("401 (invalid_client)");
  await expect(resumed({ status: 500, body: { error: "invalid_grant" } })).rejects.toThrow("answered 500");
  expect(await resumed({ status: 429, retry_after: 9 })).toEqual({ kind: "throttled", retry_after: 9 });
  const failure = await resumed({ body: { access_token: 7, secret: "c0de" } }).catch(String);
  expect(failure).toContain("without a token");
  for (const secret of ["c0de", "s3cret"]) expect(failure).not.toContain(secret);
});

test("[C-14.1081] a check asks for a token and one customer, or whether the client is known", async () => {
  const checked = async (change: Record<string, unknown>, answer: (asked: Asked) => Said) => {
    const settings = openWealth.settings.parse({ banks: [bankSettings(change)] });
    const bank = scriptedBank(answer);
    const result = await openWealth.check?.({
      settings,
      http: bank,
      clock: () => new Date(0),
      signal: new AbortController().signal,
    });
    return { result, asked: bank.asked.map(({ path, query }) => `${path} ${query.limit ?? ""}`.trim()) };
  };
  const ours = { auth: clientCredentials };
  const good = (asked: Asked): Said => (asked.path === "/token" ? { body: tokens } : { body: everybody });
  expect(await checked(ours, good)).toEqual({ result: { ok: true }, asked: ["/token", "/v3/customers 1"] });
  const refusing = () => ({ status: 401, body: { error: "invalid_client" } });
  expect((await checked(ours, refusing)).result).toMatchObject({
    ok: false,
    cause: "client_refused",
    message: expect.stringMatching(/alpenrose: .*invalid_client/),
  });
  const shut = (asked: Asked): Said => (asked.path === "/token" ? { body: tokens } : { status: 403 });
  expect((await checked(ours, shut)).result).toMatchObject({
    ok: false,
    cause: "access_refused",
    message: expect.stringMatching(/403/),
  });
  expect((await checked({}, refusing)).result).toMatchObject({
    ok: false,
    cause: "client_refused",
    message: expect.stringMatching(/invalid_client/),
  });
  expect((await checked({}, () => ({ status: 400, body: { error: "invalid_grant" } }))).result).toEqual({ ok: true });
  expect((await checked({}, () => ({ status: 502 }))).result).toMatchObject({
    ok: false,
    cause: "unusable_answer",
    message: expect.stringMatching(/502/),
  });
});

test.each([
  ["2.0 or 3.2", "/v3/customers", "2.0", "1.2"],
  ["1.1 or 1.2", "/v3/customerAccounts", "1.2", "3.2"],
])(
  "[C-5.299] a bank whose customers log in, and which has %s only at %s, tells it without a token",
  async (name, path, right, wrong) => {
    const settingsOf = (version: string) => openWealth.settings.parse({ banks: [bankSettings({ version })] });
    const answer = (asked: Asked): Said => {
      if (asked.path === "/token") return { status: 400, body: { error: "invalid_grant" } };
      return { status: asked.path === path ? 401 : 404 };
    };
    const checked = (version: string) =>
      openWealth.check?.({
        settings: settingsOf(version),
        http: scriptedBank(answer),
        clock: () => new Date(0),
        signal: new AbortController().signal,
      });
    expect(await checked(right)).toEqual({ ok: true });
    expect(await checked(wrong)).toMatchObject({
      ok: false,
      message: expect.stringContaining(`version ${name} describes, not ${wrong}`),
    });
  },
);

test("a row without a bank of the settings is a fault, and asks for nothing", async () => {
  const { provider } = await providerOf(bankWith(everybody));
  const strange = requestsFor("che:other", null);
  expect(provider.credentialFields?.({ connector_id: "che:other", provider_ref: null })).toEqual([]);
  await expect(provider.login(strange.login({}))).rejects.toThrow("che:other");
});
