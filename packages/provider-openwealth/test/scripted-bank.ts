import type { BodyReading, HttpAnswer, HttpClient, HttpRequest } from "@org/provider-kit";
import openWealth, { type OpenWealthSettings } from "@org/provider-openwealth";
import { exactJson } from "./examples.js";

/** A request as the scripted bank sees it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly tls: HttpRequest["tls"];
}

/** An answer of the scripted bank; `body` is JSON, or text if its digits matter. */
export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly retry_after?: number;
}

/** A bank in memory that records its requests in order. */
export function scriptedBank(answer: (asked: Asked) => Said | Promise<Said>): HttpClient & { readonly asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    async request<Read extends BodyReading>(request: HttpRequest<Read>) {
      request.signal.throwIfAborted();
      const url = new URL(request.url);
      const query = { ...Object.fromEntries(url.searchParams), ...definedOf(request.query ?? {}) };
      const { method, headers = {}, form = {}, signal, tls } = request;
      const seen = { method, path: url.pathname, query, headers, form, signal, tls };
      asked.push(seen);
      const said = await answer(seen);
      signal.throwIfAborted();
      const text = typeof said.body === "string" ? said.body : JSON.stringify(said.body ?? null);
      return {
        status: said.status ?? 200,
        headers: said.headers ?? {},
        body: request.read === "json_exact" ? exactJson(text) : JSON.parse(text),
        retry_after_seconds: said.retry_after ?? null,
      } as HttpAnswer<Read>;
    },
  };
}

function definedOf(query: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const client = { token_url: "https://login.bank.example/token", client_id: "wealth connect", client_secret: "s3cret+" };

/** The settings of one bank, as an operator writes them. */
export function bankSettings(change: Record<string, unknown> = {}): Record<string, unknown> {
  const auth = {
    type: "authorization_code",
    authorize_url: "https://login.bank.example/authorize?tenant=1",
    revoke_url: "https://login.bank.example/revoke",
    scope: "custody offline_access",
    ...client,
  };
  return {
    id: "alpenrose",
    name: "Alpenrose",
    country: "che",
    base_url: "https://api.bank.example/v3/",
    auth,
    ...change,
  };
}

export const clientCredentials = { type: "client_credentials", ...client };

/** The provider with the settings of one bank, and a clock that the test moves. */
export async function providerOf(http: HttpClient, change: Record<string, unknown> = {}) {
  const settings: OpenWealthSettings = openWealth.settings.parse({ banks: [bankSettings(change)] });
  const time = { now: new Date("2026-11-20T10:00:00Z"), waits: [] as (() => void)[] };
  const warnings: string[] = [];
  let drawn = 0;
  const provider = await openWealth.create({
    settings,
    http,
    clock: () => time.now,
    random: (bytes) => {
      drawn += 1;
      return new Uint8Array(bytes).fill(drawn);
    },
    sleep: (_, signal) =>
      new Promise((resolve, reject) => {
        time.waits.push(resolve);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
    log: { info: () => {}, warn: (message, facts) => void warnings.push(`${message} ${JSON.stringify(facts)}`) },
    pace: async () => null,
  });
  return { provider, settings, time, warnings };
}
