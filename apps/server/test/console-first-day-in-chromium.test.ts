import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, sees, startChromium } from "./chromium-person.js";
import { consoleOrigin, FIRST_EMAIL, firstOperatorLink, isIn, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { rawCaller } from "./mcp-clients.js";
import { auditRendered } from "./page-audit.js";
import { picture } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const TENANT = "Atlas Wealth";

describe.skipIf(!executablePath)("an operator's first day, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let ada: Person;
  /** What the operator has clicked and filled in since the count began. */
  let effort = { clicks: 0, fields: 0 };

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    ada = await personWithDevice(chromium);
    ada.page.setDefaultTimeout(20_000);
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const click = async (control: Locator) => {
    await control.click();
    effort.clicks += 1;
  };
  const press = (name: string) => click(ada.page.getByRole("button", { name, exact: true }));
  const submit = (name: string) => click(ada.page.getByRole("dialog").getByRole("button", { name, exact: true }));
  const fill = async (label: string, text: string) => {
    await ada.page.getByRole("textbox", { name: label, exact: true }).fill(text);
    effort.fields += 1;
  };
  /** A text that a dialog shows once, by its label. */
  const shown = async (label: string): Promise<string> =>
    (await ada.page
      .locator(".dialog .facts > div", { hasText: label })
      .locator("code, output")
      .first()
      .textContent()) ?? "";

  it("[C-14.940] from the first link to an answered tool call it takes the first operator 13 clicks and 5 fields, and nothing from elsewhere", async () => {
    const { page } = ada;
    await page.goto(firstOperatorLink(server));
    await sees(page, "Welcome");
    await fill("Your name", "Ada Operator");
    await fill("E-mail", FIRST_EMAIL);
    await press("Create your passkey");
    await click(page.getByLabel("I have kept these codes in a safe place"));
    await press("Continue");
    await press("Later");
    await isIn(page);

    await click(page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Tenants" }));
    await press("New tenant");
    await fill("Name", TENANT);
    await submit("Create the tenant");
    await sees(page, TENANT);
    await picture(page, "first-day-tenant");
    expect(await auditRendered(page, "light")).toEqual([]);

    await press("Invite somebody");
    await fill("E-mail", "eve@atlas.example");
    await submit("Make the invitation");
    await page.getByRole("dialog", { name: "The invitation for eve@atlas.example" }).waitFor();
    await submit("I have kept it");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await picture(page, "first-day-people");
    await page.locator("main tbody tr", { hasText: "eve@atlas.example" }).waitFor();
    await click(page.locator("main").getByRole("link", { name: TENANT }));

    await press("New application");
    const form = page.getByRole("dialog", { name: "New application" });
    expect(await form.getByLabel("Tenant").locator("option:checked").textContent()).toBe(TENANT);
    await fill("Name", "Portfolio assistant");
    await submit("Create the application");
    await page.getByRole("dialog", { name: "The secret of this application" }).waitFor();
    await picture(page, "first-day-secret");
    expect(await auditRendered(page, "light")).toEqual([]);

    const tokens = await fetch(await shown("Where it gets tokens"), {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: await shown("Client id"),
        client_secret: await shown("Client secret"),
      }),
    });
    const { access_token } = (await tokens.json()) as { access_token: string };
    const caller = rawCaller(await shown("MCP address, for assistants"), access_token);
    const answer = await caller.request({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "svc-credentials", arguments: {} },
    });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"result"')]);
    expect(effort).toEqual({ clicks: 13, fields: 5 });
    await submit("I have kept it");
    expect(ada.complaints).toEqual([]);
  });

  it("[C-14.941] an error pasted into the search leads to what its request did, or says that nothing is recorded and where to look", async () => {
    const { page } = ada;
    effort = { clicks: 0, fields: 0 };
    const paste = async (text: string) => {
      await page.goto(`${consoleOrigin(server)}/console/work`);
      await page.locator("main h1").waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search everything" }).waitFor();
      await page.keyboard.insertText(text);
      await page.keyboard.press("Enter");
    };
    const made = await server.operator.post("/operator/v1/tenants/create", { name: "Borealis" });
    const trace = String(made.headers.get("x-trace-id"));
    await paste(`{"error":{"code":"INTERNAL_ERROR","message":"…","trace_id":"${trace}"}}`);
    await page.waitForURL(`**/audit?trace=${trace}`);
    await page
      .getByRole("row", { name: /Borealis/ })
      .first()
      .waitFor();
    await picture(page, "first-day-trace");

    const unknown = "0123456789abcdef0123456789abcdef";
    await paste(`Reference: ${unknown.toUpperCase()}`);
    await page.waitForURL(`**/audit?trace=${unknown}`);
    await page.getByRole("heading", { name: "Nothing is recorded under this trace id" }).waitFor();
    await picture(page, "first-day-no-trace");
    expect(await auditRendered(page, "light")).toEqual([]);
    expect(effort.clicks).toBe(0);
  });
});
