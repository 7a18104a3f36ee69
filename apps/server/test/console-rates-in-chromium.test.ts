import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ecbXml } from "./institutions/ecb.js";
import { CUT_OFF_IN_MAIN, pictures, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const NOW = Date.now();
const dayBefore = (days: number) => new Date(NOW - days * 86_400_000).toISOString().slice(0, 10);

describe.skipIf(!executablePath)("exchange rates in the console, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let page: Page;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    const operator = await personWithDevice(chromium);
    await joinBy(operator, firstOperatorLink(server), "Ada Operator");
    ({ page } = operator);
    await page.setViewportSize(windows[0]);
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const open = async (on: Page, path: string) => {
    await on.goto(`${consoleOrigin(server)}/console${path}`);
    await on.locator("main h1").waitFor();
  };
  const row = (text: string | RegExp) => page.locator("main tr[data-row]").filter({ hasText: text });
  const choose = async (name: string, text: string) => {
    await page
      .locator("main input[type=file]")
      .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.locator("main").getByText(`${name}, `).waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
  };

  it("[C-14.1085] a file is imported, the page says what came of it, and its days and what is missing between them are listed", {
    timeout: START_TIMEOUT,
  }, async () => {
    await open(page, "/rates");
    await page.getByText("No exchange rates").waitFor();
    await choose(
      "eurofxref-hist.xml",
      ecbXml([
        [dayBefore(30), { USD: "1.05", JPY: "160" }],
        [dayBefore(40), { USD: "1.04" }],
      ]),
    );
    await page.getByText("Imported", { exact: true }).waitFor();
    await row("2 days").waitFor();
    expect(await row("eurofxref-hist.xml").count()).toBe(2);
    expect(await row("2 rates").count()).toBe(1);
    // Of today there is no rate.
    await page.getByRole("region", { name: "The latest rates are more than seven days old" }).waitFor();
    await pictures(page, "rates");
    expect(await page.evaluate(CUT_OFF_IN_MAIN)).toEqual([]);
    await choose("own.csv", `date,base,quote,rate\n${dayBefore(1)},USD,CHF,0.88\n`);
    await row("own.csv").waitFor();
    await page
      .getByRole("region", { name: "The latest rates are more than seven days old" })
      .waitFor({ state: "detached" });
  });

  it("[C-14.1086] a file with a fault is refused, by the line and the field, and nothing of it is listed", {
    timeout: START_TIMEOUT,
  }, async () => {
    await open(page, "/rates");
    await row("own.csv").waitFor();
    await choose("bad.csv", `date,base,quote,rate\n${dayBefore(3)},USD,CHF,0.88\n${dayBefore(2)},USD,CHF,0\n`);
    const refusal = page.getByRole("alert").filter({ hasText: "Nothing was imported" });
    await refusal.waitFor();
    expect(await refusal.textContent()).toContain("line 3.rate");
    expect(await refusal.textContent()).toContain("must be a number above 0");
    await pictures(page, "rates-refused");
    expect(await row("bad.csv").count()).toBe(0);
  });

  it("[C-14.1087] a day shows its rates, each with its source", { timeout: START_TIMEOUT }, async () => {
    await open(page, "/rates");
    await row("2 rates").getByRole("link").click();
    await row("EUR/JPY").waitFor();
    expect(await row("EUR/USD").textContent()).toContain("1.05");
    expect(await page.locator("main tr[data-row]").count()).toBe(2);
    await pictures(page, "rates-of-a-day");
    await open(page, `/rates?date=${dayBefore(35)}`);
    await page.getByText("There are no rates of this day").waitFor();
  });

  it("[C-14.1088] who may only read sees days and rates and no import, in their language", {
    timeout: START_TIMEOUT,
  }, async () => {
    const reader = await personWithDevice(chromium, { locale: "de-DE" });
    const invited = { email: "bea@example.com", role: "operator:read", name: "Bea" };
    // Joining is in English, as its helper presses.
    const { link } = await server.operate("/operator/v1/people/invite", invited);
    await reader.page.addInitScript("localStorage.setItem('wealth-connect-console-language', 'en')");
    await joinBy(reader, link);
    await reader.page.addInitScript("localStorage.setItem('wealth-connect-console-language', 'de')");
    await open(reader.page, `/rates?date=${dayBefore(30)}`);
    await reader.page.getByRole("heading", { name: "Wechselkurse" }).waitFor();
    await reader.page.locator("main tr[data-row]").filter({ hasText: "1,05" }).waitFor();
    expect(await reader.page.locator("main input[type=file]").count()).toBe(0);
  });
});
