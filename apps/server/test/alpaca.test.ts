import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KNOWN_KEY, openGate, startPrism } from "../../../packages/provider-alpaca/test/judged-alpaca.js";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { operatorCommands } from "./operator-commands.js";

const dividend = { activity_type: "DIV", date: "2019-07-01", status: "executed", symbol: "T", net_amount: "0.98" };
const DATABASE = oneBackend("how connections and settings are stored is in the stores' conformance suites");

/** Alpaca from its settings to the figures of a tool, against Prism with Alpaca's published description. */
describe.each([DATABASE])("Alpaca on %s", (backend) => {
  const operator = operatorCommands(() => server);
  let prism: Awaited<ReturnType<typeof startPrism>>;
  let gate: Awaited<ReturnType<typeof openGate>>;
  let server: TestServer;

  beforeAll(async () => {
    prism = await startPrism();
    gate = await openGate(prism.url, [{ ...dividend, id: "20190701000000000::before" }]);
    server = await startTestServer({ backend, environment: { PROVIDERS: "alpaca" }, schedule: { refreshes: 50 } });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    gate?.close();
    await prism?.close();
    operator.remove();
  });

  it("[C-5.147] [C-5.148] [C-5.152] [C-5.167] a customer types a key in the widget, and the tools have the figures; a server that is killed goes on with the history", async () => {
    const { demo } = server;
    const settings = JSON.stringify({ base_urls: { live: gate.url, paper: gate.url } });
    await operator.run(["providers", "set", "alpaca", "--file", "-"], settings);
    expect(await operator.run(["providers", "test", "alpaca"])).toMatchObject({ ok: true });
    expect(await operator.run(["providers", "sync", "alpaca"])).toMatchObject({ inserted: 2 });
    const { id, widgetUrl } = await demo.openSession({ connector_id: "usa:alpaca-paper" });
    const browser = createBrowser();
    const { text } = await browser.open(widgetUrl);
    expect(text).toMatch(
      /updated daily.*as far back as your bank has them.*key of this bank could also be used to trade/s,
    );
    await browser.submit("continue");
    expect(browser.page?.text).toContain("In Alpaca’s dashboard, under “API Keys”.");
    await browser.submit("credentials", { key_id: "a-key-that-is-not-known", secret_key: "secret" });
    await waitForAnswer(browser, widgetUrl);
    gate.limits.left = 1;
    await browser.submit("credentials", { key_id: ` ${KNOWN_KEY} `, secret_key: "secret" });
    await waitForAnswer(browser, widgetUrl);
    const session = await demo.tools.call("svc-session-status", { session_id: id });
    expect(session).toMatchObject({ status: "Finished:OK" });
    const credentials_token = session.connection_id;
    const { items: holdings } = await demo.tools.call("svc-investments", { credentials_token });
    expect(holdings.map(({ name, amount, balance }: Record<string, string>) => [name, amount, balance]).sort()).toEqual(
      [
        ["AAPL", "2", "348.58"],
        ["AAPL", "5", "600.0"],
        ["Cash USD", "122086.5", "122086.5"],
      ],
    );
    await server.stop("SIGKILL");
    await server.start();
    const moves = async () => {
      const tenant = await server.loginAgain(demo);
      return (await tenant.tools.call("svc-investment-transactions", { credentials_token })).items;
    };
    await eventually(async () => (await moves()).length === 3, "the history has been read");
    const moved = await moves();
    expect(moved.map(({ operationDate, balance }: Record<string, string>) => [operationDate, balance]).sort()).toEqual([
      ["2019-07-01", "0.98"],
      ["2019-08-01", "1.02"],
      ["2022-02-02", "-349.56"],
    ]);
  });

  it("[C-5.197] a key with characters that cannot be sent is refused as a wrong one is, and keeps nobody else from the bank", async () => {
    const tenant = await server.loginAgain(server.demo);
    const enter = async (...keys: readonly string[]) => {
      const { id, widgetUrl } = await tenant.openSession({ connector_id: "usa:alpaca-paper" });
      const browser = createBrowser();
      await browser.open(widgetUrl);
      await browser.submit("continue");
      for (const key_id of keys) {
        await browser.submit("credentials", { key_id, secret_key: "secret" });
        await waitForAnswer(browser, widgetUrl);
      }
      return tenant.tools.call("svc-session-status", { session_id: id });
    };
    const asked = gate.asked.length;
    // Five failures of the bank would close it.
    for (let session = 0; session < 3; session += 1)
      expect(await enter("ключ", "PK-“QUOTED”")).toMatchObject({ error_code: "InvalidCredentials" });
    expect(gate.asked.length).toBe(asked);
    await enter("a-key-that-is-not-known");
    expect(gate.asked.length).toBeGreaterThan(asked);
  });
});
