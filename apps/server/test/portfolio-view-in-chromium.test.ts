import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { toolCall } from "./mcp-clients.js";
import { auditFrame } from "./page-audit.js";
import { type HostOptions, openViewHost, type ViewHost } from "./view-host.js";

const executablePath = process.env.CHROMIUM_PATH;
const MAX_BYTES = 100_000;
const tools = ["svc-portfolios", "svc-investments"] as const;
const HOSTILE = `<img src=x onerror="parent.hacked=1"><script>parent.hacked=1</script>`;

describe("views of portfolios and investments", () => {
  let server: TestServer;
  let several: TestTenant;
  let large: TestTenant;
  let chromium: Browser | undefined;
  const hosts: ViewHost[] = [];

  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend("it is about a view in a browser; flows reads the same tools on both"),
    });
    several = await server.createTenant("several banks");
    await connect(several, sandboxBanks.eBanking, "one", "good");
    const blocked = await connect(several, sandboxBanks.psd2, "two", "BLOCKED_AFTER");
    await connect(several, sandboxBanks.psd2, "three", "DATA_ERROR_PORTFOLIO");
    await connect(several, await bankAbroad(), "four", "good");
    await several.post("/connect/v2/connections/refresh", { connection_id: blocked });
    large = await server.createTenant("many rows");
    await connect(large, sandboxBanks.eBanking, "large", "LARGE");
    if (executablePath) chromium = await startChromium(executablePath);
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });
  afterEach(async () => {
    for (const { context, complaints, hosts: asked } of hosts.splice(0)) {
      await context.close();
      expect(complaints).toEqual([]);
      expect([...asked]).toEqual(["host.example"]);
    }
  });

  async function connect(tenant: TestTenant, connector_id: string, username: string, password: string) {
    const { id, widgetUrl } = await tenant.openSession({ connector_id });
    await connectBank(widgetUrl, { username, password });
    const { connection_id } = await tenant.tools.call("svc-session-status", { session_id: id });
    return String(connection_id);
  }

  /** A bank whose accounts are in pounds. */
  async function bankAbroad(): Promise<string> {
    const { items } = await several.tools.call("svc-connectors", { page_size: 500 });
    const isBritish = ({ connector_id, metadata }: { connector_id: string; metadata: Record<string, unknown> }) =>
      connector_id.startsWith("gbr:") && metadata.type === "e-banking" && metadata.available === true;
    return items.find(isBritish).connector_id;
  }

  const ask = async (tenant: TestTenant, method: string, params: object = {}) =>
    (await tenant.tools.request({ jsonrpc: "2.0", id: 1, method, params })).body.result;
  const callOf = (tenant: TestTenant) => async (name: string, args: object) =>
    (await tenant.tools.request(toolCall(name, args))).body.result;

  /** Acts as a host: calls the tool, reads the page that the tool names, and shows it with the result. */
  async function show(tenant: TestTenant, tool: string, args: object = {}, more: Partial<HostOptions> = {}) {
    const listed = (await ask(tenant, "tools/list")).tools.find(({ name }: { name: string }) => name === tool);
    const { contents } = await ask(tenant, "resources/read", { uri: listed._meta.ui.resourceUri });
    const result = "result" in more ? more.result : await callOf(tenant)(tool, args);
    const host = await openViewHost(chromium as Browser, {
      html: contents[0].text,
      args,
      callTool: callOf(tenant),
      ...more,
      result,
    });
    hosts.push(host);
    return host;
  }

  const rowsIn = ({ view }: ViewHost) => view.locator("tbody tr");
  const says = ({ view }: ViewHost, text: string | RegExp) => view.getByText(text).first().waitFor();

  it.each(tools)("%s names a page of less than 100 kB, compressed, that may load nothing", async (tool) => {
    const { capabilities } = await ask(several, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    expect(capabilities.extensions["io.modelcontextprotocol/ui"].mimeTypes).toEqual(["text/html;profile=mcp-app"]);
    const uri = `ui://wealth-connect/${tool}`;
    const { contents } = await ask(several, "resources/read", { uri });
    expect(contents).toMatchObject([{ uri, mimeType: "text/html;profile=mcp-app" }]);
    expect(contents[0]._meta.ui.csp).toEqual({ connectDomains: [], resourceDomains: [] });
    expect(gzipSync(contents[0].text, { level: 9 }).length).toBeLessThan(MAX_BYTES);
    expect(contents[0].text).not.toMatch(/<(link|img|iframe)\b[^>]*(src|href)=/);
    expect(contents[0].text).toContain(`content="default-src 'none'; script-src 'sha256-`);
  });

  describe.skipIf(!executablePath)("in Chromium", () => {
    it.each(tools)(
      "[C-4.18] [C-4.22] %s: each row with its exact amounts and its bank, and each currency by itself",
      async (tool) => {
        const host = await show(several, tool);
        const { items, totals, total } = await several.tools.call(tool, { page_size: 500 });
        expect(total).toBeGreaterThan(2);
        await rowsIn(host)
          .nth(total - 1)
          .waitFor();
        const texts = await rowsIn(host).allTextContents();
        expect(texts).toHaveLength(total);
        for (const [at, item] of items.entries()) {
          expect(texts[at]).toContain(item.name);
          expect(texts[at]).toContain(`${item.balance} ${item.currency}`);
          if (item.amount) expect(texts[at]).toContain(item.amount);
        }
        const headings = await host.view.getByRole("heading", { level: 3 }).allTextContents();
        expect(totals.length).toBeGreaterThan(1);
        expect(headings).toEqual(
          totals.map(({ currency, balance }: Record<string, string>) => `${currency} ${balance}`),
        );
        expect(await host.view.getByRole("heading", { name: "By bank" }).count()).toBe(totals.length);
        expect(await auditFrame(host.view)).toEqual([]);
      },
    );

    it("the split by type and the split by bank each add up to the total of their currency", async () => {
      const host = await show(several, "svc-investments");
      const { totals } = await several.tools.call("svc-investments", { page_size: 1 });
      await host.view.getByRole("heading", { name: "By bank" }).first().waitFor();
      for (const { currency, balance } of totals) {
        const card = host.view.locator(".currency", { has: host.view.getByRole("heading", { name: currency }) });
        for (const list of await card.locator("ul").all()) {
          const amounts = await list.locator(".amount").allTextContents();
          const cents = amounts.map((amount) => BigInt(amount.replace(".", "")));
          expect(cents.reduce((all, each) => all + each, 0n)).toBe(BigInt(balance.replace(".", "")));
        }
      }
    });

    it("[C-4.20] [C-4.21] banks whose data is old or missing are marked, with the reason, and so are their rows", async () => {
      const host = await show(several, "svc-portfolios");
      const { sources } = await several.tools.call("svc-portfolios", {});
      expect(sources.map(({ state }: { state: string }) => state)).toEqual(["error", "stale"]);
      await expect.poll(() => host.view.getByText("Up to date").count()).toBe(2);
      await says(host, "Old data");
      for (const { message } of sources) if (message) await says(host, message);
      await says(host, "No data");
      expect(await rowsIn(host).getByText("Old data").count()).toBeGreaterThan(0);
    });

    it("[C-4.25] further pages come through the host, of the same state of the data, and the focus stays", async () => {
      // A few pages of rows rather than all 5,000.
      const funds = { currency: "EUR", inv_type: "F" };
      const asked: Record<string, unknown>[] = [];
      const callTool = async (name: string, args: object) => {
        // The view also queries its bank, which is up to date.
        if (!("credentials_token" in args)) asked.push({ name, ...args });
        return callOf(large)(name, args);
      };
      const host = await show(large, "svc-investments", { page_size: 3, fields: ["name"], ...funds }, { callTool });
      const { total, snapshot } = await large.tools.call("svc-investments", { page_size: 1, ...funds });
      expect(total).toBeGreaterThan(400);
      await rowsIn(host).nth(99).waitFor();
      await says(host, `By type and by bank: the 100 rows loaded, of ${total}.`);
      expect(asked).toEqual([
        { name: "svc-investments", ...funds, page: 1, page_size: 100, include_source_token: true, snapshot },
      ]);
      const more = host.view.getByRole("button", { name: "Load more" });
      await more.focus();
      await host.page.keyboard.press("Enter");
      await rowsIn(host).nth(199).waitFor();
      expect(asked[1]).toMatchObject({ page: 2, snapshot });
      expect(await host.view.evaluate("document.activeElement.textContent")).toBe("Load more");
      await host.view.getByText(`200 of ${total} rows`).last().waitFor();
      await host.view.getByRole("button", { name: "Load all" }).click();
      await rowsIn(host)
        .nth(total - 1)
        .waitFor();
      await more.waitFor({ state: "detached" });
      expect(new Set(await rowsIn(host).locator("th small").allTextContents()).size).toBeGreaterThan(1);
      expect(await rowsIn(host).count()).toBe(total);
      expect(await host.view.evaluate("document.activeElement.className")).toBe("table");
    });

    it("a page that does not come leaves what is there, says why, and can start again", async () => {
      let fails = false;
      const callTool = async (name: string, args: object) => {
        if (fails) throw new Error("The host is offline");
        return callOf(large)(name, args);
      };
      const host = await show(large, "svc-investments", {}, { callTool });
      await rowsIn(host).nth(99).waitFor();
      fails = true;
      await host.view.getByRole("button", { name: "Load more" }).click();
      await host.view.getByRole("alert").getByText("The host is offline").waitFor();
      expect(await rowsIn(host).count()).toBe(100);
      expect(await auditFrame(host.view)).toEqual([]);
      fails = false;
      await host.view.getByRole("button", { name: "Start again with the latest data" }).click();
      await host.view.getByRole("alert").waitFor({ state: "detached" });
    });

    it.each([
      ["a snapshot that is not kept", "svc-investments", { snapshot: "nonsense" }, "snapshot"],
      ["an unknown bank connection", "svc-portfolios", { credentials_token: "nobody" }, "no such credentials_token"],
    ])("%s is told in the server's words", async (_, tool, args, words) => {
      const host = await show(several, tool, args);
      await host.view.getByRole("alert").getByText(words).waitFor();
      expect(await auditFrame(host.view)).toEqual([]);
    });

    it("without passing on of calls it shows what the assistant got, and says how to get more", async () => {
      const host = await show(large, "svc-investments", { page_size: 3 }, { callTool: null });
      await rowsIn(host).nth(2).waitFor();
      await says(host, "More cannot be loaded here.");
      expect(await host.view.getByRole("heading", { level: 4 }).allTextContents()).toContain("By type");
      expect(await host.view.getByRole("button").count()).toBe(0);
      expect(await auditFrame(host.view)).toEqual([]);
    });

    it("of rows that do not say their bank there is no split by bank, rather than one that says nothing", async () => {
      const host = await show(several, "svc-investments", { page_size: 3 }, { callTool: null });
      await rowsIn(host).nth(2).waitFor();
      expect(new Set(await host.view.getByRole("heading", { level: 4 }).allTextContents())).toEqual(
        new Set(["By type"]),
      );
    });

    it("waits, says when the call was cancelled, and that nothing matches", async () => {
      const host = await show(several, "svc-portfolios", {}, { result: null });
      await says(host, "Waiting for the data…");
      expect(await auditFrame(host.view)).toEqual([]);
      await host.send({ method: "ui/notifications/tool-cancelled", params: { reason: "user action" } });
      await says(host, "The call was cancelled.");
      const result = await callOf(several)("svc-portfolios", { min_balance: "999999999999" });
      await host.send({ method: "ui/notifications/tool-result", params: result });
      await says(host, "There is nothing that matches.");
      expect(await auditFrame(host.view)).toEqual([]);
    });

    it("hostile names stay text", async () => {
      const structuredContent = {
        page: 1,
        page_size: 50,
        pages: 1,
        total: 1,
        snapshot: HOSTILE,
        items: [
          {
            id: HOSTILE,
            name: HOSTILE,
            refAccount: HOSTILE,
            type: HOSTILE,
            balance: "1.00",
            currency: HOSTILE,
            credentials_token: HOSTILE,
          },
        ],
        totals: [{ currency: HOSTILE, balance: "1.00" }],
        sources: [{ credentials_token: HOSTILE, bank: HOSTILE, as_of: HOSTILE, state: HOSTILE, message: HOSTILE }],
      };
      const context = { locale: HOSTILE, timeZone: HOSTILE, theme: HOSTILE };
      const host = await show(several, "svc-portfolios", {}, { result: { content: [], structuredContent }, context });
      await rowsIn(host).first().waitFor();
      expect(await rowsIn(host).locator("th").textContent()).toBe(HOSTILE);
      expect(await host.view.locator("img, main script").count()).toBe(0);
      expect(await host.page.evaluate("globalThis.hacked")).toBeUndefined();
      expect(await auditFrame(host.view)).toEqual([]);
    });

    it("follows the host into dark and into its language, whatever the browser prefers", async () => {
      const host = await show(several, "svc-portfolios", {}, { context: { theme: "dark", locale: "de-CH" } });
      await host.view.getByRole("heading", { name: "Depots und Konten", level: 1 }).waitFor();
      await rowsIn(host).first().waitFor();
      const ground = () => host.view.evaluate("getComputedStyle(document.body).backgroundColor");
      expect([await ground(), await host.view.locator("html").getAttribute("lang")]).toEqual(["rgb(20, 29, 28)", "de"]);
      expect(await auditFrame(host.view)).toEqual([]);
      await host.page.emulateMedia({ colorScheme: "dark" });
      await host.send({ method: "ui/notifications/host-context-changed", params: { theme: "light" } });
      await host.view.locator('html[data-theme="light"]').waitFor();
      expect(await ground()).toBe("rgb(255, 255, 255)");
      expect(await host.view.locator("html").getAttribute("lang")).toBe("de");
      expect(await auditFrame(host.view)).toEqual([]);
    });

    it("is as high as its content, fits a phone, and says nothing but what the extension has", async () => {
      const host = await show(several, "svc-investments", {}, { width: 360 });
      await rowsIn(host).first().waitFor();
      await expect.poll(async () => (await host.height()) - Number(await heightOf(host))).toBe(0);
      expect(await auditFrame(host.view)).toEqual([]);
      await host.send({ id: 7, method: "ping" });
      await host.send({ id: 8, method: "ui/resource-teardown", params: {} });
      await host.send({ id: 9, method: "roots/list" });
      await expect.poll(async () => (await host.sent()).filter(({ method }) => !method).length).toBe(3);
      const sent = await host.sent();
      expect(sent[0]).toMatchObject({ jsonrpc: "2.0", method: "ui/initialize" });
      expect(sent[0].params).toMatchObject({ protocolVersion: "2026-01-26", appInfo: { name: "wealth-connect" } });
      expect(sent[1]).toMatchObject({ method: "ui/notifications/initialized" });
      const known = ["ui/notifications/size-changed", "tools/call", undefined];
      expect(sent.slice(2).filter(({ method }) => !known.includes(method))).toEqual([]);
      expect(sent.filter(({ method }) => !method)).toMatchObject([
        { id: 7, result: {} },
        { id: 8, result: {} },
        { id: 9, error: { code: -32601 } },
      ]);
    });
  });
});

function heightOf({ view }: ViewHost): Promise<unknown> {
  return view.evaluate("Math.ceil(document.documentElement.getBoundingClientRect().height)");
}
