import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";

const executablePath = process.env.CHROMIUM_PATH;
const LETTERS = 120;

describe.skipIf(!executablePath)("long lists of the console, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let operator: Person;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    operator = await personWithDevice(chromium);
    await joinBy(operator, firstOperatorLink(server), "Ada Operator");
    for (let made = 0; made < LETTERS; made += 1) await submitLetter(server.demo, sandboxBanks.datafeed);
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const open = async (path: string) => {
    await operator.page.goto(`${consoleOrigin(server)}/console${path}`);
    await operator.page.locator("main h1").waitFor();
  };

  it("[C-14.921] all that match are moved, and after a failure and a reload the rest", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { page } = operator;
    await open("/letters?status=Signed");
    await page.locator('main tr[data-row="0"]').waitFor();
    await picture(page, "letters", [1440, 1280, 390]);
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
    await picture(page, "stopped-run", [1280, 390]);
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
});

const pictures = process.env.PICTURES;

/** Takes pictures to look at, where PICTURES names a folder. */
async function picture(page: Page, name: string, widths: readonly number[]): Promise<void> {
  if (pictures === undefined) return;
  const before = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: { 1440: 900, 1280: 720 }[width] ?? 844 });
    await page.screenshot({ path: join(pictures, `${name}-${width}.png`) });
  }
  if (before) await page.setViewportSize(before);
}
