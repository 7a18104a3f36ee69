import type { LoginStep } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import openWealth from "@org/provider-openwealth";
import { expect, test } from "vitest";
import { type Asked, bankSettings, clientCredentials, providerOf, type Said, scriptedBank } from "./scripted-bank.js";

const requests = requestsFor("che:alpenrose", "alpenrose");
const ada = "5b1f7a52-3c1d-4e8e-9f0b-2f6f0a7f1c11";

/** As at bLink: no tokens, a certificate, and a consent of each customer. */
const byConsent = {
  version: "1.2",
  auth: { type: "certificate" },
  tls: { cert: "pem", key: "pem" },
  headers: { "X-CorAPI-Target-ID": "CH1", "User-Agent": "Wealth/1" },
  consent_header: "Permission-ID",
};

const account = {
  accountIdentification: "a-1",
  accountIdentificationType: "other",
  accountType: "cashAccount",
  accountReferenceCurrency: "CHF",
};
const statement = {
  statementDateTime: "2026-11-20T06:00:00Z",
  date: { date: "2026-11-19", dateType: "transactionDate" },
  endOfDayIndicator: true,
};

/** A bank that knows the customers of one consent. */
function bankFor(customers: readonly string[], refusal: (asked: Asked) => Said | undefined = () => undefined) {
  return scriptedBank((asked) => {
    if (asked.path === "/token") return { body: { access_token: "at", token_type: "Bearer", expires_in: 300 } };
    const refused = refusal(asked);
    if (refused !== undefined) return refused;
    if (asked.headers["Permission-ID"] !== ada) return { status: 401, body: { type: "/problems/INVALID_TOKEN" } };
    const overviews = customers.map((customerIdentification) => ({
      customerIdentification,
      accountOverview: [account],
    }));
    if (asked.path.endsWith("/customerAccounts")) return { body: overviews };
    if (asked.path.includes("/customerAccounts/")) return { body: overviews.slice(0, 1) };
    if (asked.path.endsWith("/transactions")) return { body: { statement, transactions: [] } };
    const positionList = [
      { identification: "p-1", currency: "CHF", amountOrUnits: { amount: "12.50", creditDebitIndicator: "debit" } },
    ];
    const accountList = [{ accountInformation: account, positionList }];
    return { body: { statement, customer: { customerIdentification: customers[0], accountList } } };
  });
}

function partOf<Kind extends LoginStep["kind"]>(step: LoginStep | undefined, kind: Kind) {
  if (step?.kind !== kind) throw new Error(`the step is ${JSON.stringify(step)}`);
  return step as Extract<LoginStep, { kind: Kind }>;
}

test("[C-5.262] the id of a consent is typed as a secret, is kept in the access and goes with each request, without a token", async () => {
  const bank = bankFor(["c-1"]);
  const { provider } = await providerOf(bank, byConsent);
  expect(provider.credentialFields?.({ connector_id: "che:alpenrose", provider_ref: "alpenrose" })).toMatchObject([
    { name: "consent_id", kind: "secret" },
  ]);
  const step = partOf(await provider.login(requests.login({ consent_id: ` ${ada} ` })), "authenticated");
  expect(step).toEqual({
    kind: "authenticated",
    user_key: "c-1",
    user_key_is_final: true,
    access: { customer_id: "c-1", customer_number: null, tokens: null, consent_id: ada },
  });
  const since = new Date("2026-11-19T00:00:00Z");
  expect(await provider.fetch(requests.fetch(step.access, { since }))).toMatchObject({
    snapshot: { holdings: [{ key: "p-1", balance: "-12.50", currency: "CHF" }], transactions: [] },
    consent_expires_at: null,
  });
  const sent = bank.asked.map(({ headers }) => headers);
  expect(sent.every((headers) => headers["Permission-ID"] === ada && headers.authorization === undefined)).toBe(true);
  expect(sent.every((headers) => headers["X-CorAPI-Target-ID"] === "CH1" && headers["User-Agent"] === "Wealth/1")).toBe(
    true,
  );
  expect(bank.asked.every(({ tls }) => tls?.cert === "pem")).toBe(true);
  await provider.revoke?.(requests.revoke(step.access));
  expect(bank.asked.every(({ path }) => path !== "/token")).toBe(true);
});

test("[C-5.262] a consent that is not known or not one at all may be corrected; one for several customers asks which", async () => {
  const { provider } = await providerOf(bankFor(["c-1", "c-2"]), byConsent);
  expect(await provider.login(requests.login({ consent_id: "00000000" }))).toEqual({ kind: "rejected" });
  expect(await provider.login(requests.login({ consent_id: "two words" }))).toEqual({ kind: "rejected" });
  expect(await provider.login(requests.login({}))).toEqual({ kind: "rejected" });
  const asked = partOf(await provider.login(requests.login({ consent_id: ada })), "ask");
  expect(asked.fields[0]?.options?.map(({ value }) => value)).toEqual(["c-1", "c-2"]);
  const answered = await provider.answer?.(requests.fields(asked.state, { customer: "c-2" }));
  const { user_key, access } = partOf(answered, "authenticated");
  expect([user_key, (access as { consent_id?: string }).consent_id]).toEqual(["c-2", ada]);
  const again = await provider.login(requests.login({ consent_id: ada }, { existing_access: access }));
  expect(partOf(again, "authenticated").user_key).toBe("c-2");
  const { provider: nobody } = await providerOf(bankFor([]), byConsent);
  expect(await nobody.login(requests.login({ consent_id: ada }))).toMatchObject({ kind: "failed" });
});

