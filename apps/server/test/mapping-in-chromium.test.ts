import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, press, sees, startChromium } from "./chromium-person.js";
import { consoleOrigin, firstOperatorLink, joinBy, personWithDevice } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { waitingLetter } from "./letters.js";
import { auditRendered } from "./page-audit.js";
import { pictures, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;

/** A table that nothing has seen before: German names, semicolons, decimal commas, no column for the currency. */
const unseen = `Vermögensaufstellung;;;;;;
Depotnummer;ISIN;Titelbezeichnung;Bestand;Kurs;Kurswert;Stichtag
4711-09;US0378331005;Velmora Inc.;1.250;182,37;227.962,50;31.10.2026
4711-09;DE0007164600;Fern AG;75,5;110,125;8.314,44;31.10.2026
4711-09;CH0038863350;Alpenrose AG;12;94,02;1.128,24;31.10.2026
`;

/** A bond's price is in percent, a share's in currency. */
const bonds = `Depotnummer;Gattung;Titelbezeichnung;Bestand;Kurs;Kurswert;Stichtag
4711-09;Obligation;Fernberg 2031;10.000;98,50;9.850,00;31.10.2026
4711-09;Aktie;Velmora AG;10;98,50;985,00;31.10.2026
`;

describe.skipIf(!executablePath)("a mapping made over one's own file, in Chromium", () => {
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

  const go = (path: string) => operator.page.goto(`${consoleOrigin(server)}/console${path}`);
  const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

  it("[C-14.833] [C-14.1001] a CSV never seen before is refused, and read to the digit 3 clicks later: make a mapping, answer a question, keep it", async () => {
    const { page } = operator;
    const letterId = await waitingLetter(server, server.demo, sandboxBanks.datafeed);
    await go("/feeds?tab=send");
    // Its id is pasted; what stands there then is its name.
    const whose = page.getByLabel("Letter", { exact: true });
    await whose.fill(letterId);
    await expect.poll(() => whose.inputValue()).toContain("Waiting for data");
    await page.getByLabel("Drop a file here, or choose one").setInputFiles(csv("fern.csv", unseen));
    await press(page, "Take this file");
    const way = page.getByRole("link", { name: "Make a mapping from this file" });
    await way.waitFor();
    expect(await page.getByRole("alert").textContent()).toMatch(
      /^The file was not taken\s*No format and no mapping reads/,
    );
    expect(await page.getByText("camt.053").isVisible()).toBe(false);
    await pictures(page, "1-refused");
    // The first click, in the page of the refused file.
    await way.click();
    await page.getByRole("group", { name: "Your file" }).waitFor();
    expect(await page.getByLabel("What “Bestand” is").inputValue()).toBe("units");
    expect(await page.getByLabel("How “Kurswert” is written").inputValue()).toBe(",.");
    await pictures(page, "2-question");
    expect(await auditRendered(page, "light")).toEqual([]);
    const question = page.getByRole("group", { name: "In which currency are the amounts? No column says so." });
    await question.getByRole("button", { name: "EUR" }).click();
    await page.getByText("it would be taken").waitFor();
    await page.getByText("1250 × Velmora Inc. · Price 182.37 · 227962.50 EUR · 2026-10-31").waitFor();
    await page.getByText("237405.18 EUR").waitFor();
    await pictures(page, "3-answered");
    await press(page, "Save the mapping");
    await page.getByText("The file was taken by itself").waitFor();
    await pictures(page, "4-saved");
    await page.getByRole("link", { name: "Open the connection" }).click();
    await page.waitForURL(/\/connections\/[0-9a-f-]{36}/);
    await page.locator("main h1").waitFor();
    await pictures(page, "5-connection");
    // Operators see no holdings: the tenant has them to the digit.
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const { items } = await server.demo.tools.call("svc-investments", { credentials_token: id });
    const found = items.map((each: Record<string, unknown>) => [each.name, each.amount, each.balance, each.currency]);
    expect(found).toEqual(
      expect.arrayContaining([
        ["Velmora Inc.", "1250", "227962.50", "EUR"],
        ["Fern AG", "75.5", "8314.44", "EUR"],
        ["Alpenrose AG", "12", "1128.24", "EUR"],
      ]),
    );
    expect(operator.complaints).toEqual([]);
  });

  it("[C-14.1082] whether prices are in percent is asked in four languages, and answered by a column", async () => {
    const { page } = operator;
    await go("/mapping");
    await page.locator("main input[type=file]").setInputFiles(csv("bonds.csv", bonds));
    for (const [language, said] of [
      ["de", "Ist „Kurs“ in Währung oder in Prozent des Nennwerts?"],
      ["fr", /« Kurs » est-il en devise/],
      ["es", "¿«Kurs» está en divisa o en porcentaje del nominal?"],
      ["en", "Is “Kurs” in currency, or in percent of the nominal value?"],
    ] as const) {
      await page.setViewportSize(windows[0]);
      await page.locator(".sidebar .language-switch select").selectOption(language);
      await page.getByRole("group", { name: said }).waitFor();
      await pictures(page, `prices-${language}`);
    }
    await page.setViewportSize(windows[0]);
    await press(page, "It depends on “Gattung”");
    await press(page, "CHF");
    await page.getByRole("tab", { name: "JSON" }).click();
    const mapping = JSON.parse(await page.getByLabel("The mapping (JSON)").inputValue());
    expect(mapping.values.price_unit).toEqual({
      column: "Gattung",
      map: { Obligation: "percent" },
      else: "currency",
    });
    expect(operator.complaints).toEqual([]);
  });

  it("[C-14.834] the table and the JSON are one document; a fault leads to its cell, by the keyboard too", async () => {
    const { page } = operator;
    await go("/mapping");
    await page
      .getByLabel("A file of the bank: drop it here, or choose one")
      .setInputFiles(csv("other.csv", unseen.replace("75,5;", "7x;").replace("8.314,44", "")));
    await page.getByRole("group", { name: "Your file" }).waitFor();
    await page
      .getByRole("group", { name: /currency/ })
      .getByRole("button", { name: "CHF" })
      .click();
    const fault = page.getByRole("button", { name: "Line 4, Bestand" });
    await fault.focus();
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("cell-4-3");
    await pictures(page, "6-fault");
    expect(await auditRendered(page, "dark")).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByLabel("What “Bestand” is").selectOption("");
    await page.getByRole("tab", { name: "JSON" }).click();
    const text = page.getByLabel("The mapping (JSON)");
    expect(JSON.parse(await text.inputValue()).values).not.toHaveProperty("units");
    await text.fill(
      (await text.inputValue())
        .replace('"Titelbezeichnung"\n', '"Titelbezeichnung "\n')
        .replace('"name": {', '"description": {'),
    );
    await page.getByRole("tab", { name: "Columns" }).click();
    expect(await page.getByLabel("What “Titelbezeichnung” is").inputValue()).toBe("description");
    expect(operator.complaints).toEqual([]);
  });

  it("[C-14.835] [C-14.1002] [C-14.1066] [C-14.1084] a held file leads by its cause: a mapping for a table, a text to the custodian for a bad line", async () => {
    const { page } = operator;
    await go("/sources");
    await press(page, "New address to send to");
    await page.getByLabel("Name", { exact: true }).fill("fern-push");
    await press(page, "Make the source");
    await sees(page, "fern-push");
    const { token } = await server.operate("/operator/v1/sources/create-token", {
      source: "fern-push",
      name: "test",
      days: null,
    });
    const send = async (name: string, text: string) => {
      const answer = await fetch(`${server.url}/feeds/v1/${token}/${name}`, { method: "PUT", body: text });
      expect(await answer.json()).toMatchObject({ status: "held" });
    };
    await send("held.csv", unseen.replaceAll("Kurswert", "Wert in Depotwährung"));
    await send("broken.ofx", "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><SIGNONMSGSRSV1>");
    const { items } = await server.operate("/operator/v1/datafeeds/list-pending", {});
    const causes = items.map(({ name, findings }: { name: string; findings: { cause: string }[] }) => [
      name,
      findings[0]?.cause,
    ]);
    expect(Object.fromEntries(causes)).toMatchObject({ "held.csv": "format", "broken.ofx": "content" });
    await go("/feeds");
    await page.getByRole("row", { name: /held\.csv No format and no mapping reads this file yet\. Held/ }).waitFor();
    await page.getByRole("row", { name: /broken\.ofx Something in the file itself is wrong\. Held/ }).waitFor();
    await page.getByText("At the end of keeping the server deletes a held file.").waitFor();
    await pictures(page, "6-pending");
    await page.getByRole("link", { name: "broken.ofx" }).click();
    await press(page, "Write to the custodian");
    await page.getByText("we could not read your file broken.ofx").waitFor();
    await pictures(page, "7-content");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "held.csv" }).click();
    await page.getByRole("link", { name: "Make a mapping from this file" }).click();
    await page.getByRole("group", { name: "Your file" }).waitFor();
    await page.getByRole("cell", { name: "4711-09" }).first().waitFor();
    await pictures(page, "8-held");
    expect(operator.complaints).toEqual([]);
  });

  it("[C-14.1065] without a file the editor says what to do, and takes one that waits for a mapping in one click", async () => {
    const { page } = operator;
    await go("/mapping");
    const empty = page.locator("main .empty");
    await empty.getByText("No file yet").waitFor();
    await empty.getByText("Drop a file above").waitFor();
    await empty.getByRole("link").first().waitFor();
    expect(await empty.getByRole("link").allTextContents()).toEqual(["held.csv"]);
    expect(await page.getByRole("button", { name: "Keep the mapping" }).count()).toBe(0);
    await pictures(page, "8-no-file");
    await empty.getByRole("link", { name: "held.csv" }).click();
    await page.getByRole("group", { name: "Your file" }).waitFor();
    await page.getByRole("cell", { name: "4711-09" }).first().waitFor();
    expect(operator.complaints).toEqual([]);
  });

  it("[C-14.890] a line of the work queue about a held file leads by the same cause, to the editor or to the file, in one click", async () => {
    const { page } = operator;
    await go("/work?kind=file_held");
    await page.getByRole("button", { name: "Replace it or write: broken.ofx" }).click();
    const file = page.getByRole("dialog", { name: "broken.ofx" });
    await file.getByRole("button", { name: "Write to the custodian" }).click();
    await file.getByText("No address at the custodian is known here.").waitFor();
    await pictures(page, "9-work-file");
    await page.keyboard.press("Escape");
    await pictures(page, "10-work");
    expect(await auditRendered(page, "light")).toEqual([]);
    await page.getByRole("link", { name: "Make a mapping: held.csv" }).click();
    await page.getByRole("group", { name: "Your file" }).waitFor();
    await page.getByRole("cell", { name: "4711-09" }).first().waitFor();
    expect(operator.complaints).toEqual([]);
  });
});
