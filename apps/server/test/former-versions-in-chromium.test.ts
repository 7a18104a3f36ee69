import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, invitedPerson } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { auditRendered } from "./page-audit.js";
import { CUT_OFF, pictures, windows } from "./page-looks.js";
import { spokenErrors } from "./spoken-page.js";

const executablePath = process.env.CHROMIUM_PATH;
const folder = mkdtempSync(join(tmpdir(), "told-bank-"));
const fee = {
  ...{ key: "a", portfolio_key: "1", holding_key: null, operation_date: "2026-02-02", description: "Custody fee" },
  ...{ amount: null, balance: "-1205.00", currency: "EUR", unit_price: null, kind: "fee" },
};
const other = { ...fee, key: "b", description: "Deposit", balance: "20.00", kind: "deposit" };

/** A custodian’s files. */
const mapping = {
  language: 1,
  name: "fernbank",
  title: "Fern Bank",
  recognise: { header: ["Date", "Security", "Units", "Value", "Cost"] },
  delimiter: ",",
  values: {
    date: { column: "Date" },
    name: { column: "Security" },
    units: { column: "Units" },
    value: { column: "Value" },
    cost: { column: "Cost" },
    currency: { constant: "CHF" },
  },
  tables: [{ rows: [{ is: "holding" }] }],
};

const file = (day: string, ...rows: readonly string[]) =>
  Buffer.from(["Date,Security,Units,Value,Cost", ...rows.map((row) => `${day},${row}`), ""].join("\n"));

