import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "./chromium-person.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { rawCaller, toolCall } from "./mcp-clients.js";
import { auditFrame } from "./page-audit.js";
import { type HostOptions, openViewHost, type ViewHost } from "./view-host.js";
import { deliver } from "./wealth-files.js";

const executablePath = process.env.CHROMIUM_PATH;
const MAX_BYTES = 100_000;
const tools = ["wealth-summary", "wealth-history", "wealth-income"] as const;
const HOSTILE = `<img src=x onerror="parent.hacked=1"><script>parent.hacked=1</script>`;

/** The second depot is not valued for three weeks, and joins again. */
const files = [
  ["2026-03-02;cash;1;;1000.00;EUR;;", "2026-03-02;holding;2;Fern;500.00;USD;;"],
  ["2026-03-16;cash;1;;1200.00;EUR;;", "2026-03-16;dividend;1;Fern;15.00;EUR;;5.00"],
  ["2026-03-30;cash;1;;1100.00;EUR;;", "2026-03-30;dividend;1;Fern;25.00;EUR;;"],
  ["2026-04-01;holding;2;Fern;700.00;USD;;"],
  ["2026-04-02;dividend;1;Oak;7.50;EUR;;2.50", "2026-04-03;holding;2;Fern;710.00;USD;;"],
];
const RATES = "date,base,quote,rate\n2026-04-02,EUR,USD,1.2\n";
const period = { client_ref: "M-17", from: "2026-02-25", to: "2026-04-05" };
const questions: Readonly<Record<(typeof tools)[number], object>> = {
  "wealth-summary": { client_ref: "M-17", date: "2026-04-05", by: "type" },
  "wealth-history": { ...period, interval: "day" },
  "wealth-income": { ...period, by: "month" },
};

