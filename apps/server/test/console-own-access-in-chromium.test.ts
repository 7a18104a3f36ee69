import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, joinBy, personWithDevice } from "./console-in-browser.js";
import { joinConsole } from "./console-person.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { auditRendered, overflow } from "./page-audit.js";
import { picture, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const languages = ["en", "de", "fr", "es"] as const;

describe.skipIf(!executablePath)("a tenant's own applications, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  /** An administrator of the demo tenant. */
  let ada: Person;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    ada = await personWithDevice(chromium);
    const invited = { tenant_id: server.demo.tenantId, email: "ada@example.com", role: "admin" };
    await joinBy(ada, (await server.operate("/operator/v1/people/invite", invited)).link, "Ada");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const go = (path: string) => ada.page.goto(`${consoleOrigin(server)}/console${path}`);
  const signsIn = async (secret: string) => (await server.token(server.demo.clientId, secret)).status;

  it("[C-14.973] a tenant's administrator rolls a secret: both hold until the old one is removed, which is said first", async () => {
    const { page } = ada;
    const { clientId, clientSecret } = server.demo;
    await go("/applications");
    const row = page.locator("main tr[data-row]", { hasText: clientId });
    const menu = async () => {
      await row.getByRole("button", { name: /^Actions for/ }).click();
      return page.getByRole("menu");
    };
    expect(await row.textContent()).toContain("See investments");
    await (await menu())
      .getByRole("menuitem", { name: "Remove a secret" })
      .getByText("it has one secret only")
      .waitFor();
    await page.keyboard.press("Escape");
    await (await menu()).getByRole("menuitem", { name: "Add a second secret" }).click();
    const question = page.getByRole("dialog", { name: /^Add a second secret/ });
    await question.getByText("The old one stays valid until you remove it here").waitFor();
    await picture(page, "roll");
    await question.getByRole("button", { name: "Add a second secret" }).click();
    const shown = page.getByRole("dialog", { name: "The secret of this application" });
    const secret = String(await shown.locator("code", { hasText: /^wcs_/ }).textContent());
    await picture(page, "rolled");
    await shown.getByRole("button", { name: "I have kept it" }).click();
    expect([await signsIn(clientSecret), await signsIn(secret)]).toEqual([200, 200]);

    await (await menu())
      .getByRole("menuitem", { name: "Add a second secret" })
      .getByText("it has two secrets")
      .waitFor();
    await page.keyboard.press("Escape");
    await (await menu()).getByRole("menuitem", { name: "Remove a secret" }).click();
    const removal = page.getByRole("dialog", { name: /^Remove a secret/ });
    await removal.getByText("ends at once").waitFor();
    await picture(page, "remove-secret");
    await removal.getByRole("button", { name: "Remove a secret" }).click();
    await removal.waitFor({ state: "detached" });
    expect([await signsIn(clientSecret), await signsIn(secret)]).toEqual([401, 200]);

    const added = async () =>
      (await server.operate("/operator/v1/audit/list", { action: "application.secret_added" })).items;
    await expect.poll(async () => (await added())[0]).toMatchObject({ actor: expect.stringMatching(/^person/) });
    expect(JSON.stringify(await added())).not.toContain(secret);
    expect(ada.complaints).toEqual([]);
  });

  it("[C-14.974] nobody rolls the secret of another house, nor without the role, nor a third one", async () => {
    const { tenantId, clientId } = server.demo;
    const other = await server.createTenant("Another house");
    const join = (email: string, tenant_id: string, role: string) => joinConsole(server, { email, tenant_id, role });
    const stranger = await join("eve@example.com", other.tenantId, "admin");
    const roll = (person: Pick<typeof stranger, "post">) =>
      person.post("/applications/roll-secret", { client_id: clientId });
    const listed = await stranger.post("/applications/list");
    expect(listed.body.items.map(({ client_id }: { client_id: string }) => client_id)).toEqual([other.clientId]);
    expect((await roll(stranger)).body.error).toMatchObject({ code: "NOT_FOUND" });
    const unknown = await stranger.post("/applications/roll-secret", { client_id: "wca_nobody" });
    expect(unknown.body.error).toMatchObject({ code: "NOT_FOUND" });
    const own = await join("ada2@example.com", tenantId, "admin");
    const { secret_id } = (await own.post("/applications/list")).body.items[0].secrets[0];
    const removal = { client_id: clientId, secret_id };
    expect((await stranger.post("/applications/remove-secret", removal)).body.error).toMatchObject({
      code: "NOT_FOUND",
    });
    for (const role of ["member", "read"]) {
      const person = await join(`${role}@example.com`, tenantId, role);
      expect((await person.post("/applications/list")).status).toBe(200);
      expect([(await roll(person)).status, (await person.post("/applications/remove-secret", removal)).status]).toEqual(
        [403, 403],
      );
    }
    expect((await roll(own)).status).toBe(200);
    expect((await roll(own)).status).toBe(409);
    expect((await own.post("/applications/list")).text).not.toContain("wcs_");
  });

  it("[C-14.973] the list of applications fits every window, in four languages, and axe finds nothing", async () => {
    const { page } = ada;
    await page.setViewportSize(windows[0]);
    await go("/applications");
    for (const language of languages) {
      await page.locator(".sidebar .language-switch select").selectOption(language);
      await page.locator(`html[lang="${language}"]`).waitFor();
      for (const size of windows) {
        await page.setViewportSize(size);
        await page.locator("main tr[data-row]").first().waitFor();
        // What axe finds is the same in each language.
        const faults = language === "en" ? await auditRendered(page, "light") : await overflow(page);
        expect(faults, `${language}, ${size.width} px`).toEqual([]);
        await picture(page, `applications-${language}-${size.width}`);
      }
      await page.setViewportSize(windows[0]);
    }
  });
});
