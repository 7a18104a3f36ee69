import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, firstOperatorLink, invitedPerson, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { auditRendered, overflow } from "./page-audit.js";
import { picture, pictures, windows } from "./page-looks.js";
import { spokenErrors } from "./spoken-page.js";

const executablePath = process.env.CHROMIUM_PATH;

describe.skipIf(!executablePath)("what clients have, over all banks, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  /** A member of the demo tenant. */
  let bea: Person;
  /** Meier has two banks, of which one waits for a login; the third bank and a custodian's file are nobody's. */
  let good: string;
  let blocked: string;
  let failed: string;
  /** What the browser has said about the reads that a test made fail. */
  let failures = 0;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    const { demo } = server;
    good = await connect(sandboxBanks.eBanking, "good");
    blocked = await connect(sandboxBanks.psd2, "BLOCKED_AFTER");
    await demo.post("/connect/v2/connections/refresh", { connection_id: blocked });
    failed = await connect(sandboxBanks.psd2, "DATA_ERROR_PORTFOLIO");
    const letter_id = await waitingLetter(server, demo, sandboxBanks.datafeed);
    await ingest(server, { letter_id }, inDollars, "p.fin");
    await demo.post("/clients/v1/assign", { client_ref: "M-17", connection_id: [good, blocked] });
    await demo.post("/clients/v1/update", { client_ref: "M-17", name: "Meier" });
    chromium = await startChromium(executablePath ?? "");
    bea = await invitedPerson(chromium, server, {
      tenant_id: demo.tenantId,
      email: "bea@example.com",
      name: "Bea",
      role: "member",
    });
    // Each column by itself.
    await bea.page.setViewportSize(windows[0]);
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  async function connect(connector_id: string, password: string): Promise<string> {
    const { demo } = server;
    await connectBank((await demo.openSession({ connector_id })).widgetUrl, { username: password, password });
    return (await demo.post("/data/v1/search-connections", { page_size: 1 })).body.items[0].connection_id;
  }

  const go = (path: string) => bea.page.goto(`${consoleOrigin(server)}/console${path}`);
  const rows = (name: string) => bea.page.getByRole("table", { name, exact: true }).locator("tbody tr[data-row]");
  const list = async (kind: string, body: object) =>
    (await (await server.loginAgain(server.demo)).post(`/data/v1/list-${kind}`, { page_size: 500, ...body })).body;

  /** The texts of the cells of each row, by heading. */
  async function cells(name: string): Promise<readonly Readonly<Record<string, string>>[]> {
    const table = bea.page.getByRole("table", { name, exact: true });
    const headings = await table.locator("thead th").allTextContents();
    const found = await rows(name).all();
    const texts = await Promise.all(found.map((row) => row.locator("th, td").allTextContents()));
    return texts.map((row) => Object.fromEntries(row.map((text, index) => [headings[index] ?? "", text])));
  }

  it("[C-14.911] holdings show price, cost and gain with the digits of REST, and what the bank does not tell as not known", async () => {
    await go(`/connections/${good}?tab=holdings`);
    const { items } = await list("investments", { credentials_token: good });
    await expect.poll(() => rows("Holdings").count()).toBe(items.length);
    const shown = await cells("Holdings");
    for (const [index, item] of items.entries()) {
      const row = shown[index];
      expect(row?.Name).toContain(item.name);
      expect(row?.Value).toBe(item.balance === null ? "–Not known" : `${item.balance} ${item.currency}`);
      expect(row?.Cost).toBe(item.cost ?? "–Not known");
      expect(row?.Price).toBe(item.price ? item.price + (item.price_unit === "percent" ? "%" : "") : "–Not known");
      const [, gain = ""] = /^(-?\d+\.\d\d)/.exec(row?.Gain ?? "") ?? [];
      if (item.cost && item.balance) expect(gain).toBe(differenceOf(item.balance, item.cost));
      else expect(row?.Gain).toBe("–Not known");
    }
    await go(`/connections/${good}?tab=transactions`);
    const moved = await list("transactions", { credentials_token: good });
    await expect.poll(() => rows("Transactions").count()).toBeGreaterThan(3);
    for (const [index, row] of (await cells("Transactions")).slice(0, 20).entries()) {
      const item = moved.items[index];
      expect(row["Cash value"]).toBe(`${item.balance} ${item.currency}`);
      expect([row.Fees, row.Taxes]).toEqual([item.fees, item.taxes].map((amount) => amount ?? "–Not known"));
    }
    await picture(bea.page, "transactions");
  });

  it("[C-14.912] [C-14.913] over all banks rows say whose they are, each currency is divided alone, and what is missing is named beside the total", async () => {
    const { page } = bea;
    await go("/holdings");
    const { totals, source_counts } = await list("investments", { totals_only: true });
    expect(totals.length).toBeGreaterThan(1);
    expect(source_counts).toMatchObject({ ok: 2, stale: 2 });
    const shownTotals = page.locator(".totals dd .amount");
    await expect
      .poll(() => shownTotals.allTextContents())
      .toEqual(totals.map((total: Total) => `${total.balance} ${total.currency}`));
    const notice = page.locator(".totals .notice");
    await notice.getByText("Not complete: 2 of 4 connections are not up to date.").waitFor();
    await notice.getByRole("link", { name: /^Meier · / }).waitFor();
    await expect.poll(async () => (await cells("Holdings"))[0]?.Name).toContain("Meier · ");
    for (const by of ["type", "bank", "client_ref"]) {
      const label = { type: "Type", bank: "Bank", client_ref: "Client" }[by];
      await page.getByLabel("Totals by", { exact: true }).selectOption(by);
      const divided = (await list("investments", { totals_only: true, totals_by: by })).totals;
      for (const { currency } of totals) {
        const parts = divided.filter((part: Total) => part.currency === currency);
        const caption = `Totals by: ${label}, ${currency}`;
        await expect.poll(() => rows(caption).count()).toBe(parts.length);
        const amounts = (await cells(caption)).map((row) => String(row.Total).split(" ")[0]);
        expect(amounts.toSorted()).toEqual(parts.map(({ balance }: Total) => balance).toSorted());
      }
    }
    await expect
      .poll(async () => (await cells("Totals by: Client, EUR")).map((row) => Object.values(row)[0]).toSorted())
      .toEqual(["Meier", "Nobody's"]);
    await page.getByRole("link", { name: "Meier", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Meier" }).waitFor();
    const own = await list("investments", { client_ref: "M-17" });
    await expect.poll(() => rows("Holdings").count()).toBe(own.items.length);
    await expect
      .poll(() => shownTotals.allTextContents())
      .toEqual(own.totals.map((total: Total) => `${total.balance} ${total.currency}`));
    await page.getByText("Not complete: 1 of 2 connections is not up to date.").waitFor();
    await picture(bea.page, "client");
    await go("/holdings?tab=portfolios");
    await page.getByRole("heading", { level: 1, name: "Holdings" }).waitFor();
    const portfolios = await list("portfolios", {});
    await expect.poll(() => rows("Portfolios").count()).toBe(portfolios.items.length);
    expect(
      portfolios.sources.map(({ credentials_token }: { credentials_token: string }) => credentials_token),
    ).toContain(failed);
    await page.getByText("could not be read, not in the total").waitFor();
  });

  it("[C-14.913] a read that failed says so, can be repeated, and never looks empty", async () => {
    const { page } = bea;
    await page.route("**/data/v1/list-investments", (route) => route.fulfill({ status: 500, body: "{}" }));
    await go("/holdings");
    await page.getByRole("heading", { name: "The totals could not be read" }).waitFor();
    expect(await page.getByText("No holdings").count()).toBe(0);
    await page.unroute("**/data/v1/list-investments");
    await page.locator(".problem").first().getByRole("button", { name: "Try again" }).click();
    await page.locator(".totals dd .amount").first().waitFor();
    failures = bea.complaints.length;
  });

  it("[C-14.914] on every screen a read that failed says so and can be repeated, and never looks empty", async () => {
    const ada = await personWithDevice(chromium);
    await joinBy(ada, firstOperatorLink(server));
    const faults: string[] = [];
    for (const { page } of [bea, ada]) {
      await page.goto(`${consoleOrigin(server)}/console`);
      const links = page.getByRole("navigation", { name: "Screens" }).getByRole("link");
      await links.first().waitFor();
      const paths = await links.evaluateAll((each) => each.map((link) => link.getAttribute("href") ?? ""));
      const reads = /\/(data|letters|connect|clients|events|operator)\/v\d\/|\/(people|applications)\/list$/;
      await page.route(reads, (route) => route.fulfill({ status: 500, body: "{}" }));
      for (const path of paths.filter((one) => !withoutList.some((end) => one.endsWith(end)))) {
        await page.goto(`${consoleOrigin(server)}${path}`);
        await page.locator("main h1").waitFor();
        await page
          .locator("main .problem")
          .first()
          .waitFor({ timeout: 10_000 })
          .catch(() => faults.push(`${path}: silent`));
        if ((await page.locator("main .empty").count()) > 0) faults.push(`${path}: looks empty`);
        if ((await page.locator("main .problem").getByRole("button", { name: "Try again" }).count()) === 0)
          faults.push(`${path}: cannot be repeated`);
      }
      await page.unroute(reads);
    }
    await ada.context.close();
    failures = bea.complaints.length;
    expect(faults).toEqual([]);
  });

  it("[C-14.914] what filters leave nothing of is told apart from what is empty, and offers to clear them", async () => {
    const { page } = bea;
    const empty = page.locator("main .empty");
    await go("/letters?status=REJECTED_BY_CUSTODIAN&client=nobody");
    await empty.getByText("Nothing matches these filters").waitFor();
    await empty.getByRole("button", { name: "Clear the filters" }).click();
    await rows("Letters").first().waitFor();
    await go("/webhooks");
    await empty.getByText("No endpoints").waitFor();
    expect(await page.getByRole("button", { name: "Clear the filters" }).count()).toBe(0);
  });

  it("[C-14.1060] over all banks rows are filtered by client and bank, which the address keeps over tabs; clients are found by a part of their name", async () => {
    const { page } = bea;
    await go("/holdings?by=currency");
    const client = page.getByLabel("Client", { exact: true });
    const bank = page.getByLabel("Bank", { exact: true });
    const ids = async (kind: string, body: object) =>
      (await list(kind, body)).items.map(({ id }: { id: string }) => id);
    const mine = await list("investments", { client_ref: "M-17", include_source_token: true, fields: ["id", "bank"] });
    await client.pressSequentially("mei");
    await page.getByText("Choose one of the clients found.").waitFor();
    expect(await page.locator("datalist option").first().getAttribute("value")).toBe("M-17");
    expect(new URL(page.url()).search).toBe("?by=currency");
    await client.fill("M-17");
    await page.waitForURL("**/holdings?by=currency&client=M-17");
    await expect.poll(() => rows("Holdings").count()).toBe(mine.items.length);
    await page.locator(".filters .hint").getByText("Meier", { exact: true }).waitFor();
    const { bank: name } = (await server.demo.post("/data/v1/search-connections", { query: { connection_id: good } }))
      .body.items[0];
    expect(await bank.locator("option").allTextContents()).toContain(name);
    await bank.selectOption(name);
    await page.waitForURL((url) => url.searchParams.get("bank") === name && url.searchParams.get("client") === "M-17");
    const there = await ids("investments", { credentials_token: good });
    await expect.poll(() => rows("Holdings").count()).toBe(there.length);
    await expect.poll(() => page.locator(".totals dd .amount").count()).toBe(1);
    await pictures(page, "filtered");
    await page.reload();
    await expect.poll(() => rows("Holdings").count()).toBe(there.length);
    expect([await client.inputValue(), await bank.inputValue()]).toEqual(["M-17", name]);
    for (const [tab, kind] of [
      ["Portfolios", "portfolios"],
      ["Transactions", "transactions"],
    ] as const) {
      await page.getByRole("tab", { name: tab }).click();
      const { total } = await list(kind, { credentials_token: good, page_size: 1 });
      await page.getByRole("status").getByText(`${total} entries`).waitFor({ state: "attached" });
    }
    await page.setViewportSize(windows[2]);
    await page.getByRole("button", { name: "More filters (2)" }).waitFor();
    await page.setViewportSize(windows[0]);
  });

  it("[C-14.1061] filters by client and bank that leave nothing say so, and what is too much to read at once is not read in part", async () => {
    const { page } = bea;
    await go("/holdings?client=M-17&bank=Custodia Montelirio");
    const empty = page.locator("main .empty");
    await empty.getByText("Nothing matches these filters").waitFor();
    await page.setViewportSize(windows[2]);
    await picture(page, "filtered-empty-390");
    await page.setViewportSize(windows[0]);
    await empty.getByRole("button", { name: "Clear the filters" }).click();
    await rows("Holdings").first().waitFor();
    expect(new URL(page.url()).search).toBe("");
    // A client who is no longer there.
    await go("/holdings?client=M-99");
    await empty.getByText("Nothing matches these filters").waitFor();
    await page.getByText("No client has this name or reference.").waitFor();
    await page.getByLabel("Client", { exact: true }).fill("");
    await rows("Holdings").first().waitFor();
    await page.route("**/data/v1/search-connections", async (route) => {
      const { query } = route.request().postDataJSON();
      return query.bank ? route.fulfill({ json: { items: [], next_page_token: "more" } }) : route.continue();
    });
    await page.getByLabel("Bank", { exact: true }).selectOption({ index: 1 });
    await empty.getByText("This bank has more than 500 connections").waitFor();
    expect(await page.locator("main table").count()).toBe(0);
    await page.unroute("**/data/v1/search-connections");
    expect(bea.complaints.slice(failures)).toEqual([]);
  });

  it("[C-14.1064] of a long fraction a column shows the first digits; all are in its text and title, and on a phone", async () => {
    const { page } = bea;
    const long = {
      amount: "0.00001234567890",
      balance: "12345.6789012345",
      price: "98.76543219",
      price_unit: "percent",
    };
    await page.route("**/data/v1/list-investments", async (route) => {
      const response = await route.fetch();
      const { items = [], ...rest } = await response.json();
      return route.fulfill({ response, json: { ...rest, items: items.map((item: object) => ({ ...item, ...long })) } });
    });
    await go(`/connections/${good}?tab=holdings`);
    const first = rows("Holdings").first();
    await first.locator(".cut").first().waitFor({ state: "attached" });
    const shown = (await cells("Holdings"))[0];
    expect([shown?.Units, shown?.Value, shown?.Price]).toEqual([
      ...[long.amount, `${long.balance} EUR`, `${long.price}%`],
    ]);
    const amounts = first.locator(".amount:has(.cut)");
    const titles = await amounts.evaluateAll((each) => each.map(({ title }) => title));
    expect(titles).toEqual(expect.arrayContaining([long.amount, long.balance, `${long.price}%`]));
    expect((await amounts.locator(".cut").allTextContents()).slice(0, 3)).toEqual(["7890", "3219", "89012345"]);
    const size = () => page.evaluate<string>('getComputedStyle(document.querySelector("main td .cut")).fontSize');
    expect(await size()).toBe("0px");
    await picture(page, "long-fractions");
    await page.setViewportSize(windows[2]);
    await expect.poll(size).not.toBe("0px");
    await picture(page, "long-fractions-390");
    await page.setViewportSize(windows[0]);
    await page.unroute("**/data/v1/list-investments");
  });

  it("[C-14.912] the pages are sound at a desk, on a laptop and on a phone", async () => {
    const { page } = bea;
    const faults: string[] = [];
    for (const language of ["English", "Deutsch"]) {
      await page.setViewportSize(windows[0]);
      await page.locator(".language-switch select").first().selectOption({ label: language });
      for (const viewport of windows) {
        await page.setViewportSize(viewport);
        for (const path of ["/holdings", `/connections/${good}?tab=holdings`, "/client?ref=M-17&tab=holdings"]) {
          await go(path);
          await page.locator("main tbody tr[data-row]").first().waitFor();
          await page.locator("main .loading").first().waitFor({ state: "detached" });
          // What axe finds is the same in each language.
          const found = language === "English" ? await auditRendered(page, "light") : await overflow(page);
          faults.push(...found.map((fault) => `${path}, ${language}, ${viewport.width} px: ${fault}`));
          faults.push(...(await spokenErrors(page)));
          await picture(bea.page, `${language}-${viewport.width}-${path.slice(1, 7)}`);
        }
      }
    }
    expect(faults).toEqual([]);
    expect(bea.complaints.slice(failures)).toEqual([]);
  });
});

/** Exact, of amounts with two decimals. */
function differenceOf(a: string, b: string): string {
  const cents = BigInt(a.replace(".", "")) - BigInt(b.replace(".", ""));
  const digits = String(cents < 0n ? -cents : cents).padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Screens that read nothing of their own before a person does something. */
const withoutList = ["/account", "/sessions"];

interface Total {
  readonly currency: string;
  readonly balance: string | null;
}

/** A custodian's statement of holdings (MT535) in dollars. */
const inDollars = Buffer.from(
  [
    ":16R:GENL\n:28E:1/ONLY\n:23G:NEWM\n:98A::STAT//20240131\n:97A::SAFE//42\n:17B::ACTI//Y\n:16S:GENL",
    ...["A 1000,5", "B 40,"].map((share) => {
      const [name, value] = share.split(" ");
      return `:16R:FIN\n:35B:SHARE ${name}\n:93B::AGGR//UNIT/1,\n:19A::HOLD//USD${value}\n:16S:FIN`;
    }),
  ].join("\n"),
);
