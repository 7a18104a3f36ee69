import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { larkspur, larkspurQueries, truthOf } from "../../../packages/provider-ibkr-flex/test/stand-in/customers.js";
import { type FlexService, startFlexService } from "../../../packages/provider-ibkr-flex/test/stand-in/flex-service.js";
import { larkspurAtBank } from "../../../packages/provider-openwealth/test/stand-in/larkspur-at-bank.js";
import {
  type OpenWealthBank,
  startOpenWealthBank,
} from "../../../packages/provider-openwealth/test/stand-in/open-wealth-bank.js";
import { newPerson, type Person, press as pressIn, sees, startChromium } from "./chromium-person.js";
import { countedEffort } from "./console-effort.js";
import { consoleOrigin, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { auditRendered } from "./page-audit.js";
import { picture, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const SECRET = "s3cret:with+signs&=%";
const BANK = "Alpenrose Privatbank";
const today = new Date().toISOString().slice(0, 10);

describe.skipIf(!executablePath)(
  "a provider that is reached by an interface, from its settings to holdings, in Chromium",
  () => {
    const token = larkspur();
    let server: TestServer;
    let bank: OpenWealthBank;
    let flex: FlexService;
    let chromium: Browser;
    let ada: Person;
    /** Of the demo tenant. */
    let eve: Person;

    beforeAll(async () => {
      server = await startTestServer({
        backend: oneBackend("it is about pages in a browser"),
        environment: { PROVIDERS: "openwealth,ibkr-flex" },
      });
      flex = await startFlexService({ clock: () => new Date(), tokens: [token], generation_ms: 0 });
      bank = await startOpenWealthBank({
        clock: () => new Date(),
        customers: [larkspurAtBank(today)],
        redirect_uris: [`${consoleOrigin(server)}/connect/callback`],
        required_headers: { "X-CorAPI-Target-ID": "CH9" },
      });
      chromium = await startChromium(executablePath ?? "");
      ada = await personWithDevice(chromium, { viewport: { width: 1280, height: 720 } });
      eve = await personWithDevice(chromium, { viewport: { width: 1280, height: 720 } });
      for (const { page } of [ada, eve]) page.setDefaultTimeout(20_000);
      await joinBy(ada, firstOperatorLink(server));
      const invited = { tenant_id: server.demo.tenantId, email: "eve@example.com", name: "Eve", role: "member" };
      await joinBy(eve, (await server.operate("/operator/v1/people/invite", invited)).link);
    }, START_TIMEOUT);
    afterAll(async () => {
      await chromium?.close();
      await bank?.close();
      await flex?.close();
      await server?.remove();
    });

    it("[C-14.1037] a bank with OpenWealth, a wrong secret tested first: 9 clicks and 11 fields, then a link and the bank's own page", async () => {
      const { page } = ada;
      const { click, press, fill, choose, spent } = countedEffort(page);
      await page.goto(`${consoleOrigin(server)}/console/work`);
      await click(
        page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Providers", exact: true }),
      );
      await page.locator("main tbody tr").first().waitFor();
      await picture(page, "api-providers");
      await click(page.locator("main").getByRole("link", { name: "OpenWealth" }));
      await page.getByRole("heading", { name: "Settings" }).waitFor();
      await picture(page, "api-openwealth-empty");
      await fill("Short name in the catalogue", "alpenrose");
      await fill("Name", BANK);
      await fill("Country", "che");
      await fill("Address of the interface", bank.base_url);
      await choose("Kind", "Clients log in at the bank");
      await fill("Address for tokens", bank.token_url);
      await fill("Client", bank.client_id);
      await fill("Client secret", "another secret");
      await fill("Address where clients log in", bank.authorize_url);
      await press("Add: Headers");
      await fill("Headers: name of the new one", "X-CorAPI-Target-ID");
      await press("Headers: add one");
      await fill("X-CorAPI-Target-ID", "CH9");
      await picture(page, "api-openwealth-filled");
      await press("Test");
      await page.getByText("The test failed").waitFor();
      await page.getByText("Check the client and its secret.").waitFor();
      await picture(page, "api-openwealth-refused");
      await fill("Client secret", SECRET);
      await press("Test");
      await page.getByText("The institution answers").waitFor();
      await picture(page, "api-openwealth-tested");
      await press("Save the settings");
      await page.getByText("One is stored.").first().waitFor();
      await picture(page, "api-openwealth-kept");
      await press("Offer its banks");
      await page.getByText("1 bank is offered.").waitFor();
      await picture(page, "api-openwealth-offered");
      expect(await auditRendered(page, "light")).toEqual([]);
      expect(spent()).toEqual({ clicks: 9, keys: 0, fields: 11 });
      expect(ada.complaints).toEqual([]);

      await handOut(BANK, async (customer) => {
        await pressIn(customer, "Continue");
        await sees(customer, "Log in on your bank's page");
        await picture(customer, "api-openwealth-customer");
        await pressIn(customer, "Go to your bank");
        await sees(customer, "Bank of the stand-in");
        await pressIn(customer, "Approve");
        await sees(customer, "Your bank is connected");
        await picture(customer, "api-openwealth-connected");
      });
      const truth = bank.truthOf(larkspurAtBank(today).id).holdings;
      expect(await shownHoldings()).toEqual(truth.map(({ balance, currency }) => `${balance} ${currency}`).sort());
    });

    it("[C-14.1037] Interactive Brokers: 4 clicks, then a link and the customer's token", async () => {
      const { page } = ada;
      const { click, press, spent } = countedEffort(page);
      await page.goto(`${consoleOrigin(server)}/console/work`);
      await click(
        page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Providers", exact: true }),
      );
      await click(page.locator("main").getByRole("link", { name: "Interactive Brokers" }));
      await page.getByLabel("Address of the interface").fill(flex.base_url);
      await press("Save the settings");
      await page.getByRole("button", { name: "Remove the settings" }).waitFor();
      await press("Offer its banks");
      await page.getByText("1 bank is offered.").waitFor();
      await picture(page, "api-ibkr-offered");
      expect(spent()).toEqual({ clicks: 4, keys: 0, fields: 0 });

      await handOut("Interactive Brokers", async (customer) => {
        await pressIn(customer, "Continue");
        await picture(customer, "api-ibkr-customer");
        await customer.getByLabel("token", { exact: false }).first().fill(token.value);
        await customer.getByLabel("query", { exact: false }).first().fill(larkspurQueries.activity);
        await picture(customer, "api-ibkr-customer-filled");
        await pressIn(customer, "Continue");
        await sees(customer, "Your bank is connected");
      });
      const truth = truthOf(token, larkspurQueries.activity, "first").holdings;
      expect(await shownHoldings()).toEqual(truth.map(({ balance, currency }) => `${balance} ${currency}`).sort());
    });

    /** Eve makes a link for a customer, who opens it in their own browser; then she looks at what arrived. */
    async function handOut(name: string, connect: (customer: Page) => Promise<void>) {
      const { page } = eve;
      const { click, press, fill, spent } = countedEffort(page);
      await page.goto(`${consoleOrigin(server)}/console/work`);
      await click(page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Connections" }));
      await press("New link for a client");
      await picture(page, `api-${name}-session`);
      await fill("Bank, unless the client chooses", name);
      await page.locator(`dialog datalist option[value="${name}"]`).waitFor({ state: "attached" });
      await picture(page, `api-${name}-session-bank`);
      await press("Make the link");
      const dialog = page.getByRole("dialog", { name: "Hand this to the client" });
      await dialog.waitFor();
      await picture(page, `api-${name}-link`);
      const url = await dialog.locator("code", { hasText: "/connect/" }).first().textContent();
      const customer = await newPerson(chromium, { locale: "en-GB", viewport: { width: 390, height: 844 } });
      onTestFinished(() => customer.context.close());
      customer.page.setDefaultTimeout(20_000);
      await customer.page.goto(String(url));
      await connect(customer.page);
      const finished = page.getByRole("dialog", { name: "Link for the client" });
      await finished.getByText("Finished").waitFor();
      await picture(page, `api-${name}-link-finished`);
      expect(await auditRendered(page, "light")).toEqual([]);
      await click(finished.getByRole("link", { name: "Open the connection" }));
      await page.getByText("Ready", { exact: true }).first().waitFor();
      await picture(page, `api-${name}-connection`);
      await click(page.getByRole("tab", { name: "Holdings" }));
      await page.getByRole("table", { name: "Holdings" }).locator("tbody tr[data-row]").first().waitFor();
      await picture(page, `api-${name}-holdings`);
      expect(spent()).toEqual({ clicks: 5, keys: 0, fields: 1 });
      expect(eve.complaints).toEqual([]);
    }

    /** The value of each holding on Eve's screen. */
    const shownHoldings = async () => {
      // Where a window is narrower, the cost stands beneath the value.
      await eve.page.setViewportSize(windows[0]);
      const table = eve.page.getByRole("table", { name: "Holdings", exact: true });
      await table.getByRole("columnheader", { name: "Cost" }).waitFor();
      const column = (await table.locator("thead th").allTextContents()).indexOf("Value");
      const rows = await table.locator("tbody tr[data-row]").all();
      return (await Promise.all(rows.map((row) => row.locator("th, td").nth(column).textContent()))).sort();
    };
  },
);
