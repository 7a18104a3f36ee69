import { join } from "node:path";
import { letterStatuses } from "@org/letter-lifecycle";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, desk, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";

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

  it("[C-14.740] account and sign-out are in every window without scrolling, below named groups", async () => {
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
        expect(await page.locator("main tr[data-row]").evaluateAll(WHOLE_ROWS), where).toBeGreaterThanOrEqual(rows);
        expect(await statuses.evaluateAll(BROKEN_WORDS), where).toEqual([]);
        expect(await statuses.evaluateAll(CUT_OFF), where).toEqual([]);
        expect(await page.locator("main :is(th, td, label)").evaluateAll(BROKEN_WORDS), where).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where).toBe(true);
      }
    }
    await page.unroute("**/letters/counts");
  });
});

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** In the page: whether a control is whole in the window, with nothing over it. */
const IS_ON_TOP = new Function(
  "control",
  `const { left, right, top, bottom } = control.getBoundingClientRect();
   return top >= 0 && bottom <= innerHeight && [top + 2, bottom - 2].every((y) =>
     control.contains(document.elementFromPoint((left + right) / 2, y)));`,
) as (control: unknown) => boolean;

/** In the page: how many rows are whole in the window and in their table. */
const WHOLE_ROWS = new Function(
  "rows",
  `return rows.filter((row) => {
     const { top, bottom } = row.getBoundingClientRect();
     const frame = row.closest(".table").getBoundingClientRect();
     return top >= frame.top && bottom <= Math.min(frame.bottom, innerHeight) + 0.5;
   }).length;`,
) as (rows: unknown) => number;

/** In the page: texts that are wider than their control. */
const CUT_OFF = new Function(
  "controls",
  "return controls.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((control) => control.textContent);",
) as (controls: unknown) => readonly string[];

/** In the page: words that stand on more than one line. */
const BROKEN_WORDS = new Function(
  "elements",
  `return elements.flatMap((element) => {
     const broken = [];
     const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
     while (texts.nextNode()) {
       for (const { index, 0: word } of texts.currentNode.data.matchAll(/\\p{L}+/gu)) {
         const range = document.createRange();
         range.setStart(texts.currentNode, index);
         range.setEnd(texts.currentNode, index + word.length);
         if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
       }
     }
     return broken;
   });`,
) as (elements: unknown) => readonly string[];
