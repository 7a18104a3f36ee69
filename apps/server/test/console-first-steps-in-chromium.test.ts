import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { auditRendered, overflow } from "./page-audit.js";
import { picture, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const languages = ["en", "de", "fr", "es"] as const;
const STEPS = ["Make a tenant", "Make an application", "Connect a bank", "Begin a letter"];

describe.skipIf(!executablePath)("a new installation's first steps, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let ada: Person;
  let tess: Person;
  let tenantId: string;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    ada = await personWithDevice(chromium);
    await joinBy(ada, firstOperatorLink(server), "Ada Operator");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const go = async (page: Page, path: string) => {
    await page.goto(`${consoleOrigin(server)}/console${path}`);
    await page.locator("main h1").waitFor();
    await page.locator("main .loading").first().waitFor({ state: "detached" });
  };
  const steps = (page: Page) => page.locator(".first-steps li");
  const done = (page: Page) => steps(page).filter({ hasText: "Done" }).locator("h3").allTextContents();
  /** Pictures in every window, and what is wrong with the page there. */
  async function looked(page: Page, name: string): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const viewport of windows) {
      await page.setViewportSize(viewport);
      faults.push(...(await auditRendered(page, "light")).map((fault) => `${name}, ${viewport.width} px: ${fault}`));
      await picture(page, `${name}-${viewport.width}`);
    }
    await page.setViewportSize(windows[0]);
    return faults;
  }

  it("[C-14.1017] Work shows an empty installation's first steps, each with its dialog, in four languages", async () => {
    const { page } = ada;
    await go(page, "/work");
    await expect.poll(() => steps(page).locator("h3").allTextContents()).toEqual(STEPS.map((step) => `${step} `));
    expect(await done(page)).toEqual([]);
    expect(await looked(page, "first-steps")).toEqual([]);
    for (const language of languages.toReversed()) {
      await page.locator(".sidebar .language-switch select").selectOption(language);
      await page.locator(`html[lang="${language}"]`).waitFor();
      await picture(page, `first-steps-${language}`);
      expect(await overflow(page), language).toEqual([]);
    }
    await steps(page).nth(0).getByRole("button", { name: "New tenant" }).click();
    const form = page.getByRole("dialog", { name: "New tenant" });
    await form.getByLabel("Name").fill("Atlas Wealth");
    await form.getByRole("button", { name: "Create the tenant" }).click();
    await page.waitForURL("**/tenants/*");
    tenantId = page.url().split("/").at(-1) ?? "";
    await go(page, "/work");
    await expect.poll(() => done(page)).toEqual(["Make a tenant Done"]);
  });

  it("[C-14.1019] a new application presets no tenant of several, and says whether a reference is a client's or makes one", async () => {
    const { page } = ada;
    await server.demo.post("/clients/v1/create", { client_ref: "M-17", name: "Meier" });
    await go(page, "/applications?begin=application");
    const form = page.getByRole("dialog", { name: "New application" });
    const tenant = form.getByLabel("Tenant");
    await expect.poll(() => tenant.locator("option:checked").textContent()).toBe("Choose…");
    await form.getByLabel("Name").fill("Reporting");
    await form.getByRole("button", { name: "Create the application" }).click();
    await form.getByText("is needed").waitFor();
    await tenant.selectOption("Demo");
    const client = form.getByLabel("Client", { exact: true });
    await client.fill("mei");
    await form.locator('option[value="M-17"]').waitFor({ state: "attached" });
    await form.getByText("New: no client has this reference yet.").waitFor();
    await client.fill("M-17");
    await form.locator(".adding").getByText("Meier", { exact: true }).first().waitFor();
    await client.press("Enter");
    await form.locator("li", { hasText: "M-17 Meier" }).waitFor();
    await client.fill("M-18");
    await form.getByText("New: no client has this reference yet.").waitFor();
    await form.locator(".clients-chosen").scrollIntoViewIfNeeded();
    expect(await looked(page, "new-application")).toEqual([]);
    await form.getByRole("button", { name: "Create the application" }).click();
    await page.getByRole("dialog", { name: "The secret of this application" }).waitFor();
    const listed = await server.operate("/operator/v1/applications/list", { tenant_id: server.demo.tenantId });
    expect(listed.items.at(-1)).toMatchObject({ name: "Reporting", client_refs: ["M-17", "M-18"] });
    expect((await server.demo.post("/clients/v1/show", { client_ref: "M-18" })).status).toBe(200);
    await page.keyboard.press("Escape");
  });

  it("[C-14.1021] an invitation presets the most usual role: the first of a tenant's people administers", async () => {
    const { page } = ada;
    const preset = ({ page: shown }: Person) =>
      shown.getByRole("dialog", { name: "Invite somebody" }).locator("option:checked").first().textContent();
    await go(page, `/people?tenant=${tenantId}&begin=invite`);
    await expect.poll(() => preset(ada)).toMatch(/^Administ/);
    const invited = { tenant_id: tenantId, email: "tess@atlas.example", name: "Tess", role: "admin" };
    const { link } = await server.operate("/operator/v1/people/invite", invited);
    tess = await personWithDevice(chromium);
    await joinBy(tess, link);
    await go(tess.page, "/people?begin=invite");
    await expect.poll(() => preset(tess)).toMatch(/^Member/);
  });

  it("[C-14.1018] a tenant's first person sees their own steps, and makes a client before it has anything", async () => {
    const { page } = tess;
    await go(page, "/work");
    await expect
      .poll(() => steps(page).locator("h3").allTextContents())
      .toEqual(["Connect a bank ", "Begin a letter ", "Invite a colleague "]);
    expect(await looked(page, "first-steps-tenant")).toEqual([]);
    await go(page, "/clients");
    expect(await looked(page, "clients-none")).toEqual([]);
    await page.getByRole("button", { name: "New client" }).click();
    const form = page.getByRole("dialog", { name: "New client" });
    await form.getByLabel("Name").fill("Huber");
    await form.getByLabel("Reference").fill("H-1");
    expect(await looked(page, "new-client")).toEqual([]);
    await form.getByRole("button", { name: "Make the client" }).click();
    await page.waitForURL("**/client?ref=H-1");
    await page.getByRole("heading", { name: "Huber" }).waitFor();
    await go(page, "/clients?begin=client");
    await form.getByLabel("Reference").fill("H-1");
    await form.getByRole("button", { name: "Make the client" }).click();
    await form.locator(".fault").waitFor();
  });

  it("[C-14.1020] an endpoint's page sends a test; all events are said in words, and so is that nothing has failed", async () => {
    const { page } = tess;
    await go(ada.page, "/webhooks");
    await ada.page.getByText("No tenant has added an address yet.").waitFor();
    await go(page, "/webhooks");
    await page.getByRole("button", { name: "Add an endpoint" }).click();
    const form = page.getByRole("dialog", { name: "Add an endpoint" });
    await form.getByLabel("Address").fill("https://hooks.invalid/events");
    await form.getByRole("button", { name: "Add it" }).click();
    await page.getByRole("dialog", { name: "The secret of this endpoint" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("cell", { name: "All events", exact: true }).waitFor();
    expect(await looked(page, "webhooks")).toEqual([]);
    await page.getByRole("link", { name: "https://hooks.invalid/events" }).click();
    await page.getByRole("button", { name: "Send again all that failed" }).click();
    const question = page.getByRole("dialog", { name: "Send again all that failed" });
    await question.getByText("No delivery was given up").waitFor();
    await picture(page, "webhook-none-failed");
    await question.locator(".actions").getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.locator("main tbody tr[data-row]").first().waitFor();
    expect(await looked(page, "webhook-test")).toEqual([]);
  });

  it("[C-14.1017] the steps go when there is something", async () => {
    const { page } = ada;
    await go(page, "/work");
    await expect.poll(() => done(page)).toEqual(["Make a tenant Done", "Make an application Done"]);
    await submitLetter(server.demo, sandboxBanks.datafeed);
    await go(page, "/work");
    await page.locator("main tbody tr[data-row]").or(page.getByText("Nothing needs you")).first().waitFor();
    expect(await steps(page).count()).toBe(0);
    for (const { complaints } of [ada, tess]) expect(complaints).toEqual([]);
  });
});
