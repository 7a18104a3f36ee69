import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approve, obtainCode } from "./authorize.js";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { post } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { rowsHolding } from "./stored-rows.js";

/** Everything secret that the flows below use, by name. */
type Secrets = Record<string, string>;

describe("[security.md] a dump of the database and the whole log hold nothing that could be used", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend("it is about which values reach a table, and both have the same tables"),
      environment: { REFRESH_REPLAY_SECONDS: "30", METRICS: "true", LOG_LEVEL: "trace" },
    });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
  });

  it("after every kind of token, code, secret and password was used, rightly and wrongly", async () => {
    const secrets: Secrets = {};
    await useTokens(server, secrets);
    await useAuthorizationPage(server, secrets);
    await useWrongly(server, secrets);
    await useBank(server, secrets);
    const { text: metrics } = await fetch(`${server.url}/metrics`).then(async (r) => ({ text: await r.text() }));
    await server.stop();

    const names = Object.keys(secrets);
    expect(names.length).toBeGreaterThanOrEqual(18);
    const inLog = names.filter((name) => holds(server.output(), secrets[name] as string));
    const inMetrics = names.filter((name) => holds(metrics, secrets[name] as string));
    const inDatabase = await server.installation.withDatabase(async (pool) => {
      const found: string[] = [];
      for (const name of names)
        for (const { table } of await rowsHolding(pool, forms(secrets[name] as string)))
          found.push(`${name} in ${table}`);
      return found;
    });
    expect({ inLog, inMetrics, inDatabase }).toEqual({ inLog: [], inMetrics: [], inDatabase: [] });
    // Proves that the search works: ids are not secret and are found.
    expect(holds(server.output(), server.demo.clientId)).toBe(true);
    const ids = await server.installation.withDatabase((pool) => rowsHolding(pool, [server.demo.clientId]));
    expect(ids.map(({ table }) => table)).toContain("applications");
  });
});

async function useTokens({ url, token, demo }: TestServer, secrets: Secrets) {
  const { body } = await token(demo.clientId, demo.clientSecret);
  const refresh = (refresh_token: string) =>
    post(`${url}/token`, new URLSearchParams({ grant_type: "refresh_token", refresh_token }));
  const second = (await refresh(body.refresh_token)).body;
  await refresh(body.refresh_token);
  Object.assign(secrets, {
    "machine client secret": demo.clientSecret,
    "machine access token": body.access_token,
    "machine refresh token": body.refresh_token,
    "refreshed access token": second.access_token,
    "refreshed refresh token": second.refresh_token,
  });
  const made = await post(`${url}/register`, {
    redirect_uris: ["https://client.example/cb"],
    token_endpoint_auth_method: "client_secret_post",
  });
  secrets["registered client secret"] = made.body.client_secret;
  const form = { grant_type: "refresh_token", refresh_token: second.refresh_token };
  const wrong = { ...form, client_id: made.body.client_id, client_secret: made.body.client_secret };
  await post(`${url}/token`, new URLSearchParams(wrong));
}

async function useAuthorizationPage({ url, demo }: TestServer, secrets: Secrets) {
  const browser = createBrowser();
  const { code, redemption } = await obtainCode(url, demo, { browser });
  const { body } = await post(`${url}/token`, redemption);
  const { code: second } = await obtainCode(url, demo, { browser });
  await browser.open(`${url}/grants`);
  const page = browser.filled("sign-out");
  Object.assign(secrets, {
    "authorization code": code,
    "code that was not redeemed": second,
    "code verifier": redemption.get("code_verifier"),
    "browser access token": body.access_token,
    "browser refresh token": body.refresh_token,
    "csrf token": page.body.get("csrf_token"),
  });
  for (const [name, value] of browser.cookies) secrets[`cookie ${name}`] = value;
}

async function useWrongly({ url, demo, mcpUrl }: TestServer, secrets: Secrets) {
  secrets["mistyped secret"] = `${demo.clientSecret.slice(0, -3)}XyZ`;
  const browser = createBrowser();
  const mistyped = { clientId: demo.clientId, clientSecret: secrets["mistyped secret"] };
  await obtainCode(url, mistyped, { browser }).catch(() => undefined);
  // The secret in place of the id, in a query, in a header: people make all of these mistakes.
  await browser.submit("sign-in", { client_id: demo.clientSecret, client_secret: demo.clientId });
  await approve(`${url}/authorize?client_id=${demo.clientSecret}`, demo).catch(() => undefined);
  await fetch(`${url}/token?client_secret=${demo.clientSecret}`, { method: "POST" });
  await fetch(`${mcpUrl}?access_token=${secrets["machine access token"]}`, { method: "POST" });
  await fetch(mcpUrl, { method: "POST", headers: { authorization: `Bearer ${demo.clientSecret}` } });
  await post(`${url}/revoke`, new URLSearchParams({ token: demo.clientSecret }));
  await post(`${url}/token`, `{"client_secret":"${demo.clientSecret}"}`);
}

async function useBank({ demo }: TestServer, secrets: Secrets) {
  secrets["bank password"] = "SCA_SMS";
  secrets["bank user name"] = "an unusual user name 4711";
  const { widgetUrl } = await demo.openSession({ connector_id: sandboxBanks.eBanking });
  secrets["link of a session"] = widgetUrl.split("/").at(-1) as string;
  await connectBank(widgetUrl, { username: secrets["bank user name"], password: "SCA_SMS", answer: "123456" });
}

function holds(text: string, secret: string): boolean {
  return forms(secret).some((form) => text.includes(form));
}

/** The secret itself, and as it would appear in JSON, in a URL or in Base64. */
function forms(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("hex"),
  ];
}
