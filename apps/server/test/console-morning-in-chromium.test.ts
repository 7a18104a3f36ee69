import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { submitLetter, waitingLetter } from "./letters.js";
import { startMailServer, type TestMailServer } from "./mail-server.js";
import { ofxStatement } from "./ofx-statement.js";
import { auditRendered } from "./page-audit.js";
import { CUT_OFF_IN_MAIN, pictures, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const LETTERS = 200;
const contact_info = { banker_email: "desk@custody.example" };
const broken = "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><SIGNONMSGSRSV1>";

/** What each of the seven costs: clicks, keys, and fields that are filled. */
const costs = {
  "a mail that was refused": { clicks: 0, keys: 3, fields: 1 },
  "a mail in doubt": { clicks: 0, keys: 3, fields: 0 },
  "a webhook that was given up": { clicks: 0, keys: 2, fields: 0 },
  "a file with a bad line": { clicks: 2, keys: 2, fields: 1 },
  "a custodian that does not answer": { clicks: 1, keys: 2, fields: 1 },
  "a letter that stands still": { clicks: 0, keys: 3, fields: 0 },
  "a lost login": { clicks: 1, keys: 2, fields: 0 },
} as const;

describe.skipIf(!executablePath || !testDatabaseUrl)("a desk's morning in the work queue, in Chromium", () => {
  const drop = mkdtempSync(join(tmpdir(), "drop-"));
  let mailServer: TestMailServer;
  let server: TestServer;
  let chromium: Browser;
  let ada: Person;

  beforeAll(async () => {
    mailServer = await startMailServer();
    // The test ages letters and settles mails in the database.
    server = await startTestServer({
      backend: "postgres",
      environment: {
        DROP_DIR: drop,
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        MAIL_FROM: "letters@connect.example",
        // Longer than any of this takes: nothing leaves by itself.
        MAIL_DELAY_SECONDS: "600",
      },
      schedule: { dropFolder: 100 },
    });
    await prepareMorning(server, drop);
    chromium = await startChromium(executablePath ?? "");
    ada = await personWithDevice(chromium);
    await joinBy(ada, firstOperatorLink(server), "Ada Operator");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
    await mailServer?.close();
    rmSync(drop, { recursive: true, force: true });
  });

  const open = async (query = "") => {
    await ada.page.goto(`${consoleOrigin(server)}/console/work${query}`);
    await ada.page.locator('main tr[data-row="0"] a').first().waitFor();
  };
  const row = (index: number) => ada.page.locator(`main tr[data-row="${index}"]`);

  it("[C-14.894] Shift and a click or an arrow select a range, which the arrow back gives up; z takes back what was done to it", async () => {
    const { page } = ada;
    await open();
    const chosen = page.locator(".work-bulk > span");
    await row(1).locator("input").check();
    await row(4)
      .locator("input")
      .click({ modifiers: ["Shift"] });
    await chosen.getByText("4 selected").waitFor();
    await page.getByRole("button", { name: "Clear the selection" }).click();
    await row(0).locator("a").first().focus();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("Shift+ArrowDown");
    await chosen.getByText("4 selected").waitFor();
    await page.keyboard.press("Shift+ArrowUp");
    await chosen.getByText("3 selected").waitFor();
    await page.keyboard.press("t");
    await page.locator(".work-made").getByText("3 lines are yours.").waitFor();
    await pictures(ada.page, "morning-taken");
    await page.keyboard.press("z");
    await page.locator(".work-made").getByText("3 lines are as they were.").waitFor();
  });

  it("[C-14.1073] every line's next step is whole in every window, in four languages", async () => {
    const { page } = ada;
    await open();
    const choice = page.locator(".sidebar .language-switch select");
    const faults: string[] = [];
    for (const language of ["de", "fr", "es", "en"]) {
      await choice.selectOption(language);
      for (const window of windows) {
        await page.setViewportSize(window);
        const found = await page.evaluate<string[]>(CUT_OFF_IN_MAIN);
        faults.push(...found.map((fault) => `${language}, ${window.width} px: ${fault}`));
      }
      await page.setViewportSize(windows[0]);
    }
    expect(faults).toEqual([]);
  });

  it("[C-14.895] steps for several lines of a kind say what they do first, and what became of each", async () => {
    const { page } = ada;
    await open();
    await page.getByLabel("Select all", { exact: false }).first().check();
    await page.getByRole("button", { name: "Try the file again" }).click();
    const dialog = page.getByRole("dialog", { name: "Try the file again" });
    await dialog.getByText("1 file is read again. What still cannot be read stays held.").waitFor();
    await pictures(ada.page, "morning-bulk");
    await dialog.getByRole("button", { name: "Try the file again" }).click();
    const results = page.getByRole("dialog", { name: "Result of each line" });
    await results.getByText("0 of 1 done.").waitFor();
    await results.getByText("the file ends before this element is closed").waitFor();
    expect(await auditRendered(page, "light")).toEqual([]);
    await pictures(ada.page, "morning-bulk-results");
    await results.getByRole("button", { name: "Close" }).last().click();
  });

  it("[C-14.891] [C-14.896] seven stuck things among 200 letters are dealt with from the queue, each in a few keys; the texts to the custodian have its address", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = ada;
    await open();
    await page.getByRole("button", { name: "All 7" }).waitFor();
    expect(await auditRendered(page, "light")).toEqual([]);
    await pictures(ada.page, "morning-morning");
    const counted: Record<string, { clicks: number; keys: number; fields: number }> = {};
    let now = { clicks: 0, keys: 0, fields: 0 };
    const key = (name: string) => {
      now.keys += 1;
      return page.keyboard.press(name);
    };
    const click = (found: Locator) => {
      now.clicks += 1;
      return found.click();
    };
    const fill = (text: string) => {
      now.fields += 1;
      return page.locator("dialog[open] :is(input, textarea):focus").fill(text);
    };
    const dialog = (name: string) => page.getByRole("dialog", { name });
    /** Goes to the first line, whatever it is, and begins what is next. */
    const begin = async (what: keyof typeof costs, line: string) => {
      now = { clicks: 0, keys: 0, fields: 0 };
      counted[what] = now;
      await first(line).waitFor();
      await key("j");
      await key("a");
    };
    const first = (line: string) => row(0).locator("th", { hasText: line });
    const gone = (line: string) => first(line).waitFor({ state: "detached" });
    await page.locator("main h1").click();

    await begin("a mail that was refused", "Mail was refused");
    await dialog("Send the mail again").getByText("550 no such user").waitFor();
    await pictures(ada.page, "morning-1-refused-mail");
    await fill("new@custody.example");
    await key("Enter");
    await gone("Mail was refused");

    await reset();
    await begin("a mail in doubt", "Did the mail arrive?");
    await dialog("Did the mail arrive?").waitFor();
    await pictures(ada.page, "morning-2-doubt");
    await key("Enter");
    await gone("Did the mail arrive?");

    await reset();
    await begin("a webhook that was given up", "Webhook was given up");
    await gone("Webhook was given up");

    await reset();
    await begin("a file with a bad line", "File is held");
    const file = dialog("broken.ofx");
    await file.getByRole("button", { name: "Write to the custodian" }).click();
    await file.getByText("To desk@custody.example").waitFor();
    expect(await file.getByRole("link", { name: "Open in the mail program" }).getAttribute("href")).toContain(
      "mailto:desk@custody.example?",
    );
    await pictures(ada.page, "morning-3-file");
    await click(file.getByRole("button", { name: "Replace the file" }));
    const replacing = dialog("Replace the file");
    // A file that is refused too changes nothing.
    const chooser = replacing.getByLabel("Drop a file here, or choose one");
    await chooser.setInputFiles({ name: "worse.ofx", mimeType: "text/plain", buffer: Buffer.from(broken) });
    await replacing.getByRole("button", { name: "Take the new file" }).click();
    await replacing.getByText("the file ends before this element is closed").waitFor();
    await pictures(ada.page, "morning-4-replace");
    const { items } = await server.operate("/operator/v1/datafeeds/list-pending", {});
    expect(items).toHaveLength(1);
    now.fields += 1;
    await chooser.setInputFiles({ name: "mended.ofx", mimeType: "text/plain", buffer: Buffer.from(ofxStatement(1)) });
    await click(replacing.getByRole("button", { name: "Take the new file" }));
    await gone("File is held");

    await reset();
    await begin("a custodian that does not answer", "Letter stands still");
    const noting = dialog("Note what was done");
    await noting.getByRole("button", { name: /^Write to / }).click();
    await noting.getByText("To desk@custody.example").waitFor();
    await pictures(ada.page, "morning-5-ask");
    now.fields += 1;
    await noting.getByLabel("What was done").fill("Called the custodian.");
    await click(noting.getByRole("button", { name: "Save" }));
    // Counted as a person would do it: the field has the focus, and a text of several lines is kept with the button.
    await gone("Sent to custodian");

    await reset();
    await begin("a letter that stands still", "Letter stands still");
    await dialog("Move the letter on").waitFor();
    await key("Enter");
    const waiting = page.getByRole("region", { name: "Mails that wait" });
    await waiting.waitFor();
    await pictures(ada.page, "morning-6-moved");
    await gone("Letter stands still");
    // Moved by mistake: one key takes the mail and the move back.
    await page.keyboard.press("z");
    await page.getByText("Undone: nothing was mailed").waitFor();
    // The mails that were sent again before still wait.
    await waiting.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });

    await reset();
    await begin("a lost login", "Client must reconnect");
    await page.getByRole("dialog").getByRole("button", { name: "Make the link" }).waitFor();
    await pictures(ada.page, "morning-7-login");
    await click(page.getByRole("dialog").getByRole("button", { name: "Make the link" }));
    await dialog("Hand this to the client").getByText("Not opened yet").waitFor();
    await pictures(ada.page, "morning-8-link");
    expect(counted).toEqual(costs);
    expect(ada.complaints).toEqual([]);
  });

  /** Takes the focus back to the page, as it is on arrival. */
  async function reset(): Promise<void> {
    await ada.page.locator("dialog[open]").waitFor({ state: "detached" });
    await ada.page.locator("main h1").click();
  }
});

