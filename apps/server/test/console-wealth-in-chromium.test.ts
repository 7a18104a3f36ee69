import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, invitedPerson } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { auditRendered } from "./page-audit.js";
import { CUT_OFF_IN_MAIN, picture, pictures, windows } from "./page-looks.js";
import { spokenErrors } from "./spoken-page.js";

const executablePath = process.env.CHROMIUM_PATH;

describe.skipIf(!executablePath)("wealth in the console, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  /** May only read. */
  let bea: Person;
  let page: Page;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    const { demo } = server;
    const whole = await connect(sandboxBanks.eBanking, "ada", "good");
    const gaps = await connect(sandboxBanks.psd2, "ben", "HISTORY_GAPS");
    await demo.post("/clients/v1/assign", { client_ref: "M-17", connection_id: whole });
    await demo.post("/clients/v1/update", { client_ref: "M-17", name: "Meier" });
    await demo.post("/clients/v1/assign", { client_ref: "M-18", connection_id: gaps });
    await demo.post("/clients/v1/create", { client_ref: "M-19" });
    chromium = await startChromium(executablePath ?? "");
    bea = await invitedPerson(chromium, server, {
      tenant_id: demo.tenantId,
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
  });

  async function connect(connector_id: string, username: string, password: string): Promise<string> {
    const { demo } = server;
    await connectBank((await demo.openSession({ connector_id })).widgetUrl, { username, password });
    return (await demo.post("/data/v1/search-connections", { page_size: 1 })).body.items[0].connection_id;
  }

  const go = async (path: string) => {
    await page.goto(`${consoleOrigin(server)}/console${path}`);
    await page.locator("main h1").waitFor();
    await settled();
  };
  const settled = () => expect.poll(() => page.locator("main .loading").count()).toBe(0);
  const section = (name: string | RegExp) => page.getByRole("region", { name });
  const ask = async (path: string, body: object) => (await server.demo.post(`/data/v1/${path}`, body)).body;
  /** The amounts that a part of the page shows. */
  const amounts = (of: string, selector: string) => section(of).locator(`${selector} .amount`).allTextContents();
  const fact = (of: string, name: string) =>
    section(of)
      .locator(".facts > div")
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator("dd");
  const percent = (fraction: string) => {
    const hundredths = Math.round(Number(fraction) * 10_000);
    return `${(hundredths / 100).toFixed(2)}%`;
  };

  it("[C-14.1096] [C-14.1097] a client's total, and how it is divided, have the digits of REST and say whether they are complete", {
    timeout: START_TIMEOUT,
  }, async () => {
    await go("/client?ref=M-17&tab=wealth");
    for (const [split, label] of [
      ["type", "Type"],
      ["bank", "Bank"],
      ["security", "Security"],
    ] as const) {
      await section(/^Value: /)
        .getByLabel("Divided by", { exact: true })
        .selectOption(split);
      const { items, totals, coverage } = await ask("summary", { client_ref: "M-17", by: split, page_size: 500 });
      expect(coverage.missing).toBe(0);
      const table = page.getByRole("table", { name: `Divided by: ${label}`, exact: true });
      await expect.poll(() => table.locator("tbody tr[data-row]").count()).toBe(items.length);
      const shown = await table.locator("tbody tr[data-row] > :last-child .amount").allTextContents();
      expect(shown.toSorted()).toEqual(
        items.map((item: Part) => `${item.totals[0]?.balance} ${item.totals[0]?.currency}`).toSorted(),
      );
      const sums = totals.map((total: Sum) => `${total.balance} ${total.currency}`);
      expect(
        await section(/^Value: /)
          .locator(".facts .amount")
          .allTextContents(),
      ).toEqual(sums);
    }
    await section(/^Value: /)
      .getByText(/^Complete: /)
      .waitFor();
    await pictures(page, "client-wealth");
  });

  it("[C-14.1098] the value over time is a line that the keyboard reads day by day, and a table", {
    timeout: START_TIMEOUT,
  }, async () => {
    await go("/client?ref=M-17&tab=wealth&period=quarter&every=week");
    const history = section("Value over time");
    const slider = history.getByRole("slider");
    await slider.waitFor();
    const drawn = await history.locator("svg").first().boundingBox();
    expect((drawn?.y ?? 0) + (drawn?.height ?? 0)).toBeLessThan((await slider.boundingBox())?.y ?? 0);
    const from = new Date();
    const { items } = await ask("list-history", {
      client_ref: "M-17",
      from: new Date(from.getTime() - 40 * 86_400_000).toISOString().slice(0, 10),
      interval: "week",
    });
    const last = items.at(-1).totals[0].balance;
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toContain(`${last} EUR`);
    await slider.press("ArrowLeft");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toContain(`${items.at(-2).totals[0].balance} EUR`);
    await history.getByRole("button", { name: "Show as a table" }).click();
    const rows = history.locator("tbody tr[data-row]");
    await expect.poll(() => rows.count()).toBeGreaterThan(10);
    expect(await rows.last().locator(".amount").textContent()).toBe(`${last} EUR`);
    await history.scrollIntoViewIfNeeded();
    await pictures(page, "history-table");
  });

  it("[C-14.1099] a return has the digits of REST; one that is refused says what is missing and what to do, and can be reckoned all the same", {
    timeout: START_TIMEOUT,
  }, async () => {
    await go("/client?ref=M-17&tab=wealth&period=quarter");
    const from = await firstDayAsked(page);
    const body = { client_ref: "M-17", from };
    const known = await ask("performance", body);
    expect(known.return).toMatch(/^-?\d/);
    await expect.poll(() => fact("Return", "Return").locator(".amount").textContent()).toBe(percent(known.return));
    expect(await fact("Return", "Gain").locator(".amount").textContent()).toBe(`${known.gain} EUR`);
    expect(await fact("Return", "Paid in").textContent()).toBe(`${known.flows.in} EUR`);
    await section("Return").getByLabel("Method").selectOption("mwr");
    const weighted = await ask("performance", { ...body, method: "mwr" });
    await expect.poll(() => fact("Return", "Return").locator(".amount").textContent()).toBe(percent(weighted.return));

    await go("/client?ref=M-18&tab=wealth&period=three-years");
    const threeYears = { client_ref: "M-18", from: await firstDayAsked(page) };
    const refused = await ask("performance", threeYears);
    expect(refused.error.code).toBe("INSUFFICIENT_DATA");
    const lines = section("Return").locator(".notice li");
    await expect.poll(() => lines.count()).toBe(saidOnce(refused.error.details));
    await lines.first().getByText("Banco Riomarfil · ").waitFor();
    // Days without any value are a gap in the line.
    await section("Value over time").locator("rect.gap").first().waitFor({ state: "attached" });
    expect(await section("Value over time").locator("path.line").count()).toBeGreaterThan(1);
    await section("Value over time").scrollIntoViewIfNeeded();
    await picture(page, "gaps");
    await section("Return").getByText("This figure cannot be told.").waitFor();
    await section("Return").scrollIntoViewIfNeeded();
    await pictures(page, "refused");
    await section("Return").getByLabel("Reckon all the same").check();
    await section("Return").getByText("Reckoned in spite of this:").waitFor();
    const { gaps } = await ask("performance", { ...threeYears, allow_gaps: true });
    await expect.poll(() => lines.count()).toBe(saidOnce(gaps));
    await section("Return").scrollIntoViewIfNeeded();
    await picture(page, "with-gaps");
  });

  it("[C-14.1100] [C-14.1101] [C-14.1103] income by month and gains have the digits of REST, and are saved as CSV", {
    timeout: START_TIMEOUT,
  }, async () => {
    await go("/wealth?period=three-years");
    const from = await firstDayAsked(page);
    const income = await ask("income", { from, by: "month", page_size: 500 });
    const rows = section("Income").locator("tbody tr[data-row]");
    await expect.poll(() => rows.count()).toBe(income.items.length);
    expect(await amounts("Income", "tbody tr[data-row] > :nth-child(2)")).toEqual(
      income.items.flatMap(({ totals }: Paid) => totals.map(({ net, currency }) => `${net} ${currency}`)),
    );
    const saved = page.waitForEvent("download");
    await section("Income").getByRole("button", { name: "Export CSV" }).click();
    const file = readFileSync((await (await saved).path()) ?? "", "utf8");
    const [first] = income.items;
    expect(file).toContain(`${first.key},${first.totals[0].net},`);
    const gains = await ask("gains", { page_size: 500 });
    const held = section(/^Securities and their gains/);
    await expect.poll(() => held.locator("tbody tr[data-row]").count()).toBe(gains.items.length);
    expect((await held.locator("tbody tr[data-row] > :nth-child(4) .amount").allTextContents()).toSorted()).toEqual(
      gains.items.flatMap(({ gain }: Gained) => (gain === null ? [] : [gain])).toSorted(),
    );
    await section("Income").scrollIntoViewIfNeeded();
    await pictures(page, "income");
    await held.scrollIntoViewIfNeeded();
    await picture(page, "gains");
  });

  it("[C-14.1102] a rate that is missing is said by its currencies, and nothing is shown in its place", {
    timeout: START_TIMEOUT,
  }, async () => {
    await go("/wealth");
    await page.getByLabel("Currency", { exact: true }).selectOption("CHF");
    await section(/^Value: /)
      .getByText(/There is no exchange rate from EUR to CHF/)
      .waitFor();
    await section("Value over time").getByText("Some days have no exchange rate from EUR to CHF").waitFor();
    await settled();
    await expect.poll(() => page.locator("main .facts .amount").count()).toBe(0);
    await picture(page, "no-rate");
  });

  it("[C-14.1104] the pages are sound at a desk, on a laptop and on a phone, full and empty, in other languages", {
    timeout: START_TIMEOUT,
  }, async () => {
    const faults: string[] = [];
    const looks = [
      ...windows.map((viewport) => ["English", viewport, "/wealth?period=three-years"] as const),
      ["English", windows[0], "/client?ref=M-19&tab=wealth"],
      ["Français", windows[0], "/wealth"],
      ["Deutsch", windows[2], "/client?ref=M-17&tab=wealth"],
    ] as const;
    for (const [language, viewport, path] of looks) {
      await page.setViewportSize(windows[0]);
      await page.locator(".language-switch select").first().selectOption({ label: language });
      await page.setViewportSize(viewport);
      await go(path);
      const at = `${language}, ${path}, ${viewport.width} px`;
      faults.push(...(await auditRendered(page, "light")).map((fault) => `${at}: ${fault}`));
      faults.push(...(await spokenErrors(page)).map((fault) => `${at}: ${fault}`));
      const cut = await page.evaluate<readonly string[]>(CUT_OFF_IN_MAIN);
      faults.push(...cut.map((fault) => `${at}: ${fault}`));
      await picture(page, `${language}-${viewport.width}${path.includes("M-19") ? "-empty" : ""}`);
    }
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize(windows[0]);
    await go("/wealth?period=three-years");
    await picture(page, "dark");
    expect(faults).toEqual([]);
    expect(bea.complaints).toEqual([]);
  });
});

/** The first day of the period, as the page asks for it: by choosing days of one's own, which begin with it. */
async function firstDayAsked(page: Page): Promise<string> {
  const address = page.url();
  await page.getByLabel("Period", { exact: true }).selectOption("own");
  await page.waitForURL((url) => url.searchParams.get("from") !== null);
  const from = new URL(page.url()).searchParams.get("from") ?? "";
  await page.goto(address);
  await page.getByLabel("Period", { exact: true }).waitFor();
  return from;
}

/** What several portfolios lack in the same days is said once; a page shows twelve. */
function saidOnce(reasons: readonly object[]): number {
  return Math.min(12, new Set(reasons.map((reason) => JSON.stringify({ ...reason, portfolio_id: null }))).size);
}

interface Sum {
  readonly currency: string;
  readonly balance: string;
}
interface Part {
  readonly totals: readonly Sum[];
}
interface Paid {
  readonly totals: readonly { readonly net: string; readonly currency: string }[];
}
interface Gained {
  readonly gain: string | null;
}
