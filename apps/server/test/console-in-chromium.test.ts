import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Person, press, sees, startChromium } from "./chromium-person.js";
import {
  auditScreens,
  consoleOrigin,
  desk,
  FIRST_EMAIL,
  firstOperatorLink,
  joinBy,
  nameOfFocused,
  personWithDevice,
  phone,
  reach,
  signInWithDevice,
} from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { startLoopbackClient } from "./loopback-client.js";
import { auditRendered } from "./page-audit.js";
import { accessibleText, spokenErrors } from "./spoken-page.js";

const executablePath = process.env.CHROMIUM_PATH;

describe.skipIf(!executablePath)("the console, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  /** The installation's first operator, who stays signed in. */
  let operator: Person;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    operator = await personWithDevice(chromium);
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  it("[C-14.92] the first operator gets in from a bare start, by the keyboard alone", async () => {
    const { page } = operator;
    await page.goto(firstOperatorLink(server));
    await sees(page, "Welcome");
    // Neither the browser's address bar nor its history keeps the invitation.
    expect(new URL(page.url()).hash).toBe("");
    expect(await auditRendered(page, "light")).toEqual([]);
    await reach(page, "Your name");
    await page.keyboard.type("Ada Operator");
    await page.keyboard.press("Enter");
    // The page asks for the address too before it goes on.
    expect(await page.getByLabel("E-mail").evaluate(IS_FOCUSED)).toBe(true);
    await page.keyboard.type(FIRST_EMAIL);
    await page.keyboard.press("Enter");
    await sees(page, "Keep your recovery codes");
    expect(await auditRendered(page, "light")).toEqual([]);
    await reach(page, "I have kept these codes in a safe place");
    await page.keyboard.press("Space");
    await reach(page, "Continue");
    await page.keyboard.press("Enter");
    await sees(page, "Add a second passkey");
    await reach(page, "Later");
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Screens" }).waitFor();
    expect(await page.getByText("Ada Operator").first().isVisible()).toBe(true);
    // A sign-in applies to other tabs too.
    await page.goto(`${consoleOrigin(server)}/console/account`);
    await sees(page, "Your account");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    expect(await nameOfFocused(page)).toBe("Skip to the content");
  });

  it("[C-14.93] every screen is sound in light and dark, at a desk and on a phone", async () => {
    const { page } = operator;
    const faults = await auditScreens(page, consoleOrigin(server), ["/console/nothing/here"]);
    expect(faults).toEqual([]);
    await page.setViewportSize(phone);
    await press(page, "Menu");
    await page.getByRole("dialog", { name: "Menu" }).waitFor();
    expect(await auditRendered(page, "dark")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize(desk);
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("[C-14.129] what changes is read out, rows say how many there are and which they are, and a dialog gives the focus back", async () => {
    const { page } = operator;
    const origin = `${consoleOrigin(server)}/console`;
    await page.goto(`${origin}/people`);
    await expect.poll(() => accessibleText(page)).toContain("1 entry");
    await page.getByRole("button", { name: "Invite somebody" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Invite somebody" });
    await dialog.waitFor();
    expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
    expect(await spokenErrors(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await nameOfFocused(page)).toBe("Invite somebody");

    await page.goto(`${origin}/letters`);
    await expect.poll(() => accessibleText(page)).toContain("No letters yet");
    await submitLetter(server.demo, sandboxBanks.datafeed);
    await expect.poll(() => accessibleText(page)).toContain("1 letter");
    const rows = page.locator("main table").last().locator("[aria-rowindex]");
    expect(await rows.first().getAttribute("aria-rowindex")).toBe("2");

    await page.goto(`${origin}/tenants`);
    await page.getByRole("row", { name: "Documents of letters 1 TiB built in" }).waitFor();
    await page.locator("main tbody a").first().click();
    await page.getByRole("tab", { name: "Profile" }).click();
    await page.getByLabel("Name that clients know").fill("Example Wealth");
    await press(page, "Save");
    await expect.poll(() => accessibleText(page)).toContain("The profile is kept");
    expect(await spokenErrors(page)).toEqual([]);
  });

  it("[C-14.130] the first operator moves a letter on by the keyboard alone; of many it is told before and after what becomes of each", async () => {
    const { page } = operator;
    const labels = { pile: "small" };
    const [, cancelled, first] = [
      await submitLetter(server.demo, sandboxBanks.datafeed, { labels }),
      await submitLetter(server.demo, sandboxBanks.datafeed, { labels }),
      await submitLetter(server.demo, sandboxBanks.datafeed, { labels }),
    ];
    const letterOf = async (letter_id: string) =>
      (await server.operate("/operator/v1/letters/show", { letter_id })).letter;
    await page.goto(`${consoleOrigin(server)}/console/letters?label=pile%3Dsmall`);
    await page.locator('main tr[data-row="2"]').waitFor();
    await page.locator('main tr[data-row="0"] a').focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/letters/${first}`);
    // The keys are pressed before the letter has loaded.
    await page.getByRole("button", { name: "Advance to: Sent to custodian" }).waitFor();
    await reach(page, "Advance to: Sent to custodian");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Advance to: Sent to custodian" }).waitFor();
    await reach(page, "Advance");
    await page.keyboard.press("Enter");
    await expect.poll(() => accessibleText(page)).toContain("The letter has moved");
    const { status, history } = await letterOf(first);
    expect([status, history.at(-1).actor_name]).toEqual(["SentToCustodian", "Ada Operator"]);

    await server.operate("/operator/v1/letters/cancel", { letter_id: cancelled });
    await page.goBack();
    await page.locator('main tr[data-row="1"]', { hasText: "Cancelled" }).waitFor();
    await page.locator('main tr[data-row="0"] a').focus();
    for (const key of ["x", "ArrowDown", "x", "ArrowDown", "x"]) await page.keyboard.press(key);
    await press(page, "Move 3");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Show what will happen" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => accessibleText(page)).toContain("2 will move, 1 would be refused.");
    await dialog.getByText("In its present status the letter has no next step.").waitFor();
    expect(await nameOfFocused(page)).toBe("Move 2 letters");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "What happened" }).waitFor();
    await dialog.getByText("2 moved, 0 refused.").waitFor();
    expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
    expect(await auditRendered(page, "light")).toEqual([]);
    expect(await spokenErrors(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect((await letterOf(first)).status).toBe("AcceptedByCustodian");
  });

  it("[C-14.94] whose session ends under them signs in where they were, and what they typed is there", async () => {
    const { page, context } = operator;
    await page.goto(`${consoleOrigin(server)}/console/account`);
    await press(page, "Add a passkey");
    await page.getByLabel("Name of the passkey").fill("Blue key");
    await context.clearCookies();
    await page.getByRole("dialog").getByRole("button", { name: "Add a passkey" }).click();
    await sees(page, "Sign in again");
    expect(await page.getByText("Ada Operator").first().isVisible()).toBe(false);
    await signInWithDevice(page, () => page.getByRole("dialog").waitFor());
    expect(await page.getByLabel("Name of the passkey").inputValue()).toBe("Blue key");
    await page.keyboard.press("Escape");
  });

  it("[C-14.94] a server that is away is said to be, and the page recovers by itself", async () => {
    const { page, context } = operator;
    await page.goto(`${consoleOrigin(server)}/console/account`);
    await page.getByRole("button", { name: "Sign out", exact: true }).waitFor();
    await context.setOffline(true);
    await press(page, "Sign out");
    await page.getByText("The server does not answer.").waitFor();
    await context.setOffline(false);
    await page.getByText("The server does not answer.").waitFor({ state: "detached" });
    expect(operator.complaints.filter((words) => !words.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
  });

  it("[C-14.95] a person who is removed is out of a tab that is open, by the stream alone", async () => {
    const person = await personWithDevice(chromium);
    onTestFinished(() => person.context.close());
    const invited = await server.operate("/operator/v1/people/invite", {
      email: "bo@example.com",
      role: "operator:read",
    });
    await joinBy(person, invited.link);
    await person.page.goto(`${consoleOrigin(server)}/console/account`);
    await sees(person.page, "Your account");
    // The stream informs the page: it requests nothing itself, except to offer passkeys afterwards.
    const asked: string[] = [];
    person.page.on("request", (request) => asked.push(request.url()));
    await server.operate("/operator/v1/people/end", { person_id: invited.person.person_id });
    await sees(person.page, "Sign in again");
    expect(asked.filter((url) => !/\/assets\/|\/sign-in\//.test(url))).toEqual([]);
    expect(await person.page.getByText("bo@example.com").first().isVisible()).toBe(false);
    await press(person.page, "Sign in with a passkey");
    await person.page.getByRole("alert").waitFor();
    expect(person.complaints).toEqual([]);
    expect([...person.hosts]).toEqual(["localhost"]);
  });

  it("[C-14.120] [C-14.122] a person approves an assistant with their passkey; once they are removed it is out", async () => {
    const person = await personWithDevice(chromium);
    onTestFinished(() => person.context.close());
    const { page } = person;
    const tenant = await server.createTenant("Household");
    const { tenantId: tenant_id } = tenant;
    const invited = await server.operate("/operator/v1/people/invite", {
      tenant_id,
      email: "ada@example.com",
      name: "Ada Lovelace",
      role: "member",
    });
    await joinBy(person, invited.link);
    const client = await startLoopbackClient(consoleOrigin(server), { client_name: "Portfolio helper" });
    onTestFinished(client.close);
    await person.context.clearCookies();

    // A person without an account here returns to the form of client id and secret.
    const stranger = await personWithDevice(chromium);
    onTestFinished(() => stranger.context.close());
    await stranger.page.goto(client.ask().address);
    await stranger.page.getByRole("link", { name: "Sign in as a person" }).click();
    await sees(stranger.page, "Sign in");
    await stranger.page.getByRole("link", { name: "Back to the app’s request without signing in here" }).click();
    await sees(stranger.page, "Sign in to continue");

    const request = client.ask();
    await page.goto(request.address);
    expect(await auditRendered(page, "light")).toEqual([]);
    await page.getByRole("link", { name: "Sign in as a person" }).click();
    await signInWithDevice(page, () => sees(page, "Review access"));
    await page.getByText("Ada Lovelace").waitFor();
    expect(await auditRendered(page, "light")).toEqual([]);
    await press(page, "Approve");
    await sees(page, "Back in the app");
    const tokens = (await request.redeem()).body;
    const again = await client.refresh(tokens.refresh_token);
    expect(again.status).toBe(200);

    await page.goto(`${consoleOrigin(server)}/grants`);
    await page.getByText("You have let these apps use").waitFor();
    expect(await auditRendered(page, "light")).toEqual([]);
    await server.operate("/operator/v1/people/end", { tenant_id, person_id: invited.person.person_id });
    expect((await client.refresh(again.body.refresh_token)).status).toBe(400);
    await page.reload();
    await sees(page, "Sign in to see your access");
    expect(person.complaints).toEqual([]);
  });
});

/** In the page: whether a control has the focus. */
const IS_FOCUSED = new Function("control", "return document.activeElement === control;") as (
  control: unknown,
) => boolean;
