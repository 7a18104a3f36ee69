import { z } from "zod";
import {
  defineProvider,
  type FetchResult,
  type HttpAnswer,
  type HttpClient,
  type LoginStep,
  secret,
} from "../src/index.js";
import type { ConformanceSetup, InstitutionMode } from "../src/testing/index.js";
import { startInstitution } from "./institution.js";

const settings = z.strictObject({ base_url: z.url(), client_secret: secret() });
const account = z.object({
  number: z.string(),
  value: z.string(),
  positions: z.array(z.object({ id: z.string(), units: z.string(), value: z.string() })),
  bookings: z.array(z.object({ id: z.string(), value: z.string() })),
});
const loggedIn = z.object({ customer: z.string(), token: z.string() });
const kept = z.object({ token: z.string() });

type Call = (path: string, json: object, signal: AbortSignal) => Promise<HttpAnswer<"json_exact">>;

/** A correct provider for a small JSON API. It logs in by code if there is a user name, otherwise by redirect. */
export const smallBank = defineProvider({
  name: "small-bank",
  title: "Small bank",
  settings,
  connectors: () => [{ id: "che:small", name: "Small bank", country: "che" }],
  async check({ settings, http, signal }) {
    await callOf(settings, http)("/check", {}, signal);
  },
  create({ settings, http, clock, log }) {
    const call = callOf(settings, http);
    return {
      credentialFields: () => [{ name: "user" }, { name: "pin", kind: "secret" }],
      terms: () => ({ rights: "read", transactions: 730 }),
      async login({ fields: { user = "", pin = "" }, callback_state, callback_url, signal }): Promise<LoginStep> {
        signal.throwIfAborted();
        if (user === "") {
          const url = new URL("/page", settings.base_url);
          url.search = new URLSearchParams({ state: callback_state, back: callback_url }).toString();
          return { kind: "redirect", url: url.href, state: {} };
        }
        const { status, body } = await call("/login", { user, pin }, signal);
        if (status === 401) return { kind: "rejected" };
        const { login_id } = z.object({ login_id: z.string() }).parse(body);
        return { kind: "challenge", challenge: { kind: "sms", message: "Enter the code." }, state: { login_id } };
      },
      answer: async ({ state, answer, signal }) =>
        entered(await call("/code", { ...z.object({ login_id: z.string() }).parse(state), code: answer }, signal)),
      look: async () => ({ kind: "waiting" }),
      resume: async ({ params, signal }) => entered(await call("/redeem", { code: params.code ?? "" }, signal)),
      async fetch({ access, signal }): Promise<FetchResult> {
        const { status, body, retry_after_seconds } = await call("/accounts", kept.parse(access), signal);
        if (status === 429) return { throttled: { retry_after: retry_after_seconds ?? 60 } };
        if (status === 403) return { refused: "rejected" };
        const accounts = z.array(account).parse(body);
        log.info("accounts were read", { accounts: accounts.length });
        const currency = "CHF";
        return {
          consent_expires_at: null,
          snapshot: {
            as_of: clock(),
            portfolios: accounts.map(({ number, value }) => ({
              key: number,
              name: "Depot",
              balance: value,
              currency,
              ref_account: number,
              type: "S" as const,
            })),
            holdings: accounts.flatMap(({ number, positions }) =>
              positions.map(({ id, units, value }) => ({
                key: id,
                portfolio_key: number,
                name: id,
                isin: null,
                amount: units,
                balance: value,
                currency,
                valuation_date: null,
                type: "VI" as const,
                subtype: null,
              })),
            ),
            transactions: accounts.flatMap(({ number, bookings }) =>
              bookings.map(({ id, value }) => ({
                key: id,
                portfolio_key: number,
                holding_key: null,
                operation_date: "2026-03-01",
                description: "Deposit",
                amount: null,
                balance: value,
                currency,
                unit_price: null,
              })),
            ),
          },
        };
      },
      async revoke({ access, signal }) {
        await call("/revoke", kept.parse(access), signal);
      },
      notify: async ({ headers }) =>
        headers["x-signature"] === "right" ? { kind: "changed", user_keys: ["1"] } : { kind: "unverified" },
    };
  },
});

