import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { readWidgetClient, type WidgetClient } from "@org/widget";
import { startWidget } from "@org/widget/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newPerson, type Person, press, sees, startChromium } from "./chromium-person.js";
import { audit, overflow } from "./page-audit.js";

const executablePath = process.env.CHROMIUM_PATH;
const MAX_SCRIPT_BYTES = 6_000;

/** As many banks as the largest catalogues hold. */
const manyBanks = Array.from({ length: 40_000 }, (_, index) => ({
  id: `${["deu", "fra", "esp", "ita"][index % 4]}:bank-${index}`,
  name: `${["Sparkasse", "Crédit", "Caja", "Banca"][index % 4]} ${index}`,
  country: ["deu", "fra", "esp", "ita"][index % 4],
}));

describe("the client of the widget", () => {
  let folder: string;
  let client: WidgetClient;
  let chromium: Browser | undefined;
  const people: Person[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "widget-client-"));
    const build = fileURLToPath(new URL("../../../packages/widget/build-client.mjs", import.meta.url));
    await promisify(execFile)(process.execPath, [build, folder]);
    client = readWidgetClient(pathToFileURL(`${folder}/`)) as WidgetClient;
    if (executablePath) chromium = await startChromium(executablePath);
  });
  afterAll(async () => {
    await chromium?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const { context, complaints } of people.splice(0)) {
      await context.close();
      expect(complaints).toEqual([]);
    }
  });

  async function startHost(catalogue?: readonly object[]) {
    const host = await startWidget("http://localhost:3000", client, catalogue);
    onTestFinished(() => host.stop());
    return host;
  }

  /** A phone with the first page of a fresh link, taken over by the client. */
  async function open(host: Awaited<ReturnType<typeof startHost>>, configuration?: Record<string, unknown>) {
    const person = await newPerson(chromium as Browser, { viewport: { width: 360, height: 740 }, isMobile: true });
    people.push(person);
    const session = await host.openSession(configuration);
    await person.page.goto(host.origin + session.path);
    await taken(person.page);
    return { ...person, ...session };
  }

  /** The same, while the script is still loading. */
  async function openSlowly(configuration?: Record<string, unknown>) {
    const host = await startHost();
    const person = await newPerson(chromium as Browser);
    people.push(person);
    let letThrough = () => {};
    const waiting = new Promise<void>((resolve) => (letThrough = resolve));
    await person.page.route("**/connect/assets/**", async (route) => waiting.then(() => route.continue()));
    const session = await host.openSession(configuration);
    await person.page.goto(host.origin + session.path, { waitUntil: "commit" });
    return { ...person, ...session, letThrough };
  }

  async function logIn(page: Page, password: string) {
    await press(page, "Continue");
    await page.getByLabel("User name").fill("someone");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await press(page, "Continue");
  }

  it("is less than 6 kB of script, compressed, and no source is left in it", () => {
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(0);
    const sizes = scripts.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_SCRIPT_BYTES);
    expect(readdirSync(folder).filter((name) => name.endsWith(".map"))).toEqual([]);
  });

  it("is served for good, as what it is, compressed where the browser can; the page names it in its policy", async () => {
    const host = await startHost();
    const { path } = await host.openSession();
    const page = await host.browser().request(path);
    const address = /<script type="module" src="([^"]+)"><\/script>/.exec(page.html)?.[1] ?? "";
    expect(address).toMatch(/^\/connect\/assets\/main-[\w-]{8,}\.js$/);
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    for (const encoding of ["gzip", "identity"]) {
      const file = await fetch(host.origin + address, { headers: { "Accept-Encoding": encoding } });
      expect(Object.fromEntries(file.headers)).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        "content-type": "text/javascript; charset=utf-8",
        "x-content-type-options": "nosniff",
        vary: "Accept-Encoding",
      });
      expect(file.headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
      expect(Buffer.from(await file.arrayBuffer()).equals(client.body)).toBe(true);
    }
    for (const name of ["nothing.js", "manifest.json", "..%2f..%2fpackage.json"])
      expect((await fetch(`${host.origin}/connect/assets/${name}`, { redirect: "manual" })).status).toBe(404);
  });

  it("is not on pages that only tell something, nor on a form shown again", async () => {
    const host = await startHost();
    const { path } = await host.openSession();
    const browser = host.browser();
    await browser.open(path);
    await browser.submit("continue");
    for (const shown of [
      await host.browser().request(path),
      await host.browser().request("/connect/nothing"),
      await browser.submit("credentials"),
    ]) {
      expect(shown.html).not.toContain("<script");
      expect(shown.headers.get("content-security-policy")).not.toContain("script-src");
    }
  });

  describe.skipIf(!executablePath)("in Chromium", () => {
    it("[C-5.13] at the end the browser goes to redirect_url with session_id", async () => {
      const host = await startHost();
      const { page, id } = await open(host, { connector_id: "esp:banco", redirect_url: host.returnUrl });
      await page.route("https://app.example/**", (route) => route.fulfill({ contentType: "text/html", body: "back" }));
      await logIn(page, "good");
      await page.waitForURL(`${host.returnUrl}&session_id=${id}`);
    });

    it("a coordinate card asks for its number", async () => {
      const { page } = await open(await startHost());
      await logIn(page, "card");
      await page.getByText("number from your code card").waitFor();
      expect(await audit(page)).toEqual([]);
      await page.getByLabel("Code").fill("123456");
      await press(page, "Continue");
      await sees(page, "Your bank is connected");
    });

    it("a QR code that the bank has replaced is drawn again by itself, and the focus stays", async () => {
      const host = await startHost();
      const { page } = await open(host);
      await logIn(page, "turning qr");
      const code = page.getByRole("img", { name: "QR code" });
      await code.waitFor();
      expect(await audit(page)).toEqual([]);
      const [before] = [await code.innerHTML(), await page.getByRole("button", { name: "Continue" }).focus()];
      const spoken = await listenTo(page);
      host.bank.turn();
      host.advance(3_000);
      await page.getByText("https://bank.example/approve/2").waitFor({ state: "attached" });
      expect(await code.innerHTML()).not.toBe(before);
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Continue");
      expect(await spoken()).toEqual([]);
    });

    it("an approval in the bank's app that the bank reports by itself needs no Continue", async () => {
      const host = await startHost();
      const { page } = await open(host);
      await logIn(page, "app");
      await sees(page, "Confirm your identity");
      host.bank.approve();
      host.advance(3_000);
      await sees(page, "Your bank is connected");
    });

    it("other words of the bank are read out", async () => {
      const host = await startHost();
      const { page } = await open(host);
      await logIn(page, "app");
      await page.getByText("The bank asks by app.").waitFor();
      const spoken = await listenTo(page);
      host.bank.say("Now press Yes in the app.");
      host.advance(3_000);
      await page.getByText("Now press Yes in the app.").waitFor();
      expect(await spoken()).toEqual(["Now press Yes in the app."]);
    });

    it("the fields are the bank's own, in its words; what is left empty is named and the focus goes there", async () => {
      const { page } = await open(await startHost(), { connector_id: "usa:bank-0" });
      await press(page, "Continue");
      await page.getByText("Eight digits, on your bank card.").waitFor();
      expect(await page.getByRole("textbox").count()).toBe(1);
      await press(page, "Continue");
      const summary = page.getByRole("alert");
      await summary.getByRole("link").waitFor();
      expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("alert");
      expect(await audit(page)).toEqual([]);
      await summary.getByRole("link").click();
      await page.keyboard.type("12345678");
      await press(page, "Continue");
      await sees(page, "Your bank is connected");
    });

    it("[S1-8.7] when its time is over the page says so by itself as soon as it is looked at", async () => {
      const host = await startHost();
      const { page } = await open(host);
      await press(page, "Continue");
      await sees(page, "Log in to Banco Sol");
      host.advance(1_800_000);
      await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
      await sees(page, "Your session has expired");
      expect(await audit(page)).toEqual([]);
    });

    it("without a connection it says so, keeps what was typed, and goes on once there is one", async () => {
      const { page, context, complaints } = await open(await startHost());
      await press(page, "Continue");
      await page.getByLabel("User name").fill("someone");
      await context.setOffline(true);
      await press(page, "Continue");
      await page.getByRole("alert").getByText("There is no connection").waitFor();
      expect(await audit(page)).toEqual([]);
      await context.setOffline(false);
      await page.getByRole("alert").waitFor({ state: "detached" });
      expect(await page.getByLabel("User name").inputValue()).toBe("someone");
      expect(complaints.every((words) => words.includes("ERR_INTERNET_DISCONNECTED"))).toBe(true);
      (complaints as string[]).length = 0;
    });

    it("what was typed before it took over stays, and so does the cursor", async () => {
      const { page, letThrough } = await openSlowly();
      await press(page, "Continue");
      await page.getByLabel("User name").fill("early bird");
      await page.getByLabel("Password", { exact: true }).focus();
      expect(await page.locator("main > .screen").count()).toBe(0);
      letThrough();
      await taken(page);
      expect(await page.getByLabel("User name").inputValue()).toBe("early bird");
      expect(await page.evaluate("document.activeElement.id")).toBe("password");
    });

    it("a name that was typed before it took over is looked for then", async () => {
      const { page, path, letThrough } = await openSlowly({});
      await press(page, "Continue");
      await page.getByLabel("Name of the bank").fill("banque");
      expect(await page.getByRole("button", { name: "Search" }).count()).toBe(1);
      letThrough();
      await page.getByText("1 bank", { exact: true }).waitFor();
      expect(await page.getByRole("button", { name: "Search" }).count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe(path);
    });

    it("a password can be looked at; it stays, like everything typed, when another field is refused", async () => {
      const { page } = await open(await startHost());
      await press(page, "Continue");
      await page.getByLabel("Password", { exact: true }).fill("correct horse");
      await page.getByLabel("Show password").check();
      expect(await page.locator("#password").getAttribute("type")).toBe("text");
      await press(page, "Continue");
      await page.getByRole("alert").getByRole("link", { name: "Enter your user name" }).waitFor();
      expect(await page.title()).toContain("Error: ");
      expect(await page.locator("#password").inputValue()).toBe("correct horse");
      expect(await page.locator("#password").getAttribute("type")).toBe("text");
      await page.getByLabel("User name").fill("someone");
      await press(page, "Continue");
      await sees(page, "Your bank is connected");
    });

    it("Back on the login page of a chosen bank leads to the choice", async () => {
      const { page } = await open(await startHost(), {});
      await press(page, "Continue");
      await page.getByRole("button", { name: "Banque Bleue" }).click();
      await sees(page, "Log in to Banque Bleue");
      await page.goBack();
      await sees(page, "Choose your bank");
      expect(await audit(page)).toEqual([]);
    });

    it("[C-5.36] Cancel is in sight on a phone, asks once more, and gives back what was typed", async () => {
      const host = await startHost();
      const { page, id } = await open(host, {});
      const cancel = page.getByText("Cancel", { exact: true });
      const inSight = async () => {
        const { y = Infinity, height = 0 } = (await cancel.boundingBox()) ?? {};
        return y >= 0 && y + height <= 740;
      };
      expect(await inSight()).toBe(true);
      await press(page, "Continue");
      await sees(page, "Choose your bank");
      expect(await inSight()).toBe(true);
      await page.getByRole("button", { name: "Banco Sol" }).click();
      await sees(page, "Log in to Banco Sol");
      expect(await inSight()).toBe(true);
      await page.getByLabel("User name").fill("undecided");
      for (const back of ["Escape", "No, continue"]) {
        await cancel.press("Enter");
        await page.getByText("Nothing will be connected").waitFor();
        if (back === "Escape") {
          expect(await audit(page)).toEqual([]);
          await page.keyboard.press("Escape");
        } else await page.getByRole("link", { name: back }).press("Enter");
        await page.getByText("Nothing will be connected").waitFor({ state: "hidden" });
        expect(await page.evaluate("document.activeElement.textContent")).toBe("Cancel");
      }
      expect(await page.getByLabel("User name").inputValue()).toBe("undecided");
      await cancel.click();
      await press(page, "Yes, cancel");
      await sees(page, "You have cancelled");
      expect((await host.status(id)).status).toBe("Finished:Aborted");
    });

    it("[C-5.32] the language is switched by keyboard in place: what was typed and the search stay", async () => {
      const { page } = await open(await startHost(), {});
      await press(page, "Continue");
      await page.getByLabel("Name of the bank").fill("banq");
      await page.getByText("1 bank", { exact: true }).waitFor();
      await page.locator(".languages summary").press("Enter");
      expect(await audit(page)).toEqual([]);
      await page.getByRole("link", { name: "Français" }).press("Enter");
      await sees(page, "Choisissez votre banque");
      await page.getByText("1 banque", { exact: true }).waitFor();
      expect(await page.getByLabel("Nom de la banque").inputValue()).toBe("banq");
      expect(await page.locator("html").getAttribute("lang")).toBe("fr");
      expect(await page.evaluate("document.activeElement.textContent")).toContain("Français");
      await page.reload();
      await sees(page, "Choisissez votre banque");
    });

    it("[C-5.30] a bank by letter is opened by keyboard and says what to do", async () => {
      const { page } = await open(await startHost(), {});
      await press(page, "Continue");
      await page.getByLabel("Name of the bank").fill("depot");
      await page.getByText("1 bank", { exact: true }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByText("for the letter, sign it and return it").waitFor();
      expect(await audit(page)).toEqual([]);
      // The open entry belongs to its bank, not to its place in the list.
      await page.getByLabel("Name of the bank").fill("");
      await page.getByText("64 banks").waitFor();
      expect(await page.locator(".banks [open]").count()).toBe(1);
      await page.getByText("for the letter, sign it and return it").waitFor();
    });

    it("every step fits on 320 pixels, with letters of twice the size too (WCAG 2.2, 1.4.4, 1.4.10)", async () => {
      const host = await startHost();
      const { page } = await open(host, { language: "de" });
      const fits = async () => {
        for (const [width, size] of [
          [320, "100%"],
          [640, "200%"],
        ] as const) {
          await page.setViewportSize({ width, height: 640 });
          await page.evaluate(`document.documentElement.style.fontSize = "${size}"`);
          for (const panel of [null, ".languages", ".cancel"]) {
            await page.evaluate(
              `document.querySelectorAll(".top details").forEach((each) => (each.open = each.matches("${panel}")))`,
            );
            expect(await overflow(page), `${width} px, ${size}, ${panel}`).toEqual([]);
          }
          await page.evaluate(`document.querySelectorAll(".top details").forEach((each) => (each.open = false))`);
        }
      };
      await fits();
      await press(page, "Weiter");
      await page.getByText("Depotfeed").click();
      await fits();
      await page.getByRole("button", { name: "Caja <Norte> & Sur" }).click();
      await sees(page, "Anmeldung bei Caja <Norte> & Sur");
      await fits();
      await page.getByLabel("Benutzername").fill("jemand");
      await page.getByLabel("Passwort", { exact: true }).fill("qr");
      await press(page, "Weiter");
      await page.getByRole("img").waitFor();
      await fits();
    });

    it("the script that does not come leaves a page that works", async () => {
      const host = await startHost();
      const person = await newPerson(chromium as Browser);
      people.push(person);
      const { page } = person;
      await page.route("**/connect/assets/**", (route) => route.fulfill({ status: 404, body: "" }));
      await page.goto(host.origin + (await host.openSession()).path);
      await logIn(page, "good");
      await sees(page, "Your bank is connected");
    });

    it("holds up with 40,000 banks: one page of them at a time", async () => {
      const host = await startHost(manyBanks);
      const { page } = await open(host, {});
      const answers: number[] = [];
      const found = manyBanks.filter(({ name }) => name.startsWith("Crédit 399")).length;
      page.on("response", async (response) => {
        if (response.url().includes("/banks?")) answers.push((await response.body()).length);
      });
      await press(page, "Continue");
      await page.getByText("40,000 banks").waitFor();
      await page.getByLabel("Name of the bank").pressSequentially("credit 399", { delay: 30 });
      await page.getByText(`${found} banks`, { exact: true }).waitFor();
      await page.getByLabel("Country").selectOption("Spain");
      await page.getByText("No banks found.").waitFor();
      await page.getByLabel("Country").selectOption("");
      await page.getByLabel("Name of the bank").fill("");
      await page.getByText("40,000 banks").waitFor();
      const list = page.getByRole("list", { name: "Banks" }).getByRole("button");
      expect(await list.count()).toBe(50);
      await press(page, "Show more banks");
      await list.nth(99).waitFor();
      await list.first().focus();
      for (const [key, at] of [
        ["End", 99],
        ["ArrowUp", 98],
        ["Home", 0],
        ["ArrowDown", 1],
      ] as const) {
        await page.keyboard.press(key);
        expect(
          await page.evaluate(`[...document.querySelectorAll(".banks button")].indexOf(document.activeElement)`),
        ).toBe(at);
      }
      expect(Math.max(...answers)).toBeLessThan(20_000);
    });
  });
});

/** Records changes from now on in the parts of the page that screen readers announce. */
async function listenTo(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`globalThis.spoken = [];
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const live = (target.parentElement ?? target).closest('[role="status"], [role="alert"], [aria-live]');
        if (live) spoken.push(live.textContent);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });`);
  return () => page.evaluate("spoken");
}

/** Waits until the client has taken over the page. */
async function taken(page: Page): Promise<void> {
  await page.locator("main > .screen").waitFor();
}
