import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, invitedPerson, joinBy, personWithDevice } from "./console-in-browser.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { insertLetters, submitLetter } from "./letters.js";
import { faultsOfLists } from "./list-looks.js";
import { fillLists } from "./list-samples.js";
import { picture, pictures } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
/** More than the page moves by one request. */
const LETTERS = 102;
const MANY = 100_000;

describe.skipIf(!executablePath)("long lists of the console, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let operator: Person;
  /** An administrator of the demo tenant. */
  let bea: Person;
  let made: Awaited<ReturnType<typeof fillLists>>;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    operator = await personWithDevice(chromium);
    await joinBy(operator, firstOperatorLink(server), "Ada Operator");
    for (let made = 0; made < LETTERS; made += 1)
      await submitLetter(server.demo, sandboxBanks.datafeed, { labels: { client: `HH-${2_041 + made}` } });
    made = await fillLists(server);
    bea = await invitedPerson(chromium, server, {
      tenant_id: server.demo.tenantId,
      email: "bea@example.com",
      role: "admin",
      name: "Bea",
    });
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const open = async (path: string) => {
    await operator.page.goto(`${consoleOrigin(server)}/console${path}`);
    await operator.page.locator("main h1").waitFor();
  };

  it("[C-14.922] [C-14.960] filters, order and columns are saved as a view under a name, and chosen again in another browser", async () => {
    const { page } = operator;
    await open("/letters?status=Signed");
    await page.getByRole("button", { name: "Created" }).click();
    await page.waitForURL("**/letters?status=Signed&order=oldest");
    expect(await page.locator("main th[aria-sort]").getAttribute("aria-sort")).toBe("ascending");
    const headings = (shown: Page) => shown.locator("main thead th").allTextContents();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Labels" }).click();
    await page.keyboard.press("Escape");
    const hidden = await headings(page);
    expect(hidden.join()).not.toContain("Labels");
    const choose = async (menu: string, item: string, page = operator.page) => {
      await page.getByRole("button", { name: menu, exact: true }).click();
      await page
        .getByRole("menuitem", { name: item })
        .or(page.getByRole("menuitemradio", { name: item }))
        .click();
    };
    await choose("Views", "Save this view");
    const dialog = page.getByRole("dialog", { name: "Save this view" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("is needed").waitFor();
    await dialog.getByLabel("Name").fill("Oldest signed");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Oldest signed", exact: true }).waitFor();
    // The same person, in a browser that has kept nothing.
    const cookies = await operator.context.cookies();
    const other = await newPerson(chromium);
    await other.context.addCookies(cookies);
    await other.page.goto(`${consoleOrigin(server)}/console/letters`);
    await other.page.locator("main thead", { hasText: "Labels" }).waitFor();
    await choose("Views", "Oldest signed", other.page);
    await other.page.waitForURL((url) => url.search === "?status=Signed&order=oldest");
    await eventually(async () => (await headings(other.page)).join() === hidden.join(), "the column is hidden");
    await pictures(other.page, "view");
    await choose("Oldest signed", "Remove “Oldest signed”", other.page);
    await other.page.getByRole("button", { name: "Views", exact: true }).waitFor();
    await other.context.close();
    await open("/letters?status=Signed&order=oldest");
    await page.getByRole("button", { name: "Views", exact: true }).waitFor();
    // Hiding it was this browser's choice.
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Labels" }).click();
    await page.keyboard.press("Escape");
  });

  /** Every list of an operator; of a tenant's person those that an operator does not have, or has with fewer actions. */
  const listsOf = {
    operator: () => [
      ...["work", "letters", "feeds", "feeds?tab=taken", "feeds?tab=accounts", "connections", "sessions", "catalogue"],
      ...["providers", "sources", "sources?tab=mappings", "sources?tab=keys", "sources/custodian-desk", "tenants"],
      ...["applications", "grants", "people", "keys", "trusted-issuers", "registration-tokens", "webhooks"],
      ...["events", "audit", "account", `letters/${made.letterId}`, `connections/${made.connectionId}?tab=history`],
      ...[`webhooks/${made.endpointId}`, `tenants/${server.demo.tenantId}?tab=limits`],
    ],
    person: (rows: number) => [
      // With one row for its menu; with many an operator's list is the same, and has one column more.
      ...(rows === 1 ? ["work", "connections", "sessions", "grants", "people"] : []),
      ...["clients", "client?ref=HH-2041-Brandenburg", "holdings"],
      ...["holdings?tab=portfolios", "holdings?tab=transactions"],
      ...["holdings", "portfolios", "transactions"].map((tab) => `client?ref=HH-2041-Brandenburg&tab=${tab}`),
      ...["history", "holdings", "portfolios", "transactions", "sessions"].map(
        (tab) => `connections/${made.connectionId}?tab=${tab}`,
      ),
    ],
  };

  it.each([
    ["operator", 1],
    ["operator", MANY],
    ["person", 1],
    ["person", MANY],
  ] as const)(
    "[C-14.957] [C-14.1013] [C-14.1063] [C-14.1064] lists of the %s with %i rows: whole words, nothing cut off, menus on top, in every language and window",
    { timeout: START_TIMEOUT },
    async (who, rows) => {
      const { page } = who === "operator" ? operator : bea;
      const faults = await faultsOfLists(page, consoleOrigin(server), listsOf[who](rows), rows);
      expect(faults).toEqual([]);
    },
  );

  it("[C-14.921] all that match are moved, and after a failure and a reload the rest", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    await open("/letters?status=Signed");
    await page.locator('main tr[data-row="0"]').waitFor();
    await pictures(page, "letters");
    await page.getByLabel("Select all").check();
    await page.getByRole("button", { name: `Select all ${LETTERS} that match` }).click();
    await page.getByText(`All ${LETTERS} that match are selected`).waitFor();
    await page.getByRole("button", { name: `Move ${LETTERS}` }).click();
    const dialog = page.getByRole("dialog", { name: `Move ${LETTERS} letters` });
    await dialog.getByRole("button", { name: "Show what will happen" }).click();
    await dialog.getByText(`${LETTERS} will move, 0 would be refused.`).waitFor();
    // The first chunk is made, its answer is lost; then the page is loaded again.
    let asked = 0;
    await page.route("**/letters/move-many", async (route) => {
      asked += 1;
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole("button", { name: `Move ${LETTERS} letters` }).click();
    const run = page.getByRole("dialog", { name: "What happened" });
    await run.getByText(`Stopped. Letters that are left: ${LETTERS}.`).waitFor();
    await pictures(page, "stopped-run");
    expect(asked).toBe(1);
    await page.unroute("**/letters/move-many");
    await page.reload();
    await page.getByText(`A move of ${LETTERS} letters was interrupted.`).waitFor();
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await run.getByRole("button", { name: "Continue" }).click();
    await run.getByText(`${LETTERS} moved, 0 refused.`).waitFor();
    await run.getByRole("button", { name: "Done" }).click();
    await run.waitFor({ state: "detached" });
    expect(await page.getByText("was interrupted").count()).toBe(0);
    const { items } = await server.operate("/operator/v1/letters/search", { query: {}, page_size: 500 });
    expect(items.filter(({ status }: { status: string }) => status === "SentToCustodian")).toHaveLength(LETTERS);
    const { letter } = await server.operate("/operator/v1/letters/show", { letter_id: items.at(-1).id });
    expect(letter.history.map(({ event }: { event: string }) => event)).toEqual(["sign", "send_to_custodian"]);
  });

  it("[C-14.1014] 100,000 letters are counted, selected by their number and scrolled to the last", {
    timeout: START_TIMEOUT,
  }, async () => {
    await server.stop();
    await insertLetters(server, MANY);
    await server.start();
    const { page } = operator;
    await open("/letters?status=Signed");
    await page.getByText("100,000 letters").waitFor();
    await page.getByLabel("Select all").check();
    await page.getByRole("button", { name: "Select all 100,000 that match" }).click();
    await page.getByText("All 100,000 that match are selected").waitFor();
    await page.locator('main tr[data-row="0"] a').first().focus();
    await page.keyboard.press("End");
    await page.locator(`main tr[data-row="${MANY - 1}"] a:focus`).waitFor();
    await picture(page, "100000-letters");
    const oldest = { query: { status_in: ["Signed"] }, order: "oldest", page_size: 1 };
    const { items, total } = await server.operate("/operator/v1/letters/search", oldest);
    expect(total).toBe(MANY);
    expect(
      await page
        .locator(`main tr[data-row="${MANY - 1}"] a`)
        .first()
        .getAttribute("href"),
    ).toContain(items[0].id);
  });
});
