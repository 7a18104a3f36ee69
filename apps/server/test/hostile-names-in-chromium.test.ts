import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, invitedPerson } from "./console-in-browser.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { rawCaller, toolCall } from "./mcp-clients.js";
import { windows } from "./page-looks.js";
import { openViewHost } from "./view-host.js";
import { deliver } from "./wealth-files.js";

const executablePath = process.env.CHROMIUM_PATH;
const MARKUP = "<img src=x onerror=parent.hacked=1>";
/** A reference, a name and a holding's name that are markup; what reverses a text is refused, or taken out of what a file states. */
const client_ref = `R${MARKUP}`;
const name = `N${MARKUP}<script>parent.hacked=1</script>`;
const holding = `H${MARKUP}`;
const turned = "\u202e\u2066\u200b";
const period = { from: "2026-03-02", to: "2026-03-30" };

describe.skipIf(!executablePath)("hostile names of clients and holdings, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let rea: Person;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about what pages make of names") });
    const { demo } = server;
    await deliver(server, demo, client_ref, [
      [`2026-03-02;holding;1;${holding}${turned};100.00;EUR;90.00;`],
      [
        `2026-03-30;holding;1;${holding}${turned};110.00;EUR;90.00;`,
        `2026-03-30;dividend;1;${holding};15.00;EUR;;5.00`,
      ],
    ]);
    await demo.post("/clients/v1/update", { client_ref, name });
    chromium = await startChromium(executablePath ?? "");
    rea = await invitedPerson(chromium, server, {
      tenant_id: demo.tenantId,
      email: "rea@example.com",
      name: "Rea",
      role: "read",
    });
    await rea.page.setViewportSize(windows[0]);
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  it("[C-8.199] no name of a client holds what reverses a text, and none that a file states is told with it", async () => {
    const refused = await server.demo.post("/clients/v1/update", { client_ref, name: `N${turned}` });
    expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ field: "name" }]]);
    const { body } = await server.demo.post("/data/v1/holdings-at", { date: period.to });
    expect(body.items).toMatchObject([{ name: holding }]);
  });

  it("[C-8.199] the view of a summary by client shows references as text", async () => {
    const args = { by: "client", date: period.to };
    const ask = async (request: object) =>
      (await rawCaller(`${server.url}/mcp/analytics`, server.demo.token).request(request)).body.result;
    const uri = "ui://wealth-connect/wealth-summary";
    const { contents } = await ask({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } });
    const result = await ask(toolCall("wealth-summary", args));
    const host = await openViewHost(chromium, { html: contents[0].text, args, result, callTool: null });
    try {
      const first = host.view.locator("tbody th").first();
      await first.waitFor({ state: "attached" });
      expect(await first.textContent()).toBe(client_ref);
      expect(await host.view.locator("img, main script").count()).toBe(0);
      expect(await host.page.evaluate("globalThis.hacked")).toBeUndefined();
      expect(host.complaints).toEqual([]);
    } finally {
      await host.context.close();
    }
  });

  it.each([
    ["the report", "report", { ref: client_ref, period: "own", ...period, currency: "EUR", stale: "31" }, name],
    ["a client's page", "client", { ref: client_ref }, name],
    ["the list of holdings", "holdings", {}, holding],
  ])("[C-8.199] %s shows names as text", async (_, screen, choices, text) => {
    const { page } = rea;
    await page.goto(`${consoleOrigin(server)}/console/${screen}?${new URLSearchParams(choices)}`);
    await page.locator("main").getByText(text).filter({ visible: true }).first().waitFor();
    expect(await page.locator("img[src=x], main script").count()).toBe(0);
    expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
  });
});
