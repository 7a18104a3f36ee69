import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, press, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, nameOfFocused, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { HIDDEN_ITEMS, picture, pictures, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;

describe.skipIf(!executablePath)("menus and dialogs of the console, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  /** The installation's only operator. */
  let ada: Person;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    ada = await personWithDevice(chromium);
    await joinBy(ada, firstOperatorLink(server), "Ada");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const open = (path: string) => ada.page.goto(`${consoleOrigin(server)}/console${path}`);
  const focused = () => nameOfFocused(ada.page);

  it.each(windows)(
    "[C-14.700] an open menu of a table with one row is whole and on top, at $width pixels",
    async (size) => {
      const { page } = ada;
      await page.setViewportSize(size);
      await open("/people");
      const button = page.getByRole("button", { name: "Actions for Ada" });
      await button.click();
      expect(await page.locator("main tbody tr").count()).toBe(1);
      await page.getByRole("menu").waitFor();
      expect(await page.evaluate(HIDDEN_ITEMS)).toEqual([]);
      // The list stays with its button.
      await page.setViewportSize({ ...size, height: 420 });
      await expect.poll(() => page.evaluate(HIDDEN_ITEMS)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      expect(await focused()).toBe("Actions for Ada");
    },
  );

  it("[C-14.701] [C-14.971] a form has the focus in its first field, Enter sends it, and a message lies above the dialog", async () => {
    const { page } = ada;
    await open("/people");
    await press(page, "Invite somebody");
    const form = page.getByRole("dialog", { name: "Invite somebody" });
    await form.waitFor();
    expect(await focused()).toBe("E-mail");
    await page.keyboard.type("bo@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "The invitation for bo@example.com" }).waitFor();
    expect(await focused()).toBe("I have kept it");
    await page.getByRole("dialog").getByRole("button", { name: /copy/i }).first().click();
    await page.locator(".toast:popover-open").getByRole("paragraph").waitFor();
    await picture(page, "toast-over-dialog");
    await press(page, "I have kept it");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.locator(".toast:popover-open").count()).toBe(0);
  });

  it("[C-14.701] [C-14.969] what asks for a name to be typed says what it takes away, has the focus in that field, and Enter does nothing before", async () => {
    const { page } = ada;
    await open(`/tenants/${server.demo.tenantId}`);
    await press(page, "Delete the tenant");
    const question = page.getByRole("dialog", { name: "Delete this tenant?" });
    await question.waitFor();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("INPUT");
    const effects = question.getByRole("list", { name: "What this does" });
    await effects.getByText("Applications: 1", { exact: false }).waitFor();
    expect(await effects.getByRole("listitem").last().textContent()).toMatch(/^No mail goes out/);
    await picture(page, "tenant-deletion");
    await page.keyboard.type("anything");
    await page.keyboard.press("Enter");
    expect(await question.getByRole("textbox").inputValue()).toBe("anything");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
  });

  it("[C-14.1118] to keep values for fewer days is asked with what it deletes, and nothing is sent before the answer", async () => {
    const { page } = ada;
    const kept = async () => {
      const { items } = await server.operate("/operator/v1/tenants/limits", { tenant_id: server.demo.tenantId });
      return items.find(({ name }: { name: string }) => name === "history_days").value;
    };
    const before = await kept();
    await open(`/tenants/${server.demo.tenantId}?tab=limits`);
    await press(page, "Change the limits");
    const days = page.getByRole("spinbutton", { name: "Days of values that are kept" });
    await days.fill("30");
    const question = page.getByRole("dialog", { name: "Keep values for fewer days?" });
    await page.keyboard.press("Enter");
    await question.getByText("before the last 30 days is deleted", { exact: false }).waitFor();
    await picture(page, "shorter-history");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect([await days.inputValue(), await kept()]).toEqual(["30", before]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await question.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await kept()).toBe(30);
    await press(page, "Change the limits");
    await days.fill("40");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await kept()).toBe(40);
  });

  it("[C-14.701] a question without fields has the focus on its action, or on Cancel if that is destructive", async () => {
    const { page } = ada;
    await open(`/applications?tenant=${server.demo.tenantId}`);
    const choose = async (item: string) => {
      await page
        .getByRole("button", { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: item }).click();
      await page.getByRole("dialog").waitFor();
    };
    await choose("Switch off");
    expect(await focused()).toBe("Cancel");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await choose("Add a second secret");
    expect(await focused()).toBe("Add a second secret");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "The secret of this application" }).waitFor();
    expect(ada.complaints).toEqual([]);
  });

  it("[C-14.888] an application is limited to clients when it is made, the limit is in its row, and it is changed and taken off", async () => {
    const { page } = ada;
    const made = page.getByRole("row").filter({ hasText: "Reporting" });
    const look = (name: string) => pictures(page, `applications-${name}`);
    await page.setViewportSize(windows[0]);
    await open(`/applications?tenant=${server.demo.tenantId}`);
    await press(page, "New application");
    const form = page.getByRole("dialog", { name: "New application" });
    await form.getByLabel("Name").fill("Reporting");
    const client = form.getByLabel("Client", { exact: true });
    await client.fill("M-17");
    await client.press("Enter");
    // What is typed last counts without being added.
    await client.fill("M-18");
    await look("made");
    await form.getByRole("button", { name: "Create the application" }).click();
    await press(page, "I have kept it");
    await made.getByText("M-17, M-18").waitFor();
    const change = async () => {
      await made.getByRole("button", { name: /^Actions for/ }).click();
      await page.getByRole("menuitem", { name: "Clients…" }).click();
      const dialog = page.getByRole("dialog", { name: "Only these clients: Reporting" });
      await dialog.waitFor();
      return dialog;
    };
    let dialog = await change();
    await dialog.getByRole("button", { name: "Remove: M-17" }).click();
    await look("changed");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => made.textContent()).not.toContain("M-17");
    expect(await made.textContent()).toContain("M-18");
    dialog = await change();
    await dialog.getByLabel("Clients", { exact: true }).selectOption({ label: "All clients" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await made.getByText("All clients").waitFor();
    expect(ada.complaints).toEqual([]);
  });

  it("[C-3.64] whether an application must use DPoP is chosen when it is made, is in its row, and is changed after a question", async () => {
    const { page } = ada;
    const made = page.getByRole("row").filter({ hasText: "Keyed" });
    await page.setViewportSize(windows[0]);
    await open(`/applications?tenant=${server.demo.tenantId}`);
    await press(page, "New application");
    const form = page.getByRole("dialog", { name: "New application" });
    await form.getByLabel("Name").fill("Keyed");
    await form.getByLabel("Access tokens").selectOption({ label: "Only bound to a key (DPoP)" });
    await pictures(page, "applications-keyed");
    await form.getByRole("button", { name: "Create the application" }).click();
    await press(page, "I have kept it");
    await made.getByText("DPoP required").waitFor();
    const choose = async (item: string) => {
      await made.getByRole("button", { name: /^Actions for/ }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await choose("Allow bearer tokens");
    await page.getByRole("dialog").getByRole("button", { name: "Allow bearer tokens" }).click();
    await made.getByText("DPoP required").waitFor({ state: "detached" });
    await choose("Require DPoP");
    const question = page.getByRole("dialog", { name: "Require DPoP of this application?" });
    await question.getByText("What it holds now ends", { exact: false }).waitFor();
    await question.getByRole("button", { name: "Require DPoP" }).click();
    await made.getByText("DPoP required").waitFor();
    expect(ada.complaints).toEqual([]);
  });

  it("[C-14.1032] [C-14.1083] an identity provider's rules are made in fields, which JSON shows too; a fault, or a claim that was not added, stands at its field", async () => {
    const { page } = ada;
    await page.setViewportSize(windows[0]);
    await open("/trusted-issuers");
    await press(page, "Trust a provider");
    const form = page.getByRole("dialog", { name: "Trust a provider" });
    await form.getByLabel("Issuer").fill("http://login.example.com");
    await form.getByLabel("OAuth clients 1").fill("assistant");
    const rules = form.getByRole("group", { name: "Rules", exact: true });
    await rules.getByLabel("name of the new one").fill("groups");
    await rules.getByRole("button", { name: "Claims: add one" }).click();
    await rules.getByLabel("groups", { exact: true }).fill("wealth");
    await rules.getByLabel("Application").selectOption({ label: "Demo (Demo)" });
    await rules.getByRole("button", { name: "Scopes: add one" }).click();
    await rules.getByLabel("Scopes 1").selectOption({ label: "See investments" });
    await pictures(page, "trust");
    await form.getByRole("button", { name: "Edit as JSON" }).click();
    const json = JSON.parse(await form.getByLabel("The trust as JSON").inputValue());
    expect(json).toEqual({
      tenant_id: null,
      issuer: "http://login.example.com",
      client_ids: ["assistant"],
      rules: [{ claims: { groups: "wealth" }, client_id: server.demo.clientId, scopes: ["investments:read"] }],
    });
    await form.getByRole("button", { name: "Edit as fields" }).click();
    const claim = rules.getByLabel("name of the new one");
    await claim.fill("department");
    await form.getByRole("button", { name: "Read its keys and trust it" }).click();
    await form.getByText("add it first, or clear this field").waitFor();
    expect(await nameOfFocused(page)).toContain("name of the new one");
    await pictures(page, "trust-claim");
    await claim.fill("");
    await form.getByRole("button", { name: "Read its keys and trust it" }).click();
    await form.locator(".field", { hasText: "Issuer" }).locator(".fault").first().waitFor();
    await pictures(page, "trust-refused");
    expect(ada.complaints).toEqual([]);
  });
});
