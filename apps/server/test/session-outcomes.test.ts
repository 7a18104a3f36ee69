import { setTimeout as delay } from "node:timers/promises";
import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank, waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";

const CODES = [
  "InvalidCredentials",
  "InvalidChallengeResponse",
  "UnsupportedChallengeMethod",
  "UserInteractionNeeded",
  "AlreadyExists",
  "AbortedByUser",
  "SessionExpired",
  "InternalError",
];
const RETURN = "https://app.example/done?from=bank";
const TTL_SECONDS = 600;
/** How long the sandbox takes for the password SLOW. */
const SLOW_MS = 8_000;

interface Session {
  readonly status: string;
  readonly error_code: string | null;
  readonly connection_id: string | null;
}

/** What a customer types in sequence, and the session's state afterwards. */
const ways: readonly (readonly [way: string, passwords: readonly string[], answers: readonly string[], end: object])[] =
  [
    ["a wrong password", ["INVALID_CREDENTIALS"], [], waiting("ProvideCredentials", "InvalidCredentials")],
    ["three wrong passwords", Array(3).fill("INVALID_CREDENTIALS"), [], failed("InvalidCredentials")],
    ["a wrong answer", ["SCA_SMS"], ["INVALID_SCA"], waiting("Challenge", "InvalidChallengeResponse")],
    ["three wrong answers", ["SCA_SMS"], ["1", "2", "3"], failed("InvalidChallengeResponse")],
    ["a challenge of an unknown kind", ["SCA_TYPE_NOT_ALLOWED"], [], failed("UnsupportedChallengeMethod")],
    ["a bank that needs its customer", ["USER_INTERACTION_NEEDED"], [], failed("UserInteractionNeeded")],
    [
      "a bank that needs them after the code",
      ["SCA_CODE"],
      ["USER_INTERACTION_NEEDED"],
      failed("UserInteractionNeeded"),
    ],
    ["a bank that fails", ["INTERNAL_ERROR"], [], failed("InternalError")],
    ["a bank that fails after the code", ["SCA_CODE"], ["INTERNAL_ERROR"], failed("InternalError")],
    ["a bank that says so itself", ["ALREADY_EXISTS"], [], failed("AlreadyExists")],
    ["a wrong password and then the right one", ["INVALID_CREDENTIALS", "right"], [], connected()],
    ["a wrong answer and then the right one", ["SCA_SMS"], ["INVALID_SCA", "123456"], connected()],
  ];

const DATABASE = oneBackend(
  "the moves of a session are in the stores' conformance suite; flows and crash run sessions on both",
);

