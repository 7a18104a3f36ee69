import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { auditRendered } from "./page-audit.js";
import { picture, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const titles = { en: "Search everything", de: "Überall suchen", fr: "Rechercher partout", es: "Buscar en todo" };

describe.skipIf(!executablePath)("the search over everything, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let ada: Person;
  let letterId: string;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    letterId = await submitLetter(server.demo, sandboxBanks.datafeed, { labels: { family: "Familie Öztürk" } });
    for (let made = 0; made < 7; made += 1)
      await submitLetter(server.demo, sandboxBanks.datafeed, { labels: { family: `Many ${made}` } });
    chromium = await startChromium(executablePath ?? "");
    ada = await personWithDevice(chromium);
    ada.page.setDefaultTimeout(15_000);
    await joinBy(ada, firstOperatorLink(server), "Ada Operator");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const open = async (page: Page, path = "/work") => {
    await page.evaluate("localStorage.removeItem('wealth-connect-console-language')");
    await page.goto(`${consoleOrigin(server)}/console${path}`);
    await page.locator("main h1").waitFor();
  };
  const options = (page: Page) => page.locator(".palette [role=option]");
  const begin = async (page: Page, text: string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search everything" }).waitFor();
    await page.keyboard.type(text);
  };

  it("[C-14.851] Ctrl and K search from anywhere; a letter is found by a label, opened by Enter, and a text opens nothing by itself", async () => {
    const { page } = ada;
    await open(page, "/letters");
    await page.getByRole("searchbox").first().focus();
    await begin(page, "ozturk");
    await page.getByRole("option", { name: "Familie Öztürk" }).waitFor();
    expect(await page.getByRole("option", { name: "Familie Öztürk" }).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/letters/${letterId}`);
    await page.getByRole("dialog").waitFor({ state: "detached" });

    // Enter does not wait for a pause: an id that is pasted goes straight to its letter.
    await open(page);
    await begin(page, "");
    await page.keyboard.insertText(letterId);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/letters/${letterId}`);

    await begin(page, "0123456789abcdef0123456789abcdef");
    await page.getByRole("option", { name: "in the audit trail" }).click();
    await page.waitForURL("**/audit?trace=0123456789abcdef0123456789abcdef");
  });

  it("[C-14.851] a few of each kind are shown with their context; arrow keys go round, Escape closes, and the focus is back", async () => {
    const { page } = ada;
    await open(page);
    await begin(page, "many");
    await expect.poll(() => page.getByRole("group", { name: "Letters" }).getByRole("option").count()).toBe(5);
    await page.getByRole("option", { name: "All letters with “many”" }).waitFor();
    const selected = () => page.locator('[role=option][aria-selected="true"]').textContent();
    const first = await selected();
    await page.keyboard.press("ArrowUp");
    expect(await selected()).toContain("All letters");
    await page.keyboard.press("ArrowDown");
    expect(await selected()).toBe(first);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await begin(page, "ada oper");
    await page.getByRole("group", { name: "People" }).getByRole("option", { name: "Ada Operator" }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("nothing has this");
    await page.getByRole("heading", { name: "Nothing found for “nothing has this”" }).waitFor();
    expect(await options(page).count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  it("[C-14.851] typing on cancels the request under way; one that fails says so and can be repeated", async () => {
    const { page } = ada;
    await open(page);
    const cancelled: string[] = [];
    page.on("requestfailed", (request) => cancelled.push(request.postData() ?? ""));
    await page.route("**/find", () => {});
    await begin(page, "first");
    await page.waitForRequest("**/find");
    await page.keyboard.type(" and second");
    await eventually(() => cancelled.join().includes('"first"'), "the first request is cancelled");
    await page.unroute("**/find");
    await page.keyboard.press("Escape");

    await page.route("**/find", (route) =>
      route.fulfill({ status: 500, json: { error: { code: "INTERNAL", message: "" } } }),
    );
    await begin(page, "many");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.unroute("**/find");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("group", { name: "Letters" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("[C-14.852] what a person may not do is not offered; what they may opens its form", async () => {
    const { page } = ada;
    await open(page);
    await begin(page, "invite");
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Invite somebody" });
    await form.waitFor();
    await page.keyboard.type("reader@example.com");
    await form.getByRole("combobox").selectOption({ index: 1 });
    await page.keyboard.press("Enter");
    const link = await page.locator(".dialog code, .dialog output").first().textContent();
    const reader = await personWithDevice(chromium);
    await joinBy(reader, link ?? "", "Rae Reader");
    await begin(reader.page, "");
    await reader.page.getByRole("option", { name: "Sign out" }).waitFor();
    for (const action of ["Invite somebody", "Submit a signed letter", "New tenant"])
      expect(await reader.page.getByRole("option", { name: action }).count(), action).toBe(0);
    await reader.page.keyboard.press("Escape");
    // The form is not behind an address either.
    await open(reader.page, "/people?begin=invite");
    expect(await reader.page.getByRole("dialog").count()).toBe(0);
    await reader.context.close();
  });

  it.each(windows)(
    "[C-14.851] the search is whole and without fault at $width pixels, in four languages",
    async (size) => {
      const { page } = ada;
      for (const [language, title] of Object.entries(titles)) {
        await page.setViewportSize(windows[0]);
        await open(page);
        await page.locator(".sidebar .language-switch select").selectOption(language);
        await page.setViewportSize(size);
        await page.locator(".find:visible").click();
        const dialog = page.getByRole("dialog", { name: title });
        await dialog.getByRole("combobox").waitFor();
        await page.keyboard.type("many");
        await expect.poll(() => options(page).count()).toBeGreaterThan(5);
        await expect.poll(() => dialog.locator("[aria-busy=true]").count()).toBe(0);
        await picture(page, `search-${language}-${size.width}`);
        const box = await dialog.boundingBox();
        expect((box?.x ?? -1) >= 0 && (box?.width ?? 1e9) <= size.width, language).toBe(true);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), language).toBe(true);
        if (language === "en")
          for (const colours of ["light", "dark"] as const)
            expect(await auditRendered(page, colours), colours).toEqual([]);
        await page.keyboard.press("Escape");
      }
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize(windows[0]);
      await page.locator(".sidebar .language-switch select").selectOption("en");
    },
  );

  it("[C-14.853] colours and density are chosen in the menu, kept in this browser, and there before the first paint", async () => {
    const { page } = ada;
    await open(page);
    const choose = async (name: string) => {
      await page.getByRole("button", { name: "Look of the page" }).click();
      await page.getByRole("menuitemradio", { name }).click();
    };
    await choose("Dark");
    await choose("Compact rows");
    await open(page, "/letters");
    await page.locator('main tr[data-row="0"]').waitFor();
    await picture(page, "letters-dark-compact");
    const look = `(() => {
      const { colorScheme, backgroundColor } = getComputedStyle(document.body);
      return [colorScheme, backgroundColor, document.querySelector("main tr[data-row]").getBoundingClientRect().height];
    })()`;
    const [scheme, background, height] = (await page.evaluate(look)) as [string, string, number];
    expect([scheme, background]).toEqual(["dark", "rgb(20, 29, 28)"]);
    expect(height).toBeLessThan(32);
    // The script that sets them is loaded before the page's own, and holds the first paint.
    const scripts = await page.locator("head script").evaluateAll(SCRIPTS);
    expect(scripts[0]).toMatch(/^\/console\/assets\/first-paint-.* $/);
    await choose("Light");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(((await page.evaluate(look)) as unknown[]).slice(0, 2)).toEqual(["light", "rgb(255, 255, 255)"]);
    await page.emulateMedia({ colorScheme: "light" });
    await choose("As the device has it");
    await choose("Comfortable rows");
    expect(((await page.evaluate(look)) as [string, string, number])[2]).toBeGreaterThanOrEqual(36);
  });

  it("[C-14.854] columns are chosen by the keyboard, in the table's head, and kept; the first one stays; a heading sorts", async () => {
    const { page } = ada;
    await open(page, "/letters");
    const heads = () => page.locator("main thead th").allTextContents();
    await page.locator('main tr[data-row="0"]').waitFor();
    const before = await heads();
    await page.getByRole("button", { name: "Columns" }).press("Enter");
    const choices = page.getByRole("menuitemcheckbox");
    expect(await choices.allTextContents()).toEqual([
      "Status",
      "In status for",
      "Tenant",
      "Labels",
      "Created",
      "Last changed",
      "Next",
    ]);
    await picture(page, "columns");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await choices.nth(2).getAttribute("aria-checked")).toBe("false");
    await page.keyboard.press("Escape");
    const without = before.map((head) => head.replace(/Tenant$/, ""));
    expect(await heads()).toEqual(without);
    await open(page, "/letters");
    await page.locator('main tr[data-row="0"]').waitFor();
    expect(await heads()).toEqual(without);
    await page.getByRole("button", { name: "In status for" }).press("Enter");
    await page.waitForURL("**/letters?order=longest_in_status");
    expect(await page.locator("main th[aria-sort]").getAttribute("aria-sort")).toBe("descending");
    // Another table has its own choice.
    await open(page, "/people");
    await page.locator('main tr[data-row="0"]').waitFor();
    expect((await heads()).slice(0, 3)).toEqual(["Name", "E-mail", "Role"]);
  });
});

/** In the page: the scripts with their type. */
const SCRIPTS = new Function(
  "scripts",
  "return scripts.map((script) => script.getAttribute('src') + ' ' + script.type);",
) as (scripts: unknown) => readonly string[];
