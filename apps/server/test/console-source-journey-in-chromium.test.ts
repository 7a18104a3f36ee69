import { generateKey } from "openpgp";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { waitingLetter } from "./letters.js";
import { ofxStatement } from "./ofx-statement.js";
import { auditRendered, overflow } from "./page-audit.js";
import { picture, windows } from "./page-looks.js";
import { type SftpServer, startSftpServer } from "./sftp-server.js";

const executablePath = process.env.CHROMIUM_PATH;

describe.skipIf(!executablePath)("a custodian's SFTP folder is added by a new operator, in Chromium", () => {
  let server: TestServer;
  let sftp: SftpServer;
  let chromium: Browser;
  let ada: Person;

  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend("it is about pages in a browser"),
      // Nothing but the person looks into the folder meanwhile.
      schedule: { feedSources: 3_600_000 },
    });
    sftp = await startSftpServer();
    chromium = await startChromium(executablePath ?? "");
    ada = await personWithDevice(chromium);
    await joinBy(ada, firstOperatorLink(server));
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await sftp?.stop();
    await server?.remove();
  });

  it("[C-14.975] [C-14.979] from the sources to the first file that arrived: 8 clicks and 6 fields", async () => {
    const { page } = ada;
    const letterId = await waitingLetter(server, server.demo, sandboxBanks.datafeed);
    sftp.put("first.ofx", ofxStatement(1));
    let clicks = 0;
    let fields = 0;
    const click = async (name: string, role: "button" | "link" | "menuitem" = "button") => {
      clicks += 1;
      await page.getByRole(role, { name, exact: true }).click();
    };
    const fill = async (label: string, text: string) => {
      fields += 1;
      await page.getByLabel(label, { exact: true }).fill(text);
    };
    const enter = () => page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");

    await page.goto(`${consoleOrigin(server)}/console/work`);
    await click("Sources", "link");
    await click("New SFTP folder");
    await fill("Name", "custodian");
    await fill("Host", sftp.host);
    // Its port is this test's own; a custodian's is 22.
    await dialog.locator("summary").click();
    await page.getByLabel("Port", { exact: true }).fill(String(sftp.port));
    await fill("User", sftp.user);
    await page.getByLabel("Signs in with").selectOption("private_key");
    clicks += 1;
    await fill("Private key", sftp.privateKey);
    await look(page, "server");
    await page.keyboard.press("Control+Enter");
    await fill("Folder", sftp.folder);
    await look(page, "files");
    await enter();
    await dialog.locator("code", { hasText: sftp.hostKey }).waitFor();
    await look(page, "key");
    await click("This is its key: trust it");
    await dialog.getByText("1 entry in the folder").waitFor();
    await look(page, "tested");
    await click("Make the source");
    await page.getByRole("heading", { name: "custodian", level: 1 }).waitFor();
    await click("New rule: A letter");
    const proposed = dialog.locator("datalist option").first();
    await proposed.waitFor({ state: "attached" });
    await fill("Letter", (await proposed.getAttribute("value")) ?? "");
    await enter();
    await dialog.waitFor({ state: "detached" });
    await click("Check now");
    await page.getByText("1 taken, 0 held, 0 failed").waitFor();
    expect((await server.operate("/operator/v1/letters/show", { letter_id: letterId })).letter.status).toBe(
      "Connected",
    );
    await click("Files of this source", "link");
    await page.getByText("first.ofx").first().waitFor();
    await look(page, "arrived");
    expect({ clicks, fields }).toEqual({ clicks: 8, fields: 6 });
    expect(ada.complaints).toEqual([]);
  });

  it("[C-14.975] [C-14.1059] a change shows the same steps, filled, and no secret", async () => {
    const { page } = ada;
    await page.goto(`${consoleOrigin(server)}/console/sources/custodian`);
    await page.getByText("64 MiB", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    expect(await page.getByLabel("Host", { exact: true }).inputValue()).toBe(sftp.host);
    expect(await page.getByLabel("Private key", { exact: true }).inputValue()).toBe("");
    await page.getByRole("dialog").getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("1 entry in the folder").waitFor();
    for (const language of ["de", "fr", "es", "en"]) {
      await page.keyboard.press("Escape");
      await page.setViewportSize(windows[0]);
      await page.locator(".sidebar .language-switch select").selectOption(language);
      await page.locator("main .actions button, main header button").first().click();
      await look(page, `change-${language}`);
    }
  });

  it("[C-14.1095] a custodian's PGP key is compared before it is kept: a key that is none, or is not meant, is not", async () => {
    const { page } = ada;
    const { privateKey, publicKey } = await generateKey({ userIDs: [{ name: "Custodia" }], format: "object" });
    const fingerprint = publicKey.getFingerprint().toUpperCase();
    await page.goto(`${consoleOrigin(server)}/console/sources?tab=keys`);
    await page.getByRole("button", { name: "Trust a custodian's key" }).click();
    const dialog = page.getByRole("dialog");
    const next = dialog.getByRole("button", { name: "Next" });
    for (const [given, why] of [
      ["no key", /public.key/i],
      [privateKey.armor(), /private/i],
    ] as const) {
      await page.getByLabel("Public key (ASCII armour)").fill(given);
      await next.click();
      await dialog.getByRole("alert").filter({ hasText: why }).waitFor();
      await dialog.getByRole("button", { name: "Back" }).click();
    }
    await page.getByLabel("Public key (ASCII armour)").fill(publicKey.armor());
    await look(page, "pgp-key");
    await next.click();
    await dialog.getByText(fingerprint.match(/.{4}/g)?.join(" ") ?? "").waitFor();
    await dialog.getByText("Custodia", { exact: true }).waitFor();
    await look(page, "pgp-compare");
    expect((await server.operate("/operator/v1/feed-keys/list", {})).items).toEqual([]);
    await next.click();
    await page.getByLabel("Files of this source").selectOption("custodian");
    await look(page, "pgp-files");
    await dialog.getByRole("button", { name: "Trust a custodian's key" }).click();
    await dialog.waitFor({ state: "detached" });
    const { items } = await server.operate("/operator/v1/feed-keys/list", {});
    expect(items).toMatchObject([{ fingerprint, source: "custodian" }]);
    expect(ada.complaints).toEqual([]);
  });

  /** Looks at the page in every window. */
  async function look(page: Page, name: string): Promise<void> {
    for (const size of windows) {
      await page.setViewportSize(size);
      expect(await auditRendered(page, "light"), name).toEqual([]);
      expect(await overflow(page), name).toEqual([]);
      await picture(page, `source-${name}-${size.width}`);
    }
    await page.setViewportSize(windows[0]);
  }
});