describe.each([DATABASE])("sessions on %s", (backend) => {
  let server: TestServer;
  let tenant: TestTenant;
  /** Every code that a session ended with. */
  const seen = new Set<string>();

  beforeAll(async () => {
    server = await startTestServer({ backend });
    tenant = await server.createTenant("Household");
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  describe("[C-5.7] every error_code", () => {
    it.each(ways)("%s", async (way, passwords, answers, end) => {
      const { id, widgetUrl, browser } = await begin();
      for (const password of passwords) {
        await browser.submit("credentials", { username: way, password });
        await waitForAnswer(browser, widgetUrl);
      }
      for (const answer of answers) {
        await browser.submit("answer", { answer });
        await waitForAnswer(browser, widgetUrl);
      }
      expect(await stateOf(id)).toMatchObject(end);
      await collect(id);
    });

    it("[C-5.18] [C-9.24] AlreadyExists, with the connection that there is", async () => {
      const customer = { username: "twice", password: "ordinary" };
      const [first, second] = [await openSession(), await openSession()];
      await connectBank(first.widgetUrl, customer);
      await connectBank(second.widgetUrl, customer);
      const { connection_id } = await stateOf(first.id);
      expect(connection_id).toEqual(expect.any(String));
      expect(await stateOf(second.id)).toMatchObject({ ...failed("AlreadyExists"), connection_id });
      await collect(second.id);
    });

    it("AbortedByUser, while the customer types and while the bank is asked", async () => {
      for (const password of [null, "SLOW"]) {
        const { id, browser } = await begin();
        if (password !== null) await browser.submit("credentials", { username: "abort", password });
        await browser.submit("cancel");
        expect(await stateOf(id)).toMatchObject({ status: "Finished:Aborted", error_code: "AbortedByUser" });
        await collect(id);
      }
    });
  });

  describe("[C-5.37] the sandbox banks that have another way in", () => {
    const redirect = "lux:banque-passerelle";
    /** Goes to the bank's page. */
    async function away() {
      const session = await begin(redirect);
      await waitForAnswer(session.browser, session.widgetUrl);
      await session.browser.submit("redirect");
      return session;
    }
    type Away = Awaited<ReturnType<typeof away>>;
    /** Acts on the bank's page and follows where it leads. */
    async function atBank({ browser, widgetUrl }: Away, password: string, decision = "agree") {
      await browser.submit("login", { username: `by redirect ${password}`, password }, decision);
      await waitForAnswer(browser, widgetUrl);
      return browser.page?.text;
    }

    it("by redirect: its page says where one is, tells a wrong password itself, and leads back to a connection", async () => {
      const session = await away();
      const { page } = session.browser;
      expect(new URL(page?.url ?? "").pathname).toBe("/sandbox/login");
      expect(page?.text).toContain("Banque Passerelle: log in");
      expect(page?.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(await atBank(session, "INVALID_CREDENTIALS")).toContain("The user name or the password is wrong");
      expect(session.browser.page?.status).toBe(400);
      expect(await atBank(session, "hunter2")).toContain("Your bank is connected");
      expect(await stateOf(session.id)).toMatchObject(connected());
    });

    it.each<[string, string, object]>([
      ["INTERNAL_ERROR", "That did not work", failed("InternalError")],
      ["USER_INTERACTION_NEEDED", "Your bank needs something from you first", failed("UserInteractionNeeded")],
      ["SCA_TYPE_NOT_ALLOWED", "This kind of confirmation is not supported", failed("UnsupportedChallengeMethod")],
      ["SCA_SMS", "Confirm your identity", { status: "Waiting:Challenge", error_code: null }],
    ])("by redirect, with %s", async (password, words, end) => {
      const session = await away();
      expect(await atBank(session, password)).toContain(words);
      expect(await stateOf(session.id)).toMatchObject(end);
    });

    it("by redirect: whoever declines may go again, and again, and then it is over", async () => {
      const session = await away();
      for (const left of ["2 attempts", "1 attempt"]) {
        const shown = await atBank(session, "", "decline");
        expect(shown).toContain(
          `You did not agree on your bank's page, or you turned back there. You have ${left} left.`,
        );
        expect(await stateOf(session.id)).toMatchObject(waiting("Challenge", "AbortedByUser"));
        await session.browser.submit("redirect");
      }
      expect(await atBank(session, "", "decline")).toContain("You have cancelled");
      expect(await stateOf(session.id)).toMatchObject({ status: "Finished:Error", error_code: "AbortedByUser" });
    });

    it("by redirect: back in another browser, it says where to go on, and the first browser still can", async () => {
      const session = await away();
      const { url, body } = session.browser.filled("login", { username: "elsewhere", password: "x" }, "agree");
      const back = (await session.browser.request(url, { method: "POST", body })).headers.get("location") ?? "";
      const other = await createBrowser().open(back);
      expect([other.status, other.text]).toEqual([403, expect.stringContaining("Continue where you started")]);
      expect(other.text).toContain("Banque Passerelle");
      expect(other.html).not.toContain(new URL(back).searchParams.get("state"));
      const forged = await session.browser.request(
        `${new URL(back).origin}/connect/callback?code=x&state=${"x".repeat(43)}`,
      );
      expect([forged.status, forged.text]).toEqual([404, expect.stringContaining("This way back is not valid")]);
      await session.browser.open(back);
      await waitForAnswer(session.browser, session.widgetUrl);
      expect(session.browser.page?.text).toContain("Your bank is connected");
    });

    it("by redirect, started over: no attempt is lost, and what was agreed to before leads nowhere", async () => {
      const session = await away();
      const { browser, widgetUrl } = session;
      const { url, body } = browser.filled("login", { username: "over", password: "x" }, "agree");
      await browser.open(widgetUrl);
      await browser.submit("restart");
      await waitForAnswer(browser, widgetUrl);
      const back = (await browser.request(url, { method: "POST", body })).headers.get("location") ?? "";
      expect((await browser.request(back)).status).toBe(404);
      await browser.submit("redirect");
      expect(await atBank(session, "", "decline")).toContain("You have 2 attempts left.");
      await browser.submit("redirect");
      expect(await atBank(session, "x")).toContain("Your bank is connected");
    });

    it("its page answers nobody who was not sent there, and no other form than its own", async () => {
      const at = `${new URL((await openSession()).widgetUrl).origin}/sandbox/login`;
      for (const init of [{}, { method: "POST", body: "x".repeat(20_000) }, { method: "POST", body: "{}" }]) {
        const headers = { "Content-Type": "application/x-www-form-urlencoded" };
        const { status, text } = await createBrowser().request(at, { ...init, headers });
        expect([status, text]).toEqual([
          init.body?.length === 20_000 ? 413 : 400,
          expect.stringContaining("Nothing to log in to"),
        ]);
      }
    });

    it("with questions: only the account that was chosen is connected", async () => {
      const { id, browser, widgetUrl } = await begin("aut:bank-wegscheide");
      const answer = async (step: string, fields: Record<string, string>) => {
        await browser.submit(step, fields);
        await waitForAnswer(browser, widgetUrl);
        return browser.page?.text;
      };
      await answer("credentials", { username: "ada", password: "x" });
      expect(await answer("restart", {})).toContain("Log in to Bank Wegscheide");
      await answer("credentials", { username: "ada", password: "x" });
      expect((await browser.submit("answer")).text).toContain("Choose an answer for “How to confirm”");
      expect(await answer("answer", { method: "sms" })).toContain("Confirm your identity");
      expect(await answer("answer", { answer: "123456" })).toContain("Accounts to share");
      expect(await answer("answer", { accounts: "account-1" })).toContain("Your bank is connected");
      const { connection_id } = await stateOf(id);
      const { items } = await tenant.tools.call("svc-portfolios", { credentials_token: [connection_id] });
      expect(items).toHaveLength(1);
    });

    it("with fields of its own: each fault is told in the bank's words, and what is right connects", async () => {
      const { id, browser, widgetUrl } = await begin("bel:banque-cinqchamps");
      const wrong = { customer_number: "123", pin: "1", contract: "joint", branch: "bel", reference: "ab" };
      const shown = await browser.submit("credentials", wrong);
      expect(shown.status).toBe(400);
      for (const label of ["Customer number", "Adviser's reference"])
        expect(shown.text).toContain(`“${label}” does not look right.`);
      const { text = "" } = await browser.submit("credentials", { ...wrong, pin: "", contract: "" });
      const told = [
        "“Customer number” does",
        "Fill in “PIN",
        "Choose an answer for “Kind",
        "“Adviser's reference” does",
      ];
      const places = told.map((words) => text.indexOf(words));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places).not.toContain(-1);
      await browser.submit("credentials", { ...wrong, customer_number: "12345678", reference: "" });
      await waitForAnswer(browser, widgetUrl);
      expect(await stateOf(id)).toMatchObject(connected());
    });

    it("with a report that takes its time: connected at once, and the page says that the data come later", async () => {
      const { id, browser, widgetUrl } = await begin("irl:slowmere-bank");
      await browser.submit("credentials", { username: "ada", password: "x" });
      await waitForAnswer(browser, widgetUrl);
      expect(browser.page?.text).toContain("Your bank is still preparing your data.");
      expect(await stateOf(id)).toMatchObject(connected());
    });

    it("decoupled: it waits for the approval, whatever is pressed", async () => {
      const { id, browser, widgetUrl } = await begin("swe:eftertanke-bank");
      await browser.submit("credentials", { username: "ada", password: "x" });
      await waitForAnswer(browser, widgetUrl);
      await browser.submit("answer");
      await waitForAnswer(browser, widgetUrl);
      expect(browser.page?.text).toContain("the approval comes by itself");
      expect(await stateOf(id)).toMatchObject({ status: "Waiting:Challenge", error_code: null });
    });
  });

  it("a restart between any two steps, by SIGTERM or SIGKILL, harms neither the page nor the program", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { body } = await tenant.post("/v2/connect/sessions", { configuration: {} });
    const [id, widgetUrl] = [body.session.session_id, body.widget_url];
    const browser = createBrowser();
    const shown: (string | undefined)[] = [];
    const restartAndLook = async () => {
      await server.stop(shown.length % 2 === 0 ? "SIGKILL" : "SIGTERM");
      await server.start();
      await browser.open(widgetUrl);
      shown.push(/<h1>(.*?)<\/h1>/.exec(browser.page?.html ?? "")?.[1]);
      return stateOf(id);
    };
    expect(await restartAndLook()).toMatchObject({ status: "Waiting:ProvideCredentials", widget_url: widgetUrl });
    await browser.submit("continue");
    expect(await restartAndLook()).toMatchObject({ status: "Waiting:ProvideCredentials", connector_id: null });
    await browser.submit("bank", {}, sandboxBanks.psd2);
    expect(await restartAndLook()).toMatchObject({ connector_id: sandboxBanks.psd2 });
    await browser.submit("credentials", { username: "restarted", password: "INVALID_CREDENTIALS" });
    await waitForAnswer(browser, widgetUrl);
    expect(await restartAndLook()).toMatchObject(waiting("ProvideCredentials", "InvalidCredentials"));
    expect(browser.page?.text).toContain("2 attempts left");
    await browser.submit("credentials", { username: "restarted", password: "SCA_QR" });
    await waitForAnswer(browser, widgetUrl);
    expect(await restartAndLook()).toMatchObject({ status: "Waiting:Challenge" });
    await browser.submit("answer");
    await waitForAnswer(browser, widgetUrl);
    expect(await restartAndLook()).toMatchObject(connected());
    expect(shown).toEqual([
      "Connect your bank",
      "Choose your bank",
      "Log in to Banco Riomarfil",
      "Log in to Banco Riomarfil",
      "Confirm your identity",
      "Your bank is connected",
    ]);
    const query = { session_id_in: [id] };
    const { items } = (await tenant.post("/connect/v2/sessions/list-sessions", { query })).body;
    expect(items).toMatchObject([{ session_id: id, status: "Finished:OK", widget_url: null }]);
  });

  describe("[C-5.13] redirect_url", () => {
    beforeAll(async () => {
      const request = { client_id: tenant.clientId, redirect_urls: [RETURN, "http://localhost:4321/back"] };
      await server.operate("/operator/v1/applications/update", request);
    });
    const create = (redirect_url: unknown, by: TestTenant = tenant) =>
      by.post("/v2/connect/sessions", { configuration: { connector_id: sandboxBanks.eBanking, redirect_url } });

    it.each([RETURN, "http://localhost:4321/back"])(
      "%s, registered, is where the browser goes, with session_id",
      async (url) => {
        const { status, body } = await create(url);
        expect(status).toBe(200);
        const browser = createBrowser();
        await connectBank(body.widget_url, { username: `returning to ${url}`, password: "ordinary" }, browser);
        const expected = new URL(url);
        expected.searchParams.append("session_id", body.session.session_id);
        expect([browser.page?.status, browser.page?.url]).toEqual([303, expected.href]);
      },
    );

    it.each([
      ["another path", "https://app.example/other?from=bank"],
      ["a longer path", "https://app.example/done/?from=bank"],
      ["another query", "https://app.example/done?from=elsewhere"],
      ["no query", "https://app.example/done"],
      ["more of a query", `${RETURN}&next=https://evil.example/`],
      ["a fragment", `${RETURN}#top`],
      ["another host", "https://app.example.evil.example/done?from=bank"],
      ["a user name before the host", "https://app.example@evil.example/done?from=bank"],
      ["another scheme", "http://app.example/done?from=bank"],
      ["a port", "https://app.example:8443/done?from=bank"],
      ["other case", "https://app.example/Done?from=bank"],
      ["another loopback port", "http://localhost:4322/back"],
      ["a script", "javascript:alert(1)"],
      ["nothing", ""],
      ["no text", 7],
    ])("that differs by %s is refused and opens no session", async (_, url) => {
      const sessions = async () => (await tenant.post("/connect/v2/sessions/list-sessions", {})).body.items.length;
      const before = await sessions();
      const { status, body } = await create(url);
      expect(status).toBe(400);
      expect(body.error.details).toMatchObject([{ field: "configuration.redirect_url" }]);
      expect(await sessions()).toBe(before);
    });

    it("of one application is refused to another, of the same server", async () => {
      const other = await server.createTenant("Neighbours");
      expect((await create(RETURN, other)).status).toBe(400);
    });
  });

  describe("whose time runs out", () => {
    // Without the clean-up, only the bank's answer could end a session.
    beforeAll(async () => {
      const shift = new URL("clock-shift.mjs", import.meta.url).href;
      const environment = { JOBS: "false", WIDGET_TTL_SECONDS: String(TTL_SECONDS) };
      await server.start({ ...environment, CLOCK_JUMP_MS: String(TTL_SECONDS * 1000) }, ["--import", shift]);
    }, START_TIMEOUT);
    /** Moves the server's clock on by the lifetime of a session. */
    const timePasses = () => process.kill(server.process.pid, "SIGUSR2");

    it("[C-1.27] SessionExpired, by itself, when WIDGET_TTL_SECONDS are over", async () => {
      const { id } = await begin();
      timePasses();
      await eventually(async () => (await stateOf(id)).status === "Finished:Expired", "the session expires");
      expect(await stateOf(id)).toMatchObject({ error_code: "SessionExpired", connection_id: null, widget_url: null });
      seen.add("SessionExpired");
    });

    it("[C-5.6] while the bank is asked connect nobody, whatever the bank then answers", async () => {
      const before = (await tenant.tools.call("svc-credentials", {})).total;
      const { id, browser } = await begin();
      await browser.submit("credentials", { username: "late", password: "SLOW" });
      const ends = new Set([(await stateOf(id)).status]);
      const answered = delay(SLOW_MS + 1_000);
      timePasses();
      await eventually(async () => (await stateOf(id)).status === "Finished:Expired", "the session expires");
      await answered;
      ends.add((await stateOf(id)).status);
      expect([...ends]).toEqual(["Processing:ProvideCredentials", "Finished:Expired"]);
      expect(await stateOf(id)).toMatchObject({ error_code: "SessionExpired", connection_id: null });
      expect((await tenant.tools.call("svc-credentials", {})).total).toBe(before);
    });
  });

  it("[S1-2.7] of all these sessions those that are Finished:OK, and only those, connected a bank", async () => {
    const { items } = (await tenant.post("/connect/v2/sessions/list-sessions", {})).body;
    const successes = items.filter(({ status }: Session) => status === "Finished:OK");
    for (const { error_code } of successes) expect(error_code).toBeNull();
    const failures = items.filter(({ status }: Session) => /^Finished:(?!OK$)/.test(status));
    expect(failures.length).toBeGreaterThan(10);
    for (const { error_code } of failures) expect(CODES).toContain(error_code);
    const credentials = (await tenant.tools.call("svc-credentials", { page_size: 500 })).items;
    const connected = credentials.map((each: { credentials_token: string }) => each.credentials_token);
    expect(connected.length).toBeGreaterThan(1);
    expect(successes.map(({ connection_id }: Session) => connection_id).sort()).toEqual(connected.sort());
  });

  it("[C-5.7] each of the eight error_codes was seen", () => {
    expect([...seen].sort()).toEqual([...CODES].sort());
    expect(server.faults()).toEqual([]);
  });

  const stateOf = (session_id: string) => tenant.tools.call("svc-session-status", { session_id });

  const openSession = (connector_id: string = sandboxBanks.eBanking) => tenant.openSession({ connector_id });

  async function begin(connectorId?: string) {
    const { id, widgetUrl } = await openSession(connectorId);
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    return { id, widgetUrl, browser };
  }

  /** Records the code, once both ways of querying it agree. */
  async function collect(id: string) {
    const { status, error_code } = await stateOf(id);
    if (!status.startsWith("Finished:") || error_code === null) return;
    const query = { session_id_in: [id], error_code_in: [error_code] };
    const { items } = (await tenant.post("/connect/v2/sessions/list-sessions", { query })).body;
    expect(items).toMatchObject([{ session_id: id, status, error_code }]);
    seen.add(error_code);
  }
});

function waiting(step: string, error_code: string) {
  return { status: `Waiting:${step}`, error_code, connection_id: null };
}

function failed(error_code: string) {
  return { status: "Finished:Error", error_code, connection_id: null, widget_url: null };
}

function connected() {
  return { status: "Finished:OK", error_code: null, connection_id: expect.any(String), widget_url: null };
}
