import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AuthorizationStage, startAuthorizationStage, titles } from "./authorization-stage.js";
import { register } from "./authorize.js";
import { press, sees, signIn } from "./chromium-person.js";
import { START_TIMEOUT } from "./harness.js";
import { askFor } from "./loopback-client.js";

const executablePath = process.env.CHROMIUM_PATH;
const WRONG = "These credentials were not accepted. Check both, then enter them again.";
const LATER_MS = 11 * 60_000;
const CLOCK_SHIFT = new URL("clock-shift.mjs", import.meta.url).href;
const ALL_SCOPES = [
  "connections:delete",
  "connections:read",
  "connections:write",
  "investments:read",
  "letters:read",
  "letters:write",
];

describe.skipIf(!executablePath)("the authorization page of the started server, in Chromium", () => {
  let stage: AuthorizationStage;
  beforeAll(async () => {
    stage = await startAuthorizationStage(executablePath ?? "");
  }, START_TIMEOUT);
  afterAll(async () => {
    await stage?.close();
  });
  afterEach(async () => {
    expect(await stage?.everybodyLeaves()).toEqual([]);
  });

  describe.each([{ javaScriptEnabled: false }, { javaScriptEnabled: true }])("%j", (scripts) => {
    it("[S1-5.2] step 1, step 2, back to the client with code, state and iss, which it redeems", async () => {
      const { page, context } = await stage.somebody(scripts);
      const addresses: string[] = [];
      page.on("request", (request) => addresses.push(request.url()));
      const request = stage.client.ask();
      const first = await page.goto(request.address);
      await sees(page, titles.step1);
      const policy = first?.headers()["content-security-policy"];
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("form-action");
      await signIn(page, stage.household);
      await sees(page, titles.step2);
      expect(await page.getByRole("region", { name: "Your credentials" }).textContent()).toContain("Household");
      for (const cookie of await context.cookies())
        expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", domain: "localhost" });
      expect((await context.cookies()).map(({ name }) => name.slice(0, 13)).sort()).toEqual([
        "wc-authorize-",
        "wc-remembered",
      ]);
      await stage.approve(page);
      const [answer, ...more] = request.answers();
      expect(more).toEqual([]);
      expect([...(answer?.keys() ?? [])].sort()).toEqual(["code", "iss", "state"]);
      expect(answer?.get("iss")).toBe(stage.server.url);
      const { status, body } = await request.redeem();
      expect([status, body.token_type]).toEqual([200, "bearer"]);
      expect(addresses.filter((address) => address.includes(stage.household.clientSecret))).toEqual([]);
    });

    it("[S1-5.3] the browser that signed in goes straight to step 2, until it asks for others; another does not", async () => {
      const { page } = await stage.somebody(scripts);
      await stage.reachStep2(page);
      await page.goto(stage.client.ask().address);
      await sees(page, titles.step2);
      await press(page, "Use different credentials");
      await sees(page, titles.step1);
      await page.goto(stage.client.ask().address);
      await sees(page, titles.step1);
      const other = await stage.somebody(scripts);
      await other.page.goto(stage.client.ask().address);
      await sees(other.page, titles.step1);
    });

    it("a wrong secret is refused in words, and is nowhere on the page, also after reload and Back", async () => {
      const { page } = await stage.somebody(scripts);
      const request = stage.client.ask();
      const secret = `${stage.household.clientSecret.slice(0, -4)}oops`;
      await page.goto(request.address);
      await signIn(page, { ...stage.household, clientSecret: secret });
      const isBlank = async () => {
        expect(await page.getByLabel("Client secret").inputValue()).toBe("");
        expect(await page.content()).not.toContain(secret);
        expect(page.url()).not.toContain(secret);
      };
      expect(await page.getByRole("alert").textContent()).toBe(WRONG);
      await isBlank();
      await page.reload();
      expect(await page.getByRole("alert").textContent()).toBe(WRONG);
      await isBlank();
      await page.goBack();
      await sees(page, titles.step1);
      expect(await page.getByRole("alert").count()).toBe(0);
      await isBlank();
      await signIn(page, stage.household);
      await sees(page, titles.step2);
      await stage.approve(page);
      expect((await request.redeem()).status).toBe(200);
    });
  });

  it.each([
    { button: "Deny", words: "denied by the user" },
    { button: "Cancel", words: "cancelled by the user" },
  ])("RFC 6749 §4.1.2.1: $button tells the client so", async ({ button, words }) => {
    const { page } = await stage.somebody();
    const request = button === "Deny" ? await stage.reachStep2(page) : stage.client.ask();
    if (button === "Cancel") await page.goto(request.address);
    await press(page, button);
    if (button === "Cancel") {
      // Nobody has signed in: the client is not answered until the person follows the link.
      await sees(page, "You have cancelled this");
      expect(request.answers()).toEqual([]);
      await page.getByRole("link", { name: "Return to the app" }).click();
    }
    await sees(page, titles.client);
    expect(request.answers().map((answer) => Object.fromEntries(answer))).toEqual([
      { error: "access_denied", error_description: words, state: request.state, iss: stage.server.url },
    ]);
  });

  it("the keyboard alone goes through both steps: Tab, Space, Enter", async () => {
    const { page } = await stage.somebody();
    const request = stage.client.ask();
    const tab = async (times: number) => {
      for (let time = 0; time < times; time++) await page.keyboard.press("Tab");
    };
    await page.goto(request.address);
    await tab(1);
    await page.keyboard.type(stage.household.clientId);
    await tab(1);
    await page.keyboard.type(stage.household.clientSecret);
    await page.keyboard.press("Enter");
    await sees(page, titles.step2);
    await tab(7);
    // Enter in a checkbox presses a form's first button, and must not approve: it shows the page again.
    await page.keyboard.press("Enter");
    await page.waitForURL("**/authorize/decision");
    await sees(page, titles.step2);
    await tab(7);
    await page.keyboard.press("Space");
    await tab(1);
    await page.keyboard.press("Enter");
    await sees(page, titles.client);
    expect(request.answers()).toHaveLength(1);
    const { status, body } = await request.redeem();
    expect(status).toBe(200);
    expect(body.scope.split(" ").sort()).toEqual(ALL_SCOPES);
  });

  it("what is unticked is not granted; without any permission Approve asks for one", async () => {
    const { page } = await stage.somebody();
    const request = await stage.reachStep2(page);
    expect(await page.getByRole("group", { name: "Deletion" }).getByRole("checkbox").isChecked()).toBe(false);
    const boxes = page.getByRole("group", { name: "What it may do" }).getByRole("checkbox");
    for (const box of await boxes.all()) await box.uncheck();
    await press(page, "Approve");
    expect(await page.getByRole("alert").textContent()).toContain("Choose at least one permission");
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);
    await page.getByRole("checkbox", { name: /^See investments/ }).check();
    await stage.approve(page);
    expect((await request.redeem()).body.scope).toBe("investments:read");
  });

  it("what was approved is listed on /grants and ended there, and its refresh token refused", async () => {
    const { page } = await stage.somebody();
    const request = await stage.reachStep2(page, stage.neighbours);
    await stage.approve(page);
    const { body } = await request.redeem();
    await page.goto(`${stage.server.url}/grants`);
    const grant = page.getByRole("listitem").filter({ hasText: "Portfolio helper" });
    expect(await grant.count()).toBe(1);
    expect(await grant.textContent()).toContain("Name not verified");
    await press(page, "End access of Portfolio helper");
    expect(await page.getByRole("status").textContent()).toBe("Access has ended.");
    expect(await grant.count()).toBe(0);
    expect((await stage.client.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
  });

  it("RFC 8252 §7.1: an app with an address scheme of its own is sent the code, and the page stays", async () => {
    const address = "cursor://anysphere.cursor-mcp/oauth/callback";
    const { body } = await register(stage.server.url, { redirect_uris: [address], client_name: "Cursor" });
    const request = askFor(stage.server.url, body.client_id, address);
    const { page } = await stage.somebody();
    await page.goto(request.address);
    await signIn(page, stage.household);
    await sees(page, titles.step2);
    const decision = page.waitForResponse(/\/authorize\/decision$/);
    await press(page, "Approve");
    const answered = await decision;
    const { searchParams, href } = new URL(answered.headers().location ?? "");
    expect([answered.status(), href.startsWith(`${address}?`)]).toEqual([303, true]);
    expect([searchParams.get("state"), searchParams.get("iss")]).toEqual([request.state, stage.server.url]);
    await sees(page, titles.step2);
    expect((await request.redeem(searchParams.get("code") ?? "")).status).toBe(200);
  });

  it("fingers on a phone go through both steps, and nothing has to be pushed sideways", async () => {
    const { page } = await stage.somebody({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    const request = stage.client.ask();
    const fits = async () =>
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth && innerWidth === 360")).toBe(
        true,
      );
    await page.goto(request.address);
    await fits();
    await page.getByLabel("Client ID").tap();
    await page.keyboard.type(stage.household.clientId);
    await page.getByLabel("Client secret").tap();
    await page.keyboard.type(stage.household.clientSecret);
    await page.getByRole("button", { name: "Continue" }).tap();
    await sees(page, titles.step2);
    await fits();
    await page.getByRole("button", { name: "Approve" }).tap();
    await sees(page, titles.client);
    expect((await request.redeem()).status).toBe(200);
  });

  it("what the pages' policy forbids would have been seen here", async () => {
    const { page, complaints, hosts } = await stage.somebody();
    await page.goto(stage.client.ask().address);
    await page.evaluate("document.body.append(Object.assign(new Image(), { src: 'http://far.invalid/pixel.png' }))");
    await expect.poll(() => complaints.length).toBe(1);
    expect(complaints[0]).toContain("Content Security Policy");
    expect([...hosts]).toEqual(["localhost", "far.invalid"]);
    expect(await stage.everybodyLeaves()).toEqual([complaints[0], "far.invalid"]);
  });

  it("[S1-5.4] after 10 minutes each step says that the time is up, with the browser's cookie or without", async () => {
    const [one, two, forgetful] = [
      await stage.somebody({ javaScriptEnabled: false }),
      await stage.somebody(),
      await stage.somebody(),
    ];
    await one.page.goto(stage.client.ask().address);
    const requests = [await stage.reachStep2(two.page), await stage.reachStep2(forgetful.page)];
    await forgetful.context.clearCookies({ name: /^wc-authorize-/ });
    await stage.server.start({ CLOCK_SHIFT_MS: String(LATER_MS) }, ["--import", CLOCK_SHIFT]);
    await signIn(one.page, stage.household);
    await press(two.page, "Approve");
    await press(forgetful.page, "Approve");
    for (const { page } of [one, two, forgetful]) await sees(page, titles.expired);
    expect(requests.flatMap((request) => request.answers())).toEqual([]);
    await stage.reachStep2(one.page);
  });

  it("nothing went wrong on the way", () => {
    expect(stage.server.faults()).toEqual([]);
  });
});
