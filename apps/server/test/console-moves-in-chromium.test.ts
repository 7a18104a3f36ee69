import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";

const executablePath = process.env.CHROMIUM_PATH;
describe.skipIf(!executablePath)("moves and keys of the console, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let operator: Person;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    operator = await personWithDevice(chromium);
    await joinBy(operator, firstOperatorLink(server), "Ada Operator");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const open = async (path: string) => {
    await operator.page.goto(`${consoleOrigin(server)}/console${path}`);
    await operator.page.locator("main h1").waitFor();
  };

  it("[C-14.720] [C-14.721] [C-14.780] a move says what it does, and is made by the keyboard alone", async () => {
    const { page } = operator;
    const letter = await submitLetter(server.demo, sandboxBanks.datafeed);
    await open(`/letters/${letter}`);
    await page.getByRole("button", { name: "Advance to: Sent to custodian" }).click();
    const move = page.getByRole("dialog", { name: "Advance to: Sent to custodian" });
    await move.waitFor();
    expect(await move.getByRole("list", { name: "What this does" }).textContent()).toContain("1 letter is not mailed");
    await page.keyboard.type("by the keyboard");
    await page.keyboard.press("Control+Enter");
    await move.waitFor({ state: "detached" });
    const shown = await server.operate("/operator/v1/letters/show", { letter_id: letter });
    expect(shown.letter).toMatchObject({ status: "SentToCustodian" });
    expect(shown.letter.history.at(-1)).toMatchObject({ note: "by the keyboard" });
    // One's own change is not somebody else's; that of a program is.
    await page.getByRole("row", { name: /by the keyboard/ }).waitFor();
    const notice = page.getByText("Somebody else changed this letter meanwhile");
    expect(await notice.count()).toBe(0);
    await server.operate("/operator/v1/letters/observe", { letter_id: letter, observations: "by a program" });
    await notice.waitFor();
    await page.getByRole("button", { name: "Advance to: Accepted" }).click();
    await page.getByRole("dialog", { name: "Advance to: Accepted" }).getByRole("button", { name: "Advance" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Advance to: Setup" }).waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "Ada Operator" }).count()).toBe(0);
  });

  it("[C-14.720] j, k and x work right after arrival, without a click into the table", async () => {
    const { page } = operator;
    await submitLetter(server.demo, sandboxBanks.datafeed);
    await open("/letters");
    await page.locator('main tr[data-row="1"] a').waitFor();
    const rowOfFocused = () => page.evaluate("document.activeElement.closest('tr[data-row]')?.dataset.row ?? null");
    expect(await rowOfFocused()).toBeNull();
    await page.keyboard.press("j");
    expect(await rowOfFocused()).toBe("0");
    await page.keyboard.press("j");
    expect(await rowOfFocused()).toBe("1");
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    expect(await page.locator('main tr[data-row="0"] input').isChecked()).toBe(true);
  });
});
