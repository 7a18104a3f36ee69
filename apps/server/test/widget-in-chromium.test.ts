import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { newPerson, type Person, press, sees, startChromium } from "./chromium-person.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { audit } from "./page-audit.js";

const executablePath = process.env.CHROMIUM_PATH;
/** Without motion, which costs more processor time than everything else while a person waits; the people further down have it. */
const views = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" },
  desk: { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" },
} satisfies Record<string, BrowserContextOptions>;

const BANK = "Banco Peñaclarín";
const LANDING = `Connect ${BANK}`;
const LOGIN = `Log in to ${BANK}`;
const CONFIRM = "Confirm your identity";
const AWAY = "Log in on your bank's page";
const PASSERELLE = "Banque Passerelle: log in";
const WAITING = "One moment";
const DONE = "Your bank is connected";
const NOTHING_THERE = "Connected, no accounts found";

/** What a person types, and where each leads. */
type Scenario = readonly [password: string, answers: readonly string[], end: string];
const scenarios: readonly Scenario[] = [
  ["anything", [], DONE],
  ["SCA_SMS", ["123456"], DONE],
  ["SCA_CODE", ["123456"], DONE],
  ["SCA_APP", [""], DONE],
  ["SCA_QR", [""], DONE],
  ["SCA_SMS", ["INVALID_SCA", "123456"], DONE],
  ["SCA_CODE", ["1", "2", "3"], "The confirmation failed"],
  ["SCA_SMS", ["INTERNAL_ERROR"], "That did not work"],
  ["SCA_SMS", ["USER_INTERACTION_NEEDED"], "Your bank needs something from you first"],
  ["SCA_TYPE_NOT_ALLOWED", [], "This kind of confirmation is not supported"],
  ["ALREADY_EXISTS", [], "This login is already connected"],
  ["DATA_ERROR_PORTFOLIO", [], DONE],
  ["EMPTY", [], NOTHING_THERE],
  ["SLOW", [], DONE],
];
/** Those that lead through pages that the others show on each device. */
const onPhone: readonly Scenario[] = [
  ["USER_INTERACTION_NEEDED", [], "Your bank needs something from you first"],
  ["INTERNAL_ERROR", [], "That did not work"],
  ["DATA_ERROR_TRANSACTIONS", [], DONE],
  ["BLOCKED_AFTER", [], DONE],
  ["CONSENT_EXPIRES", [], DONE],
  ["LARGE", [], DONE],
];

