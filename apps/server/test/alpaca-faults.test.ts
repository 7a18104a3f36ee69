import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Fault } from "../../../packages/provider-kit/test/stand-in/institution.js";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { type AlpacaAccount, type AlpacaBroker, type AlpacaKey, startAlpaca } from "./institutions/alpaca.js";

const DAY = 24 * 60 * 60_000;
/** Longer than any wait for the next attempt, shorter than a token's hour. */
const A_WHILE = 50 * 60_000;
const shift = `--import ${new URL("clock-shift.mjs", import.meta.url).href}`;
/** Deposits of an account, which has one execution besides. */
const DEPOSITS = 690;
const whole = [`Buy AAPL -100`, ...Array.from({ length: DEPOSITS }, (_, at) => `Cash deposit ${at + 1}`)].sort();
/** An amount that only an answer which cannot be read has. */
const UNREAD = "47110815.25";

let alpaca: AlpacaBroker;
let server: TestServer;
let tenant: TestTenant;
/** Another customer of the institution. */
let other: string;
let ahead = 0;

beforeAll(async () => {
  alpaca = await startAlpaca({ clock: () => new Date(Date.now() + ahead) });
  alpaca.list("AAPL", "Apple Inc. Common Stock", "120.00");
  server = await startTestServer({
    backend: oneBackend(
      "it is about answers of an institution; unfinished histories are in the stores' conformance suites",
    ),
    // Nothing is fetched but by request, so that every attempt is one of the test.
    environment: {
      PROVIDERS: "alpaca",
      JOBS: "false",
      METRICS: "true",
      NODE_OPTIONS: shift,
      CLOCK_JUMP_MS: String(A_WHILE),
    },
  });
  tenant = server.demo;
  const settings = { base_urls: { live: alpaca.base_url, paper: alpaca.base_url } };
  await server.operate("/operator/v1/providers/set", { name: "alpaca", settings });
  await server.operate("/operator/v1/providers/sync", { name: "alpaca" });
  const account = alpaca.open();
  account.deposit("5");
  other = await connect(account.makeKey());
}, START_TIMEOUT);
afterAll(async () => {
  await server?.remove();
  await alpaca?.close();
});

async function connect({ id: key_id, secret: secret_key }: AlpacaKey): Promise<string> {
  const { id, widgetUrl } = await tenant.openSession({ connector_id: "usa:alpaca" });
  const browser = createBrowser();
  await browser.open(widgetUrl);
  await browser.submit("continue");
  await browser.submit("credentials", { key_id, secret_key });
  await waitForAnswer(browser, widgetUrl);
  const session = await tenant.tools.call("svc-session-status", { session_id: id });
  expect(session).toMatchObject({ status: "Finished:OK" });
  return session.connection_id;
}

/** An account with seven pages of deposits, each of another amount. */
function history(): AlpacaAccount {
  ahead = -40 * DAY;
  const account = alpaca.open();
  account.trade("buy", "AAPL", "100", "1");
  for (let amount = 1; amount <= DEPOSITS; amount += 1) account.deposit(String(amount));
  ahead = 0;
  return account;
}

/** A while passes, with tokens that are good beyond it. */
async function passes(): Promise<void> {
  tenant = await server.loginAgain(server.demo);
  await server.renewOperator();
  process.kill(server.process.pid, "SIGUSR2");
}

/** Requests a refresh until there is one, and returns its outcome: a clock that jumps does so a moment after it is told to. */
async function refresh(connection_id: string): Promise<string> {
  const latest = async () => (await server.operate("/operator/v1/connections/status", { connection_id })).refresh;
  const before = (await latest()).last_attempt_at;
  return eventually(async () => {
    await tenant.post("/connect/v2/connections/refresh", { connection_id });
    const { state, last_attempt_at, last_outcome } = await latest();
    return last_attempt_at !== before && state !== "under_way" && last_outcome;
  }, "a refresh");
}

async function transactions(credentials_token: string): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; ; page += 1) {
    const asked = { credentials_token, page, page_size: 200 };
    const { items, total } = await tenant.tools.call("svc-investment-transactions", asked);
    for (const { description, balance } of items) found.push(`${description} ${balance}`);
    if (items.length === 0 || found.length >= total) return found.sort();
  }
}

async function holdings(credentials_token: string): Promise<string[]> {
  const { items } = await tenant.tools.call("svc-investments", { credentials_token });
  return items.map(({ name, amount }: Record<string, string>) => `${name} ${amount}`).sort();
}

/** Attempts of a fetch that is asked for, if each of them throws; what cannot be used is the customer's failure, and one attempt. */
const ATTEMPTS = 3;
const json = (status: number, body: object): Fault => ({
  kind: "instead",
  reply: { status, body: JSON.stringify(body) },
});

it.each<[name: string, fault: Fault, outcome: string, refreshes: number, attempts: number]>([
  ["500", json(500, { message: "internal server error" }), "failed", 1, ATTEMPTS],
  ["429", json(429, { code: 42910000, message: "rate limit exceeded" }), "throttled", 1, 1],
  ["a cut connection", { kind: "cut" }, "failed", 1, ATTEMPTS],
  ["an answer that is cut in the middle", { kind: "cut_in_the_middle" }, "failed", 1, ATTEMPTS],
  ["a page of HTML", { kind: "html" }, "failed", 2, 1],
  ["an unknown shape", json(200, { activities: [{ net_amount: UNREAD }] }), "failed", 2, 1],
])(
  "[C-5.144] [C-5.179] [C-5.300] in the middle of a long history, %s",
  { timeout: START_TIMEOUT },
  async (_, fault, outcome, refreshes, attempts) => {
    const account = history();
    const key = account.makeKey();
    const { requests } = alpaca.institution;
    const before = requests.length;
    const third = account.activities.at(-300)?.id ?? "none";
    // Exactly as often as the login and the refreshes ask for the fourth page.
    const times = 1 + refreshes * attempts;
    alpaca.institution.fail(({ query }) => query.get("page_token") === third, fault, times);

    const connection_id = await connect(key);
    const held = [`AAPL 1`, `Cash USD ${account.cash}`];
    const known = whole.filter((row) => row.startsWith("Buy") || Number(row.split(" ").at(-1)) > DEPOSITS - 300);
    const shown = async () => [await transactions(connection_id), await holdings(connection_id)];
    expect(await shown()).toEqual([known, held]);
    for (let failed = 0; failed < refreshes; failed += 1) {
      await passes();
      expect(await refresh(connection_id)).toBe(outcome);
      expect(await shown()).toEqual([known, held]);
    }
    // The institution is called for others all the same.
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('wealth_connect_provider_breakers{state="open"} 0');
    expect(await refresh(other)).toBe("refreshed");
    await passes();
    expect(await refresh(connection_id)).toBe("refreshed");
    expect(await shown()).toEqual([whole, held]);

    const asked = requests.slice(before).flatMap(({ query }) => query.get("page_token") ?? []);
    const pages = [100, 200, 300, 400, 500, 600].map((rows) => account.activities.at(-rows)?.id);
    expect(asked.filter((token) => token !== third)).toEqual(pages.filter((token) => token !== third));
    expect(asked.filter((token) => token === third)).toHaveLength(times + 1);
    expect([alpaca.violations, server.faults()]).toEqual([[], []]);
    for (const secret of [key.id, key.secret, account.id, UNREAD]) expect(server.output()).not.toContain(secret);
  },
);
