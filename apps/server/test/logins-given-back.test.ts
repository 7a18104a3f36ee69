import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { InstitutionRequest } from "../../../packages/provider-kit/test/stand-in/institution.js";
import { companyWithAccounts } from "../../../packages/provider-openwealth/test/stand-in/further-customers.js";
import { larkspurAtBank } from "../../../packages/provider-openwealth/test/stand-in/larkspur-at-bank.js";
import {
  type OpenWealthBank,
  startOpenWealthBank,
} from "../../../packages/provider-openwealth/test/stand-in/open-wealth-bank.js";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { type AlpacaBroker, type AlpacaKey, startAlpaca } from "./institutions/alpaca.js";

let server: TestServer;
let bank: OpenWealthBank;
let broker: AlpacaBroker;
/** Ends the slow answers of the bank. */
let answerNow: () => void;

beforeAll(async () => {
  server = await startTestServer({
    backend: oneBackend("what is checked are calls to institutions; the look-ups are in the stores' conformance suite"),
    environment: { PROVIDERS: "openwealth,alpaca", JOBS: "false" },
  });
  const slow = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  const larkspur = larkspurAtBank(new Date().toISOString().slice(0, 10));
  bank = await startOpenWealthBank({
    clock: () => new Date(),
    customers: [larkspur, companyWithAccounts("co", 3)],
    users: [
      { name: "larkspur", customers: [larkspur.id] },
      { name: "company", customers: ["co"] },
    ],
    redirect_uris: [`${server.url.replace("127.0.0.1", "localhost")}/connect/callback`],
    sleep: () => slow,
  });
  broker = await startAlpaca({ clock: () => new Date() });
  const { base_url, authorize_url, token_url, revoke_url, client_id, client_secret } = bank;
  const auth = { type: "authorization_code", authorize_url, token_url, revoke_url, client_id, client_secret };
  const banks = [{ id: "stand-in", name: "Stand-in Bank", country: "che", base_url, auth }];
  for (const [name, settings] of Object.entries({
    openwealth: { banks },
    alpaca: { base_urls: { live: broker.base_url } },
  })) {
    await server.operate("/operator/v1/providers/set", { name, settings });
    await server.operate("/operator/v1/providers/sync", { name });
  }
}, START_TIMEOUT);
afterAll(async () => {
  await broker?.close();
  await bank?.close();
  await server?.remove();
});

type Target = { connector_id: string } | { connection_id: string };
const atBank = { connector_id: "che:stand-in" };

const statusOf = (session_id: string) => server.demo.tools.call("svc-session-status", { session_id });

/** A customer has approved at the bank and is back; the first data are being read. */
async function approve(user: string, target: Target) {
  const { id, widgetUrl } = await server.demo.openSession(target);
  const browser = createBrowser();
  await browser.open(widgetUrl);
  await browser.submit("continue");
  await waitForAnswer(browser, widgetUrl);
  const { url } = await browser.submit("redirect");
  const [, request = ""] = /name="request" value="(\w+)"/.exec(await (await fetch(url)).text()) ?? [];
  const body = new URLSearchParams({ request, user, decision: "approve" });
  const decided = await fetch(new URL("/oauth/decide", url), { method: "POST", body, redirect: "manual" });
  await browser.open(decided.headers.get("location") ?? "");
  return {
    id,
    async read() {
      await waitForAnswer(browser, widgetUrl);
      return browser.page?.text;
    },
  };
}

async function logIn(user: string, target: Target) {
  const { id, read } = await approve(user, target);
  const text = await read();
  return { text, ...(await statusOf(id)) };
}

/** What the institution was asked for meanwhile. */
async function asked({ requests }: { readonly requests: readonly InstitutionRequest[] }, work: () => Promise<void>) {
  const before = requests.length;
  await work();
  return requests.slice(before).map(({ path }) => path);
}

/** Both tokens of a user's login are given back by this work, and nothing else is. */
async function givesBack(user: string, work: () => Promise<void>) {
  const { asked: counts } = bank.authorization;
  const expected = counts.revoked + 2;
  const wasOpen = bank.authorization.isOpen(user);
  await work();
  await eventually(() => counts.revoked >= expected, `the tokens of ${user} are given back`);
  expect([counts.revoked, bank.authorization.isOpen(user)]).toEqual([expected, wasOpen]);
}

it("[C-5.226] tokens are given back when the first data cannot be read, and when the session ends meanwhile", async () => {
  await givesBack("company", async () => {
    bank.fail("accounts", { kind: "html" }, 99);
    expect(await logIn("company", atBank)).toMatchObject({ error_code: "InternalError", connection_id: null });
    bank.institution.heal();
  });
  await givesBack("company", async () => {
    bank.fail("accounts", { kind: "slow", milliseconds: 1 });
    const reads = () => bank.institution.requests.filter(({ path }) => path.endsWith("/accounts")).length;
    const before = reads();
    const { id } = await approve("company", atBank);
    await eventually(() => reads() > before, "the first data are being read");
    expect(bank.authorization.isOpen("company")).toBe(true);
    const { status } = await server.demo.post("/connect/v2/sessions/end-session", { session_id: id });
    expect(status).toBe(200);
    answerNow();
    expect(await statusOf(id)).toMatchObject({ status: "Finished:Aborted", connection_id: null });
  });
});

it("[C-5.215] [C-5.227] a bank is asked for no data of a login that becomes no connection, and the connection's tokens stay", async () => {
  const { connection_id } = await logIn("larkspur", atBank);
  const again = await asked(bank.institution, () =>
    givesBack("larkspur", async () => {
      expect(await logIn("larkspur", atBank)).toMatchObject({ error_code: "AlreadyExists", connection_id });
    }),
  );
  const another = await asked(bank.institution, () =>
    givesBack("company", async () => {
      expect((await logIn("company", { connection_id })).text).toContain(
        "This is a different login from the one this connection was made with",
      );
    }),
  );
  for (const paths of [again, another])
    expect(paths.filter((path) => /accounts|positions|transactions/.test(path))).toEqual([]);
  const { body } = await server.demo.post("/connect/v2/connections/refresh", { connection_id });
  expect(body).toMatchObject({ outcome: "refreshed" });
  expect([bank.violations, bank.authorization.violations]).toEqual([[], []]);
});

it("[C-5.215] with a key of another account, and with another key of the same, who it is is all that is asked", async () => {
  const account = broker.open();
  account.deposit("100");
  const type = async (key: AlpacaKey, target: Target) => {
    const { id, widgetUrl } = await server.demo.openSession(target);
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await browser.submit("credentials", { key_id: key.id, secret_key: key.secret });
    await waitForAnswer(browser, widgetUrl);
    return { status: await statusOf(id), text: browser.page?.text };
  };
  const atBroker = { connector_id: "usa:alpaca" };
  const { status: first } = await type(account.makeKey(), atBroker);
  const { connection_id } = first;
  expect(first).toMatchObject({ status: "Finished:OK" });
  const paths = await asked(broker.institution, async () => {
    const { text } = await type(broker.open().makeKey(), { connection_id });
    expect(text).toContain("This key is for a different account");
    const { status } = await type(account.makeKey(), atBroker);
    expect(status).toMatchObject({ error_code: "AlreadyExists", connection_id });
  });
  expect(paths).toEqual(["/v2/account", "/v2/account"]);
  const whole = await asked(broker.institution, async () => {
    const { status } = await type(account.makeKey(), { connection_id });
    expect(status).toMatchObject({ status: "Finished:OK", connection_id });
  });
  expect(whole).toContain("/v2/positions");
  expect(broker.violations).toEqual([]);
});
