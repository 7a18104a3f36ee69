import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, type Person, press, sees, startChromium } from "./chromium-person.js";
import { addDevice, firstOperatorLink, joinBy } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { signedPdf, waitingLetter } from "./letters.js";
import { auditRendered } from "./page-audit.js";

const executablePath = process.env.CHROMIUM_PATH;
const pdf = { name: "signed.pdf", mimeType: "application/pdf" };
const bookings = `Buchungstag;Art;Stück;Wertpapier;ISIN;Kurs;Betrag;Währung
15.01.2026;Kauf;10;Fern AG;DE0007164600;100,50;-1005,00;EUR
17.01.2026;Dividende;;Fern AG;DE0007164600;;12,34;EUR
`;

describe.skipIf(!executablePath)("what was begun on the command line only, in the console", () => {
  let server: TestServer;
  let chromium: Browser;
  let operator: Person;
  let page: Page;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    operator = await newPerson(chromium, { viewport: { width: 1280, height: 800 }, locale: "en-GB" });
    page = operator.page;
    await addDevice(operator);
    await joinBy(operator, firstOperatorLink(server));
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  it("[C-14.54] [C-14.975] a source, its rule and its token; a file that nothing reads is held until a mapping is drafted, tested and kept", async () => {
    await go("/sources");
    await press(page, "New SFTP folder");
    await field("Name").fill("custodian");
    await field("Host").fill("127.0.0.1");
    await dialog().locator("summary", { hasText: "More settings" }).click();
    await field("Port").fill("1");
    await field("User").fill("wealth");
    await page.keyboard.press("Enter");
    await page.locator("dialog [aria-invalid=true]:focus").waitFor();
    await field("Password").fill("never shown again");
    await page.keyboard.press("Enter");
    await field("Folder").fill("/out");
    await press(page, "Back");
    expect(await field("User").inputValue()).toBe("wealth");
    await page.keyboard.press("Enter");
    expect(await field("Folder").inputValue()).toBe("/out");
    await page.keyboard.press("Enter");
    await dialog().getByText("ECONNREFUSED").first().waitFor();
    expect((await server.operate("/operator/v1/sources/list", {})).items).toEqual([]);
    expect(await looks()).toEqual([]);
    await press(page, "Make the source");
    await dialog().waitFor({ state: "detached" });
    await sees(page, "custodian");
    await press(page, "Test");
    await page.getByText("ECONNREFUSED").first().waitFor();
    await press(page, "Change");
    await dialog().getByRole("button", { name: "Files" }).click();
    await field("Folder").fill("/outgoing");
    await dialog().getByRole("button", { name: "Test", exact: true }).click();
    await press(page, "Save");
    await dialog().waitFor({ state: "detached" });
    // The password field was left empty, so the password stays.
    const { source } = await server.operate("/operator/v1/sources/show", { source: "custodian" });
    expect(source.settings).toMatchObject({ folder: "/outgoing", password: "set" });
    expect(await page.content()).not.toContain("never shown again");
    await press(page, "Pause");
    await dialog().getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Switch on" }).waitFor();
    expect(await looks()).toEqual([]);

    await go("/sources");
    await press(page, "New address to send to");
    await field("Name").fill("custodian-push");
    await press(page, "Make the source");
    await sees(page, "custodian-push");
    await press(page, "New token");
    await field("Whose it is").fill("Custodian, production");
    await dialog().getByRole("button", { name: "New token" }).click();
    const address = await dialog().locator("code", { hasText: "/feeds/v1/" }).textContent();
    await press(page, "I have kept it");
    const letterId = await waitingLetter(server, server.demo, sandboxBanks.datafeed);
    await press(page, "New rule: A letter");
    await field("Letter").fill(letterId);
    await dialog().getByRole("button", { name: "New rule" }).click();
    await page.locator(`main a[href$="/letters/${letterId}"]`).filter({ hasNotText: letterId }).waitFor();
    expect(await looks()).toEqual([]);
    const sent = await fetch(`${server.url}${new URL(address ?? "").pathname}bookings.csv`, {
      method: "PUT",
      body: bookings,
    });
    expect(await sent.json()).toMatchObject({ status: "held" });

    await go("/sources?tab=mappings");
    await press(page, "New mapping");
    const sample = { name: "bookings.csv", mimeType: "text/csv", buffer: Buffer.from(bookings) };
    await page.getByLabel("A file of the bank: drop it here, or choose one").setInputFiles(sample);
    await page.getByRole("group", { name: "Your file" }).waitFor();
    await field("How “Buchungstag” is written").selectOption("yyyy-MM-dd");
    await page.getByText(/faults?: it would be refused/).waitFor();
    await field("How “Buchungstag” is written").selectOption("dd.MM.yyyy");
    await page.getByText("it would be taken").waitFor();
    await page.getByText("10 · Buy: Fern AG · -1005.00 EUR").waitFor();
    await field("Custodian").fill(sandboxBanks.datafeed);
    expect(await looks()).toEqual([]);
    await press(page, "Save the mapping");
    await page.getByText("The mapping is kept; 1 file that waited was tried again, 1 was taken").waitFor();
    const { items } = await server.operate("/operator/v1/sources/list-files", {});
    expect(items).toMatchObject([{ name: "bookings.csv", state: "taken" }]);
  });

  it("[C-14.54] a PGP key pair; the last that counts stays; a tenant's profile, with the field that is wrong", async () => {
    await go("/sources?tab=keys");
    await press(page, "Make a key pair");
    await field("Whose key it is, as custodians see it").fill("Example Wealth");
    await dialog().getByRole("button", { name: "Make a key pair" }).click();
    await page.getByRole("button", { name: "Actions for Example Wealth" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await dialog().getByRole("button", { name: "Revoke" }).click();
    await dialog().getByText("this is the last key that opens files").waitFor();
    await page.keyboard.press("Escape");
    expect(await looks()).toEqual([]);

    await go(`/tenants/${server.demo.tenantId}?tab=profile`);
    await field("Privacy notice").fill("http://acme.example");
    await field("Postal address").fill("Calle Mayor 1\n28013 Madrid");
    await press(page, "Save");
    await page.locator(".fault", { hasText: "must be an https link" }).waitFor();
    await field("Privacy notice").fill("https://acme.example/privacy");
    await press(page, "Save");
    await page.getByText("The profile is kept").waitFor();
    const { tenant } = await server.operate("/operator/v1/tenants/show", { tenant_id: server.demo.tenantId });
    expect(tenant.profile).toMatchObject({
      privacy_url: "https://acme.example/privacy",
      postal_address: ["Calle Mayor 1", "28013 Madrid"],
      legal_name: null,
    });
    expect(await looks()).toEqual([]);
  });

  it("[C-14.54] a letter begins: one that is signed already, one that the server writes", async () => {
    const begin = async (way: string) => {
      await go("/letters");
      await press(page, "Begin a letter");
      await page.getByRole("menuitem", { name: way }).click();
      await dialog().getByLabel("Tenant", { exact: true }).selectOption(server.demo.tenantId);
      await field("Bank or custodian").fill(sandboxBanks.datafeed);
    };
    const send = (way: string) => dialog().getByRole("button", { name: way }).click();
    const signed = "Submit a signed letter";
    await begin(signed);
    const document = field("The signed letter (PDF)");
    await document.setInputFiles({ ...pdf, buffer: Buffer.from("no PDF") });
    await send(signed);
    await dialog().locator(".fault").waitFor();
    await document.setInputFiles({ ...pdf, buffer: Buffer.from(await signedPdf(), "base64") });
    await send(signed);
    await page.waitForURL(/\/letters\/[0-9a-f-]{36}$/);
    await page.getByRole("button", { name: /Sent to custodian/ }).waitFor();

    const written = "Let the server write one";
    await begin(written);
    expect(await looks()).toEqual([]);
    await send(written);
    await page.waitForURL(/\/letters\/[0-9a-f-]{36}$/);
    await page.getByRole("button", { name: "Enter the client's details" }).waitFor();
    expect(operator.complaints).toEqual([]);
  });

  const dialog = () => page.getByRole("dialog");
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const go = (path: string) => page.goto(`${server.url}/console${path}`);

  /** Faults of the page in its current state: on a desktop in light mode, and on the narrowest phone in dark mode. */
  async function looks(): Promise<string[]> {
    const faults = await auditRendered(page, "light");
    await page.setViewportSize({ width: 320, height: 740 });
    faults.push(...(await auditRendered(page, "dark")));
    await page.setViewportSize({ width: 1280, height: 800 });
    return faults;
  }
});
