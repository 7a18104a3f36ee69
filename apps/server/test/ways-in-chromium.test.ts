import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newPerson, press, sees, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, nameOfFocused, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { audit, auditRendered } from "./page-audit.js";
import { picture, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const BANK = "Banque Alpenrose";
const AWAY = "Log in on your bank's page";
const identifiers = { domain: "alpenrose.example" };
const rows = [
  { id: "che:alpenrose", name: BANK, country: "che", provider: "sandbox", provider_ref: "redirect", identifiers },
  { id: "che:alpenrose-files", name: "Alpenrose Depot", country: "che", type: "datafeed", identifiers },
  { id: "lux:alpenrose", name: BANK, country: "lux", provider: "sandbox", provider_ref: "password" },
];

/** Other banks of the list: one with a login, one by letter. */
const OTHERS = ["and:banca-vallclaror", "che:helvior-depotbank"];

/** What a list of three ways says, and the button before it, in the customer's language. */
const wordsOf = {
  en: ["Continue", "3 ways to connect", "Log in on the bank's own page", "Through Linkwell", "By letter"],
  de: ["Weiter", "3 Wege zur Verbindung", "Anmeldung auf der Seite der Bank", "Über Linkwell", "Per Brief"],
  fr: ["Continuer", "3 façons de se connecter", "Connexion sur la page de la banque", "Via Linkwell", "Par courrier"],
  es: [
    "Continuar",
    "3 formas de conectarse",
    "Iniciar sesión en la página del banco",
    "A través de Linkwell",
    "Por carta",
  ],
} as const;

describe.skipIf(!executablePath)("a bank with several ways, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let operators = 0;

  beforeAll(async () => {
    const PROVIDERS = fileURLToPath(new URL("providers/linkwell.mjs", import.meta.url));
    server = await startTestServer({
      backend: oneBackend("it is about pages in a browser"),
      environment: { PROVIDERS },
    });
    await server.operate("/operator/v1/providers/set", { name: "linkwell", settings: {} });
    await server.operate("/operator/v1/providers/sync", { name: "linkwell" });
    await importRows(rows);
    chromium = await startChromium(executablePath ?? "");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  async function importRows(imported: readonly object[]) {
    const lines = imported.map((row) => JSON.stringify(row)).join("\n");
    const headers = { "content-type": "application/x-ndjson" };
    const { status, text } = await server.operator.post("/operator/v1/connectors/import", lines, { headers });
    expect(status, text).toBe(200);
  }

  /** Opens the list of banks in a new browser. */
  async function open(options: BrowserContextOptions, language: keyof typeof wordsOf = "en") {
    const person = await newPerson(chromium, { viewport: windows[2], reducedMotion: "reduce", ...options });
    onTestFinished(async () => {
      await person.context.close();
      expect(person.complaints).toEqual([]);
    });
    const value = ["che:alpenrose", "che:alpenrose-files", "che:linkwell-alpenrose", ...OTHERS];
    const rules = [
      { action: "exclude", field: "connector_id", value: "*" },
      { action: "include", field: "connector_id", value },
    ];
    const configuration = { connector_filter: { rules }, language };
    const { status, body, text } = await server.demo.post("/v2/connect/sessions", { configuration });
    expect(status, text).toBe(200);
    // A bank's own page leads back to the server's address.
    await person.page.goto(body.widget_url);
    if (options.javaScriptEnabled !== false) await person.page.locator("main > .screen").waitFor();
    await press(person.page, wordsOf[language][0]);
    await entry(person.page).waitFor();
    return person.page;
  }

  const entry = (page: Page) => page.locator(".banks summary", { hasText: BANK });
  const ways = (page: Page) => page.locator(".banks .ways");

  it.each(Object.entries(wordsOf))(
    "[C-5.275] is one entry; opened, it says in %s of each way how one logs in and who else sees the data, in every window",
    async (language, [, several, own, through, letter]) => {
      const page = await open({ hasTouch: true }, language as keyof typeof wordsOf);
      expect(await page.locator(".banks > li").count()).toBe(1 + OTHERS.length);
      expect(await entry(page).textContent()).toContain(several);
      await entry(page).tap();
      await ways(page).waitFor();
      const shown = await ways(page).locator("> li").allTextContents();
      expect(shown).toEqual([own, through, letter].map((title) => expect.stringContaining(title)));
      for (const window of windows) {
        await page.setViewportSize(window);
        expect(await audit(page)).toEqual([]);
        await picture(page, `ways-${language}-${window.width}`);
      }
    },
  );

  it("[C-5.275] opens by keyboard, stays open while its name is typed, and its ways are reached by the arrow keys", async () => {
    const page = await open({ hasTouch: true });
    await page.getByLabel("Name of the bank").focus();
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    expect(await nameOfFocused(page)).toContain(BANK);
    await page.keyboard.press("Enter");
    await ways(page).waitFor();
    await page.getByLabel("Name of the bank").focus();
    await page.keyboard.type("alpenr");
    await page.getByText("1 bank", { exact: true }).waitFor();
    expect(await ways(page).isVisible()).toBe(true);
    for (const key of Array.from({ length: "alpenr".length }, () => "Backspace")) await page.keyboard.press(key);
    await page.getByText(`${1 + OTHERS.length} banks`, { exact: true }).waitFor();
    expect(await ways(page).isVisible()).toBe(true);
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    expect(await nameOfFocused(page)).toContain("Log in on the bank's own page");
    await picture(page, "ways-keyboard-390");
    await page.keyboard.press("Enter");
    await sees(page, AWAY);
    // Another way is chosen instead.
    await press(page, "Choose another bank");
    await entry(page).tap();
    await ways(page).getByRole("button", { name: "Log in on the bank's own page" }).tap();
    await sees(page, AWAY);
    await page.goBack();
    await sees(page, "Choose your bank");
  });

  it("[C-5.275] opens without JavaScript, and its way is chosen there", async () => {
    const page = await open({ javaScriptEnabled: false }, "fr");
    await entry(page).click();
    await ways(page).waitFor();
    await picture(page, "ways-plain-390");
    await ways(page).getByRole("button", { name: "Connexion sur la page de la banque" }).click();
    await page.getByRole("heading", { name: BANK }).or(page.getByText(BANK)).first().waitFor();
    await expect.poll(() => page.locator(".banks").count()).toBe(0);
  });

  it("[C-5.276] operators join, order, separate and rematch them in the console's catalogue", async () => {
    const { page } = await anOperator();
    await page.goto(`${consoleOrigin(server)}/console/catalogue?name=alpenrose`);
    const row = (id: string) =>
      page.locator("main tr[data-row]").filter({ has: page.getByRole("cell", { name: id, exact: true }) });
    await expect.poll(() => page.locator("main tr[data-row]").count()).toBe(4);
    const waysOf = async (id: string) => {
      const { items } = await server.operate("/operator/v1/connectors/list", { name: "alpenrose" });
      return items.find((each: { id: string }) => each.id === id).ways;
    };
    const choose = async (id: string, item: string) => {
      await row(id)
        .getByRole("button", { name: /^Actions for/ })
        .click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await look(page, "catalogue");
    // Two entries have the name of this one, so the field tells them apart.
    await choose("lux:alpenrose", "Same bank as another…");
    const dialog = page.getByRole("dialog", { name: `Another way to ${BANK}` });
    const other = dialog.getByLabel("Other entry of this bank");
    await other.fill(BANK);
    const proposals = dialog.locator("datalist option");
    await expect
      .poll(() => proposals.evaluateAll((each) => each.map((option) => option.getAttribute("value"))))
      .toEqual([`${BANK} (che:alpenrose)`, `${BANK} (che:linkwell-alpenrose)`]);
    await look(page, "catalogue-join");
    await other.fill(`${BANK} (che:linkwell-alpenrose)`);
    await press(page, "Show as one bank");
    await dialog.waitFor({ state: "detached" });
    expect(await waysOf("lux:alpenrose")).toEqual(["lux:alpenrose", "che:linkwell-alpenrose"]);
    expect(await waysOf("che:alpenrose")).toEqual(["che:alpenrose", "che:alpenrose-files"]);
    await row("che:linkwell-alpenrose").getByText("lux:alpenrose", { exact: true }).waitFor();
    await choose("che:linkwell-alpenrose", "Offer this way first");
    await expect.poll(() => waysOf("lux:alpenrose")).toEqual(["che:linkwell-alpenrose", "lux:alpenrose"]);
    await look(page, "catalogue-joined");
    await choose("che:linkwell-alpenrose", "Show as a bank of its own");
    await expect.poll(() => waysOf("che:linkwell-alpenrose")).toEqual([]);
    await choose("che:linkwell-alpenrose", "Decide by identifiers again");
    await expect
      .poll(() => waysOf("che:linkwell-alpenrose"))
      .toEqual(["che:alpenrose", "che:linkwell-alpenrose", "che:alpenrose-files"]);
  });

  it("[C-5.279] operators offer a provider's banks, read how many it no longer lists, and withdraw these", async () => {
    const old = { id: "che:linkwell-old", name: "Old Bank", country: "che", provider: "linkwell" };
    await importRows([old]);
    const isOffered = async () => {
      const { items } = await server.operate("/operator/v1/connectors/list", { name: old.name });
      return items[0].available;
    };
    const { page } = await anOperator();
    await page.goto(`${consoleOrigin(server)}/console/providers/linkwell`);
    await press(page, "Offer its banks");
    await page.getByText("1 is offered that it no longer lists.").waitFor();
    expect(await isOffered()).toBe(true);
    await look(page, "withdraw");
    await press(page, "Stop offering them");
    await expect.poll(isOffered).toBe(false);
    await page.getByText("1 is offered that it no longer lists.").waitFor({ state: "detached" });
  });

  /** An operator at a desk, who is the first or invited by the first. */
  async function anOperator() {
    const person = await personWithDevice(chromium);
    onTestFinished(async () => {
      await person.context.close();
      expect(person.complaints).toEqual([]);
    });
    operators += 1;
    const invited = { email: `${operators}@operator.example`, name: "Bo", role: "operator" };
    const link =
      operators === 1 ? firstOperatorLink(server) : (await server.operate("/operator/v1/people/invite", invited)).link;
    await joinBy(person, link);
    await person.page.setViewportSize(windows[0]);
    return person;
  }

  /** Nothing is wrong with the screen in any window; a picture of each with PICTURES. */
  async function look(page: Page, name: string) {
    for (const window of windows) {
      await page.setViewportSize(window);
      expect(await auditRendered(page, "light"), `${name} at ${window.width}`).toEqual([]);
      await picture(page, `${name}-${window.width}`);
    }
    await page.setViewportSize(windows[0]);
  }
});
