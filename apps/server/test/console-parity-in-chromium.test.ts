import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, type Person, press, startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, invitedPerson } from "./console-in-browser.js";
import { joinConsole } from "./console-person.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { auditRendered, overflow } from "./page-audit.js";
import { picture, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const languages = ["en", "de", "fr", "es"] as const;

describe.skipIf(!executablePath)("what a tenant's people do themselves, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  /** A member of the demo tenant. */
  let bea: Person;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    const { demo } = server;
    const { widgetUrl } = await demo.openSession({ connector_id: sandboxBanks.psd2 });
    await connectBank(widgetUrl, { username: "BLOCKED_AFTER", password: "BLOCKED_AFTER" });
    const { body } = await demo.post("/data/v1/search-connections", { page_size: 1 });
    await demo.post("/connect/v2/connections/refresh", { connection_id: body.items[0].connection_id });
    chromium = await startChromium(executablePath ?? "");
    bea = await invitedPerson(chromium, server, {
      tenant_id: demo.tenantId,
      email: "bea@example.com",
      name: "Bea",
      role: "member",
    });
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const go = (path: string) => bea.page.goto(`${consoleOrigin(server)}/console${path}`);

  it("[C-14.877] sees who must log in, hands out a link and sees that it was opened: two clicks", async () => {
    const { page } = bea;
    await go("/work");
    let clicks = 0;
    const click = async (locator: ReturnType<Page["locator"]>) => {
      clicks += 1;
      await locator.click();
    };
    await click(page.locator("main a[data-next], main button[data-next]").first());
    await click(page.getByRole("button", { name: "Make the link" }));
    const dialog = page.getByRole("dialog", { name: "Hand this to the client" });
    await dialog.getByText("Not opened yet").waitFor();
    expect(await auditRendered(page, "light")).toEqual([]);
    const link = await dialog.locator("code", { hasText: "/connect/" }).first().textContent();
    const customer = await newPerson(chromium, { locale: "en-GB" });
    await customer.page.goto(String(link));
    await press(customer.page, "Continue");
    await dialog.getByText("Opened", { exact: true }).waitFor();
    expect(clicks).toBe(2);
    await picture(page, "link-opened");
    await customer.context.close();
    expect(bea.complaints).toEqual([]);
  });

  it("[C-14.874] sessions are listed with their state and filtered by it, and ended", async () => {
    const { page } = bea;
    await go("/sessions");
    const rows = page.locator("main tr[data-row]");
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.first().textContent()).toMatch(/^Reconnect /);
    await go("/sessions?state=finished");
    await expect.poll(() => rows.allTextContents()).toMatchObject([expect.stringContaining("Finished")]);
    await go("/sessions?state=created");
    await page.getByText("Nothing matches these filters").waitFor();
    await go("/sessions?state=opened");
    await expect.poll(() => rows.allTextContents()).toMatchObject([expect.stringContaining("Opened")]);
    const menu = async (action: string) => {
      await expect.poll(() => rows.count()).toBe(1);
      await rows
        .first()
        .getByRole("button", { name: /^Actions for/ })
        .click();
      await page.getByRole("menuitem", { name: action }).click();
    };
    await menu("End");
    await page.getByRole("dialog", { name: "End this session?" }).getByRole("button", { name: "End" }).click();
    await page.getByText("Nothing matches these filters").waitFor();
    await go("/sessions?state=ended");
    await expect.poll(() => rows.first().textContent()).toContain("by us, before its time");
  });

  it("[C-14.985] who has lost the link of an open session hands out a new one, told first that the old one ends", async () => {
    const { page } = bea;
    const lost = await server.demo.openSession({ connector_id: sandboxBanks.psd2 });
    await go("/sessions?state=created");
    const rows = page.locator("main tr[data-row]");
    await rows.first().waitFor();
    await rows
      .first()
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: "New link" }).click();
    const question = page.getByRole("dialog", { name: "Make a new link?" });
    await question.getByText("The old link stops working at once").waitFor();
    await question.getByRole("button", { name: "New link" }).click();
    const made = page.getByRole("dialog", { name: "Hand this to the client" });
    await made.getByRole("img").first().waitFor();
    const link = (await made.textContent())?.match(/http\S+?\/connect\/[\w-]+/)?.[0] ?? "";
    expect(link).not.toBe("");
    const { items } = (
      await server.demo.post("/connect/v2/sessions/list-sessions", { query: { session_id_in: [lost.id] } })
    ).body;
    expect(items).toMatchObject([{ status: "Finished:Aborted", widget_url: null }]);
  });

  it("[C-14.874] no role reaches a session of another tenant, and who only looks ends none", async () => {
    const mine = await server.demo.openSession({ connector_id: sandboxBanks.psd2 });
    const other = await server.operate("/operator/v1/tenants/create", { name: "Another house" });
    const stranger = await joinConsole(server, {
      ...{ tenant_id: other.tenant.tenant_id, email: "eve@example.com", role: "admin" },
    });
    const path = "/connect/v2/sessions/end-session";
    expect((await stranger.post(path, { session_id: mine.id })).status).toBe(404);
    expect((await stranger.post("/connect/v2/sessions/list-sessions")).body.items).toEqual([]);
    const reader = await joinConsole(server, {
      ...{ tenant_id: server.demo.tenantId, email: "rea@example.com", role: "read" },
    });
    expect((await reader.post(path, { session_id: mine.id })).status).toBe(403);
    expect((await server.demo.post(path, { session_id: mine.id })).body.session.status).toBe("Finished:Aborted");
  });

  it("[C-14.878] [C-14.1074] a letter of the tenant has a page that names its client first, with its next step, documents and history; another tenant's has none", async () => {
    const { page } = bea;
    const whose = { client_ref: "A-9", labels: { client: "Ana" } };
    const letterId = await submitLetter(server.demo, sandboxBanks.datafeed, whose);
    await server.demo.post("/clients/v1/update", { client_ref: "A-9", name: "Ana" });
    await go("/letters");
    await page.locator("main tr[data-row] a").first().click();
    await page.getByText("The operator sends the letter to the custodian.").waitFor();
    await page.getByRole("heading", { name: /^Ana · /, level: 1 }).waitFor();
    expect(await page.getByRole("link", { name: "Ana (A-9)" }).getAttribute("href")).toContain("/client?ref=A-9");
    await page.getByRole("table", { name: "Documents" }).getByText("Signed letter").waitFor();
    await page.getByRole("table", { name: "History" }).getByText("was begun").first().waitFor();
    const house = await server.operate("/operator/v1/tenants/create", { name: "A third house" });
    const stranger = await joinConsole(server, {
      ...{ tenant_id: house.tenant.tenant_id, email: "ed@example.com", role: "admin" },
    });
    expect((await stranger.post("/letters/v1/show-letter", { letter_id: letterId })).status).toBe(404);
    await looksSound(page, `/letters/${letterId}`);
  });

  it("[C-14.887] a client is found from anywhere by name and reference, in four languages, and leads to their page", async () => {
    const { page } = bea;
    const opened = { connector_id: sandboxBanks.psd2, client_ref: "M-17" };
    await server.demo.openSession(opened);
    await server.demo.post("/clients/v1/update", { client_ref: "M-17", name: "Familie Öztürk" });
    const other = await server.createTenant("A fourth house");
    await other.openSession({ ...opened, client_ref: "M-18 Öztürk" });
    const groups = { en: "Clients", de: "Kunden", fr: "Clients", es: "Clientes" };
    for (const language of languages) {
      await go("/work");
      await page.locator(".sidebar .language-switch select").selectOption(language);
      for (const text of ["ozturk", "m-17"]) {
        await page.keyboard.press("Control+k");
        await page.locator(".palette input").waitFor();
        await page.keyboard.type(text);
        const found = page.getByRole("group", { name: groups[language] }).getByRole("option");
        await expect.poll(() => found.allTextContents()).toEqual(["Familie Öztürk M-17"]);
        if (text === "ozturk") await picture(page, `search-client-${language}`);
        await page.keyboard.press("Escape");
      }
    }
    await page.locator(".sidebar .language-switch select").selectOption("en");
    await page.keyboard.press("Control+k");
    await page.locator(".palette input").waitFor();
    await page.keyboard.type("ozturk");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/client?ref=M-17");
    await page.getByRole("heading", { name: "Familie Öztürk", level: 1 }).waitFor();
  });

  it("[C-14.889] a client who is deleted has no open session any more: the dialog says so, and the link works no more", async () => {
    const { page } = bea;
    const { id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.psd2, client_ref: "Gone" });
    const customer = await newPerson(chromium, { locale: "en-GB" });
    await customer.page.goto(widgetUrl);
    await customer.page.getByRole("button", { name: "Continue" }).waitFor();
    await go("/client?ref=Gone");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete this client?" });
    await dialog.getByText("1 open session ends, and its link stops working").waitFor();
    await dialog.getByRole("textbox").fill("Gone");
    await picture(page, "delete-client");
    await dialog.getByRole("button", { name: "Delete the client" }).click();
    await dialog.waitFor({ state: "detached" });
    const { body } = await server.demo.post("/connect/v2/sessions/list-sessions", { query: { session_id_in: [id] } });
    expect(body.items).toMatchObject([{ status: "Finished:Aborted", client_ref: null, widget_url: null }]);
    await press(customer.page, "Continue");
    await customer.page.getByRole("button", { name: "Continue" }).waitFor({ state: "detached" });
    await picture(customer.page, "link-of-gone");
    await customer.context.close();
  });

  it("[C-14.874] the list of sessions fits every window, in four languages, and axe finds nothing", async () => {
    const { page } = bea;
    await server.demo.openSession({ connector_id: sandboxBanks.psd2 });
    await looksSound(page, "/sessions");
  });

  it("[C-14.950] [C-14.930] [C-14.978] an endpoint's events are chosen from sentences, and a delivery shows what was sent", async () => {
    const { demo } = server;
    const ada = await invitedPerson(chromium, server, {
      tenant_id: demo.tenantId,
      email: "ada@example.com",
      name: "Ada",
      role: "admin",
    });
    const { page } = ada;
    await page.goto(`${consoleOrigin(server)}/console/webhooks`);
    await page.getByRole("button", { name: "Add an endpoint" }).click();
    const dialog = page.getByRole("dialog", { name: "Add an endpoint" });
    await dialog.getByLabel("Address").fill("https://hooks.example/events");
    await dialog.getByLabel(/^Everything/).uncheck();
    await dialog.getByRole("button", { name: "Add it" }).click();
    await dialog.locator(".fault").waitFor();
    expect((await demo.post("/events/v1/list-endpoints", {})).body.items).toEqual([]);
    await dialog.locator("summary", { hasText: "Letters" }).click();
    await dialog.getByLabel("A letter was begun").check();
    await dialog.getByText("1 of 6").waitFor();
    await picture(page, "webhook-events");
    await dialog.getByRole("button", { name: "Add it" }).click();
    await page
      .getByRole("dialog", { name: "The secret of this endpoint" })
      .getByRole("button", { name: "Close" })
      .last()
      .click();
    const { body } = await demo.post("/events/v1/list-endpoints", {});
    expect(body.items).toMatchObject([{ types: ["letter.created"] }]);
    const letterId = await submitLetter(demo, sandboxBanks.datafeed);
    await page.getByRole("link", { name: "https://hooks.example/events" }).click();
    await page.getByRole("button", { name: "A letter was begun", exact: true }).click();
    const sent = page.getByRole("dialog", { name: "What was sent" });
    await sent.getByText(letterId).first().waitFor();
    await picture(page, "webhook-delivery");
    await page.keyboard.press("Escape");
    await looksSound(page, `/webhooks/${body.items[0].id}`);

    // Giving a delivery up takes days: what is on its way stands for it.
    await page.route("**/list-deliveries", async (route) => {
      const asked = route.request().postDataJSON();
      if (!asked.query.state_in) return route.continue();
      expect(asked.query.state_in).toEqual(["failed"]);
      return route.continue({ postData: { ...asked, query: { endpoint_id: asked.query.endpoint_id } } });
    });
    await page.getByRole("button", { name: "Send again all that failed" }).click();
    const again = page.getByRole("dialog", { name: "Send again all that failed" });
    await again.getByText("1 delivery was given up and is sent again.").waitFor();
    await picture(page, "webhook-again");
    const replay = page.waitForRequest("**/events/v1/replay");
    await again.getByRole("button", { name: "Send again", exact: true }).click();
    expect((await replay).postDataJSON()).toEqual({ endpoint_id: body.items[0].id, event_ids: [expect.any(String)] });
    await page.getByText(/(is|are) sent again$/).waitFor();
    await again.waitFor({ state: "detached" });
    await ada.context.close();
  });

  /** Looks at a screen in every window and language; by axe in one language, for what it finds is the same in each. */
  async function looksSound(page: Page, path: string): Promise<void> {
    await page.goto(`${consoleOrigin(server)}/console${path}`);
    await page.locator("main h1").waitFor();
    for (const language of languages) {
      await page.locator(".sidebar .language-switch select").selectOption(language);
      await page.locator(`html[lang="${language}"]`).waitFor();
      for (const size of windows) {
        await page.setViewportSize(size);
        await page.locator("main .loading").first().waitFor({ state: "detached" });
        const faults = language === "en" ? await auditRendered(page, "light") : await overflow(page);
        expect(faults, `${path}, ${language}, ${size.width} px`).toEqual([]);
        await picture(page, `${path.split("/")[1]}-${language}-${size.width}`);
      }
      await page.setViewportSize(windows[0]);
    }
    await page.locator(".sidebar .language-switch select").selectOption("en");
  }
});
