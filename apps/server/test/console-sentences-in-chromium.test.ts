import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, press, startChromium } from "./chromium-person.js";
import { consoleOrigin, desk, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { auditRendered } from "./page-audit.js";
import { picture, pictures, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;

describe.skipIf(!executablePath)("audit and events as sentences, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let operator: Person;
  /** Of the demo tenant. */
  let member: Person;
  let letter: string;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    letter = await submitLetter(server.demo, sandboxBanks.datafeed, { labels: { reference: "4711" } });
    chromium = await startChromium(executablePath ?? "");
    operator = await personWithDevice(chromium);
    await joinBy(operator, firstOperatorLink(server), "Anna Meier");
    await operator.page.goto(`${consoleOrigin(server)}/console/letters/${letter}`);
    await press(operator.page, "Advance to: Sent to custodian");
    await operator.page.getByRole("dialog").getByRole("button", { name: "Advance", exact: true }).click();
    await operator.page.getByText("Anna Meier moved this letter").waitFor();
    const { link } = await server.operate("/operator/v1/people/invite", {
      tenant_id: server.demo.tenantId,
      email: "mia@example.com",
      role: "admin",
    });
    member = await personWithDevice(chromium);
    await joinBy(member, link, "Mia Member");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const open = (page: Page, path: string) => page.goto(`${consoleOrigin(server)}/console${path}`);
  const rowWith = (page: Page, text: string) => page.locator("main tbody tr", { hasText: text }).first();

  it("[C-14.842] a letter that a person moved is a sentence with their name, which leads to the letter; its ids are on the opened entry", async () => {
    const { page } = operator;
    await open(page, "/audit");
    const row = rowWith(page, "Anna Meier moved");
    await row.waitFor();
    expect(await row.locator("td").first().textContent()).toMatch(
      /^Anna Meier moved letter 4711 of .+ from Signed to Sent to custodian$/,
    );
    expect(await row.textContent()).not.toContain(letter);
    await rowWith(page, "Anna Meier joined").waitFor();
    await pictures(page, "audit");
    await page.setViewportSize(desk);
    expect(await auditRendered(page, "light")).toEqual([]);

    await row.getByRole("button", { name: "Details" }).click();
    const dialog = page.getByRole("dialog", { name: "Entry" });
    await dialog.getByText('"action": "letter.send_to_custodian"').waitFor();
    expect(await dialog.locator(".copyable code").allTextContents()).toContain(letter);
    expect(await dialog.getByRole("button", { name: "Copy JSON" }).count()).toBe(1);
    await pictures(page, "entry");
    await page.setViewportSize(windows[2]);
    expect(await auditRendered(page, "light")).toEqual([]);
    await page.setViewportSize(desk);
    await page.keyboard.press("Escape");
    await row.getByRole("link", { name: "letter 4711 of" }).click();
    await page.waitForURL(`**/letters/${letter}`);
    await page.getByText("Anna Meier moved this letter from Signed to Sent to custodian").waitFor();
    await picture(page, "letter-history");
  });

  it("[C-14.977] the trail is narrowed to an action by its words and to who acted by their name, or by an id", async () => {
    const { page } = operator;
    await open(page, "/audit");
    const action = page.getByLabel("Action", { exact: true });
    await action.waitFor();
    const labels = await action.locator("option").allTextContents();
    expect(new Set(labels).size).toBe(labels.length);
    expect(
      await action.locator("optgroup").evaluateAll((all) => all.map((one) => one.getAttribute("label"))),
    ).toContain("Letters");
    await action.selectOption({ label: "… moved a letter from … to Sent to custodian" });
    await page.waitForURL("**/audit?action=letter.send_to_custodian");
    await rowWith(page, "Anna Meier moved").waitFor();
    const who = page.getByLabel("Who", { exact: true });
    await who.pressSequentially("anna");
    const proposed = page.locator("main datalist option[value^='Anna Meier']");
    await proposed.waitFor({ state: "attached" });
    expect(new URL(page.url()).searchParams.has("actor")).toBe(false);
    await who.fill((await proposed.getAttribute("value")) ?? "");
    await page.waitForURL("**actor=person*");
    await rowWith(page, "Anna Meier moved").waitFor();
    await pictures(page, "audit-filtered");
    await page.setViewportSize(desk);
    expect(await auditRendered(page, "light")).toEqual([]);
    const id = new URL(page.url()).searchParams.get("actor") ?? "";
    await page.reload();
    await rowWith(page, "Anna Meier moved").waitFor();
    expect(await who.inputValue()).toContain("Anna Meier");
    await who.fill("no-such-id");
    await page.waitForURL("**actor=no-such-id*");
    await page.getByText("Nothing matches these filters").waitFor();
    await who.fill(id);
    await rowWith(page, "Anna Meier moved").waitFor();
  });

  it("[C-14.842] sentences are in the language of the page, and what is gone says so", async () => {
    const { page } = operator;
    const gone = await server.createTenant("Gone Wealth");
    await server.operate("/operator/v1/tenants/disable", { tenant_id: gone.tenantId });
    await server.operate("/operator/v1/tenants/delete", { tenant_id: gone.tenantId, confirm: true });
    // Lines are written after their answers, and the page does not follow the trail.
    await eventually(async () => {
      await open(page, "/audit");
      await rowWith(page, "deleted a tenant with all of its data").waitFor();
      const line = rowWith(page, "switched a removed tenant off");
      return line.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    }, "the trail says what became of the tenant");
    for (const [language, sentence] of [
      ["de", "Anna Meier hat die Vollmacht 4711 bei"],
      ["fr", "Anna Meier a fait passer la lettre 4711"],
      ["es", "Anna Meier pasó la carta 4711"],
    ] as const) {
      await page.locator(".sidebar .language-switch select").selectOption(language);
      await rowWith(page, sentence).waitFor();
      await picture(page, `audit-${language}`);
    }
    await page.locator(".sidebar .language-switch select").selectOption("en");
  });

  it("[C-14.986] what is wrong with a field is said in the language of the page", async () => {
    const { page } = operator;
    await open(page, "/people");
    await page.locator("main").getByRole("button", { name: "Invite" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail").fill("nobody");
    await dialog.locator("button[type=submit]").click();
    await dialog.getByText("must be an e-mail address").waitFor();
    await page.keyboard.press("Escape");
    for (const [language, sentence] of [
      ["de", "muss eine E-Mail-Adresse sein"],
      ["fr", "doit être une adresse e-mail"],
      ["es", "debe ser una dirección de correo electrónico"],
    ] as const) {
      await page.locator(".sidebar .language-switch select").selectOption(language);
      await page.locator("main header button, main .actions button").first().click();
      await dialog.locator("input").first().fill("nobody");
      await dialog.locator("button[type=submit]").click();
      await dialog.getByText(sentence).waitFor();
      expect(await dialog.textContent()).not.toContain("must be");
      await picture(page, `fault-${language}`);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
    }
    await page.locator(".sidebar .language-switch select").selectOption("en");
  });

  it("[C-14.841] a tenant's person reads their events as sentences, and is told no name of another tenant", async () => {
    const other = await server.createTenant("Other Wealth");
    const foreign = await submitLetter(other, sandboxBanks.datafeed, { labels: { reference: "secret-77" } });
    const { page } = member;
    await open(page, "/events");
    const row = rowWith(page, "Letter 4711 of");
    await row.waitFor();
    expect(await row.textContent()).toContain("from Signed to Sent to custodian");
    await pictures(page, "events");
    await page.setViewportSize(windows[2]);
    expect(await auditRendered(page, "light")).toEqual([]);
    await page.setViewportSize(desk);
    const names = await page.evaluate(
      async ([tenant_id, ...ids]) => {
        const post = (path: string, body: object, token = "") =>
          fetch(`/console/api${path}`, {
            method: "POST",
            headers: { "Content-Type": "application/json", "X-CSRF-Token": token },
            body: JSON.stringify(body),
          }).then((answer) => answer.json() as Promise<{ csrf_token?: string }>);
        const { csrf_token } = await post("/session", {});
        return post("/names", { things: ids.map((id) => ({ id, tenant_id })) }, csrf_token);
      },
      [other.tenantId, foreign, other.tenantId],
    );
    expect(names).toEqual({ items: [] });
  });

  it("[C-14.1067] the filter workbench says fields, types and countries in words, and finds them by words and by codes", async () => {
    const { page } = operator;
    await open(page, "/filter-workbench");
    await page.setViewportSize(desk);
    await page.getByRole("button", { name: "Use an example" }).click();
    const rules = page.locator(".rules button");
    const said = {
      de: ["ausschließen · Art: Online-Banking (PSD2)", "aufnehmen · Länder: Spanien, Frankreich"],
      fr: ["exclure · Type\u00a0: Banque en ligne (DSP2)", "inclure · Pays\u00a0: Espagne, France"],
      es: ["excluir · Tipo: Banca en línea (PSD2)", "incluir · Países: España, Francia"],
      en: ["exclude · Type: Online banking (PSD2)", "include · Countries: Spain, France"],
    };
    for (const [language, [type, countries]] of Object.entries(said)) {
      await page.locator(".sidebar .language-switch select").selectOption(language);
      await expect.poll(async () => (await rules.allTextContents()).slice(1)).toEqual([countries, type]);
    }
    expect(await page.getByLabel("Connector filter").inputValue()).toContain('"psd2"');
    const found = page.locator("main tr[data-row]");
    for (const text of ["france", "fra"]) {
      await page.getByLabel("Name, id, type or country").fill(text);
      await expect
        .poll(async () => {
          const rows = await found.allTextContents();
          return rows.length > 0 && rows.every((row) => row.includes("France"));
        })
        .toBe(true);
    }
    await pictures(page, "workbench");
  });
});
