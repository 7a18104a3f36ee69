import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createBrowser } from "@org/pages/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitForAnswer } from "./connect-bank.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { operatorCommands } from "./operator-commands.js";
import { startReplica } from "./replica.js";
import type { ServerProcess } from "./server-process.js";

const SECRET = Buffer.from("secret-of-larkspur").toString("base64");
const answers: Readonly<Record<string, object>> = {
  "/0/public/Assets": { XXBT: { altname: "XBT" }, ZUSD: { altname: "USD" } },
  "/0/public/AssetPairs": { XXBTZUSD: { base: "XXBT", quote: "ZUSD" } },
  "/0/public/Ticker": { XXBTZUSD: { c: ["30000.10", "1"] } },
  "/0/private/GetApiKeyInfo": { iban: "AA88 N84G WOAK NMOI", permissions: ["query-funds", "query-ledger"] },
  "/0/private/BalanceEx": { XXBT: { balance: "0.5000000000" }, ZUSD: { balance: "12.3400" } },
  "/0/private/Ledgers": { ledger: {}, count: 0 },
};

/** Kraken as far as keys go: it checks signatures, and refuses a nonce that is not above all before it. */
async function openKraken() {
  const nonces: number[] = [];
  const refused: number[] = [];
  const paths: string[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    let body = "";
    for await (const chunk of request) body += chunk;
    paths.push(path);
    const say = (answer: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    const data = () => say({ error: [], result: answers[path] });
    if (path.startsWith("/0/public")) return data();
    const nonce = new URLSearchParams(body).get("nonce") ?? "";
    const signed = Buffer.concat([Buffer.from(path), createHash("sha256").update(`${nonce}${body}`).digest()]);
    if (request.headers["api-key"] !== "key-of-larkspur") return say({ error: ["EAPI:Invalid key"] });
    const signature = createHmac("sha512", Buffer.from(SECRET, "base64")).update(signed).digest("base64");
    if (request.headers["api-sign"] !== signature) return say({ error: ["EAPI:Invalid signature"] });
    if (Number(nonce) <= (nonces.at(-1) ?? 0)) {
      refused.push(Number(nonce));
      return say({ error: ["EAPI:Invalid nonce"] });
    }
    nonces.push(Number(nonce));
    return data();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nonces,
    refused,
    paths,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.skipIf(!testDatabaseUrl)("two servers on one database", () => {
  const operator = operatorCommands(() => server);
  let kraken: Awaited<ReturnType<typeof openKraken>>;
  let server: TestServer;
  let replica: { url: string; process: ServerProcess };

  beforeAll(async () => {
    kraken = await openKraken();
    server = await startTestServer({ backend: "postgres", environment: { PROVIDERS: "kraken" } });
    const settings = JSON.stringify({ base_urls: { live: kraken.url } });
    await operator.run(["providers", "set", "kraken", "--file", "-"], settings);
    expect(await operator.run(["providers", "test", "kraken"])).toMatchObject({ ok: true });
    expect(await operator.run(["providers", "sync", "kraken"])).toMatchObject({ inserted: 1 });
    replica = await startReplica(server, { environment: { PROVIDERS: "kraken" } });
  }, START_TIMEOUT);
  afterAll(async () => {
    await replica?.process.end("SIGKILL");
    await server?.remove();
    kraken?.close();
    operator.remove();
  });

  it("[C-5.157] [C-5.160] sign with one key at the same moment, and no nonce is lower than one before it", {
    timeout: START_TIMEOUT,
  }, async () => {
    const tenants = [server.demo, await server.createTenant("Larkspur")];
    const balances = await Promise.all(
      tenants.map(async (tenant, index) => {
        const { widgetUrl, id } = await tenant.openSession({ connector_id: "usa:kraken" });
        const url = index === 0 ? widgetUrl : widgetUrl.replace(server.url, replica.url);
        const browser = createBrowser();
        await browser.open(url);
        await browser.submit("continue");
        await browser.submit("credentials", { api_key: "key-of-larkspur", private_key: SECRET });
        await waitForAnswer(browser, url);
        const session = await tenant.tools.call("svc-session-status", { session_id: id });
        expect(session).toMatchObject({ status: "Finished:OK" });
        const { items } = await tenant.tools.call("svc-investments", { credentials_token: session.connection_id });
        return items.map(({ name, balance }: Record<string, string>) => [name, balance]).sort();
      }),
    );
    expect(balances).toEqual(
      Array(2).fill([
        ["BTC", "15000.05"],
        ["Cash USD", "12.3400"],
      ]),
    );
    expect(kraken.refused).toEqual([]);
    // A login, the balances and the ledger of each.
    expect(kraken.nonces.length).toBeGreaterThanOrEqual(6);
  });
});
