import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newPerson, press, sees, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { audit } from "./page-audit.js";
import { pictures } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;

/** What a customer of a broker whose keys could trade reads on the first page, and then where to make one. */
const wordsOf = {
  en: [/updated daily.*last 2 years.*could also be used to trade.*We only read/s, "Settings, then API"],
  de: [/täglich aktualisiert.*letzten 2 Jahre.*könnte auch gehandelt werden.*Wir lesen damit nur/s, "Einstellungen"],
  fr: [/chaque jour.*2 dernières années.*passer des ordres.*ne faisons que lire/s, "Paramètres, puis API"],
  es: [/a diario.*últimos 2 años.*también se podría operar.*solo leemos/s, "Ajustes, después API"],
} as const;

describe.skipIf(!executablePath)("connections with a key of the customer's own, in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "key-broker-"));
  const makeKey = (key: string, customer: string) => writeFileSync(join(folder, key), customer);
  let server: TestServer;
  let chromium: Browser;

  beforeAll(async () => {
    const PROVIDERS = fileURLToPath(new URL("providers/key-broker.mjs", import.meta.url));
    server = await startTestServer({
      backend: oneBackend("it is about pages in a browser"),
      environment: { PROVIDERS },
    });
    await server.operate("/operator/v1/providers/set", { name: "key-broker", settings: { folder } });
    await server.operate("/operator/v1/providers/sync", { name: "key-broker" });
    chromium = await startChromium(executablePath ?? "");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a fresh link in a new browser. */
  async function open(configuration: object) {
    const person = await newPerson(chromium, { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
    onTestFinished(async () => {
      await person.context.close();
      expect(person.complaints).toEqual([]);
    });
    const { status, body, text } = await server.demo.post("/v2/connect/sessions", { configuration });
    expect(status, text).toBe(200);
    await person.page.goto(body.widget_url.replace("//localhost:", "//127.0.0.1:"));
    await isTaken(person.page);
    return { page: person.page, id: body.session.session_id as string };
  }

  /** Waits until the client has taken over the page. */
  const isTaken = (page: Page) => page.locator("main > .screen").waitFor();
  const textOf = async (page: Page) => (await page.locator("main").textContent()) ?? "";
  async function enter(page: Page, key: string) {
    await page.getByLabel("Key", { exact: true }).fill(key);
    await press(page, "Continue");
  }

  it.each(["en", "de", "fr", "es"] as const)(
    "[C-5.167] [C-5.168] before they begin, a customer reads in %s what is read and how far back, that the key could trade, and where it is made",
    async (language) => {
      const [first, howTo] = wordsOf[language];
      const { page } = await open({ connector_id: "esp:trades", language });
      expect(await textOf(page)).toMatch(first);
      expect(await audit(page)).toEqual([]);
      await pictures(page, `key-first-page-${language}`);
      await page.locator("button.first").click();
      await page.locator("#key").waitFor();
      expect(await textOf(page)).toContain(howTo);
      expect(await audit(page)).toEqual([]);
      await pictures(page, `key-fields-${language}`);
    },
  );

  it("[C-5.166] [C-5.167] who chooses the bank here reads it there; nothing is said where nothing is stated, or nothing of use", async () => {
    const rules = [
      { action: "exclude", field: "connector_id", value: "*" },
      { action: "include", field: "connector_id", value: ["esp:reads", "esp:silent", "esp:odd"] },
    ];
    const { page } = await open({ connector_filter: { rules }, language: "en" });
    expect(await textOf(page)).toMatch(/We only read/);
    expect(await textOf(page)).not.toMatch(/cannot be used|could also/);
    await press(page, "Continue");
    await page.getByRole("button", { name: "Bróker reads" }).click();
    await sees(page, "Enter your key for Bróker reads");
    expect(await textOf(page)).toMatch(/last 2 years.*only reads is all we need.*Settings, then API/s);
    expect(await audit(page)).toEqual([]);
    await pictures(page, "key-chosen-bank");
    for (const name of ["silent", "odd"]) {
      await press(page, "Choose another bank");
      await page.getByRole("button", { name: `Bróker ${name}` }).click();
      await sees(page, `Log in to Bróker ${name}`);
      expect(await textOf(page)).not.toMatch(/Transactions|Your data|only read|Settings/);
    }
  });

  it("[C-5.168] [C-5.169] a key that is refused asks for another one, at the first connection and when it no longer works", async () => {
    makeKey("first-key", "ana");
    makeKey("other-key", "ben");
    const { page, id } = await open({ connector_id: "esp:trades", language: "en" });
    await press(page, "Continue");
    await enter(page, "unknown-key");
    await page.getByRole("alert").getByText("Check it, or make a new one. You have 2 attempts left.").waitFor();
    await enter(page, "first-key");
    await sees(page, "Your bank is connected");
    const { connection_id } = await server.demo.tools.call("svc-session-status", { session_id: id });

    rmSync(join(folder, "first-key"));
    const { body } = await server.demo.post("/connect/v2/connections/refresh", { connection_id });
    expect(body).toMatchObject({ outcome: "relogin_needed" });
    await askForNewKey(connection_id);
    const { page: again } = await open({ connection_id, language: "en" });
    expect(await textOf(again)).toMatch(/Make a new key at your bank, for the same account/);
    expect(await textOf(again)).not.toMatch(/log in/i);
    await pictures(again, "key-renewal");
    await press(again, "Continue");
    await enter(again, "other-key");
    await again.getByRole("alert").getByText("This key is for a different account").waitFor();
    makeKey("second-key", "ana");
    await enter(again, "second-key");
    await sees(again, "Your connection is renewed");
  });

  /** Tools, REST and the console ask for a new key, and for no login. */
  async function askForNewKey(connection_id: string) {
    const { tools, post } = server.demo;
    const { reasons } = await tools.call("svc-needs-relogin", { credentials_token: connection_id });
    expect(reasons).toMatchObject([
      {
        code: "auth_error",
        message: expect.stringContaining("refused the stored key"),
        next_action: expect.stringContaining("makes a new key at the bank"),
      },
    ]);
    const { items } = await tools.call("svc-credentials", { attention_only: true });
    expect(items).toMatchObject([{ attention: { message: "key refused", next_action: "enter a new key" } }]);
    const found = await post("/data/v1/search-connections", { query: { connection_id } });
    expect(found.body.items).toMatchObject([{ connection_id, uses_key: true }]);
    const operator = await personWithDevice(chromium);
    onTestFinished(() => operator.context.close());
    await joinBy(operator, firstOperatorLink(server), "Ada Operator");
    const { page } = operator;
    await page.goto(`${consoleOrigin(server)}/console/connections/${connection_id}`);
    await page.getByText("The bank no longer takes the key: the client has to make a new one there.").waitFor();
    await page.getByText("Client must reconnect").waitFor();
    await pictures(page, "key-console");
    await press(page, "Link to reconnect");
    await page.getByRole("dialog", { name: "Link to reconnect" }).waitFor();
  }
});