test.each([
  ["/problems/EXPIRED_TOKEN", 401, "consent_expired"],
  ["expiredToken", 401, "consent_expired"],
  ["/problems/EXPIRED_TOKEN", 403, "consent_expired"],
  ["/problems/INVALID_TOKEN", 401, "rejected"],
  ["invalidToken", 401, "rejected"],
  ["about:blank", 401, "rejected"],
  ["/problems/INSUFFICIENT_PRIVILEGES", 403, "rejected"],
  ["/problems/INSUFFICIENT_PRIVILEGES", 404, "rejected"],
])("[C-5.262] a consent that the bank refuses with %s and %i is %s", async (type, status, refused) => {
  const access = { customer_id: "c-1", customer_number: null, tokens: null, consent_id: ada };
  for (const part of ["/customerAccounts/", "/positions"]) {
    const bank = bankFor(["c-1"], ({ path }) => (path.includes(part) ? { status, body: { type } } : undefined));
    const { provider } = await providerOf(bank, byConsent);
    expect([part, await provider.fetch(requests.fetch(access, {}))]).toEqual([part, { refused }]);
  }
});

test("[C-5.262] a token of the client may be needed beside the consent: a token that has expired is renewed once, and then it is the consent", async () => {
  const bank = bankFor(["c-1"], () => ({ status: 401, body: { type: "/problems/EXPIRED_TOKEN" } }));
  const { provider } = await providerOf(bank, { ...byConsent, auth: clientCredentials });
  const access = { customer_id: "c-1", customer_number: null, tokens: null, consent_id: ada };
  expect(await provider.fetch(requests.fetch(access, {}))).toEqual({ refused: "consent_expired" });
  expect(bank.asked.map(({ path, headers }) => [path, headers["Permission-ID"] ?? null])).toEqual([
    ["/token", null],
    ["/v3/customerAccounts/c-1", ada],
    ["/token", null],
    ["/v3/customerAccounts/c-1", ada],
  ]);
});

test("[C-5.266] settings of consents are refused with the place of each fault, belong to one tenant, and are checked without a consent", async () => {
  const faults = (change: Record<string, unknown>) =>
    openWealth.settings.safeParse({ banks: [bankSettings(change)] }).error?.issues.map(({ path }) => path.join("."));
  expect(faults(byConsent)).toBeUndefined();
  expect(faults({ ...byConsent, version: "3.1" })).toEqual(["banks.0.version"]);
  expect(faults({ ...byConsent, date_type: "today" })).toEqual(["banks.0.date_type"]);
  expect(faults({ ...byConsent, consent_header: undefined })).toEqual(["banks.0.consent_header"]);
  expect(faults({ ...byConsent, tls: undefined })).toEqual(["banks.0.tls"]);
  expect(faults({ ...byConsent, tls: undefined, base_url: "http://127.0.0.1:4010" })).toBeUndefined();
  expect(faults({ consent_header: "Permission-ID" })).toEqual(["banks.0.consent_header"]);
  expect(faults({ ...byConsent, headers: { "permission-id": "x" } })).toEqual(["banks.0.headers"]);
  expect(faults({ ...byConsent, consent_header: "Authorization" })).toEqual(["banks.0.consent_header"]);
  const settings = openWealth.settings.parse({ banks: [bankSettings(byConsent)] });
  expect(openWealth.tenantOnly?.(settings)).toContain("(alpenrose)");
  const checked = (http: ReturnType<typeof bankFor>) =>
    openWealth.check?.({ settings, http, clock: () => new Date(), signal: new AbortController().signal });
  expect(await checked(bankFor([]))).toEqual({ ok: true });
  expect(await checked(bankFor([], () => ({ status: 403 })))).toEqual({ ok: true });
  expect(await checked(bankFor([], () => ({ status: 500 })))).toMatchObject({ ok: false });
});

test("[C-5.262] an access fits the settings: without a consent it is not used where one is needed, nor with one where none is", async () => {
  const access = { customer_id: "c-1", customer_number: null, tokens: null };
  const { provider } = await providerOf(bankFor(["c-1"]), byConsent);
  expect(await provider.fetch(requests.fetch(access, {}))).toEqual({ refused: "rejected" });
  const { provider: byNumber } = await providerOf(bankFor(["c-1"]), { auth: clientCredentials });
  expect(await byNumber.fetch(requests.fetch({ ...access, consent_id: ada }, {}))).toEqual({ refused: "rejected" });
});