describe.skipIf(!executablePath)("where numbers come from and what they were before, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  /** May only read. */
  let bea: Person;
  let page: Page;
  /** A bank's, and a client's by custodian's files of this day. */
  let connection: string;
  let fed: string;
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  /** A holding that the custodian's corrected file does not have any more. */
  let bond: string;

  beforeAll(async () => {
    const PROVIDERS = fileURLToPath(new URL("providers/told-bank.mjs", import.meta.url));
    const backend = oneBackend("it is about pages in a browser");
    server = await startTestServer({ backend, environment: { PROVIDERS, JOBS: "false" } });
    await server.operate("/operator/v1/providers/set", { name: "told-bank", settings: { folder } });
    await server.operate("/operator/v1/providers/sync", { name: "told-bank" });
    await read({ transactions: [fee, other] }, { connector_id: "esp:told" });
    const { body } = await server.demo.post("/data/v1/search-connections", { page_size: 1 });
    connection = body.items[0].connection_id;
    const again = { connection_id: connection };
    await read({ transactions: [{ ...fee, balance: "-1250.00", taxes: "5.10" }, other] }, again);
    await read({ transactions: [other], complete_from: "2026-02-01" }, again);
    await read({ transactions: [{ ...fee, balance: "-1250.00", operation_date: "2026-02-03" }, other] }, again);
    await server.operate("/operator/v1/datafeed-mappings/set", { connector_id: sandboxBanks.datafeed, mapping });
    const letter_id = await waitingLetter(server, server.demo, sandboxBanks.datafeed);
    const first = file(day, "Fund,3,12.50,10", "Bond,2,7.25,7");
    fed = (await ingest(server, { letter_id }, first, "first.csv")).body.connection_id;
    const held = (await ask("list-investments", { credentials_token: fed })).items;
    bond = held.find(({ name }: { name: string }) => name === "Bond").id;
    await ingest(server, { letter_id }, file(day, "Fund,3,13.50,10"), "second.csv");
    await server.demo.post("/clients/v1/assign", { client_ref: "M-17", connection_id: fed });
    await server.operator.post(
      "/operator/v1/rates/import?name=rates.csv",
      `date,base,quote,rate\n${day},EUR,CHF,0.9375\n`,
      { headers: { "content-type": "application/octet-stream" } },
    );
    chromium = await startChromium(executablePath ?? "");
    bea = await invitedPerson(chromium, server, {
      tenant_id: server.demo.tenantId,
      email: "bea@example.com",
      name: "Bea",
      role: "read",
    });
    ({ page } = bea);
    await page.setViewportSize(windows[0]);
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
    rmSync(folder, { recursive: true });
  });

  /** A customer logs in, and the bank says this. */
  async function read(
    told: object,
    target: { readonly connector_id: string } | { readonly connection_id: string },
  ): Promise<void> {
    writeFileSync(join(folder, "fay.json"), JSON.stringify(told));
    const { widgetUrl } = await server.demo.openSession(target);
    await connectBank(widgetUrl, { username: "fay", password: "any" });
  }

  const go = async (path: string) => {
    await page.goto(`${consoleOrigin(server)}/console${path}`);
    await page.locator("main h1").waitFor();
  };
  const dialog = () => page.getByRole("dialog", { name: "Why this number" });
  const table = (name: string) => page.getByRole("table", { name, exact: true });
  const value = (of: string, row: string) =>
    table(of).locator("tbody tr[data-row]").filter({ hasText: row }).first().locator("a.why");
  /** What the dialog says of each version, name by name. */
  const told = async () => {
    await dialog().locator(".facts").first().waitFor();
    return Promise.all(
      (await dialog().locator("section").all()).map(async (section) => {
        const names = await section.locator("dt").allTextContents();
        const said = await section.locator("dd").allTextContents();
        return Object.fromEntries(names.map((name, index) => [name, said[index] ?? ""]));
      }),
    );
  };
  const closed = () => expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  const ask = async (path: string, body: object) => (await server.demo.post(`/data/v1/${path}`, body)).body;

  it("[C-5.224] a corrected transaction says so, and shows what it said before, only what differs", async () => {
    await page.goto(`${consoleOrigin(server)}/console/connections/${connection}?tab=transactions`);
    const rows = page.getByRole("table", { name: "Transactions", exact: true }).locator("tbody tr[data-row]");
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.filter({ hasText: "earlier version" }).count()).toBe(1);
    await pictures(page, "former-versions-list");
    await rows.filter({ hasText: "Custody fee" }).getByRole("button", { name: "2 earlier versions" }).click();
    const dialog = page.getByRole("dialog", { name: "Earlier versions of this transaction" });
    const tables = dialog.getByRole("table", { name: "What changed" });
    await expect.poll(() => tables.count()).toBe(2);
    const changes = await Promise.all(
      (await tables.all()).map(async (table) =>
        Promise.all(
          (await table.locator("tbody tr[data-row]").all()).map((row) => row.locator("th, td").allTextContents()),
        ),
      ),
    );
    expect(changes).toEqual([
      [
        ["Date", "2 Feb 2026", "3 Feb 2026"],
        ["Taxes", "5.10", "–Not known"],
      ],
      [
        ["Taxes", "–Not known", "5.10"],
        ["Cash value", "-1205.00 EUR", "-1250.00 EUR"],
      ],
    ]);
    await dialog.getByText("Withdrawn", { exact: true }).waitFor();
    await dialog.getByText("Reported again", { exact: true }).waitFor();
    await dialog.getByText("Corrected", { exact: true }).waitFor();
    for (const window of windows) {
      await page.setViewportSize(window);
      expect(await auditRendered(page, "light"), String(window.width)).toEqual([]);
    }
    await pictures(page, "former-versions");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("[C-14.1089] [C-14.1092] [C-14.1115] from a client's total one click each leads to the portfolio, its holding, and the file and line of its number, with what they replaced", {
    timeout: START_TIMEOUT,
  }, async () => {
    await go("/client?ref=M-17&tab=wealth");
    await page
      .getByRole("region", { name: /^Value: / })
      .locator(".facts a")
      .click();
    await page.getByRole("tab", { name: "Portfolios", selected: true }).waitFor();
    await table("Portfolios").locator("tbody th a").last().click();
    await page.getByRole("tab", { name: "Holdings", selected: true }).waitFor();
    await value("Holdings", "Fund").click();
    const [item] = (await ask("list-investments", { credentials_token: fed })).items;
    const { versions, date } = await ask("why", { id: item.id });
    const [now, before] = await told();
    expect([now, before]).toMatchObject([
      { Value: "13.50 CHF", Units: "3", File: "second.csv", Place: "line 2", Format: "Mapping: fernbank" },
      { Value: "12.50 CHF", Units: "3", File: "first.csv", Place: "line 2" },
    ]);
    expect(versions).toHaveLength(2);
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(date));
    expect([now?.["Position date"], now?.Version]).toEqual([day, versions[0].source.format_version]);
    expect(now?.["Valued on"]).toBe(day);
    await dialog().getByRole("heading", { name: "Why this number: Fund", exact: true }).waitFor();
    expect(now?.["SHA-256"]).toContain(`${versions[0].source.sha256.slice(0, 12)}…`);
    await dialog().getByRole("button", { name: "Copy SHA-256" }).first().waitFor();
    await dialog().getByText("What it said before", { exact: true }).waitFor();
    await pictures(page, "why-file");
  });

  it("[C-14.1090] [C-14.1091] a movement's dialog is opened and closed by the keyboard, which comes back to the number, has an address and names the provider", {
    timeout: START_TIMEOUT,
  }, async () => {
    await page.setViewportSize({ width: 390, height: 400 });
    await go(`/connections/${connection}?tab=transactions`);
    const number = value("Transactions", "Custody fee");
    await number.waitFor();
    await expect.poll(() => page.locator("main .loading").count()).toBe(0);
    await number.focus();
    const scrolled = await page.evaluate<number>("scrollY");
    expect(scrolled).toBeGreaterThan(0);
    await page.keyboard.press("Enter");
    const [now, before] = await told();
    expect([now, before]).toMatchObject([
      { "Cash value": "-1250.00 EUR", Date: "3 Feb 2026", Provider: "Told Bank" },
      { "Cash value": "-1250.00 EUR", Provider: "Told Bank" },
    ]);
    const asked = new URL(page.url()).searchParams;
    expect([asked.get("tab"), asked.get("why")]).toEqual(["transactions", expect.stringMatching(/./)]);
    await pictures(page, "why-movement");
    await page.keyboard.press("Escape");
    await closed();
    expect(new URL(page.url()).searchParams.get("why")).toBeNull();
    expect(await number.evaluate(IS_FOCUSED)).toBe(true);
    expect(await page.evaluate("scrollY")).toBe(scrolled);
    await page.keyboard.press("Enter");
    await dialog().waitFor();
    await page.reload();
    await dialog().waitFor();
    await page.goBack();
    await closed();
    await page.setViewportSize(windows[0]);
  });

  it("[C-14.1105] on Wealth the number is that of the period's last day, says so where the page converts it, and when it is not there any more", {
    timeout: START_TIMEOUT,
  }, async () => {
    await go("/client?ref=M-17&tab=wealth&in=EUR");
    const held = page.getByRole("region", { name: /^Securities and their gains/ });
    await held.locator("a.why").getByText("14.40 EUR").click();
    await dialog().getByText("The page shows it in EUR. This is what was stated:").waitFor();
    await dialog().getByRole("link", { name: "M-17 · Custodia Montelirio" }).waitFor();
    expect((await told())[0]).toMatchObject({ Value: "13.50 CHF", File: "second.csv" });
    await pictures(page, "why-converted");
    await go(`/client?ref=M-17&tab=wealth&period=own&from=${day}&to=${day}&why=${bond}`);
    await dialog().getByText("It is not there any more. This is what it said last.").waitFor();
    expect(await told()).toMatchObject([{ Value: "7.25 CHF", File: "first.csv", Place: "line 3" }]);
    await pictures(page, "why-gone");
  });

  it("[C-14.1121] a total of movements without cash says how many they are, and not that it is unknown", async () => {
    const path = "**/data/v1/list-transactions";
    const totals = [{ currency: "USD", balance: null, rows: 6, rows_without_balance: 6 }];
    await page.route(path, async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, totals } });
    });
    await go(`/connections/${connection}?tab=transactions`);
    await page.getByText("USD: 6 rows, 6 without a value", { exact: true }).waitFor();
    await pictures(page, "total-without-cash");
    await page.unroute(path);
  });

  it("[C-14.1106] [C-14.1107] the dialog is sound at a desk, on a laptop and on a phone, in each language, and says what is not known", {
    timeout: START_TIMEOUT,
  }, async () => {
    const faults: string[] = [];
    const { id } = (await ask("list-investments", { credentials_token: fed })).items[0];
    await go(`/connections/${fed}?tab=holdings&why=no-such-number`);
    await dialog().getByText("This does not exist, or not any more.").waitFor();
    await page.route("**/data/v1/why", async (route) => {
      const answer = await (await route.fetch()).json();
      Object.assign(answer.versions[0].source, { place: null, part: "2026/positions.csv" });
      await route.fulfill({ json: { ...answer, parts: [bond] } });
    });
    for (const [language, title, unknown, viewport] of [
      ["en", "Why this number", "Not known", windows[0]],
      ["de", "Woher diese Zahl kommt", "Nicht bekannt", windows[0]],
      ["fr", "D’où vient ce chiffre", "Inconnu", windows[2]],
      ["es", "De dónde sale esta cifra", "No se conoce", windows[1]],
    ] as const) {
      await page.evaluate(`localStorage.setItem("wealth-connect-console-language", "${language}")`);
      await page.setViewportSize(viewport);
      await go(`/connections/${fed}?tab=holdings&why=${id}`);
      const open = page.getByRole("dialog", { name: title });
      await open.getByText(unknown, { exact: true }).waitFor();
      faults.push(...(await auditRendered(page, "light")), ...(await spokenErrors(page)));
      faults.push(...(await open.locator(".dialog-body, dt, dd, button, h2, h3").evaluateAll(CUT_OFF)));
      await pictures(page, `why-${language}`);
    }
    expect(faults).toEqual([]);
  });
});

const IS_FOCUSED = new Function("each", "return each === document.activeElement;") as (each: unknown) => boolean;
