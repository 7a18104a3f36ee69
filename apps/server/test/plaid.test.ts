import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusal, type Scripted, startScriptedPlaid } from "../../../packages/provider-plaid/test/scripted-plaid.js";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { backends } from "./installation.js";

/** A connection is refreshed by request at most every 15 minutes. */
const A_WHILE = 16 * 60_000;
const shift = `--import ${new URL("clock-shift.mjs", import.meta.url).href}`;
const file = new URL("../../../packages/provider-plaid/test/recording/plaid.recording.json", import.meta.url);
const { exchanges } = JSON.parse(readFileSync(file, "utf8")) as {
  exchanges: readonly { request: { path: string }; answer: { json: Record<string, unknown> } }[];
};
const recorded = (path: string) => exchanges.find(({ request }) => request.path === path)?.answer.json ?? {};
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** Plaid, whose customer links the recording's accounts as often as they like: each time is another Item. */
async function startPlaid() {
  const state = { left: false, refused: new Set<string>(), removed: [] as string[], items: 0 };
  const ofItem =
    (path: string): Scripted =>
    ({ access_token }) => {
      if (state.refused.has(String(access_token))) return refusal(400, "ITEM_ERROR", "ITEM_LOGIN_REQUIRED");
      const json = recorded(path);
      const item_id = String(access_token).replace("access", "item");
      return { ...json, item: { ...(json.item as object), item_id } };
    };
  const jwk = { ...publicKey.export({ format: "jwk" }), alg: "ES256", expired_at: null };
  const answers: Record<string, Scripted> = {
    "/institutions/get": () => recorded("/institutions/get"),
    "/institutions/get_by_id": () => recorded("/institutions/get_by_id"),
    "/link/token/create": ({ access_token }, asked) => ({
      link_token: `link-${access_token ?? asked}`,
      hosted_link_url: "https://secure.plaid.example/hl/1",
    }),
    "/link/token/get": ({ link_token }) => {
      const finished_at = "2026-03-10T18:00:00Z";
      const repaired = String(link_token).replace("link-", "");
      if (state.left) return { link_sessions: [{ finished_at, exit: { error: null } }] };
      state.refused.delete(repaired);
      return repaired.startsWith("access")
        ? { link_sessions: [{ finished_at, events: [{ event_name: "HANDOFF" }] }] }
        : { link_sessions: [{ finished_at, on_success: { public_token: "public-1" } }] };
    },
    "/item/public_token/exchange": () => {
      state.items += 1;
      return { access_token: `access-${state.items}`, item_id: `item-${state.items}` };
    },
    "/accounts/get": ofItem("/accounts/get"),
    "/investments/holdings/get": ofItem("/investments/holdings/get"),
    "/investments/transactions/get": ofItem("/investments/transactions/get"),
    "/item/remove": ({ access_token }) => {
      state.removed.push(String(access_token));
      return {};
    },
    "/webhook_verification_key/get": ({ key_id }) => ({ key: { ...jwk, kid: key_id } }),
  };
  return { ...(await startScriptedPlaid(answers)), state };
}