/** 200 letters that need nobody, and seven things that do. */
async function prepareMorning(server: TestServer, drop: string): Promise<void> {
  const { demo, installation } = server;
  const advance = (letter_id: string, to?: string) =>
    server.operate("/operator/v1/letters/advance", { letter_id, ...(to !== undefined && { to }) });
  const mailed = async () => {
    const id = await submitLetter(demo, sandboxBanks.datafeed, { contact_info });
    await advance(id, "SentToCustodian");
    return id;
  };
  const { widgetUrl } = await demo.openSession({ connector_id: sandboxBanks.psd2 });
  await connectBank(widgetUrl, { username: "BLOCKED_AFTER", password: "BLOCKED_AFTER" });
  const { body } = await demo.post("/data/v1/search-connections", { page_size: 1 });
  await demo.post("/connect/v2/connections/refresh", { connection_id: body.items[0].connection_id });

  const [failed, doubtful, silent] = [await mailed(), await mailed(), await mailed()];
  const still = await submitLetter(demo, sandboxBanks.datafeed, { contact_info });
  const fed = await submitLetter(demo, sandboxBanks.datafeed, { contact_info });
  for (const to of ["SentToCustodian", "AcceptedByCustodian", "ConnectionSetup", "WaitingForData"])
    await advance(fed, to);
  await waitingLetter(server, demo, sandboxBanks.datafeed);
  await demo.post("/events/v1/create-endpoint", { url: "https://crm.invalid/hooks" });
  await installation.withDatabase(async (pool) => {
    const settle = (letter: string, state: string, error: string | null) =>
      pool.query("update mails set state = $2, last_error = $3, settled_at = now() where letter_id = $1", [
        letter,
        state,
        error,
      ]);
    await settle(failed, "failed", "550 no such user");
    await settle(doubtful, "in_doubt", null);
    await settle(silent, "sent", null);
    await settle(fed, "sent", null);
    const age = (letter: string, days: number) =>
      pool.query("update letters set status_since = now() - make_interval(days => $2) where letter_id = $1", [
        letter,
        days,
      ]);
    await age(silent, 30);
    await age(still, 9);
    await pool.query(
      "update webhook_endpoints set is_enabled = false, disabled_reason = 'failing', disabled_at = now()",
    );
    await pool.query(
      `insert into letters (tenant_id, letter_id, connector_id, status, ever_connected, labels, contact_info, created_at, updated_at, status_since)
       select $1, gen_random_uuid(), $2, 'Signed', false, '{"pile": "new"}', '{}', at, at, at
       from (select now() - i * interval '1 minute' as at from generate_series(1, $3::int) i) moments`,
      [demo.tenantId, sandboxBanks.datafeed, LETTERS],
    );
  });
  mkdirSync(join(drop, fed));
  const path = join(drop, fed, "broken.ofx");
  writeFileSync(path, broken);
  utimesSync(path, new Date(), new Date(Date.now() - 60_000));
  await eventually(async () => {
    const { counts } = await server.operate("/operator/v1/work/list", {});
    return counts.file_held === 1 && counts.connection_relogin === 1;
  }, "a held file and a lost login in the queue");
}
