import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createBrowser } from "@org/pages/testing";
import { readRecording } from "@org/provider-kit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { operatorCommands } from "./operator-commands.js";

const recording = readRecording(
  new URL("../../../packages/provider-trading212/test/recording/trading212.recording.json", import.meta.url),
);
const { api_key = "", api_secret = "" } = recording.customer.fields;
const authorization = `Basic ${Buffer.from(`${api_key}:${api_secret}`).toString("base64")}`;
const DATABASE = oneBackend("how connections and settings are stored is in the stores' conformance suites");

/** Trading 212 from its settings to the figures of a tool, against the answers of the recording. */
describe.each([DATABASE])("Trading 212 on %s", (backend) => {
  const operator = operatorCommands(() => server);
  const institution = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0];
    const isKnown = request.headers.authorization === authorization;
    const found = recording.exchanges.findLast(({ request: { path: of } }) => of === path)?.answer.json;
    const body = JSON.stringify(found ?? {}).replace(/"\\u0000([^"]*)"/g, "$1");
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" }).end(isKnown ? body : "");
  });
  let server: TestServer;

  beforeAll(async () => {
    institution.listen(0, "127.0.0.1");
    await once(institution, "listening");
    server = await startTestServer({ backend, environment: { PROVIDERS: "trading212" }, schedule: { refreshes: 50 } });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    institution.closeAllConnections();
    institution.close();
    operator.remove();
  });

  it("[C-5.175] [C-5.147] a customer types a key in the widget, and the tools have the figures", async () => {
    const { demo } = server;
    const url = `http://127.0.0.1:${(institution.address() as AddressInfo).port}`;
    await operator.run(
      ["providers", "set", "trading212", "--file", "-"],
      JSON.stringify({ base_urls: { live: url, demo: url } }),
    );
    expect(await operator.run(["providers", "test", "trading212"])).toMatchObject({ ok: true });
    expect(await operator.run(["providers", "sync", "trading212"])).toMatchObject({ inserted: 2 });
    const { id, widgetUrl } = await demo.openSession({ connector_id: "gbr:trading212" });
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await browser.submit("credentials", { api_key, api_secret: "another" });
    await waitForAnswer(browser, widgetUrl);
    expect(browser.page?.text).toContain("did not accept this key");
    await browser.submit("credentials", { api_key: ` ${api_key} `, api_secret });
    await waitForAnswer(browser, widgetUrl);
    const session = await demo.tools.call("svc-session-status", { session_id: id });
    expect(session).toMatchObject({ status: "Finished:OK" });
    const credentials_token = session.connection_id;
    const rows = async (tool: "svc-investments" | "svc-investment-transactions") =>
      (await demo.tools.call(tool, { credentials_token })).items;
    await eventually(async () => (await rows("svc-investment-transactions")).length === 11, "all has been read");
    const holdings = await rows("svc-investments");
    expect(holdings.map(({ name, amount, balance }: Record<string, string>) => [name, amount, balance]).sort()).toEqual(
      [
        ["Apple", "12.5", "2176.31"],
        ["Cash GBP", "349.32", "349.32"],
        ["Lloyds Banking", "1000", "824.60"],
        ["S&P 500 fund", "25.75", "2448.825"],
      ],
    );
    const moves = await rows("svc-investment-transactions");
    expect(moves.map(({ description }: Record<string, string>) => description)).toContain("Sell Lloyds Banking");
  });
});
