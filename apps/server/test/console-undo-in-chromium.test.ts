import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import {
  consoleOrigin,
  desk,
  firstOperatorLink,
  isIn,
  joinBy,
  personWithDevice,
  signInWithDevice,
} from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { startMailServer, type TestMailServer } from "./mail-server.js";
import { pictures, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const contact_info = { banker_email: "desk@custody.example" };

describe.skipIf(!executablePath)("undo in the console, in Chromium", () => {
  let mailServer: TestMailServer;
  let server: TestServer;
  let chromium: Browser;
  let operator: Person;

  beforeAll(async () => {
    mailServer = await startMailServer();
    server = await startTestServer({
      backend: oneBackend("it is about pages in a browser"),
      environment: {
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        MAIL_FROM: "letters@connect.example",
        // Longer than any of this takes: nothing here waits for its end.
        MAIL_DELAY_SECONDS: "600",
      },
    });
    chromium = await startChromium(executablePath ?? "");
    operator = await personWithDevice(chromium);
    await joinBy(operator, firstOperatorLink(server), "Ada Operator");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
    await mailServer?.close();
  });

  const open = async (path: string) => {
    await operator.page.goto(`${consoleOrigin(server)}/console${path}`);
    await operator.page.locator("main h1").waitFor();
  };
  const show = async (letter_id: string) =>
    (await server.operate("/operator/v1/letters/show", { letter_id })).letter as {
      status: string;
      connection_id: string | null;
      mails: { mail_id: string; kind: string; state: string }[];
      history: { event: string; actor_name: string }[];
    };
  const notice = (page: Page) => page.getByRole("region", { name: "Mails that wait" });

  it("[C-14.823] a move's notice counts down, survives a reload, and undoes move and mail by one key", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    const letter = await submitLetter(server.demo, sandboxBanks.datafeed, { contact_info });
    await open(`/letters/${letter}`);
    await page.getByRole("button", { name: "Advance to: Sent to custodian" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Advance" }).click();
    await notice(page).waitFor();
    expect(await notice(page).textContent()).toMatch(/^1 mail to desk@custody\.example goes out in \d+ secondsUndo$/);
    // It is announced once, with whole words, and does not count down aloud.
    const announced = page.getByRole("status").filter({ hasText: "goes out in" });
    expect(await announced.textContent()).toMatch(/^1 mail to desk@custody\.example goes out in \d+ seconds$/);
    await pictures(page, "letter");
    // The letter's page has it among its mails, and the notice is on every screen, also after a reload.
    await page.getByRole("row", { name: /To the custodian waits goes out in \d+ seconds/ }).waitFor();
    await page.reload();
    await notice(page).waitFor();
    await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Letters", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Letters" }).waitFor();
    await notice(page).getByRole("button", { name: "Undo" }).focus();
    await page.keyboard.press("z");
    await page.getByText("Undone: nothing was mailed").waitFor();
    await notice(page).waitFor({ state: "detached" });
    const undone = await show(letter);
    expect(undone).toMatchObject({ status: "Signed", mails: [{ state: "withdrawn" }] });
    expect(undone.history.at(-1)).toMatchObject({ event: "undo", actor_name: "Ada Operator" });
    expect(mailServer.arrived).toEqual([]);
  });

  it("[C-14.823] the countdown is the server's, also where a device's clock is an hour off", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    const letter = await submitLetter(server.demo, sandboxBanks.datafeed, { contact_info });
    for (const hours of [1, -1]) {
      await page.clock.setSystemTime(Date.now() + hours * 3_600_000);
      await open(`/letters/${letter}`);
      await page.getByRole("button", { name: "Advance to: Sent to custodian" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Advance" }).click();
      await notice(page).waitFor();
      await page.reload();
      await notice(page).waitFor();
      const seconds = Number(/in (\d+) seconds/.exec(String(await notice(page).textContent()))?.[1]);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(605);
      await notice(page).getByRole("button", { name: "Undo" }).click();
      await notice(page).waitFor({ state: "detached" });
    }
    await page.clock.setSystemTime(Date.now());
  });

  it("[C-14.823] moves of many have one notice and one Undo, with a result for each letter", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    const tenant = await server.demo;
    const letters: string[] = [];
    for (let n = 0; n < 3; n += 1)
      letters.push(await submitLetter(tenant, sandboxBanks.datafeed, { contact_info, labels: { batch: "undo" } }));
    await open("/letters?text=undo");
    await page.locator('main tr[data-row="2"] input').waitFor();
    for (const row of [0, 1, 2]) await page.locator(`main tr[data-row="${row}"] input`).check();
    await page.getByRole("button", { name: "Move 3", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Show what will happen" }).click();
    await dialog.getByRole("button", { name: "Move 3 letters" }).click();
    await notice(page).waitFor();
    expect(await notice(page).textContent()).toMatch(/^3 mails go out in \d+ secondsUndo$/);
    await pictures(page, "bulk");
    await server.operate("/operator/v1/letters/observe", { letter_id: letters[1], observations: "changed since" });
    await notice(page).getByRole("button", { name: "Undo" }).click();
    const results = page.getByRole("dialog", { name: "What was undone" });
    await results.getByText("Undone: 2. Not undone: 1.").waitFor();
    await pictures(page, "bulk-undone");
    await results.getByRole("button", { name: "Done" }).click();
    const statuses = await Promise.all(letters.map(async (id) => (await show(id)).status));
    expect(statuses).toEqual(["Signed", "SentToCustodian", "Signed"]);
    expect(mailServer.arrived).toEqual([]);
  });

  /** Letters whose mail to the custodian failed. */
  async function failedMails(count: number): Promise<string[]> {
    const letters: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const letter_id = await submitLetter(server.demo, sandboxBanks.datafeed, { contact_info });
      await server.operate("/operator/v1/letters/advance", { letter_id });
      letters.push(letter_id);
    }
    await server.stop();
    await server.installation.withDatabase((pool) =>
      pool.query("update mails set state = 'failed', attempts = 1, settled_at = now() where letter_id = any($1)", [
        letters,
      ]),
    );
    await server.start();
    return letters;
  }

  it("[C-14.965] a mail that is sent again has the notice of a move on every screen, and one key withdraws it", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    const [letter = ""] = await failedMails(1);
    await open(`/letters/${letter}`);
    await page.getByRole("button", { name: "Send again: To the custodian" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
    await notice(page).waitFor();
    expect(await notice(page).textContent()).toMatch(
      /^1 mail to desk@custody\.example goes out in \d+ secondsDo not send it$/,
    );
    await page.getByRole("row", { name: /To the custodian waits goes out in \d+ seconds/ }).waitFor();
    await pictures(page, "mail-again");
    await page.reload();
    await notice(page).waitFor();
    await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Letters", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Letters" }).waitFor();
    await page.keyboard.press("z");
    await page.getByText("Not sent. The letter says what is to be done instead.").waitFor();
    await notice(page).waitFor({ state: "detached" });
    expect(await show(letter)).toMatchObject({ status: "SentToCustodian", mails: [{ state: "withdrawn" }] });
    expect(mailServer.arrived).toEqual([]);
  });

  it("[C-14.965] mails that are sent again together have one notice, in the dialog of their results, and a result for each", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    const letters = await failedMails(3);
    await open("/work?kind=mail_failed");
    await page.locator('main tr[data-row="2"] input').waitFor();
    for (const row of [0, 1, 2]) await page.locator(`main tr[data-row="${row}"] input`).check();
    await page.getByRole("button", { name: "Send 3 mails again" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("desk@custody.example").waitFor();
    await dialog.getByRole("button", { name: "Send 3 mails again" }).click();
    await dialog.getByRole("region", { name: "Mails that wait" }).waitFor();
    expect(await notice(page).textContent()).toMatch(/^3 mails go out in \d+ secondsDo not send them$/);
    await pictures(page, "mails-again");
    const [first] = (await show(letters[0] ?? "")).mails.slice(-1);
    await server.operate("/operator/v1/mails/withdraw", { mail_id: first?.mail_id });
    await page.keyboard.press("z");
    const results = page.getByRole("dialog", { name: "What is not sent" });
    await results.getByText("Not sent: 2. Could not be held back: 1.").waitFor();
    await pictures(page, "mails-not-sent");
    await results.getByRole("button", { name: "Done" }).click();
    for (const id of letters) expect((await show(id)).mails.at(-1)).toMatchObject({ state: "withdrawn" });
    expect(mailServer.arrived).toEqual([]);
  });

  it("[C-14.1070] of mails that are sent again together one whose answer is lost is sent once, also after a reload", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    const again = async () => (await server.operate("/operator/v1/audit/list", { action: "mail.retry" })).items.length;
    const before = await again();
    await failedMails(3);
    await open("/work?kind=mail_failed");
    await page.locator('main tr[data-row="2"] input').waitFor();
    for (const row of [0, 1, 2]) await page.locator(`main tr[data-row="${row}"] input`).check();
    await page.getByRole("button", { name: "Send 3 mails again" }).click();
    let asked = 0;
    await page.route("**/mails/retry", async (route) => {
      asked += 1;
      if (asked !== 2) return route.continue();
      await route.fetch();
      return route.abort();
    });
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Send 3 mails again" }).click();
    await dialog.getByText("1 of 3 done.").waitFor();
    await page.reload();
    const made = page.locator(".work-made");
    await made.getByText("Stopped. 2 lines are left.").waitFor();
    await made.getByRole("button", { name: "Continue" }).click();
    await made.getByText("3 of 3 done.").waitFor();
    expect([asked, await again()]).toEqual([4, before + 3]);
    await page.unrouteAll();
    // Those from before the reload and those from after it have a notice each.
    await notice(page).getByRole("button", { name: "Do not send them" }).click();
    const results = page.getByRole("dialog", { name: "What is not sent" });
    await results.getByText("Not sent: 2.").waitFor();
    await results.getByRole("button", { name: "Done" }).click();
    await notice(page).getByRole("button", { name: "Do not send it" }).click();
    await notice(page).waitFor({ state: "detached" });
  });

  it("[C-14.965] [C-14.968] the notice of an end that an operator brought about can be withdrawn where they are", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    const letter_id = await submitLetter(server.demo, sandboxBanks.datafeed, { contact_info });
    while ((await show(letter_id)).status !== "Connected")
      await server.operate("/operator/v1/letters/advance", { letter_id });
    const { connection_id } = await show(letter_id);
    await open(`/connections/${connection_id}`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const bank = String(await page.locator("main h1").textContent());
    // What goes and who is told is said first.
    const said = page.getByRole("dialog").getByRole("list", { name: "What this does" });
    await said.getByText("1 connection is deleted").waitFor();
    const lines = await said.getByRole("listitem").allTextContents();
    expect(lines).toEqual([
      "1 connection is deleted",
      expect.stringMatching(/^Data deleted: portfolios \d+, holdings \d+, transactions \d+$/),
      "1 letter ends for good",
      expect.stringContaining("desk@custody.example"),
      "1 document is deleted",
    ]);
    await pictures(page, "delete-connection");
    await page.getByRole("dialog").getByRole("textbox").fill(bank);
    await page.getByRole("dialog").getByRole("button", { name: "Delete the connection" }).click();
    await notice(page).waitFor();
    expect(await notice(page).textContent()).toMatch(/^1 mail to desk@custody\.example goes out in \d+ seconds/);
    await notice(page).getByRole("button", { name: "Do not send it" }).click();
    await notice(page).waitFor({ state: "detached" });
    expect((await show(letter_id)).mails.at(-1)).toMatchObject({ kind: "revocation_notice", state: "withdrawn" });
  });

  it("[C-14.966] nothing at the foot of the page covers anything else there: message and notice, at three sizes", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    const letters = await failedMails(2);
    for (const size of windows) {
      await page.setViewportSize(size);
      await open(`/letters/${letters[0]}`);
      await page.getByRole("button", { name: "Send again: To the custodian" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
      await notice(page).waitFor();
      // A message of another change, while the notice is there.
      await page.getByRole("button", { name: "Write observations" }).click();
      await page.getByRole("dialog").getByRole("textbox").fill(`seen at ${size.width}`);
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.locator(".toast p").waitFor();
      await notice(page).waitFor();
      expect(await page.evaluate(COVERED)).toEqual([]);
      await pictures(page, `foot-${size.width}`, [size]);
      // What is last on the page can be scrolled above the notice.
      const above = await page.evaluate(LAST_IS_ABOVE);
      expect(above).toBe(true);
      await notice(page).getByRole("button", { name: "Do not send it" }).click();
      await notice(page).waitFor({ state: "detached" });
      await page.getByText("Not sent. The letter says").waitFor();
      letters.shift();
      if (letters.length === 0) letters.push(...(await failedMails(1)));
    }
    await page.setViewportSize(desk);
  });

  it("[C-14.972] signing out, and another person's signing in, leave nothing in the tab of whoever was there before", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    const kept = () => page.evaluate<string[]>("Object.values(sessionStorage)");
    const letter = await submitLetter(server.demo, sandboxBanks.datafeed, { contact_info });
    const wait = async () => {
      await open(`/letters/${letter}`);
      await page.getByRole("button", { name: "Advance to: Sent to custodian" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Advance" }).click();
      await notice(page).waitFor();
      await expect.poll(async () => (await kept()).join()).toContain(letter);
    };
    await wait();
    // As if somebody else had been here before the page was loaded.
    await page.evaluate("sessionStorage.setItem('wealth-connect-console-person', 'somebody else')");
    await page.reload();
    await page.locator("main h1").waitFor();
    await expect.poll(async () => (await kept()).join()).not.toContain(letter);
    await notice(page).waitFor({ state: "detached" });
    await server.operate("/operator/v1/letters/undo", { letter_id: letter });
    await wait();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/signed-out");
    expect((await kept()).join()).not.toContain(letter);
    expect((await kept()).join()).not.toContain("@");
    await page.goto(`${consoleOrigin(server)}/console`);
    await signInWithDevice(page, () => isIn(page));
  });

  it("[C-14.824] a move from a letter with a mail in doubt first asks what became of it", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    const letter = await submitLetter(server.demo, sandboxBanks.datafeed, { contact_info });
    await server.operate("/operator/v1/letters/advance", { letter_id: letter });
    await server.stop();
    await server.installation.withDatabase((pool) =>
      pool.query("update mails set state = 'in_doubt', attempts = 1, settled_at = now() where letter_id = $1", [
        letter,
      ]),
    );
    await server.start();
    await open(`/letters/${letter}`);
    await page.getByRole("button", { name: "Advance to: Accepted" }).click();
    const dialog = page.getByRole("dialog", { name: "Advance to: Accepted" });
    await dialog.getByText("Nobody knows whether this mail arrived").waitFor();
    expect(await dialog.getByRole("button", { name: "Advance", exact: true }).count()).toBe(0);
    await pictures(page, "doubt");
    await dialog.getByRole("button", { name: "It arrived" }).click();
    await dialog.getByRole("button", { name: "Advance", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await show(letter)).toMatchObject({ status: "AcceptedByCustodian", mails: [{ state: "sent" }] });
  });
});

/** In the page: points of what is at its foot (corners and middle) where something else is seen, or nothing. */
const COVERED = `(() => {
  // They let presses through, and would not be found.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".at-foot * { pointer-events: auto !important; }");
  document.adoptedStyleSheets = [sheet];
  try {
    return [...document.querySelectorAll(".toast p, .waiting-notice, .waiting-notice button")].flatMap((shown) => {
      const { left, right, top, bottom } = shown.getBoundingClientRect();
      const points = [[left + 6, top + 6], [right - 6, top + 6], [left + 6, bottom - 6], [right - 6, bottom - 6],
        [(left + right) / 2, (top + bottom) / 2]];
      return points.filter(([x, y]) => !shown.contains(document.elementFromPoint(x, y)))
        .map((point) => shown.textContent + " at " + point);
    });
  } finally {
    document.adoptedStyleSheets = [];
  }
})()`;

/** In the page: whether the end of its content is above the notice once it is scrolled down. */
const LAST_IS_ABOVE = `(() => {
  window.scrollTo(0, document.body.scrollHeight);
  const last = document.querySelector("#main").lastElementChild.getBoundingClientRect();
  return last.bottom <= document.querySelector(".waiting-notice").getBoundingClientRect().top;
})()`;
