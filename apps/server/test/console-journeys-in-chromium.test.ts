import { setTimeout as delay } from "node:timers/promises";
import { createDatabaseRelay, type DatabaseRelay, testDatabaseUrl } from "@org/storage-postgres/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Person, press, sees, startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import {
  addDevice,
  auditScreens,
  consoleOrigin,
  firstOperatorLink,
  joinBy,
  nameOfFocused,
  personWithDevice,
  phone,
  reach,
} from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { ingest, insertLetters, submitLetter, waitingLetter } from "./letters.js";
import { auditRendered } from "./page-audit.js";

const executablePath = process.env.CHROMIUM_PATH;
/** The stream ends with the database, the page reconnects after three seconds, and a request waits some seconds for the database. */
const TOLD_WITHIN_MS = 15_000;
/** The page retries at most ten seconds apart. */
const BACK_WITHIN_MS = 15_000;

describe.skipIf(!executablePath || !testDatabaseUrl)("ways through the console, in Chromium", () => {
  let server: TestServer;
  let line: DatabaseRelay;
  let chromium: Browser;
  /** The installation's first operator. */
  let ada: Person;

  beforeAll(async () => {
    // The test ages proofs in the database, and also takes the database down.
    server = await startTestServer({ backend: "postgres" });
    line = await createDatabaseRelay(String(server.installation.environment.DATABASE_URL));
    await server.start({ DATABASE_URL: line.url });
    chromium = await startChromium(executablePath ?? "");
    ada = await personWithDevice(chromium);
    ada.context.setDefaultTimeout(20_000);
    await joinBy(ada, firstOperatorLink(server), "Ada");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.stop("SIGKILL");
    await line?.close();
    await server?.remove();
  });

  const address = (path = "") => `${consoleOrigin(server)}/console${path}`;
  const invite = async (person: object): Promise<string> =>
    (await server.operate("/operator/v1/people/invite", person)).link;

  it("[C-14.872] [C-14.99] who has lost their passkey gets in with a recovery code, once, and adds another one", async () => {
    const bo = await personWithDevice(chromium);
    onTestFinished(() => bo.context.close());
    bo.context.setDefaultTimeout(20_000);
    const { page } = bo;
    const [code = "", another = ""] = await joinBy(
      bo,
      await invite({ email: "bo@example.com", role: "operator", name: "Bo" }),
    );
    await bo.loseDevice();
    const leave = async () => {
      await press(page, "Sign out");
      await sees(page, "You are signed out");
      await page.goto(address("/account"));
    };
    const recover = async (by: string) => {
      await page.getByText("Sign in with a recovery code").click();
      await page.getByLabel("E-mail").fill("BO@example.com");
      await page.getByLabel("Recovery code").fill(by.toLowerCase());
      await press(page, "Use this code");
    };
    await page.goto(address("/account"));
    await leave();
    await recover(code);
    const offer = page.getByRole("dialog", { name: "You came in by a recovery code" });
    await offer.getByText("9 recovery codes are left.").waitFor();
    await offer.getByRole("button", { name: "Later" }).click();
    await sees(page, "Your account");
    await leave();
    await recover(code);
    await page.getByText("This code does not fit this e-mail address, or was used already.").waitFor();
    expect(await page.getByLabel("Recovery code").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Recovery code").fill(another);
    expect(await page.getByLabel("Recovery code").getAttribute("aria-invalid")).toBe(null);
    const loseNew = await addDevice(bo);
    await press(page, "Use this code");
    await offer.getByText("8 recovery codes are left.").waitFor();
    await page.locator("main h1").waitFor();
    expect(await auditRendered(page, "light")).toEqual([]);
    await offer.getByRole("button", { name: "Create your passkey" }).click();
    await offer.waitFor({ state: "detached" });
    await sees(page, "Your account");
    await loseNew();
    await addDevice(bo);
    await press(page, "Add a passkey");
    await page.getByLabel("Name of the passkey").fill("Blue key");
    await page.getByRole("dialog").getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("rowheader", { name: "Blue key" }).waitFor();
    // The device answers as soon as the page offers its passkeys.
    await leave();
    await sees(page, "Your account");
    expect(bo.complaints).toEqual([]);
  });

  it("[C-14.100] what is dangerous asks for the passkey, and goes on by itself", async () => {
    const { page } = ada;
    await page.goto(address("/people"));
    await press(page, "Invite somebody");
    await page.getByLabel("E-mail", { exact: true }).fill("carl@example.com");
    await server.installation.withDatabase((pool) =>
      pool.query("update people_sessions set confirmed_at = confirmed_at - interval '6 minutes'"),
    );
    await press(page, "Make the invitation");
    const question = page.getByRole("dialog", { name: "Is it you?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("This needs your passkey once more.").waitFor();
    expect(await page.getByLabel("E-mail", { exact: true }).inputValue()).toBe("carl@example.com");
    await press(page, "Make the invitation");
    await question.getByRole("button", { name: "Confirm with a passkey" }).click();
    await page.getByRole("dialog", { name: "The invitation for carl@example.com" }).waitFor();
  });

  it("[C-14.100] on a phone the keyboard opens the menu, goes on by it, and closes it", async () => {
    const { page } = ada;
    onTestFinished(() => page.setViewportSize({ width: 1280, height: 800 }));
    await page.setViewportSize(phone);
    await page.goto(address("/account"));
    await sees(page, "Your account");
    const menu = page.getByRole("dialog", { name: "Menu" });
    await reach(page, "Menu");
    await page.keyboard.press("Enter");
    await menu.waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    expect(await nameOfFocused(page)).toBe("Menu");
    await page.keyboard.press("Enter");
    await menu.waitFor();
    await reach(page, "People");
    await page.keyboard.press("Enter");
    await sees(page, "People");
    await menu.waitFor({ state: "detached" });
  });

  it("[C-14.93] every screen of a tenant's administrator is sound", async () => {
    const eve = await personWithDevice(chromium);
    onTestFinished(() => eve.context.close());
    const { demo } = server;
    await connectBank((await demo.openSession({ connector_id: sandboxBanks.eBanking })).widgetUrl, {
      username: "somebody",
      password: "a password",
    });
    await submitLetter(demo, sandboxBanks.datafeed);
    await joinBy(eve, await invite({ tenant_id: demo.tenantId, email: "eve@example.com", role: "admin", name: "Eve" }));
    await eve.page.goto(address("/connections"));
    const connection = await eve.page.locator("main tbody a").first().getAttribute("href");
    expect(await auditScreens(eve.page, consoleOrigin(server), [String(connection)])).toEqual([]);
    expect(eve.complaints).toEqual([]);
  });

  it("[C-14.101] of two operators at one letter the second is told, and nothing is lost", async () => {
    const bea = await personWithDevice(chromium);
    onTestFinished(() => bea.context.close());
    bea.context.setDefaultTimeout(20_000);
    await joinBy(bea, await invite({ email: "bea@example.com", role: "operator", name: "Bea" }));
    const letter = await submitLetter(server.demo, sandboxBanks.datafeed);
    const write = async (page: Page, text: string) => {
      await page.goto(address(`/letters/${letter}`));
      await press(page, "Write observations");
      await page.getByRole("dialog").getByLabel("Observations").fill(text);
    };
    await write(bea.page, "Bea has called the bank.");
    await write(ada.page, "Ada has written to the bank.");
    await press(ada.page, "Save");
    await ada.page.getByRole("dialog").waitFor({ state: "detached" });
    const dialog = bea.page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Somebody else saved a change meanwhile.").waitFor();
    await dialog.getByText("Ada changed the observations on this letter").waitFor();
    await dialog.getByText("Ada has written to the bank.").waitFor();
    expect(await dialog.getByLabel("Observations").inputValue()).toBe("Bea has called the bank.");
    const shown = async () => (await server.operate("/operator/v1/letters/show", { letter_id: letter })).letter;
    expect((await shown()).observations).toBe("Ada has written to the bank.");
    await press(bea.page, "Go on with what is there now");
    await dialog.getByLabel("Observations").fill("Ada has written to the bank, Bea has called it.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    // Ada's open page shows it on its own, and the stream does not count as activity of hers.
    await ada.page.getByText("Ada has written to the bank, Bea has called it.").waitFor();
    expect(
      (await shown()).history.map(({ actor_name }: { actor_name: string | null }) => actor_name).slice(-2),
    ).toEqual(["Ada", "Bea"]);
  });

  it("[C-14.101] the client's details of a letter are not written over what somebody else has kept meanwhile", async () => {
    const { page } = ada;
    const { demo } = server;
    const { letter } = await server.operate("/operator/v1/letters/request", {
      tenant_id: demo.tenantId,
      connector_id: sandboxBanks.datafeed,
    });
    const details = (full_name: string) => ({ full_name, address: ["Calle Mayor 1"], accounts: [], language: "es" });
    const keep = (full_name: string) =>
      server.operate("/operator/v1/letters/details", { letter_id: letter.id, details: details(full_name) });
    await keep("Ana Muster");
    await page.goto(address(`/letters/${letter.id}`));
    await press(page, "Correct the client's details");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name as the custodian knows it").fill("Anna Mustermann");
    await keep("Ana Muster y Gil");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Ana Muster y Gil").waitFor();
    const shown = async () => (await server.operate("/operator/v1/letters/show", { letter_id: letter.id })).letter;
    expect((await shown()).details.full_name).toBe("Ana Muster y Gil");
    expect(await dialog.getByLabel("Name as the custodian knows it").inputValue()).toBe("Anna Mustermann");
    expect(await auditRendered(page, "light")).toEqual([]);
    await press(page, "Go on with what is there now");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await shown()).details.full_name).toBe("Anna Mustermann");
  });

  it("[C-14.126] what somebody else made of a source meanwhile is shown, and kept with what was typed", async () => {
    const { page } = ada;
    const set = (settings: object) => server.operate("/operator/v1/sources/set", { source: "house", settings });
    await set({ kind: "push", patterns: ["*.xml"] });
    await page.goto(address("/sources/house"));
    await press(page, "Change");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Bytes of a file at most").fill("5000");
    await set({ kind: "push", patterns: ["*.csv"] });
    const save = () => dialog.getByRole("button", { name: "Save" }).click();
    await save();
    await dialog.getByText("Somebody else saved a change meanwhile.").waitFor();
    await dialog.getByRole("definition").getByText("*.csv").waitFor();
    expect(await dialog.getByLabel("Bytes of a file at most").inputValue()).toBe("5000");
    expect(await auditRendered(page, "light")).toEqual([]);
    await press(page, "Go on with what is there now");
    await save();
    await dialog.waitFor({ state: "detached" });
    const { source } = await server.operate("/operator/v1/sources/show", { source: "house" });
    expect(source.settings).toMatchObject({ patterns: ["*.csv"], max_file_bytes: 5_000 });
  });

  it("[C-9.212] pages that a custodian owes are in the queue after a week, say which are missing, and go when these come", async () => {
    const { page } = ada;
    const letter_id = await waitingLetter(server, await server.loginAgain(server.demo), sandboxBanks.datafeed);
    const send = async (number: string) => (await ingest(server, { letter_id }, positionsPage(number), "p.fin")).body;
    expect(await send("1/MORE")).toMatchObject({ status: "ingested", portfolios: 0 });
    expect(await send("3/LAST")).toMatchObject({ status: "ingested", portfolios: 0 });
    const told = () =>
      page.getByRole("table", { name: "Pending" }).locator("tbody tr").locator("td, th").allTextContents();
    await page.goto(address("/feeds?tab=pending"));
    await expect.poll(told).toEqual(expect.arrayContaining(["Missing pages: 2", "Pages missing"]));
    await page.goto(address("/work?kind=pages_overdue"));
    await page.getByRole("heading", { name: NOTHING }).waitFor();

    // What the job of overdue statements does after a week.
    await server.installation.withDatabase((pool) =>
      pool.query("update feed_pages set kept_at = kept_at - interval '8 days', expired_at = now()"),
    );
    await page.reload();
    await page.getByRole("link", { name: /^Pages are missing/ }).waitFor();
    expect(await auditRendered(page, "light")).toEqual([]);
    await page.getByRole("link", { name: /^See the pages/ }).click();
    await expect.poll(told).toEqual(expect.arrayContaining(["Missing pages: 2", "Overdue"]));

    expect(await send("2/MORE")).toMatchObject({ status: "ingested", portfolios: 1, holdings: 3 });
    await page.goto(address("/work?kind=pages_overdue"));
    await page.getByRole("heading", { name: NOTHING }).waitFor();
    expect(ada.complaints).toEqual([]);
  });

  it("[C-14.124] a page that nobody touches shows what happens, and keeps no session by it", async () => {
    const { page } = ada;
    await page.goto(address("/letters"));
    await sees(page, "Letters");
    const seenAt = (change = "") =>
      server.installation.withDatabase(async (pool) => {
        if (change !== "") await pool.query(`update people_sessions set seen_at = ${change}`);
        const { rows } = await pool.query<{ seen_at: Date }>("select max(seen_at) as seen_at from people_sessions");
        return rows[0]?.seen_at;
      });
    const searched = async () => {
      const asked = page.waitForRequest("**/letters/search");
      await submitLetter(await server.loginAgain(server.demo), sandboxBanks.datafeed);
      const request = await asked;
      expect((await request.response())?.status()).toBe(200);
      return request.headers()["x-unattended"];
    };
    let before: Date | undefined;
    // Requests from the page's load may still be in progress.
    const isQuiet = async () => {
      before = await seenAt("now() - interval '30 minutes'");
      await page.waitForTimeout(300);
      return (await seenAt())?.getTime() === before?.getTime();
    };
    await expect.poll(isQuiet).toBe(true);
    await page.evaluate("{ const now = Date.now; Date.now = () => now() + 61_000; }");
    expect(await searched()).toBe("1");
    expect(await seenAt()).toEqual(before);
    await page.keyboard.press("Shift");
    expect(await searched()).toBeUndefined();
    await expect.poll(() => seenAt()).not.toEqual(before);
  });

  it("[C-14.125] a table of thousands asks for what is looked at, anywhere, and is where one left it", async () => {
    const { page } = ada;
    const count = 700;
    await insertLetters(server, count);
    await page.goto(address("/letters?label=pile%3Dhigh"));
    const table = page.locator(".table.tall");
    const shown = (row: number) => page.locator(`tr[data-row="${row}"] a`);
    await shown(0).waitFor();
    const searches: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/letters/search")) searches.push(request.postData() ?? "");
    });
    const scrollTo = (where: string) =>
      page.evaluate(`(() => { const it = document.querySelector(".table.tall"); it.scrollTop = ${where}; })()`);
    const inTheMiddle = () => page.evaluate<{ id: string; row: number; top: number }>(LOOKED_AT);
    expect(await table.locator("table").getAttribute("aria-rowcount")).toBe(String(count + 1));

    // The end is one page away, and so is every other place; the keyboard reaches both.
    await shown(0).focus();
    await page.keyboard.press("End");
    await page.locator(`tr[data-row="${count - 1}"][aria-rowindex="${count + 1}"] a:focus`).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.locator(`tr[data-row="${count - 2}"] a:focus`).waitFor();
    expect(searches.length).toBeLessThanOrEqual(4);
    expect(await table.locator("tr[data-row]").count()).toBeLessThan(80);

    // Scrolling row by row loads each row once.
    await page.keyboard.press("Home");
    await page.locator('tr[data-row="0"] a:focus').waitFor();
    searches.length = 0;
    const seen = new Map<number, string>();
    await expect
      .poll(
        async () => {
          for (const [row, id] of await page.evaluate<[number, string][]>(SCROLL_ON)) seen.set(row, id);
          return seen.size;
        },
        { interval: 20 },
      )
      .toBe(count);
    expect(new Set(seen.values()).size).toBe(count);

    // An event reloads only what is on the screen, and the scroll position stays.
    await scrollTo("it.scrollHeight / 2");
    await shown(355).waitFor();
    const before = await inTheMiddle();
    searches.length = 0;
    await submitLetter(await server.loginAgain(server.demo), sandboxBanks.datafeed, { labels: { pile: "high" } });
    await page.getByText(`${count + 1} letters`).waitFor();
    expect(searches.length).toBeLessThanOrEqual(2);
    expect(await inTheMiddle()).toEqual(before);
    await server.operate("/operator/v1/letters/cancel", { letter_id: before.id });
    await page.locator(`tr[data-row="${before.row}"]`, { hasText: "Cancelled" }).waitFor();
    expect(await inTheMiddle()).toEqual(before);

    // The position also stays on the first page, where the letter is inserted above.
    await scrollTo("1200");
    await expect.poll(inTheMiddle).toMatchObject({ row: expect.toSatisfy((row: number) => row < 60) });
    const near = await inTheMiddle();
    await submitLetter(await server.loginAgain(server.demo), sandboxBanks.datafeed, { labels: { pile: "high" } });
    await page.getByText(`${count + 2} letters`).waitFor();
    expect(await inTheMiddle()).toMatchObject({ id: near.id, top: near.top });
    await scrollTo("it.scrollHeight / 2");
    await shown(before.row).waitFor();

    // A selection persists out of sight.
    await shown(before.row).focus();
    await page.keyboard.press("x");
    await scrollTo("0");
    await shown(0).waitFor();
    await page.getByRole("button", { name: "Move 1", exact: true }).waitFor();
    expect(await page.evaluate("document.activeElement.className")).toContain("table");
    expect(await auditRendered(page, "light")).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.locator(`tr[data-row="${before.row + 1}"] a:focus`).waitFor();

    // Back restores the position without loading what lies above.
    const left = await inTheMiddle();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/letters\/[0-9a-f-]+$/);
    await table.waitFor({ state: "detached" });
    searches.length = 0;
    await page.goBack();
    await shown(left.row).waitFor();
    expect(await inTheMiddle()).toEqual(left);
    expect(searches.length).toBeLessThanOrEqual(2);

    // A failed load is retried only when the person asks, not in a loop.
    await page.goto(address("/letters?label=pile%3Dhigh"));
    await shown(0).waitFor();
    await page.route("**/letters/search", (route) =>
      route.fulfill({ status: 500, json: { error: { code: "INTERNAL" } } }),
    );
    searches.length = 0;
    await scrollTo("it.scrollHeight");
    await page.getByRole("alert").waitFor();
    const asked = searches.length;
    await delay(500);
    expect(searches.length).toBe(asked);
    await page.unroute("**/letters/search");
    await page.getByRole("button", { name: "Try again" }).click();
    await shown(count + 1).waitFor();
  });

  it("[C-14.94] while the database is away the page says so by itself, keeps what is typed, and recovers", {
    timeout: 120_000,
  }, async () => {
    const { page } = ada;
    const before = ada.complaints.length;
    await page.goto(address("/people"));
    await press(page, "Invite somebody");
    await page.getByLabel("E-mail", { exact: true }).fill("dora@example.com");
    const away = page.getByText("The server does not answer.").first();
    await line.down();
    await away.waitFor({ timeout: TOLD_WITHIN_MS });
    await press(page, "Make the invitation");
    // The list behind may say so first, while the invitation still waits for the database and would be made once it returns.
    await page.getByRole("dialog").getByText("The server cannot be reached just now.").waitFor();
    await line.up();
    await away.waitFor({ state: "detached", timeout: BACK_WITHIN_MS });
    expect(await page.getByLabel("E-mail", { exact: true }).inputValue()).toBe("dora@example.com");
    await press(page, "Make the invitation");
    // The form may be open for a moment longer, with a button of the same name.
    const invitation = page.getByRole("dialog", { name: "The invitation for dora@example.com" });
    await invitation.getByRole("button", { name: "Close", exact: true }).click();
    // Events arrive again.
    await page.goto(address("/letters"));
    await sees(page, "Letters");
    await submitLetter(await server.loginAgain(server.demo), sandboxBanks.datafeed, {
      labels: { case: "after the absence" },
    });
    await page.getByText("case=after the absence").waitFor();
    expect(ada.complaints.slice(before).filter((words) => !/status of 503/.test(words))).toEqual([]);
  });
});

