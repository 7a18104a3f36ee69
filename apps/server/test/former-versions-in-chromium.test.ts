import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { auditRendered } from "./page-audit.js";
import { pictures, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const folder = mkdtempSync(join(tmpdir(), "told-bank-"));
const fee = {
  ...{ key: "a", portfolio_key: "1", holding_key: null, operation_date: "2026-02-02", description: "Custody fee" },
  ...{ amount: null, balance: "-1205.00", currency: "EUR", unit_price: null, kind: "fee" },
};
const other = { ...fee, key: "b", description: "Deposit", balance: "20.00", kind: "deposit" };

describe.skipIf(!executablePath)("what a transaction said before, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let page: Page;
  let connection: string;

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
    chromium = await startChromium(executablePath ?? "");
    const bea = await personWithDevice(chromium);
    const invited = { tenant_id: server.demo.tenantId, email: "bea@example.com", name: "Bea", role: "member" };
    await joinBy(bea, (await server.operate("/operator/v1/people/invite", invited)).link);
    page = bea.page;
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
});