// Each person is a different customer and mostly waits for the server, so several run concurrently.
describe.skipIf(!executablePath)("the widget of the started server, in Chromium", { concurrent: true }, () => {
  let server: TestServer;
  let tenant: TestTenant;
  let chromium: Browser;
  let customers = 0;

  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend("it is about pages in a browser; flows runs sessions on both"),
    });
    tenant = await server.createTenant("Household");
    chromium = await startChromium(executablePath ?? "");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  /** A new person, whose browser must report no errors until the end of the test. */
  async function somebody({ onTestFinished }: TestContext, options: BrowserContextOptions = {}): Promise<Person> {
    const person = await newPerson(chromium, options);
    onTestFinished(async () => {
      await person.context.close();
      expect(person.complaints).toEqual([]);
      expect([...person.hosts].filter((host) => host !== "127.0.0.1" && host !== "localhost")).toEqual([]);
    });
    return person;
  }

  /** Opens a fresh link. A bank's own page leads back to the server's address, which is `localhost`. */
  async function open(page: Page, configuration: object = { connector_id: sandboxBanks.eBanking }, isBack = false) {
    const { status, body, text } = await tenant.post("/v2/connect/sessions", { configuration });
    expect(status, text).toBe(200);
    const url = isBack ? body.widget_url : localAddress(body.widget_url);
    await page.goto(url);
    return { id: body.session.session_id as string, url };
  }

  /** The host under which the browser's errors are counted. */
  const localAddress = (url: string) => url.replace("//localhost:", "//127.0.0.1:");

  async function logIn(page: Page, password: string, username = `customer-${++customers}`) {
    await page.getByLabel("User name").fill(username);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await press(page, "Continue");
    return username;
  }

  const statusOf = async (id: string) => (await tenant.tools.call("svc-session-status", { session_id: id })).status;

  describe.each(Object.entries(views))("on a %s", (name, view) => {
    /** States that were already audited on this device. */
    const audited = new Set<string>();
    async function looksGood(page: Page, state: string) {
      if (audited.has(state)) return;
      audited.add(state);
      expect(await audit(page), `${state} on a ${name}`).toEqual([]);
      await page.emulateMedia({ colorScheme: null });
    }

    const here = name === "phone" ? [...scenarios, ...onPhone] : scenarios;
    it.for(here)("[C-5.16] [C-5.17] %s %j leads to “%s”", async ([password, answers, end], test) => {
      const { page } = await somebody(test, view);
      const { id } = await open(page);
      await sees(page, LANDING);
      await taken(page);
      await looksGood(page, "landing");
      await press(page, "Continue");
      await sees(page, LOGIN);
      await looksGood(page, "login");
      await logIn(page, password);
      if (password === "SLOW") {
        await sees(page, WAITING);
        await page.getByText("Some banks take a minute or two.").waitFor();
        await looksGood(page, WAITING);
      }
      for (const [attempt, answer] of answers.entries()) {
        await sees(page, CONFIRM);
        if (attempt > 0) await page.getByRole("alert").getByText("Your bank did not accept").waitFor();
        await looksGood(page, `${password}, attempt ${attempt}`);
        if (answer === "") expect(await page.getByRole("textbox").count()).toBe(0);
        else await page.getByLabel("Code").fill(answer);
        await press(page, "Continue");
        if (attempt + 1 < answers.length) await page.getByText(`${2 - attempt} attempt`).waitFor();
      }
      await sees(page, end);
      if (password.startsWith("DATA_ERROR")) await page.getByText("Some of your data could not be read").waitFor();
      expect(await page.evaluate("document.activeElement.textContent")).toBe(end);
      expect(await page.title()).toContain(end);
      await page.getByText("You can close this page.").waitFor();
      await looksGood(page, end);
      expect(await statusOf(id)).toBe([DONE, NOTHING_THERE].includes(end) ? "Finished:OK" : "Finished:Error");
    });

    it("[C-9.20] wrong passwords: told how many attempts are left, the third ends it; nothing typed is kept", async (test) => {
      const { page } = await somebody(test, view);
      await open(page);
      await press(page, "Continue");
      for (const left of ["2 attempts", "1 attempt"]) {
        await logIn(page, "INVALID_CREDENTIALS");
        await page.getByRole("alert").getByText(`You have ${left} left.`).waitFor();
        expect(await page.title()).toContain("Error: ");
        expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("");
        await looksGood(page, "login refused");
      }
      await logIn(page, "INVALID_CREDENTIALS");
      await sees(page, "The login failed");
      await looksGood(page, "login failed");
    });

    it("[C-5.12] the bank is found while its name is typed, by keyboard alone, and only among those the filter allows", async (test) => {
      const { page } = await somebody(test, view);
      const { eBanking, psd2, datafeed } = sandboxBanks;
      const rules = [
        { action: "exclude", field: "connector_id", value: "*" },
        { action: "include", field: "connector_id", value: [eBanking, psd2, datafeed] },
      ];
      await open(page, { connector_filter: { rules } });
      await sees(page, "Connect your bank");
      await taken(page);
      await looksGood(page, "landing, any bank");
      await press(page, "Continue");
      await sees(page, "Choose your bank");
      await page.getByText("3 banks", { exact: true }).waitFor();
      await looksGood(page, "bank choice");
      expect(await page.getByLabel("Country").getByRole("option").allInnerTexts()).toEqual(["All countries", "Spain"]);
      await page.getByLabel("Name of the bank").focus();
      await page.keyboard.type("penacl");
      await page.getByText("1 bank", { exact: true }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await sees(page, LOGIN);
      await page.goBack();
      await sees(page, "Choose your bank");
      await page.getByLabel("Name of the bank").fill("no such bank");
      await page.getByText("No banks found.").waitFor();
      await looksGood(page, "bank choice, nothing found");
    });

    it("[S1-4.17] [C-5.11] another browser is told that the link is taken, and how to go on", async (test) => {
      const { page } = await somebody(test, view);
      const { url } = await open(page);
      await taken(page);
      const other = await somebody(test, view);
      await other.page.goto(url);
      await press(page, "Continue");
      await sees(page, LOGIN);
      await press(other.page, "Continue");
      await sees(other.page, "This link cannot be used here any more");
      await looksGood(other.page, "taken");
    });
  });

  describe("[C-5.37] at banks with another way in, on a phone", () => {
    const looksGood = async (page: Page) => {
      expect(await audit(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: null });
    };
    const atPasserelle = async (page: Page) => {
      const session = await open(page, { connector_id: "lux:banque-passerelle", language: "en" }, true);
      await press(page, "Continue");
      await sees(page, AWAY);
      return session;
    };
    const agreeAs = async (page: Page, username: string, password = "x") => {
      await page.getByLabel("User name").fill(username);
      await page.getByLabel("Password").fill(password);
      await press(page, "Log in and agree");
    };

    it("the bank's own page is one tap away and back; declined, it is offered again", async (test) => {
      const { page } = await somebody(test, views.phone);
      const { id } = await atPasserelle(page);
      await taken(page);
      await looksGood(page);
      await press(page, "Go to your bank");
      await sees(page, PASSERELLE);
      await looksGood(page);
      await agreeAs(page, "ada", "INVALID_CREDENTIALS");
      await page.getByRole("alert").getByText("The user name or the password is wrong").waitFor();
      await looksGood(page);
      await press(page, "Decline");
      await page.getByRole("alert").getByText("You have 2 attempts left.").waitFor();
      await looksGood(page);
      await press(page, "Go to your bank again");
      await agreeAs(page, "ada");
      await sees(page, DONE);
      expect(await statusOf(id)).toBe("Finished:OK");
    });

    it("back in another tab, the first one follows by itself; in another browser it says where to go on", async (test) => {
      const { page, context } = await somebody(test);
      const { url } = await atPasserelle(page);
      const tab = await context.newPage();
      await tab.goto(url);
      await press(tab, "Go to your bank");
      await sees(tab, PASSERELLE);
      const other = await somebody(test, views.phone);
      await other.page.goto(tab.url());
      await agreeAs(other.page, "mallory");
      await sees(other.page, "Continue where you started");
      await looksGood(other.page);
      await agreeAs(tab, "grace");
      await sees(tab, DONE);
      await sees(page, DONE);
    });

    it("a question in the middle is answered by keyboard, with what is wrong read out first", async (test) => {
      const { page } = await somebody(test, views.phone);
      await open(page, { connector_id: "aut:bank-wegscheide" });
      await press(page, "Continue");
      await logIn(page, "anything");
      await sees(page, "A question from your bank");
      await press(page, "Continue");
      await page.getByRole("alert").getByRole("link", { name: "Choose an answer for “How to confirm”" }).press("Enter");
      await looksGood(page);
      expect(await page.evaluate("document.activeElement.value")).toBe("sms");
      await page.getByLabel("Text message").press("ArrowDown");
      await page.getByLabel("Text message").press("Enter");
      await sees(page, CONFIRM);
      await press(page, "Continue");
      await page.getByLabel("All accounts").check();
      await looksGood(page);
      await press(page, "Continue");
      await sees(page, DONE);
    });

    it("fields of every kind: what is right stays when another one is not", async (test) => {
      const { page } = await somebody(test, views.phone);
      await open(page, { connector_id: "bel:banque-cinqchamps" });
      await press(page, "Continue");
      await page.getByLabel("Customer number").fill("1234");
      await page.getByLabel("PIN for online banking", { exact: true }).fill("0000");
      await page.getByLabel("Joint").check();
      await page.getByLabel("Country of your branch").selectOption("BEL");
      await looksGood(page);
      await press(page, "Continue");
      await page.getByRole("alert").getByRole("link", { name: "“Customer number” does not look right" }).click();
      await looksGood(page);
      expect(await page.evaluate("document.activeElement.value")).toBe("1234");
      await page.keyboard.type("5678");
      expect(await page.getByLabel("Joint").isChecked()).toBe(true);
      await press(page, "Continue");
      await sees(page, DONE);
    });

    it("without JavaScript the way to the bank's own page and back is the same, in the customer's language", async (test) => {
      const { page } = await somebody(test, { javaScriptEnabled: false, locale: "de-DE" });
      await open(page, { connector_id: "lux:banque-passerelle" }, true);
      await press(page, "Weiter");
      await checksUntil(page, "Melden Sie sich auf der Seite Ihrer Bank an");
      await press(page, "Zur Bank");
      await page.getByLabel("Benutzername").fill("ohne");
      await press(page, "Anmelden und zustimmen");
      await checksUntil(page, "Ihre Bank ist verbunden");
    });
  });

  it("[C-5.10] looking, with the client too, never claims: another browser can still continue", async (test) => {
    const { page } = await somebody(test);
    const { url } = await open(page);
    await taken(page);
    const other = await somebody(test);
    await other.page.goto(url);
    await press(other.page, "Continue");
    await sees(other.page, LOGIN);
  });

  it("a double click on Continue and on the login counts once", async (test) => {
    const { page } = await somebody(test);
    const posts: string[] = [];
    page.on(
      "request",
      (request) => request.method() === "POST" && posts.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""),
    );
    await open(page);
    await taken(page);
    await page.getByRole("button", { name: "Continue" }).dblclick();
    await sees(page, LOGIN);
    await page.getByLabel("User name").fill("double");
    await page.getByLabel("Password", { exact: true }).fill("SCA_SMS");
    await page.getByRole("button", { name: "Continue" }).dblclick();
    await sees(page, CONFIRM);
    expect(posts).toEqual(["continue", "credentials"]);
  });

  it("reload in mid-session shows the same step", async (test) => {
    const { page } = await somebody(test);
    await open(page);
    await press(page, "Continue");
    await sees(page, LOGIN);
    await page.reload();
    await sees(page, LOGIN);
    await logIn(page, "SCA_QR");
    await sees(page, CONFIRM);
    await page.reload();
    await taken(page);
    await page.getByRole("img", { name: "QR code" }).waitFor();
    await press(page, "Continue");
    await sees(page, DONE);
    await page.reload();
    await sees(page, DONE);
  });

  it("[C-5.16] the QR code of the sandbox is drawn again by itself, and the focus stays", async (test) => {
    const { page } = await somebody(test);
    await open(page);
    await press(page, "Continue");
    await logIn(page, "SCA_QR");
    const code = page.getByRole("img", { name: "QR code" });
    await code.waitFor();
    const content = await page.locator("details > p").textContent();
    const drawing = await code.innerHTML();
    await page.getByRole("button", { name: "Continue" }).focus();
    await page.locator("details > p", { hasNotText: String(content) }).waitFor({ state: "attached" });
    expect(await code.innerHTML()).not.toBe(drawing);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Continue");
    await press(page, "Continue");
    await sees(page, DONE);
  });

  it("two tabs: the one that is behind catches up with its next form, and when it is looked at", async (test) => {
    const { page, context } = await somebody(test);
    const { url } = await open(page);
    await press(page, "Continue");
    await sees(page, LOGIN);
    const tab = await context.newPage();
    await tab.goto(url);
    await sees(tab, LOGIN);
    await taken(tab);
    await logIn(page, "SCA_SMS");
    await sees(page, CONFIRM);
    await logIn(tab, "ignored");
    await sees(tab, CONFIRM);
    await tab.getByLabel("Code").fill("123456");
    await press(tab, "Continue");
    await sees(tab, DONE);
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    await sees(page, DONE);
  });

  it("Cancel ends it, from the first page and from the login", async (test) => {
    for (const steps of [[], ["Continue"]]) {
      const { page } = await somebody(test);
      const { id } = await open(page);
      for (const step of steps) await press(page, step);
      if (steps.length > 0) await sees(page, LOGIN);
      await page.getByText("Cancel", { exact: true }).click();
      await press(page, "Yes, cancel");
      await sees(page, "You have cancelled");
      expect(await statusOf(id)).toBe("Finished:Aborted");
    }
  });

  it("nothing typed and nothing of the session is stored in the browser or appears in an address", async (test) => {
    const { page } = await somebody(test);
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await open(page);
    await press(page, "Continue");
    const username = await logIn(page, "SCA_SMS");
    await sees(page, CONFIRM);
    await page.getByLabel("Code").fill("123456");
    await press(page, "Continue");
    await sees(page, DONE);
    expect(addresses.filter((address) => /SCA_SMS|123456/.test(address) || address.includes(username))).toEqual([]);
    expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([0, 0, ""]);
    expect(await page.content()).not.toMatch(/SCA_SMS|123456/);
    expect(server.output()).not.toMatch(/SCA_SMS|123456/);
  });

  it.for(["es", "fr", "de"])("[S1-3.1] a session in %s is gone through in it", async (language, test) => {
    const { page } = await somebody(test);
    await open(page, { connector_id: sandboxBanks.eBanking, language });
    await taken(page);
    const english = /\b(Continue|Cancel|User name|Password|Connect|Log in)\b/;
    expect(await page.locator("main").textContent()).not.toMatch(english);
    await page.locator("button.first").click();
    await page.locator("#username").fill(`kunde-${language}`);
    expect(await page.locator("main").textContent()).not.toMatch(english);
    await page.locator("#password").fill("anything");
    await page.locator("button.first").click();
    await page.locator(".sign.good").waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe(language);
  });

  describe("without JavaScript", () => {
    it.for<readonly [password: string, answer: string | null, end: string]>([
      ["SCA_CODE", "123456", DONE],
      ["SCA_QR", "", DONE],
      ["USER_INTERACTION_NEEDED", null, "Your bank needs something from you first"],
    ])("[C-5.16] %s answered %j leads to “%s”", async ([password, answer, end], test) => {
      const { page } = await somebody(test, { javaScriptEnabled: false });
      const { id } = await open(page);
      await press(page, "Continue");
      await sees(page, LOGIN);
      await logIn(page, password);
      if (answer !== null) {
        await sees(page, CONFIRM);
        if (answer !== "") await page.getByLabel("Code").fill(answer);
        await press(page, "Continue");
      }
      await sees(page, end);
      expect(await statusOf(id)).toMatch(/^Finished:/);
    });
  });

  it("[C-5.16] where the client does not come, the QR code that the bank has replaced is shown on asking for it", async (test) => {
    const { page } = await somebody(test);
    await page.route("**/connect/assets/**", (route) => route.fulfill({ status: 404, body: "" }));
    await open(page);
    await press(page, "Continue");
    await logIn(page, "SCA_QR");
    await checksUntil(page, CONFIRM);
    expect(await audit(page)).toEqual([]);
    const shown = page.locator("details > p");
    const content = await shown.textContent();
    await eventually(async () => {
      await page.getByRole("link", { name: "Show the latest code" }).click();
      await sees(page, CONFIRM);
      return (await shown.textContent()) !== content;
    }, "another code is shown");
    await press(page, "Continue");
    await checksUntil(page, DONE);
  });
});

/** Continues by hand while the bank is queried: without the client, the page does not do it where scripts could run. */
async function checksUntil(page: Page, heading: string): Promise<void> {
  while (/^(One moment|Einen Augenblick)$/.test((await page.locator("h1").textContent()) ?? ""))
    await page.getByRole("link", { name: /^(Check now|Jetzt prüfen)$/ }).click();
  await sees(page, heading);
}

/** Waits until the client has taken over the page. */
async function taken(page: Page): Promise<void> {
  await page.locator("main > .screen").waitFor();
}