const NOTHING = /^Nothing (for this filter|needs you)$/;

/** A page of a custodian's statement of holdings (MT535) with one security. @param number such as `1/MORE` */
function positionsPage(number: string): Buffer {
  return Buffer.from(
    [
      `:16R:GENL\n:28E:${number}\n:23G:NEWM\n:98A::STAT//20240131\n:97A::SAFE//42\n:17B::ACTI//Y\n:16S:GENL`,
      `:16R:FIN\n:35B:SHARE ${number}\n:93B::AGGR//UNIT/1,\n:19A::HOLD//EUR10,5\n:16S:FIN`,
    ].join("\n"),
  );
}

/** In the page: the rendered rows of letters, and which letters they are; scrolls on if none is loading. */
const SCROLL_ON = `(() => {
  const table = document.querySelector(".table.tall");
  const rows = [...table.querySelectorAll("tr[data-row]")].flatMap((row) => {
    const link = row.querySelector("a");
    return link ? [[Number(row.dataset.row), link.pathname.split("/").pop()]] : [];
  });
  if (!table.querySelector("td.waiting")) table.scrollTop += 400;
  return rows;
})()`;

/** In the page: the letter in the middle of the table, and its position. */
const LOOKED_AT = `(() => {
  const frame = document.querySelector(".table.tall").getBoundingClientRect();
  const row = document.elementFromPoint(frame.left + 200, frame.top + 250).closest("tr");
  const id = row.querySelector("a").pathname.split("/").pop();
  return { id, row: Number(row.dataset.row), top: row.getBoundingClientRect().top - frame.top };
})()`;