describe("views of figures", () => {
  let server: TestServer;
  let chromium: Browser | undefined;
  const hosts: ViewHost[] = [];

  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend("it is about views in a browser; what they show is in the tests of figures"),
    });
    await server.operator.post("/operator/v1/rates/import?name=rates.csv", RATES, {
      headers: { "content-type": "application/octet-stream" },
    });
    await deliver(server, server.demo, "M-17", files);
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

  const ask = async (method: string, params: object = {}, path = "/mcp/analytics") =>
    (await rawCaller(`${server.url}${path}`, server.demo.token).request({ jsonrpc: "2.0", id: 1, method, params })).body
      .result;
  const callTool = async (name: string, args: object) =>
    (await rawCaller(`${server.url}/mcp/analytics`, server.demo.token).request(toolCall(name, args))).body.result;

  /** Acts as a host: calls the tool, reads the page that the tool names, and shows it with the result. */
  async function show(tool: string, args: object, more: Partial<HostOptions> = {}) {
    const listed = (await ask("tools/list")).tools.find(({ name }: { name: string }) => name === tool);
    const { contents } = await ask("resources/read", { uri: listed._meta.ui.resourceUri });
    const result = "result" in more ? more.result : await callTool(tool, args);
    const host = await openViewHost(chromium as Browser, { html: contents[0].text, args, callTool, ...more, result });
    hosts.push(host);
    return host;
  }

  /** Keeps a picture where `PICTURES` says, for people. */
  async function keep(name: string, { page }: ViewHost) {
    if (process.env.PICTURES)
      writeFileSync(join(process.env.PICTURES, `${name}.png`), await page.screenshot({ fullPage: true }));
  }

  it("[C-8.163] the tools name their pages, each of less than 100 kB, compressed, that may load nothing; /mcp names none of them", async () => {
    const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    expect(Object.keys((await ask("initialize", initialize)).capabilities.extensions).sort()).toEqual([
      "io.modelcontextprotocol/oauth-client-credentials",
      "io.modelcontextprotocol/skills",
      "io.modelcontextprotocol/ui",
    ]);
    const shown = (await ask("tools/list")).tools.filter(({ _meta }: { _meta?: object }) => _meta);
    expect(shown.map(({ name }: { name: string }) => name)).toEqual(tools);
    for (const { name, _meta } of shown) {
      const uri = `ui://wealth-connect/${name}`;
      expect(_meta).toEqual({ ui: { resourceUri: uri }, "ui/resourceUri": uri });
      const { contents } = await ask("resources/read", { uri });
      expect(contents).toMatchObject([{ uri, mimeType: "text/html;profile=mcp-app" }]);
      expect(gzipSync(contents[0].text, { level: 9 }).length).toBeLessThan(MAX_BYTES);
      expect(contents[0].text).toContain(`content="default-src 'none'; script-src 'sha256-`);
      expect(await ask("resources/read", { uri }, "/mcp")).toBeUndefined();
    }
  });

  describe.skipIf(!executablePath)("in Chromium", () => {
    const figureOf = ({ view }: ViewHost, currency: string) =>
      view.getByRole("region", { name: currency, exact: true });
    const rowsOf = async (host: ViewHost, currency: string) => {
      const rows = figureOf(host, currency).locator("tbody tr");
      await rows.first().waitFor({ state: "attached" });
      return Promise.all((await rows.all()).map((row) => row.locator("th, td").allTextContents()));
    };
    const headings = ({ view }: ViewHost) => view.getByRole("heading", { level: 2 }).allTextContents();

    it("[C-8.164] an allocation is a table with a bar and a share in each line, the largest first, and says what it lacks", async () => {
      const host = await show("wealth-summary", {
        ...questions["wealth-summary"],
        currency: "EUR",
        date: "2026-04-03",
      });
      expect(await rowsOf(host, "EUR")).toEqual([
        ["Liquidity", "1100.00", "65.0%"],
        ["Equities", "591.67", "35.0%"],
      ]);
      expect((await headings(host))[0]).toBe("EUR 1691.67");
      const widths = await figureOf(host, "EUR")
        .locator(".bar > span")
        .evaluateAll((bars) => bars.map((bar) => (bar as unknown as { style: { width: string } }).style.width));
      expect([widths[0], Math.round(Number.parseFloat(String(widths[1])))]).toEqual(["100%", 54]);
      await keep("summary", host);
      expect(await auditFrame(host.view)).toEqual([]);
      const later = await show("wealth-summary", { ...questions["wealth-summary"], date: "2026-04-09" });
      expect(await rowsOf(later, "USD")).toEqual([["Equities", "710.00", "100.0%"]]);
      await later.view
        .getByText("Not complete: 1 of 2 portfolios has no current value and is not in the total.")
        .waitFor();
    });

    it("[C-8.164] income is a table with a bar for each month, and tells taxes where they are known", async () => {
      const host = await show("wealth-income", questions["wealth-income"], { context: { locale: "en-GB" } });
      expect(await rowsOf(host, "EUR")).toEqual([
        ["Mar 2026", "40.00", "Not known", "Not known"],
        ["Apr 2026", "7.50", "2.50", "10.00"],
      ]);
      expect((await headings(host))[0]).toBe("EUR 47.50");
      await keep("income", host);
      expect(await auditFrame(host.view)).toEqual([]);
    });

    it("[C-8.164] a value over time has a gap where there is none, and a table of all days, whatever the page that the assistant asked for", async () => {
      const asked: object[] = [];
      const passOn = (name: string, args: object) => {
        asked.push(args);
        return callTool(name, args);
      };
      const args = { ...questions["wealth-history"], page_size: 7 };
      const host = await show("wealth-history", args, { callTool: passOn });
      const rows = figureOf(host, "USD").locator("tbody tr");
      await expect.poll(() => rows.count()).toBe(40);
      expect(asked).toEqual([{ ...args, page: 1, page_size: 100 }]);
      // Before the first value, within a week of it, and after.
      const drawn = await rowsOf(host, "USD");
      expect([drawn[0], drawn[5], drawn[13]]).toEqual([
        ["Feb 25, 2026", "no value", "2 portfolios missing"],
        ["Mar 2, 2026", "500.00", ""],
        ["Mar 10, 2026", "no value", "2 portfolios missing"],
      ]);
      const parts = (currency: string, selector: string) => figureOf(host, currency).locator(selector).count();
      expect([await parts("USD", ".gap"), await parts("USD", ".line")]).toEqual([1, 2]);
      // Where one of two depots has no value, the line is dotted, and joined to no other.
      const lines = [await parts("EUR", ".gap"), await parts("EUR", ".line"), await parts("EUR", ".line.part")];
      expect(lines).toEqual([2, 4, 2]);
      await host.view.getByText("Shaded: no value at all.").first().waitFor();
      await keep("history", host);
      await figureOf(host, "USD").getByText("As a table").click();
      await rows.nth(39).waitFor();
      expect(await auditFrame(host.view)).toEqual([]);
    });

    it("[C-8.164] on a phone in dark, in German, each view fits and is as good", async () => {
      for (const tool of tools) {
        const context = { theme: "dark", locale: "de-CH" };
        const host = await show(tool, questions[tool], { context, width: 360 });
        await figureOf(host, "EUR").waitFor();
        await host.view.locator('html[data-theme="dark"]').waitFor();
        expect(await host.view.evaluate("document.documentElement.scrollWidth")).toBe(360);
        await keep(`${tool}-phone-dark`, host);
        expect(await auditFrame(host.view)).toEqual([]);
      }
    });

    it("[C-8.164] without passing on of calls a view shows what the assistant got and says so; a refusal is told in the server's words", async () => {
      const host = await show("wealth-history", { ...questions["wealth-history"], page_size: 7 }, { callTool: null });
      await host.view.getByText("7 of 40 rows").waitFor();
      expect(await rowsOf(host, "EUR")).toHaveLength(7);
      const refused = await show("wealth-summary", { ...questions["wealth-summary"], currency: "JPY" });
      await refused.view.getByRole("alert").getByText("EUR → JPY, 2026-04-05").waitFor();
      expect(await auditFrame(refused.view)).toEqual([]);
    });

    it("[C-8.164] hostile names stay text", async () => {
      const sums = [{ currency: HOSTILE, balance: "1.00" }];
      const structuredContent = {
        ...{ page: 1, page_size: 50, pages: 1, total: 1, date: HOSTILE, complete: HOSTILE, rates: HOSTILE },
        ...{ totals: sums, items: [{ key: HOSTILE, totals: sums, share: HOSTILE }], coverage: HOSTILE },
        sources: [{ credentials_token: HOSTILE, bank: HOSTILE, as_of: HOSTILE, state: HOSTILE, message: HOSTILE }],
      };
      const context = { locale: HOSTILE, timeZone: HOSTILE, theme: HOSTILE };
      const result = { content: [], structuredContent };
      const host = await show("wealth-summary", { by: "constructor" }, { result, context });
      await host.view.locator("tbody th").first().waitFor();
      expect(await host.view.locator("tbody th").first().textContent()).toBe(HOSTILE);
      expect(await host.view.locator("img, main script").count()).toBe(0);
      expect(await host.page.evaluate("globalThis.hacked")).toBeUndefined();
      expect(await auditFrame(host.view)).toEqual([]);
    });
  });
});
