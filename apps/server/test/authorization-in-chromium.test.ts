import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { register } from "./authorize.js";
import { newPerson, type Person, press, sees, signIn, startChromium } from "./chromium-person.js";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { anyBackend } from "./installation.js";
import { askFor, BACK_IN_THE_APP, type LoopbackClient, startLoopbackClient } from "./loopback-client.js";

const executablePath = process.env.CHROMIUM_PATH;
const STEP_1 = "Sign in to continue";
const STEP_2 = "Review access";
const ANSWERED = "This has been answered already";
const WRONG = "These credentials were not accepted. Check both, then enter them again.";
const LATER_MS = 11 * 60_000;

describe.skipIf(!executablePath)("the authorization page of the started server, in Chromium", () => {
  let server: TestServer;
  let tenant: TestTenant;
  let client: LoopbackClient;
  let chromium: Browser;
  const people: Person[] = [];

  beforeAll(async () => {
    server = await startTestServer({ backend: anyBackend });
    tenant = await server.createTenant("Household");
    client = await startLoopbackClient(server.url, { client_name: "Portfolio helper" });
    chromium = await startChromium(executablePath ?? "");
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    client?.close();
    await server?.remove();
  });
  afterEach(async () => {
    for (const { context, complaints, hosts } of people.splice(0)) {
      await context.close();
      expect(complaints).toEqual([]);
      expect([...hosts]).toEqual(["127.0.0.1"]);
    }
  });

  async function somebody(options: BrowserContextOptions = {}, browser = chromium): Promise<Person> {
    const person = await newPerson(browser, options);
    people.push(person);
    return person;
  }

  /** A new request, opened and signed in to as far as step 2. */
  async function reachStep2(page: Page, login: TestTenant = tenant) {
    const request = client.ask();
    await page.goto(request.address);
    await signIn(page, login);
    await sees(page, STEP_2);
    return request;
  }

  async function approve(page: Page) {
    await press(page, "Approve");
    await sees(page, BACK_IN_THE_APP);
  }

  describe.each([{ javaScriptEnabled: false }, { javaScriptEnabled: true }])("%j", (scripts) => {
    it("[S1-5.2] step 1, step 2, back to the client with code, state and iss, which it redeems", async () => {
      const { page, context } = await somebody(scripts);
      const addresses: string[] = [];
      page.on("request", (request) => addresses.push(request.url()));
      const request = client.ask();
      const first = await page.goto(request.address);
      await sees(page, STEP_1);
      const policy = first?.headers()["content-security-policy"];
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("form-action");
      await signIn(page, tenant);
      await sees(page, STEP_2);
      expect(await page.getByRole("region", { name: "Your credentials" }).innerText()).toContain("Household");
      for (const cookie of await context.cookies())
        expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", domain: "127.0.0.1" });
      expect((await context.cookies()).map(({ name }) => name.slice(0, 13)).sort()).toEqual([
        "wc-authorize-",
        "wc-remembered",
      ]);
      await approve(page);
      const [answer, ...more] = request.answers();
      expect(more).toEqual([]);
      expect([...(answer?.keys() ?? [])].sort()).toEqual(["code", "iss", "state"]);
      expect(answer?.get("iss")).toBe(server.url);
      const { status, body } = await request.redeem();
      expect([status, body.token_type]).toEqual([200, "Bearer"]);
      expect(addresses.filter((address) => address.includes(tenant.clientSecret))).toEqual([]);
    });

    it("[S1-5.3] the browser that signed in goes straight to step 2, until it asks for others; another does not", async () => {
      const { page } = await somebody(scripts);
      await reachStep2(page);
      await page.goto(client.ask().address);
      await sees(page, STEP_2);
      await press(page, "Use different credentials");
      await sees(page, STEP_1);
      await page.goto(client.ask().address);
      await sees(page, STEP_1);
      const other = await somebody(scripts);
      await other.page.goto(client.ask().address);
      await sees(other.page, STEP_1);
    });

    it("a wrong secret is refused in words, and is nowhere on the page, also after reload and Back", async () => {
      const { page } = await somebody(scripts);
      const request = client.ask();
      const secret = `${tenant.clientSecret.slice(0, -4)}oops`;
      await page.goto(request.address);
      await signIn(page, { ...tenant, clientSecret: secret });
      const isBlank = async () => {
        expect(await page.getByLabel("Client secret").inputValue()).toBe("");
        expect(await page.content()).not.toContain(secret);
        expect(page.url()).not.toContain(secret);
      };
      expect(await page.getByRole("alert").innerText()).toBe(WRONG);
      await isBlank();
      await page.reload();
      expect(await page.getByRole("alert").innerText()).toBe(WRONG);
      await isBlank();
      await page.goBack();
      await sees(page, STEP_1);
      expect(await page.getByRole("alert").count()).toBe(0);
      await isBlank();
      await signIn(page, tenant);
      await sees(page, STEP_2);
      await approve(page);
      expect((await request.redeem()).status).toBe(200);
    });

    it.each([
      { button: "Deny", words: "denied by the user" },
      { button: "Cancel", words: "cancelled by the user" },
    ])("RFC 6749 §4.1.2.1: $button tells the client so", async ({ button, words }) => {
      const { page } = await somebody(scripts);
      const request = button === "Deny" ? await reachStep2(page) : client.ask();
      if (button === "Cancel") await page.goto(request.address);
      await press(page, button);
      await sees(page, BACK_IN_THE_APP);
      expect(request.answers().map((answer) => Object.fromEntries(answer))).toEqual([
        { error: "access_denied", error_description: words, state: request.state, iss: server.url },
      ]);
    });

    it("what was denied stays denied: Back and Approve give no code", async () => {
      const { page } = await somebody(scripts);
      const request = await reachStep2(page);
      await press(page, "Deny");
      await sees(page, BACK_IN_THE_APP);
      await page.goBack();
      await sees(page, STEP_2);
      await press(page, "Approve");
      await sees(page, ANSWERED);
      expect(request.answers().map((answer) => answer.has("code"))).toEqual([false]);
    });

    it("a double click on Approve gives one code, which works once", async () => {
      const { page } = await somebody(scripts);
      const request = await reachStep2(page);
      await page.getByRole("button", { name: "Approve" }).dblclick();
      await sees(page, BACK_IN_THE_APP);
      const codes = new Set(request.answers().map((answer) => answer.get("code") ?? ""));
      expect(codes.size).toBe(1);
      expect((await request.redeem()).status).toBe(200);
      expect((await request.redeem()).body.error).toBe("invalid_grant");
    });

    it.each([
      { has: "not yet redeemed the code", redeemsFirst: false, then: BACK_IN_THE_APP, answers: 2 },
      { has: "redeemed the code", redeemsFirst: true, then: ANSWERED, answers: 1 },
    ])("a second click on Approve while the client, which has $has, loads: $then", async (given) => {
      const { page } = await somebody(scripts);
      const request = await reachStep2(page);
      const release = client.hold();
      await page.getByRole("button", { name: "Approve" }).click({ noWaitAfter: true });
      await expect.poll(() => request.answers().length).toBe(1);
      const tokens = given.redeemsFirst ? await request.redeem() : null;
      await page.getByRole("button", { name: "Approve" }).click({ noWaitAfter: true });
      if (!given.redeemsFirst) await expect.poll(() => request.answers().length).toBe(2);
      release();
      await sees(page, given.then);
      expect(request.answers().length).toBe(given.answers);
      expect(new Set(request.answers().map((answer) => answer.get("code"))).size).toBe(1);
      const { status, body } = tokens ?? (await request.redeem());
      expect(status).toBe(200);
      expect((await client.refresh(body.refresh_token)).status).toBe(200);
    });

    it.each([
      { redeemed: false, then: BACK_IN_THE_APP },
      { redeemed: true, then: ANSWERED },
    ])("Back after Approve and Approve again do no harm (redeemed: $redeemed)", async ({ redeemed, then }) => {
      const { page } = await somebody(scripts);
      const request = await reachStep2(page);
      await approve(page);
      const tokens = redeemed ? await request.redeem() : null;
      await page.goBack();
      await sees(page, STEP_2);
      await press(page, "Approve");
      await sees(page, then);
      const { status, body } = tokens ?? (await request.redeem());
      expect(status).toBe(200);
      expect((await client.refresh(body.refresh_token)).status).toBe(200);
    });

    it("step 2 can be reloaded and gone back from, and Approve still works", async () => {
      const { page } = await somebody(scripts);
      const request = await reachStep2(page);
      await page.reload();
      await sees(page, STEP_2);
      await page.goBack();
      await sees(page, STEP_2);
      await page.goForward();
      await sees(page, STEP_2);
      await page.goBack();
      await approve(page);
      expect((await request.redeem()).status).toBe(200);
    });

    it.each([
      { order: "first, second", turns: [0, 1] },
      { order: "second, first", turns: [1, 0] },
    ])("two tabs with a request each are approved in any order ($order)", async ({ turns }) => {
      const { page, context } = await somebody(scripts);
      const tabs = [page, await context.newPage()];
      const requests = [await reachStep2(page), client.ask()];
      await tabs[1]?.goto(requests[1]?.address ?? "");
      for (const turn of turns) await approve(tabs[turn] as Page);
      for (const request of requests) expect((await request.redeem()).status).toBe(200);
    });

    it("what is approved is what was shown: after another tab's sign-in the page is shown again", async () => {
      const stranger = await server.createTenant("Neighbours");
      const { page, context } = await somebody(scripts);
      const tab = await context.newPage();
      const request = client.ask();
      await tab.goto(request.address);
      const shown = await reachStep2(page);
      await signIn(tab, stranger);
      await sees(tab, STEP_2);
      await press(page, "Approve");
      await page.getByText("Neighbours").waitFor();
      expect(shown.answers()).toEqual([]);
    });

    it("the address of step 2 is of no use in another browser", async () => {
      const { page } = await somebody(scripts);
      await reachStep2(page);
      const other = await somebody(scripts);
      expect((await other.page.goto(page.url()))?.status()).toBe(403);
      await sees(other.page, "This page belongs to another browser");
      expect(await other.page.getByRole("button").count()).toBe(0);
    });
  });
});