/** Sends one request. Throws if the answer is not one the provider knows: the bank is then at fault. */
function callOf({ base_url, client_secret }: z.output<typeof settings>, http: HttpClient): Call {
  return async (path, json, signal) => {
    const answer = await http.request({
      method: "POST",
      url: `${base_url}${path}`,
      headers: { authorization: `Bearer ${client_secret}` },
      json,
      signal,
      read: "json_exact",
    });
    if (![200, 202, 401, 403, 429].includes(answer.status)) throw new Error(`${path} answered ${answer.status}`);
    return answer;
  };
}

function entered({ status, body }: { status: number; body: unknown }): LoginStep {
  if (status === 401) return { kind: "rejected" };
  const { customer, token } = loggedIn.parse(body);
  return { kind: "authenticated", user_key: customer, access: { token } };
}

/** The bank's side, and one of its customers. */
export async function smallBankSetup(way: "code" | "redirect"): Promise<ConformanceSetup> {
  let mode: InstitutionMode = "well";
  let asked = 0;
  let serial = 0;
  const codes = new Set<string>();
  const accounts = `[{"number":"1","value":12345678901234567.10,
    "positions":[{"id":"A","units":1.50,"value":0.10}],"bookings":[{"id":"t1","value":-2.00}]}]`;
  const entry = () => JSON.stringify({ customer: "customer 1", token: `token-of-customer-${++serial}` });
  const answers: Record<string, (body: Record<string, string>) => readonly [number, string]> = {
    "/check": () => [200, "{}"],
    "/login": ({ pin }) => (pin === "pin-of-ada" ? [202, '{"login_id":"login-of-ada"}'] : [401, "{}"]),
    "/code": ({ code }) => (code === "424242" ? [200, entry()] : [401, "{}"]),
    "/redeem": ({ code = "" }) => (codes.delete(code) ? [200, entry()] : [401, "{}"]),
    "/accounts": ({ token }) => (token?.startsWith("token-of") ? [200, accounts] : [403, "{}"]),
    "/revoke": () => [200, "{}"],
  };
  const bank = await startInstitution(async (request, response) => {
    asked += 1;
    let text = "";
    for await (const chunk of request) text += chunk;
    const [status, body] =
      mode === "down"
        ? ([503, text] as const)
        : mode === "nonsense"
          ? ([200, `{"you sent":${text}}`] as const)
          : mode === "throttles"
            ? ([429, text] as const)
            : mode === "withdrawn"
              ? ([403, text] as const)
              : (answers[request.url ?? ""]?.(JSON.parse(text)) ?? ([404, "{}"] as const));
    if (mode !== "hangs") response.writeHead(status, { "retry-after": "30" }).end(body);
  });
  return {
    definition: smallBank,
    settings: { base_url: bank.url, client_secret: "secret-of-client" },
    connector: { connector_id: "che:small", provider_ref: null },
    clock: () => new Date("2026-03-02T09:00:00Z"),
    customer: {
      fields: way === "code" ? { user: "ada", pin: "pin-of-ada" } : {},
      challenge: () => "424242",
      async redirect(url) {
        const code = `code-of-ada-${++serial}`;
        codes.add(code);
        return { code, state: new URL(url).searchParams.get("state") ?? "" };
      },
    },
    institution: {
      modes: ["well", "hangs", "down", "nonsense", "throttles", "withdrawn"],
      set: (wanted) => {
        mode = wanted;
      },
      asked: () => asked,
    },
    stranger: { user: "ada", pin: "wrong-pin" },
    ...(way === "code" && { wrong_answer: "000000" }),
    figures: ["12345678901234567.10", "1.50", "0.10", "-2.00"],
    forged: { headers: { "x-signature": "wrong" }, body: new Uint8Array() },
    close: bank.stop,
  };
}
