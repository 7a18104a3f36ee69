import { createBrowser } from "@org/pages/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formsOf } from "../../../packages/provider-kit/src/testing/leaks.js";
import { waitForAnswer } from "./connect-bank.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { startAlpaca } from "./institutions/alpaca.js";
import { startKraken } from "./institutions/kraken.js";
import { startSaxo } from "./institutions/saxo.js";
import { furnish } from "./institutions/saxo-book.js";
import { startTrading212 } from "./institutions/trading212.js";
import { rowsHolding } from "./stored-rows.js";

const LONG = 120_000;
const clock = () => new Date();
const app = { key: "8f4c2a", secret: "5d21e7c03b-and-nobody-guesses-it" };

describe.skipIf(!testDatabaseUrl)("what the database holds after logins at every provider for customers' keys", () => {
  let server: TestServer;
  let stands: Awaited<ReturnType<typeof startStands>>;

  beforeAll(async () => {
    stands = await startStands();
    server = await startTestServer({
      backend: "postgres",
      environment: { PROVIDERS: "alpaca,trading212,kraken,saxo" },
    });
    const { saxo } = stands;
    saxo.register(`${server.url}/connect/callback`);
    furnish(saxo.book);
    stands.alpaca.open();
    const client = { client_id: app.key, client_secret: app.secret };
    const addresses = { authorize_url: saxo.authorization_url, token_url: saxo.token_url };
    for (const [name, environment, settings] of [
      ["alpaca", "live", {}],
      ["trading212", "live", {}],
      ["kraken", "live", {}],
      ["saxo", "sim", { clients: { sim: { ...client, ...addresses } } }],
    ] as const) {
      const base_url = stands[name].base_url.replace("/api/v0", "");
      await server.operate("/operator/v1/providers/set", {
        name,
        settings: { base_urls: { [environment]: base_url }, ...settings },
      });
      await server.operate("/operator/v1/providers/sync", { name });
    }
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    for (const stand of Object.values(stands ?? {})) await stand.close();
  });

  /** A customer at the first page of a login. */
  async function begin(connector_id: string) {
    const { id, widgetUrl } = await server.demo.openSession({ connector_id });
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await waitForAnswer(browser, widgetUrl);
    const connection = async () => {
      const session = await server.demo.tools.call("svc-session-status", { session_id: id });
      expect(session).toMatchObject({ status: "Finished:OK" });
      return session.connection_id as string;
    };
    return { widgetUrl, browser, connection };
  }

  /** Every row of every table, as a dump of the database has them. */
  const dump = () => server.installation.withDatabase((pool) => rowsHolding(pool, [""]));
  /** Tables that hold a secret in any form, also where bytes are stored that are its base64, say. */
  function tablesHolding(secrets: readonly string[], rows: Awaited<ReturnType<typeof dump>>): string[] {
    const forms = [...new Set(secrets.flatMap(formsOf).flatMap(formsOf))];
    return rows.filter(({ json }) => forms.some((form) => json.includes(form))).map(({ table }) => table);
  }

  it("[C-5.216] keys, mistyped ones too, codes, tokens and our secret stand nowhere: plain, in hexadecimal or in base64", {
    timeout: LONG,
  }, async () => {
    const { alpaca, trading212, kraken, saxo } = stands;
    const keys = {
      alpaca: alpaca.open().makeKey(),
      trading212: trading212.open("GBP").makeKey(),
      kraken: kraken.open().makeKey(),
    };
    const mistyped = "mistyped-but-nearly-the-right-one";
    const secrets = [app.secret, mistyped, ...Object.values(keys).flatMap((key) => Object.values(key))];
    const connections: string[] = [];
    for (const [connector_id, right] of [
      ["usa:alpaca", { key_id: keys.alpaca.id, secret_key: keys.alpaca.secret }],
      ["gbr:trading212", { api_key: keys.trading212.key, api_secret: keys.trading212.secret }],
      ["usa:kraken", { api_key: keys.kraken.key, private_key: keys.kraken.secret }],
    ] as const) {
      const { browser, widgetUrl, connection } = await begin(connector_id);
      const wrong = Object.fromEntries(Object.keys(right).map((name) => [name, mistyped]));
      for (const fields of [wrong, right]) {
        await browser.submit("credentials", fields);
        await waitForAnswer(browser, widgetUrl);
      }
      connections.push(await connection());
    }

    const { browser, widgetUrl, connection } = await begin("dnk:saxo-sim");
    const { url } = await browser.submit("redirect");
    const away = await fetch(url, { redirect: "manual" });
    const dumps = await dump();
    await browser.open(String(away.headers.get("location")));
    await waitForAnswer(browser, widgetUrl);
    connections.push(await connection());
    dumps.push(...(await dump()));
    // What was stored meanwhile is used now, so that it is known what to look for.
    saxo.expire();
    const connection_id = connections.at(-1);
    expect((await server.demo.post("/connect/v2/connections/refresh", { connection_id })).body).toMatchObject({
      outcome: "refreshed",
    });
    const sent = saxo.institution.requests.flatMap(({ headers, body }) => {
      const form = new URLSearchParams(body);
      const told = ["code", "code_verifier", "refresh_token"].map((name) => form.get(name) ?? "");
      return [...told, String(headers.authorization ?? "").replace(/^(?:Bearer|Basic) /, "")];
    });
    const used = [...new Set(sent)].filter((text) => text !== "");
    // A code with its verifier, a refresh token, two access tokens, and our name with our secret.
    expect(used.length).toBeGreaterThanOrEqual(5);
    dumps.push(...(await dump()));
    expect(tablesHolding([...secrets, ...used], dumps)).toEqual([]);
    // The search finds what is there.
    for (const id of connections) expect(tablesHolding([id], dumps)).toContain("connections");
  });
});

async function startStands() {
  return {
    alpaca: await startAlpaca({ clock }),
    trading212: await startTrading212({ clock }),
    kraken: await startKraken({ clock }),
    saxo: await startSaxo({ clock, app }),
  };
}
