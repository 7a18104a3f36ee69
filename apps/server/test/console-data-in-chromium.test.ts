import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, press, startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, invitedPerson, nameOfFocused, reach } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { auditRendered, overflow } from "./page-audit.js";
import { pictures, windows } from "./page-looks.js";
import { accessibleText, spokenErrors } from "./spoken-page.js";

const executablePath = process.env.CHROMIUM_PATH;
const tabs = ["portfolios", "holdings", "transactions"];

describe.skipIf(!executablePath)("data in the console, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  /** A member of the demo tenant. */
  let bea: Person;
  /** A bank that is up to date, one whose customer has to log in again, and a custodian's file of 2024 in two currencies. */
  let good: string;
  let blocked: string;
  let fed: string;
  /** A bank whose portfolios could not be read. */
  let failed: string;
  /** The type of most of the good bank's holdings; not derivatives, whose notionals come last. */
  let type: string;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    const { demo } = server;
    good = await connect(sandboxBanks.eBanking, "good");
    blocked = await connect(sandboxBanks.psd2, "BLOCKED_AFTER");
    await demo.post("/connect/v2/connections/refresh", { connection_id: blocked });
    failed = await connect(sandboxBanks.psd2, "DATA_ERROR_PORTFOLIO");
    const letter_id = await waitingLetter(server, demo, sandboxBanks.datafeed);
    fed = (await ingest(server, { letter_id }, twoCurrencies, "p.fin")).body.connection_id;
    const { totals } = await list("investments", { credentials_token: good, totals_by: "type" });
    const plain = totals.filter((total: { type: string }) => total.type !== "DV");
    type = plain.sort((a: { rows: number }, b: { rows: number }) => b.rows - a.rows)[0].type;
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

  /** Connects a bank of the sandbox. Returns the connection's id. */
  async function connect(connector_id: string, password: string): Promise<string> {
    const { demo } = server;
    await connectBank((await demo.openSession({ connector_id })).widgetUrl, { username: password, password });
    const { body } = await demo.post("/data/v1/search-connections", { page_size: 1 });
    return body.items[0].connection_id;
  }

  const open = async (connection: string, query: string) => {
    await bea.page.goto(`${consoleOrigin(server)}/console/connections/${connection}?${query}`);
    await bea.page.getByRole("tabpanel").waitFor();
  };
  const table = (name: string) => bea.page.getByRole("table", { name, exact: true });
  /** The names of rows, without the ISINs below them. */
  const names = async (name: string) =>
    (await table(name).locator("tbody th").allTextContents()).map((text) => text.replace(/[A-Z]{2}[A-Z0-9]{9}\d$/, ""));
  const list = async (kind: string, body: object) =>
    (await (await server.loginAgain(server.demo)).post(`/data/v1/list-${kind}`, { page_size: 500, ...body })).body;

  it("[C-14.1080] a tenant's person reads a provider's title, in the list and on a connection", async () => {
    const { page } = bea;
    await page.goto(`${consoleOrigin(server)}/console/connections`);
    await page.locator("main tbody td").getByText("Sandbox banks", { exact: true }).first().waitFor();
    await page.locator("main tbody td").getByText("Custodian’s files", { exact: true }).waitFor();
    await pictures(page, "connections");
    await open(good, "tab=overview");
    await page.getByRole("definition").getByText("Sandbox banks", { exact: true }).waitFor();
    await pictures(page, "connection");
  });

  it("[C-4.161] a heading sorts the rows, keeps the focus, says the order, and the address has it", async () => {
    const { page } = bea;
    await open(good, `tab=holdings&type=${type}`);
    const { items } = await list("investments", { credentials_token: good, inv_type: type });
    expect(items.length).toBeGreaterThan(3);
    await expect.poll(() => names("Holdings")).toEqual(items.map(({ name }: Row) => name));
    const value = table("Holdings").getByRole("columnheader", { name: "Value", exact: true });
    await reach(page, "Valued on");
    await page.keyboard.press("Tab");
    expect(await nameOfFocused(page)).toBe("Value");
    for (const [direction, sort, order] of [
      ["descending", "-balance", descending],
      ["ascending", "balance", (rows: readonly Row[]) => descending(rows).reverse()],
    ] as const) {
      await page.keyboard.press("Enter");
      await page.locator(`th[aria-sort=${direction}]`).waitFor();
      await expect.poll(() => names("Holdings")).toEqual(order(items).map(({ name }) => name));
      expect(new URL(page.url()).searchParams.get("sort")).toBe(sort);
      expect(await value.getAttribute("aria-sort")).toBe(direction);
      expect(await nameOfFocused(page)).toBe("Value");
    }
    await page.reload();
    expect(await value.getAttribute("aria-sort")).toBe("ascending");
    await value.getByRole("button").click();
    await expect.poll(() => value.getAttribute("aria-sort")).toBeNull();
    await expect.poll(() => names("Holdings")).toEqual(items.map(({ name }: Row) => name));
    // An order that another tab has does not apply here.
    await open(good, "tab=transactions&sort=name");
    const date = table("Transactions").getByRole("columnheader", { name: "Date" });
    expect(await date.getAttribute("aria-sort")).toBe("descending");
    await date.getByRole("button").click();
    await expect.poll(() => date.getAttribute("aria-sort")).toBe("ascending");
  });

  it("[C-4.161] a long table is sorted as a whole, from its top, and the keys scroll it", async () => {
    const { page } = bea;
    const large = await connect(sandboxBanks.eBanking, "LARGE");
    const found = await list("transactions", { credentials_token: large, sort: "-balance", page_size: 5 });
    expect(found.total).toBeGreaterThan(1_000);
    await open(large, "tab=transactions");
    const frame = page.locator(".table.tall");
    const top = () => page.evaluate("document.querySelector('.table.tall').scrollTop");
    await frame.focus();
    await expect
      .poll(async () => {
        await page.keyboard.press("ArrowDown");
        return top();
      })
      .toBeGreaterThan(100);
    // Rows that are taller than was thought move the end on.
    await expect
      .poll(
        async () => {
          await page.keyboard.press("End");
          return page.locator(`tr[data-row="${found.total - 1}"] th`).count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    await page.getByRole("columnheader", { name: "Cash value" }).getByRole("button").click();
    await expect.poll(top).toBe(0);
    const values = () => table("Transactions").locator("tbody td:last-child .amount").allTextContents();
    const largest = found.items.map(({ balance, currency }: Row) => `${balance} ${currency}`);
    await expect.poll(async () => (await values()).slice(0, 5)).toEqual(largest);
  });

  it("[C-4.161] rows of several currencies by value are grouped, and the page says so", async () => {
    await open(fed, "tab=holdings&sort=-balance");
    await expect.poll(() => names("Holdings")).toEqual(["SHARE B", "SHARE D", "SHARE A", "SHARE C"]);
    await expect
      .poll(() => accessibleText(bea.page))
      .toContain("Grouped by currency: the currency with the largest total comes first.");
  });

  it("[C-4.162] filters, totals of what matches, a group that the person chooses, the date, and a file of the same rows", async () => {
    const { page } = bea;
    await open(good, "tab=portfolios");
    const [portfolio] = (await list("portfolios", { credentials_token: good })).items;
    await page.getByRole("link", { name: portfolio.name, exact: true }).click();
    await page.getByRole("tab", { name: "Holdings", selected: true }).waitFor();
    expect(await page.getByLabel("Portfolio", { exact: true }).inputValue()).toBe(portfolio.id);
    const own = await list("investments", { credentials_token: good, portfolio_id: portfolio.id });
    await expect.poll(() => names("Holdings")).toEqual(own.items.map(({ name }: Row) => name));
    await page.getByText(`${own.total} rows`, { exact: false }).first().waitFor();

    await page.getByLabel("Portfolio", { exact: true }).selectOption("");
    const grouped = await list("investments", { credentials_token: good, totals_by: "type", totals_only: true });
    await page.getByLabel("Totals by").selectOption("type");
    await expect.poll(async () => (await names("Totals by: Type")).length).toBe(grouped.totals.length);
    expect((await names("Totals by: Type")).filter((text) => CODE.test(text))).toEqual([]);
    await page.getByLabel("Type", { exact: true }).selectOption(type);
    await page.getByRole("columnheader", { name: "Value", exact: true }).getByRole("button").click();
    const most = await list("investments", { credentials_token: good, inv_type: type, sort: "-balance" });
    await expect.poll(() => names("Holdings")).toEqual(most.items.map(({ name }: Row) => name));
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
    await page
      .getByText(day.format(new Date(most.as_of.newest)), { exact: false })
      .first()
      .waitFor();
    const [{ balance }] = most.totals;
    expect(await page.locator(".totals .amount").first().textContent()).toBe(`${balance} EUR`);

    const saved = page.waitForEvent("download");
    await press(page, "Export CSV");
    const lines = readFileSync(await (await saved).path(), "utf8")
      .trim()
      .split("\n");
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(most.items.map(({ id }: Row) => id));

    const { isin, name } = (await list("investments", { credentials_token: good })).items.find(({ isin }: Row) => isin);
    await open(good, "tab=holdings");
    await page.getByLabel("Name or ISIN").fill(isin.toLowerCase());
    await expect.poll(() => names("Holdings")).toEqual([name]);
    await page.getByLabel("Name or ISIN").fill("no such holding");
    await page.getByText("Nothing matches these filters").waitFor();
    await press(page, "Clear the filters");
    await expect.poll(async () => (await names("Holdings")).length).toBeGreaterThan(10);

    const asked: object[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/list-transactions")) asked.push(JSON.parse(request.postData() ?? "{}"));
    });
    await open(good, "tab=transactions&kind=dividend");
    const dividends = await list("transactions", { credentials_token: good, kind: "dividend" });
    expect(await page.getByLabel("Type", { exact: true }).inputValue()).toBe("dividend");
    await page.getByText(`${dividends.total} rows`, { exact: false }).first().waitFor();
    const rows = asked.filter((body) => !("totals_only" in body));
    expect(rows).toMatchObject([{ credentials_token: good, kind: "dividend", page_size: 100 }]);
  });

  it("[C-4.163] what is not up to date says why and what comes next; what is empty says so", async () => {
    const { page } = bea;
    await open(blocked, "tab=holdings");
    const notice = page.locator(".notice");
    await notice.getByText("The client has to reconnect.", { exact: false }).waitFor();
    await notice.getByRole("button", { name: "Link to reconnect" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await open(failed, "tab=portfolios");
    await notice.getByText("The bank could not be read, and there are no earlier data. Next refresh:").waitFor();
    await page.getByRole("heading", { name: "No portfolios" }).waitFor();
    expect(await page.getByRole("button", { name: "Export CSV" }).count()).toBe(0);
    await open(fed, "tab=holdings");
    await notice.getByRole("link", { name: "Open the letter" }).waitFor();
  });

  it("[C-4.164, C-14.1094] the tables are sound at a desk, on a laptop and on a phone, in four languages and without codes", async () => {
    const { page } = bea;
    const faults: string[] = [];
    for (const tab of tabs)
      for (const viewport of windows) {
        await page.setViewportSize(viewport);
        await open(good, `tab=${tab}&by=${tab === "transactions" ? "kind" : "type"}&sort=-balance`);
        await page.locator("main tbody").nth(1).waitFor();
        for (const colours of viewport.width === 1280 ? (["light", "dark"] as const) : (["light"] as const))
          faults.push(...(await auditRendered(page, colours)).map((fault) => `${tab}, ${viewport.width} px: ${fault}`));
        faults.push(...(await spokenErrors(page)), ...(await cutOff(page)).map((text) => `${tab}: ${text} is cut off`));
      }
    expect(faults).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const language of ["Deutsch", "Français", "Español"]) {
      await page.locator(".language-switch select").selectOption({ label: language });
      for (const tab of tabs) {
        await open(good, `tab=${tab}&by=${tab === "transactions" ? "kind" : "type"}`);
        await page.locator("main tbody").nth(1).waitFor();
        faults.push(...(await overflow(page)).map((fault) => `${tab}, ${language}: ${fault}`));
        const texts = await page.locator("main :is(th, td, option, dt, dd, label)").allTextContents();
        expect(texts.filter((text) => CODE.test(text))).toEqual([]);
        const amounts = await page.locator("main .amount").allTextContents();
        expect(amounts.filter((text) => text.includes("."))).toEqual([]);
        expect(amounts.some((text) => text.includes(","))).toBe(true);
      }
    }
    expect(faults).toEqual([]);
    expect(bea.complaints).toEqual([]);
  });
});

/** A code or a field's name where people need a word. */
const CODE = /^([A-Z]{1,2}|AEP|MIX|ETF|undefined|null|[a-z]+_[a-z_]+)$/;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly isin: string | null;
  readonly balance: string | null;
  readonly currency: string;
}

function descending(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => Number(b.balance) - Number(a.balance));
}

/** The numbers and dates that a table shows in part only, on a phone too. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("main table :is(.amount, time)")]
    .filter((each) => each.checkVisibility())
    .filter((each) => each.getBoundingClientRect().right > each.closest(".table").getBoundingClientRect().right + 0.5)
    .map((each) => each.textContent)`);
}

/** A custodian's statement of holdings (MT535): four securities in two currencies. */
const twoCurrencies = Buffer.from(
  [
    ":16R:GENL\n:28E:1/ONLY\n:23G:NEWM\n:98A::STAT//20240131\n:97A::SAFE//42\n:17B::ACTI//Y\n:16S:GENL",
    ...["A EUR10,5", "B USD40,", "C EUR7,", "D USD12,25"].map((share) => {
      const [name, value] = share.split(" ");
      return `:16R:FIN\n:35B:SHARE ${name}\n:93B::AGGR//UNIT/1,\n:19A::HOLD//${value}\n:16S:FIN`;
    }),
  ].join("\n"),
);
