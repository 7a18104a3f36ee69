import { letterStatuses } from "@org/letter-lifecycle";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, desk, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { BROKEN_WORDS, CUT_OFF, IS_ON_TOP, picture } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const LETTERS = 20;
/** Windows, and the whole rows of the table that fit there when each status has letters. */
const windows = [
  [{ width: 1440, height: 900 }, 12],
  [{ width: 1280, height: 720 }, 8],
  [{ width: 390, height: 844 }, 5],
] as const;
const languages = ["en", "de", "fr", "es"] as const;

describe.skipIf(!executablePath)("what the console's first screenful holds, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let operator: Person;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    for (let made = 0; made < LETTERS; made += 1)
      await submitLetter(server.demo, sandboxBanks.datafeed, { labels: { case: String(made) } });
    chromium = await startChromium(executablePath ?? "");
    operator = await personWithDevice(chromium);
    await joinBy(operator, firstOperatorLink(server), "Ada Operator");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const open = async (page: Page, path: string, language: string) => {
    await page.goto(`${consoleOrigin(server)}/console${path}`);
    await page.locator("main h1").waitFor();
    // A phone has the switch in its menu.
    await page.setViewportSize(desk);
    await page.locator(".sidebar .language-switch select").selectOption(language);
  };

  it("[C-14.740] [C-14.1057] account and sign-out are in every window without scrolling, below named groups", async () => {
    const { page } = operator;
    for (const language of languages) {
      await open(page, "/audit", language);
      for (const [viewport] of windows) {
        await page.setViewportSize(viewport);
        if (viewport.width < 960) await page.locator(".bar .button").first().click();
        const side = page.locator(viewport.width < 960 ? "dialog" : ".sidebar");
        await side.locator("nav").waitFor();
        await picture(page, `menu-${language}-${viewport.width}`);
        const where = `${language}, ${viewport.width} px`;
        const account = side.locator('a[href="/console/account"]');
        for (const control of [account, side.locator(".whoami .button").last()])
          expect(await control.evaluate(IS_ON_TOP), where).toBe(true);
        expect(await side.locator(".whoami .button").last().evaluate(LINES), where).toBe(1);
        expect(await side.locator("nav ul").count(), where).toBe(5);
        // The last entry above them is reached by the keyboard, and not covered.
        const last = side.locator('a[href="/console/audit"]');
        await account.focus();
        await page.keyboard.press("Shift+Tab");
        expect(await last.evaluate(IS_ON_TOP), where).toBe(true);
        expect(await side.locator("nav a, nav p").evaluateAll(BROKEN_WORDS), where).toEqual([]);
        await page.keyboard.press("Escape");
      }
    }
  });

  it("[C-14.741] a strip of statuses leaves the window to the letters, whole words and no status without letters", async () => {
    const { page } = operator;
    await open(page, "/letters", "en");
    const statuses = page.locator(".board button");
    await statuses.first().waitFor();
    expect(await statuses.count()).toBe(1);
    await statuses.first().click();
    await page.waitForURL("**/letters?status=Signed");
    expect(await statuses.first().getAttribute("aria-pressed")).toBe("true");
    await page.goto(`${consoleOrigin(server)}/console/letters?status=Revoked`);
    await page.locator('.board [aria-pressed="true"]', { hasText: "Revoked" }).waitFor();

    await page.route("**/letters/counts", (route) =>
      route.fulfill({ json: { items: letterStatuses.map((status) => ({ status, letters: 1234, oldest_days: 120 })) } }),
    );
    for (const language of languages) {
      await open(page, "/letters", language);
      for (const [viewport, rows] of windows) {
        await page.setViewportSize(viewport);
        await page.locator('main tr[data-row="0"] a').waitFor();
        await expect.poll(() => statuses.count()).toBe(letterStatuses.length);
        await picture(page, `letters-${language}-${viewport.width}`);
        const where = `${language}, ${viewport.width} px`;
        // Rows are measured anew after the window has another size.
        await expect
          .poll(() => page.locator("main tr[data-row]").evaluateAll(WHOLE_ROWS), { message: where })
          .toBeGreaterThanOrEqual(rows);
        expect(await statuses.evaluateAll(BROKEN_WORDS), where).toEqual([]);
        expect(await statuses.evaluateAll(CUT_OFF), where).toEqual([]);
        expect(await page.locator("main :is(th, td, label)").evaluateAll(BROKEN_WORDS), where).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where).toBe(true);
      }
    }
    await page.unroute("**/letters/counts");
  });
});

/** In the page: on how many lines the words of a control stand. */
const LINES = new Function(
  "control",
  `const words = document.createRange();
   words.selectNodeContents(control);
   const lines = [...words.getClientRects()].filter(({ width }) => width > 0).map(({ top, bottom }) => Math.round((top + bottom) / 2));
   return lines.filter((middle, index) => lines.findIndex((each) => Math.abs(each - middle) < 8) === index).length;`,
) as (control: unknown) => number;

/** In the page: how many rows are whole in the window and in their table. */
const WHOLE_ROWS = new Function(
  "rows",
  `return rows.filter((row) => {
     const { top, bottom } = row.getBoundingClientRect();
     const frame = row.closest(".table").getBoundingClientRect();
     return top >= frame.top && bottom <= Math.min(frame.bottom, innerHeight) + 0.5;
   }).length;`,
) as (rows: unknown) => number;
