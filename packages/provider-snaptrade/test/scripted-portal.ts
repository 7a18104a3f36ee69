import { type HttpAnswer, type HttpClient, HttpFailure, type HttpRequest } from "@org/provider-kit";
import snaptrade from "@org/provider-snaptrade";

export const CONNECTION = "87b24961-b51e-4db8-9226-f198f6518a89";
export const ACCOUNT = "11c7c873-8470-4a3e-a18f-57c3f2ee6631";

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly url: URL;
  readonly query: Readonly<Record<string, string>>;
  readonly json: unknown;
  readonly headers: HttpRequest["headers"];
}

const synced = { initial_sync_completed: true };

/** SnapTrade with one brokerage login, as far as a test needs it. `answers` go before its own, by method and path. */
export async function openPortal(more: object = {}, at = "2026-03-10T18:00:00Z") {
  const asked: Asked[] = [];
  const users = new Map<string, string>();
  const answers = new Map<string, { readonly status: number; readonly body: unknown }>();
  const account: Readonly<Record<string, unknown>> = {
    id: ACCOUNT,
    name: "Margin account",
    number: "Q-1",
    institution_account_id: "54953432",
    balance: { total: { amount: "10.5", currency: "USD" } },
    sync_status: { holdings: synced, transactions: synced },
  };
  const accounts = [account];
  const positions: unknown[] = [];
  const cash: unknown[] = [];
  const activities: unknown[] = [];
  /** Where its customer logs in. */
  const brokerage = { slug: "LIGHTHOUSE", name: "Lighthouse Brokers" };
  const settings = snaptrade.settings.parse({ client_id: "LARKSPUR", consumer_key: "consumer-key-77ab", ...more });

  const here = `/authorizations/${CONNECTION}`;
  const own: Readonly<Record<string, () => unknown>> = {
    [`GET ${here}`]: () => ({ id: CONNECTION, disabled: false, created_date: "2025-08-20T21:56:19Z", brokerage }),
    [`GET ${here}/accounts`]: () => accounts,
    [`DELETE /connection/${CONNECTION}`]: () => ({}),
    "GET /authorizations": () => [{ id: CONNECTION }],
    "POST /snapTrade/login": () => ({ redirectURI: "https://portal.example/redeem" }),
    "GET /snapTrade/partners": () => ({}),
  };

  function answer({ method, path, query, json }: Asked): { readonly status: number; readonly body: unknown } {
    const given = answers.get(`${method} ${path}`);
    if (given) return given;
    const { userId = "", userSecret } = query;
    if (path === "/snapTrade/registerUser") {
      const { userId: id } = json as { userId: string };
      users.set(id, `secret of ${id}`);
      return { status: 200, body: { userId: id, userSecret: users.get(id) } };
    }
    if (path === "/snapTrade/deleteUser") return { status: users.delete(userId) ? 200 : 404, body: {} };
    const isPersonal = settings.key_type === "personal";
    if (path !== "/snapTrade/partners" && !isPersonal && (!userSecret || users.get(userId) !== userSecret))
      return { status: 401, body: { detail: "Invalid userID or userSecret provided", code: "1083" } };
    if (path.endsWith("/balances")) return { status: 200, body: cash };
    if (path.endsWith("/positions/all")) return { status: 200, body: { results: positions } };
    if (path.endsWith("/activities")) return { status: 200, body: { data: activities } };
    const found = own[`${method} ${path}`];
    return found ? { status: 200, body: found() } : { status: 404, body: { detail: "Not found", code: "1011" } };
  }

  const http = {
    async request(request: HttpRequest): Promise<HttpAnswer> {
      request.signal.throwIfAborted();
      const url = new URL(request.url);
      if (url.host !== "api.snaptrade.com")
        throw new HttpFailure("refused_host", "another host", { method: request.method, host: url.host });
      const { method, json, headers } = request;
      const sent: Asked = {
        method,
        path: url.pathname,
        url,
        query: Object.fromEntries(url.searchParams),
        json,
        headers,
      };
      asked.push(sent);
      return { headers: {}, retry_after_seconds: null, ...answer(sent) };
    },
  } as HttpClient;

  const clock = () => new Date(at);
  let drawn = 0;
  const random = (bytes: number) => {
    drawn += 1;
    return new Uint8Array(bytes).fill(drawn);
  };
  const log = { info() {}, warn() {} };
  const given = { settings, http, clock, random, log, sleep: async () => {}, pace: async () => null };
  const provider = await snaptrade.create(given);
  return { provider, http, clock, settings, asked, users, answers, accounts, positions, cash, activities, brokerage };
}