describe.each(backends)("Plaid, through the running server (%s)", (backend) => {
  let server: TestServer;
  let plaid: Awaited<ReturnType<typeof startPlaid>>;

  beforeAll(async () => {
    plaid = await startPlaid();
    server = await startTestServer({
      backend,
      environment: { PROVIDERS: "plaid", NODE_OPTIONS: shift, CLOCK_JUMP_MS: String(A_WHILE) },
    });
  }, START_TIMEOUT);
  afterAll(async () => {
    plaid?.close();
    await server?.remove();
  });

  /** A customer at Plaid, who comes back. */
  async function begin(target: { connector_id: string } | { connection_id: string }) {
    const { id, widgetUrl } = await server.demo.openSession(target);
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await waitForAnswer(browser, widgetUrl);
    const goAndComeBack = async () => {
      // Whoever left Plaid begins again.
      if (!browser.form("redirect")) {
        await browser.submit("credentials");
        await waitForAnswer(browser, widgetUrl);
      }
      expect((await browser.submit("redirect")).url).toBe("https://secure.plaid.example/hl/1");
      const { hosted_link } = plaid.to("/link/token/create").at(-1) as {
        hosted_link: { completion_redirect_uri: string };
      };
      await browser.open(hosted_link.completion_redirect_uri);
      await waitForAnswer(browser, widgetUrl);
      return browser.page?.text ?? "";
    };
    return { goAndComeBack, session: () => server.demo.tools.call("svc-session-status", { session_id: id }) };
  }

  const rowsOf = async (tool: string, credentials_token: string) =>
    (await server.demo.tools.call(tool, { credentials_token, page_size: 200 })).items as Record<string, unknown>[];
  const idsOf = async (token: string) =>
    (await Promise.all(["svc-portfolios", "svc-investments"].map((tool) => rowsOf(tool, token))))
      .flat()
      .map(({ id }) => id)
      .sort();

  function notify(item_id: string, key = privateKey, query = "") {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const body = JSON.stringify({ webhook_type: "HOLDINGS", webhook_code: "DEFAULT_UPDATE", item_id });
    const request_body_sha256 = createHash("sha256").update(body).digest("hex");
    const signed = `${part({ alg: "ES256", kid: "key-1" })}.${part({ iat: Math.floor(Date.now() / 1_000), request_body_sha256 })}`;
    const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
    const headers = { "plaid-verification": `${signed}.${signature}`, "content-type": "application/json" };
    return fetch(`${server.url}/providers/plaid/notifications${query}`, { method: "POST", headers, body });
  }

  it("[C-5.259] settings, a login, the data, a webhook, a lost login repaired with ids kept, a second login, removal", {
    timeout: START_TIMEOUT,
  }, async () => {
    const settings = { client_id: "client", secret: "secret-of-the-test", base_url: plaid.base_url, countries: ["US"] };
    await server.operate("/operator/v1/providers/set", { name: "plaid", settings });
    expect(await server.operate("/operator/v1/providers/test", { name: "plaid" })).toMatchObject({ ok: true });
    expect(await server.operate("/operator/v1/providers/sync", { name: "plaid" })).toMatchObject({ inserted: 1 });

    // Whoever leaves Link may go again, with another state.
    plaid.state.left = true;
    const first = await begin({ connector_id: "usa:plaid-ins_3" });
    expect(await first.goAndComeBack()).toContain("you turned back there. You have 2 attempts left");
    expect(await first.session()).toMatchObject({ status: "Waiting:ProvideCredentials", error_code: "AbortedByUser" });
    plaid.state.left = false;
    await first.goAndComeBack();
    const session = await first.session();
    expect(session).toMatchObject({ status: "Finished:OK", error_code: null });
    const connection_id = session.connection_id as string;
    const links = plaid.to("/link/token/create") as { webhook: string; hosted_link: object }[];
    expect(links[0]?.hosted_link).not.toEqual(links[1]?.hosted_link);
    expect(links[0]?.webhook).toMatch(/\/providers\/plaid\/notifications$/);

    const holdings = await rowsOf("svc-investments", connection_id);
    expect(holdings.map(({ name, amount, balance, currency }) => [name, amount, balance, currency].join(" "))).toEqual(
      expect.arrayContaining([
        "U S Dollar 100.76 100.76 USD",
        "Nflx Jun 18'26 $355 Call 100.00 110 USD",
        "Achillion Pharmaceuticals Inc. -10 -703.5363 USD",
        "Barclays PLC 20.5 39.22675 GBP",
      ]),
    );
    expect([holdings.length, (await rowsOf("svc-investment-transactions", connection_id)).length]).toEqual([9, 11]);

    // A webhook names the Item; a forged one nobody.
    expect((await notify("item-1", generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey)).status).toBe(401);
    expect((await notify("item-1")).status).toBe(204);
    expect((await notify("item-1")).status).toBe(204);
    await eventually(() => server.output().match(/"connections":1\b/g)?.length === 2, "both webhooks found the Item");

    plaid.state.refused.add("access-1");
    process.kill(server.process.pid, "SIGUSR2");
    await eventually(
      async () =>
        (await server.demo.post("/connect/v2/connections/refresh", { connection_id })).body.outcome ===
        "relogin_needed",
      "the login is lost",
    );
    const ids = await idsOf(connection_id);
    const repair = await begin({ connection_id });
    await repair.goAndComeBack();
    expect(await repair.session()).toMatchObject({ status: "Finished:OK", connection_id });
    expect(plaid.to("/link/token/create").at(-1)).toMatchObject({ access_token: "access-1" });
    expect(await idsOf(connection_id)).toEqual(ids);

    // The same accounts once more are the same customer: the new Item is given back, and the old one stays.
    const second = await begin({ connector_id: "usa:plaid-ins_3" });
    await second.goAndComeBack();
    expect(await second.session()).toMatchObject({ error_code: "AlreadyExists" });
    await eventually(() => plaid.state.removed.length > 0, "the second Item is given back");
    expect(plaid.state.removed).toEqual(["access-2"]);

    await server.demo.tools.call("svc-delete-credentials", { credentials_token: connection_id, confirm: true });
    await eventually(() => plaid.state.removed.length > 1, "the Item is removed");
    expect(plaid.state.removed).toEqual(["access-2", "access-1"]);
    for (const secret of ["secret-of-the-test", "access-1", "public-1"]) expect(server.output()).not.toContain(secret);
  });
});
