import { testDatabaseUrl } from "@org/storage-postgres/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import {
  consoleOrigin,
  desk,
  firstOperatorLink,
  invitedPerson,
  joinBy,
  personWithDevice,
  phone,
} from "./console-in-browser.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { auditRendered } from "./page-audit.js";
import { picture, pictures } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const LINES = 4_000;

describe.skipIf(!executablePath || !testDatabaseUrl)("the console's work queue at 4,000 lines, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let ada: Person;
  let bo: Person;

  beforeAll(async () => {
    // The test inserts lines and ages a snooze in the database.
    server = await startTestServer({ backend: "postgres" });
    await insertOverdueLetters(server);
    chromium = await startChromium(executablePath ?? "");
    ada = await personWithDevice(chromium);
    await joinBy(ada, firstOperatorLink(server), "Ada Operator");
    bo = await invitedPerson(chromium, server, { email: "bo@example.com", role: "operator", name: "Bo Second" });
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const open = async (page: Page, query = "") => {
    await page.goto(`${consoleOrigin(server)}/console/work${query}`);
    await page.locator('main tr[data-row="0"] a').first().waitFor();
  };
  const said = (page: Page) => page.locator(".work-made");
  const row = (page: Page, index: number) => page.locator(`main tr[data-row="${index}"]`);

  it("[C-14.866] by the keyboard alone a line is taken, snoozed and brought back; others see it at once, and are told who has it", async () => {
    const { page } = ada;
    await open(page);
    await open(bo.page);
    await page.keyboard.press("j");
    await page.keyboard.press("t");
    await said(page).getByText("1 line is yours.").waitFor();
    await row(page, 0).locator(".work-owner", { hasText: "Ada Operator" }).waitFor();
    await row(bo.page, 0).locator(".work-owner", { hasText: "Ada Operator" }).waitFor();
    await bo.page.keyboard.press("j");
    await bo.page.keyboard.press("t");
    await said(bo.page).getByText("1 was refused.").waitFor();
    await said(bo.page).getByRole("button", { name: "Details" }).click();
    await bo.page.getByRole("dialog").getByText("Ada Operator has it.").waitFor();
    await bo.page.keyboard.press("Escape");

    await row(page, 0).locator("a").first().focus();
    await page.keyboard.press("s");
    const dialog = page.getByRole("dialog", { name: "Snooze" });
    await dialog.waitFor();
    await dialog.getByLabel("Reason").fill("The bank is closed.");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await said(page).getByText("1 line is snoozed.").waitFor();
    await row(page, 0).locator(".work-owner", { hasText: "Ada Operator" }).waitFor({ state: "detached" });
    await row(bo.page, 0).locator(".work-owner", { hasText: "Ada Operator" }).waitFor({ state: "detached" });

    await open(page, "?snoozed=yes");
    await row(page, 0).getByText("The bank is closed.").waitFor();
    expect(await page.locator("main tr[data-row]").count()).toBe(1);
    // It comes back by itself.
    await server.installation.withDatabase((pool) => pool.query("update work_marks set snoozed_until = now()"));
    await open(page, "?owner=me");
    await row(page, 0).locator(".work-owner", { hasText: "Ada Operator" }).waitFor();
    expect(await page.locator("main tr[data-row]").count()).toBe(1);
  });

  it("[C-14.867] all lines that match a filter are selected, handed over with a result for each, and taken back", async () => {
    const { page } = ada;
    await open(page, "?text=half");
    await page.getByRole("button", { name: "All 2,000" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Select all 2,000 that match" }).click();
    await page.locator(".work-bulk > span").getByText("2,000 selected").waitFor();
    expect(await page.getByRole("button", { name: "Move 2,000 letters" }).count()).toBe(1);
    await page.keyboard.press("h");
    const dialog = page.getByRole("dialog", { name: "Hand over" });
    await dialog.getByLabel("To").selectOption({ label: "Bo Second" });
    await dialog.getByRole("button", { name: "Hand over" }).click();
    await said(page).getByText("2,000 lines were handed over.").waitFor();
    await row(page, 0).locator(".work-owner", { hasText: "Bo Second" }).waitFor();
    await said(page).getByRole("button", { name: "Details" }).click();
    expect(await page.getByRole("dialog").getByRole("table").getAttribute("aria-rowcount")).toBe("2001");
    await page.keyboard.press("Escape");
    const mine = () => server.operate("/operator/v1/work/list", { owner: "nobody", search: "half" });
    expect((await mine()).counts.letter_overdue).toBe(0);
    await said(page).getByRole("button", { name: "Undo" }).click();
    await said(page).getByText("2,000 lines are as they were.").waitFor();
    expect((await mine()).counts.letter_overdue).toBe(2_000 - Number(await isOwned()));

    await page.goto(`${consoleOrigin(server)}/console/work?text=nowhere`);
    await page.getByText("Nothing for this filter").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await row(page, 0).waitFor();
  });

  /** Whether the line of the test before is one of the half. */
  async function isOwned(): Promise<boolean> {
    const found = await server.installation.withDatabase((pool) =>
      pool.query(
        "select from work_marks join letters on letter_id::text = subject_id where labels ->> 'pile' = 'half'",
      ),
    );
    return found.rowCount === 1;
  }

  it("[C-14.1070] after a lost answer and a reload the page says what was done, and the rest is done once", async () => {
    const { page } = ada;
    await open(page, "?text=half&owner=nobody");
    const all = 2_000 - Number(await isOwned());
    const given = () => handedOver(server);
    const before = await given();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByRole("button", { name: `Select all ${all.toLocaleString("en")} that match` }).click();
    await page
      .locator(".work-bulk > span")
      .getByText(`${all.toLocaleString("en")} selected`)
      .waitFor();
    // The third request is made, and its answer is lost.
    let asked = 0;
    const keys: (string | undefined)[] = [];
    await page.route("**/work/hand-over", async (route) => {
      asked += 1;
      keys.push(route.request().headers()["idempotency-key"]);
      if (asked !== 3) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.keyboard.press("h");
    const dialog = page.getByRole("dialog", { name: "Hand over" });
    await dialog.getByLabel("To").selectOption({ label: "Bo Second" });
    await dialog.getByRole("button", { name: "Hand over" }).click();
    const stopped = `Stopped. ${(all - 400).toLocaleString("en")} lines are left.`;
    await said(page).getByText(stopped).waitFor();
    expect(await given()).toBe(before + 600);
    await pictures(page, "work-stopped");
    await page.reload();
    await said(page).getByText("400 lines were handed over.").waitFor();
    await said(page).getByText(stopped).waitFor();
    await said(page).getByRole("button", { name: "Continue" }).click();
    await said(page)
      .getByText(`${all.toLocaleString("en")} lines were handed over.`)
      .waitFor();
    expect(await said(page).getByText("refused").count()).toBe(0);
    expect(await given()).toBe(before + all);
    expect(keys[3]).toBe(keys[2]);
    expect(new Set(keys).size).toBe(keys.length - 1);

    // What is finished is there after a reload, too, with its way back.
    await page.reload();
    await said(page).getByRole("button", { name: "Details" }).click();
    await page
      .getByRole("dialog")
      .getByText(`${all.toLocaleString("en")} of ${all.toLocaleString("en")} done.`)
      .waitFor();
    await page.keyboard.press("Escape");
    await said(page).getByRole("button", { name: "Undo" }).click();
    await said(page)
      .getByText(`${all.toLocaleString("en")} lines are as they were.`)
      .waitFor();
    await said(page).getByRole("button", { name: "Close" }).click();
    await page.unrouteAll();
  });

  it("[C-14.866] the queue is sound by axe at a desk and on a phone, with a selection and its dialogs", async () => {
    const { page } = ada;
    await open(page);
    await page.keyboard.press("j");
    await page.keyboard.press("t");
    await said(page).getByText("is yours").waitFor();
    await page.keyboard.press("x");
    const faults: string[] = [];
    await pictures(page, "work");
    for (const [colours, viewport] of [
      ["light", desk],
      ["dark", phone],
    ] as const) {
      await page.setViewportSize(viewport);
      faults.push(...(await auditRendered(page, colours)));
      await page.keyboard.press("s");
      await page.getByRole("dialog", { name: "Snooze" }).waitFor();
      await picture(page, `work-snooze-${viewport.width}`);
      faults.push(...(await auditRendered(page, colours)));
      await page.keyboard.press("Escape");
    }
    expect(faults).toEqual([]);
    await page.setViewportSize(desk);
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("[C-14.868] a person who may only read sees owners, and nothing to take, select or snooze; nor does the server let them", async () => {
    const eve = await invitedPerson(chromium, server, {
      email: "eve@example.com",
      role: "operator:read",
      name: "Eve Reader",
    });
    await open(eve.page);
    await row(eve.page, 0).locator(".work-owner", { hasText: "Ada Operator" }).waitFor();
    await eve.page.keyboard.press("j");
    await eve.page.keyboard.press("t");
    expect(await eve.page.locator("main tr[data-row] input").count()).toBe(0);
    expect(await said(eve.page).count()).toBe(0);
    const { items } = await server.operate("/operator/v1/work/list", { page_size: 1 });
    const answer = await eve.page.evaluate(TAKE_BY_HAND, items[0].subject.id);
    expect([401, 403]).toContain(answer);
  });

  it("[C-14.1046] [C-14.1047] a read that is refused says when it is made again, and is; a change says so and waits for its person", async () => {
    const { page } = ada;
    const refused = (seconds: number) => ({ status: 429, headers: { "Retry-After": `${seconds}` }, body: "{}" });
    const list = "**/console/api/operator/v1/work/list";
    await page.route(list, (route) => route.fulfill(refused(2)), { times: 1 });
    await page.goto(`${consoleOrigin(server)}/console/work`);
    await page.getByText("That was too much at once. Try again in 2 seconds.").waitFor();
    await row(page, 0).waitFor();

    let asked = 0;
    await page.route("**/console/api/operator/v1/work/take", (route) => {
      asked += 1;
      return route.fulfill(refused(1));
    });
    await row(page, 0).locator("a").first().focus();
    await page.keyboard.press("t");
    await page.getByText("That was too much at once. Try again in 1 second.").waitFor();
    await picture(page, "work-too-much");
    // A read that is made after that time; no change is made in between.
    await page.route(list, (route) => route.fulfill(refused(1)), { times: 1 });
    await page.reload();
    await row(page, 0).waitFor();
    expect(asked).toBe(1);
    await page.unrouteAll();
  });

  it("[C-14.1045] whoever is told the trace id of a read that failed by a fault of the server finds it in the audit trail", async () => {
    const { page } = ada;
    const rename = (from: string, to: string) =>
      server.installation.withDatabase((pool) => pool.query(`alter table ${from} rename to ${to}`));
    await rename("work_marks", "marks_away");
    await page.goto(`${consoleOrigin(server)}/console/work`);
    const trace = await page.locator("main .problem code").first().textContent();
    await rename("marks_away", "work_marks");
    expect(trace).toMatch(/^[0-9a-f]{32}$/);
    // The line is written a moment later.
    await eventually(
      async () => (await server.operate("/operator/v1/audit/list", { trace_id: trace })).items.length,
      "the line of the failed request",
    );
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search everything" }).waitFor();
    await page.keyboard.insertText(`Trace id: ${trace}`);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/audit?trace=${trace}`);
    await page.getByText("A request met a fault of the server: “POST /console/api/operator/v1/work/list”").waitFor();
    await picture(page, "work-failed-read");
  });
});

/** How often a line was handed over so far, by the audit trail. */
async function handedOver({ installation }: TestServer): Promise<number> {
  const found = await installation.withDatabase((pool) =>
    pool.query("select count(*)::int as lines from audit_log where action = 'work.handed_over'"),
  );
  return found.rows[0].lines;
}

/** In the page: what the server answers to taking a line. */
const TAKE_BY_HAND = new Function(
  "id",
  `const post = (path, body, headers) => fetch("/console/api" + path, {
     method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } });
   return post("/session", {}).then((answer) => answer.json()).then(({ csrf_token }) =>
     post("/operator/v1/work/take", { lines: [{ kind: "letter_overdue", id }] }, { "x-csrf-token": csrf_token }))
     .then(({ status }) => status);`,
) as (id: string) => Promise<number>;

/** Inserts by SQL, which is faster than by the endpoint; half of them have a label. */
async function insertOverdueLetters({ installation, demo }: TestServer): Promise<void> {
  await installation.withDatabase(async (pool) => {
    await pool.query(
      `insert into letters (tenant_id, letter_id, connector_id, status, ever_connected, labels, contact_info, created_at, updated_at, status_since)
       select $1, gen_random_uuid(), $2, 'Signed', false,
         case i % 2 when 0 then '{"pile": "half"}' else '{"pile": "rest"}' end::jsonb, '{}', at, at, at
       from (select i, date_trunc('milliseconds', now()) - interval '9 days' - i * interval '1 minute' as at
         from generate_series(1, $3::int) i) moments`,
      [demo.tenantId, sandboxBanks.datafeed, LINES],
    );
    await pool.query(
      "insert into object_owners (object_id, kind, tenant_id) select letter_id, 'letter', tenant_id from letters on conflict do nothing",
    );
  });
}
