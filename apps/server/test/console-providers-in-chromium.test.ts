import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, nameOfFocused, personWithDevice } from "./console-in-browser.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { auditRendered, overflow } from "./page-audit.js";
import { picture, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const SECRET = "a-secret-of-the-bank";

describe.skipIf(!executablePath)("a provider is set by fields, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let ada: Person;

  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend("it is about pages in a browser"),
      environment: { PROVIDERS: "openwealth" },
    });
    chromium = await startChromium(executablePath ?? "");
    ada = await personWithDevice(chromium);
    await joinBy(ada, firstOperatorLink(server));
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  it("[C-14.980] [C-14.981] [C-14.982] [C-14.1083] from nothing to a bank: a refused value is at its field, and a stored secret stays without being shown", async () => {
    const { page } = ada;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const field = (label: string) => page.getByLabel(label, { exact: true });
    const stored = async () => (await server.operate("/operator/v1/providers/show", { name: "openwealth" })).provider;
    await page.goto(`${consoleOrigin(server)}/console/providers/openwealth`);
    await field("Short name in the catalogue").fill("alpenrose");
    await field("Name").fill("Alpenrose");
    await field("Country").fill("Switzerland");
    await field("Address of the interface").fill("https://api.alpenrose.example/v3");
    await field("Kind").selectOption({ label: "Clients log in at the bank" });
    await field("Address for tokens").fill("https://login.alpenrose.example/token");
    await field("Client").fill("wealth-connect");
    await field("Client secret").fill(SECRET);
    await field("Address where clients log in").fill("https://login.alpenrose.example/authorize");
    await button("Add: Headers").click();
    await field("Headers: name of the new one").fill("X-Target-ID");
    await button("Save the settings").click();
    await page.getByText("add it first, or clear this field").waitFor();
    expect(await nameOfFocused(page)).toBe("Headers: name of the new one");
    expect(await stored()).toMatchObject({ settings: null });
    await button("Headers: add one").click();
    await field("X-Target-ID").fill("another-secret");
    await button("Save the settings").click();
    // The focus is in the field that is refused, which says why; nothing else does.
    await page.locator("[aria-invalid]").waitFor();
    await page.locator("[aria-invalid]:focus").waitFor();
    expect(await field("Country").getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator("section [role=alert]").count()).toBe(0);
    await look(page, "refused");
    await field("Country").fill("che");

    // As JSON and back: what was typed is there.
    await button("Edit as JSON").click();
    expect(JSON.parse(await field("Settings as JSON").inputValue())).toMatchObject({
      banks: [{ id: "alpenrose", country: "che", auth: { type: "authorization_code", client_secret: SECRET } }],
    });
    await button("Edit as fields").click();
    await button("Save the settings").click();
    await page.getByText("One is stored.").first().waitFor();
    expect(await stored()).toMatchObject({ settings: { banks: [{ country: "che", auth: { client_secret: "set" } }] } });
    expect(await field("Client secret").inputValue()).toBe("");
    expect(await page.content()).not.toContain(SECRET);

    // Another name keeps the secrets; another address asks for them.
    await field("Name").fill("Alpenrose Privatbank");
    await button("Save the settings").click();
    await eventually(
      async () => (await stored()).settings.banks[0].name === "Alpenrose Privatbank",
      "the name is kept",
    );
    await page.locator("button[aria-busy=true]").waitFor({ state: "detached" });
    const before = (await stored()).version;
    await field("Address for tokens").fill("https://elsewhere.example/token");
    await button("Save the settings").click();
    await page.locator("[aria-invalid]").first().waitFor();
    expect(await field("Client secret").getAttribute("aria-invalid")).toBe("true");
    expect(await stored()).toMatchObject({ version: before, settings: { banks: [{ name: "Alpenrose Privatbank" }] } });
    expect(ada.complaints.filter((line) => !line.includes("400"))).toEqual([]);
  });

  it("[C-14.980] the fields read well in four languages and three sizes", async () => {
    const { page } = ada;
    for (const language of ["de", "fr", "es", "en"]) {
      await page.setViewportSize(windows[0]);
      await page.locator(".sidebar .language-switch select").selectOption(language);
      await page.locator("fieldset.setting").first().waitFor();
      await look(page, `fields-${language}`);
    }
  });

  /** Nothing is cut off, and axe finds nothing, at every size; a picture of each with PICTURES. */
  async function look(page: Page, name: string) {
    for (const size of windows) {
      await page.setViewportSize(size);
      await picture(page, `${name}-${size.width}`);
      expect(await overflow(page), `${name} at ${size.width}`).toEqual([]);
    }
    await page.setViewportSize(windows[0]);
    expect(await auditRendered(page, "light"), name).toEqual([]);
  }
});
