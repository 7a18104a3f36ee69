import { type Browser, createBrowser } from "@org/pages/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onBankPage } from "./bank-page.js";
import { connectBank, waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { holdLocks } from "./hold-locks.js";
import { type BankWithPage, bankData, describeRedirectKills, onSession, onTable } from "./redirect-kills.js";
import { startReplica } from "./replica.js";

const LONG = 120_000;
const TTL_MS = 1_800_000;

/** What a customer does until the server is killed, and the session's state afterwards. */
interface Step {
  readonly at: string;
  readonly password: string;
  /** What the customer sends last; null = nothing, they only look at the page. */
  readonly sends: "credentials" | "answer";
  /** SQL whose lock stops the server exactly there; null = the bank stops it, or nothing has to. */
  readonly lock: ((sessionId: string) => string) | null;
  /** Status of the session when the server is killed, and after its restart. */
  readonly status: string;
}

const steps: readonly Step[] = [
  {
    at: "as the credentials arrive, before the bank is asked",
    password: "NO_HISTORY",
    sends: "credentials",
    lock: onSession,
    status: "Waiting:ProvideCredentials",
  },
  {
    at: "while the bank is asked",
    password: "SLOW",
    sends: "credentials",
    lock: null,
    status: "Processing:ProvideCredentials",
  },
  {
    at: "after the bank has let the customer in, before anything is written",
    password: "NO_HISTORY",
    sends: "credentials",
    lock: onTable("connections"),
    status: "Processing:ProvideCredentials",
  },
  {
    at: "during the first snapshot",
    password: "NO_HISTORY",
    sends: "credentials",
    lock: onTable("holdings"),
    status: "Processing:ProvideCredentials",
  },
  {
    at: "when its data are written, before the commit",
    password: "NO_HISTORY",
    sends: "credentials",
    lock: onTable("connection_refreshes"),
    status: "Processing:ProvideCredentials",
  },
  { at: "at a challenge", password: "SCA_CODE", sends: "credentials", lock: null, status: "Waiting:Challenge" },
  { at: "as the answer arrives", password: "SCA_CODE", sends: "answer", lock: onSession, status: "Waiting:Challenge" },
  {
    at: "during the answer, before anything is written",
    password: "SCA_CODE",
    sends: "answer",
    lock: onTable("connections"),
    status: "Processing:Challenge",
  },
  {
    at: "during the first snapshot after a challenge",
    password: "SCA_CODE",
    sends: "answer",
    lock: onTable("portfolios"),
    status: "Processing:Challenge",
  },
  { at: "after the end", password: "NO_HISTORY", sends: "credentials", lock: null, status: "Finished:OK" },
];

describe.skipIf(!testDatabaseUrl)("SIGKILL during a login on PostgreSQL", () => {
  let server: TestServer;
  let tenant: TestTenant;
  /** Sessions that a killed server was working on. */
  const cutOff: { id: string; widgetUrl: string; browser: Browser }[] = [];

  beforeAll(async () => {
    // Without the clean-up, only requests can change the database.
    server = await startTestServer({ backend: "postgres", environment: { JOBS: "false" } });
    tenant = server.demo;
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it.each(steps.map((step) => [step.at, step.status, step] as const))(
    "%s: leaves the session at %s and nothing half written",
    { timeout: LONG },
    async (at, status, step) => {
      const { password, sends, lock } = step;
      const { id, widgetUrl, browser } = await begin();
      if (sends === "answer") {
        await browser.submit("credentials", { username: at, password });
        await waitForAnswer(browser, widgetUrl);
      }
      const before = await bankData(server);
      const held = lock && (await holdLocks(server, lock(id)));
      const typed = sends === "answer" ? { answer: "123456" } : { username: at, password };
      const sent = browser.submit(sends, typed).catch(() => null);
      if (held) await eventually(held.isWaitedFor, "the server is halted");
      // A job may have been the first to wait for plans of refreshes.
      await eventually(async () => (await stateOf(id)).status === status, status);
      await server.stop("SIGKILL");
      await sent;
      await held?.release();
      await server.start();

      if (status === "Finished:OK") {
        const { connection_id } = await stateOf(id);
        await isWhole(connection_id);
        expect(await bankData(server)).toMatchObject({ connections: before.connections + 1 });
        return;
      }
      expect(await stateOf(id)).toMatchObject({ status, error_code: null, connection_id: null });
      expect(await bankData(server)).toEqual(before);
      await browser.open(widgetUrl);
      if (status.startsWith("Waiting:")) {
        if (browser.form("answer")) await browser.submit("answer", { answer: "123456" });
        else await browser.submit("credentials", { username: at, password });
        await waitForAnswer(browser, widgetUrl);
        expect(await stateOf(id)).toMatchObject({ status: "Finished:OK", error_code: null });
        await isWhole((await stateOf(id)).connection_id);
        return;
      }
      expect(browser.page?.text).toContain("One moment");
      cutOff.push({ id, widgetUrl, browser });
      // The lost session blocks nothing: the same person starts again.
      const next = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
      await connectBank(next.widgetUrl, { username: at, password: "NO_HISTORY" });
      await isWhole((await stateOf(next.id)).connection_id);
    },
  );

  it.each([
    ["the login", "SLOW", "Processing:ProvideCredentials"],
    ["the answer", "SCA_CODE", "Processing:Challenge"],
  ])(
    "[C-9.35] killed during %s: another replica gives the session back to its customer, who logs in again",
    {
      timeout: LONG,
    },
    async (at, password, status) => {
      const schedule = { cutOffLogins: 100, loginLease: 1_500 };
      const worker = await startReplica(server, { environment: { JOBS: "false" }, schedule });
      const { id, widgetUrl, browser } = await begin();
      const credentials = { username: at, password };
      await browser.open(widgetUrl.replace(server.url, worker.url));
      let held: Awaited<ReturnType<typeof holdLocks>> | null = null;
      if (status === "Processing:Challenge") {
        await browser.submit("credentials", credentials);
        await eventually(async () => (await stateOf(id)).status === "Waiting:Challenge", "the challenge");
        await browser.open(widgetUrl.replace(server.url, worker.url));
        held = await holdLocks(server, onTable("connections")());
      }
      const sends = status === "Processing:Challenge" ? "answer" : "credentials";
      await browser.submit(sends, sends === "answer" ? { answer: "123456" } : credentials);
      await eventually(async () => (await stateOf(id)).status === status, status);
      await worker.process.end("SIGKILL");
      await held?.release();
      const jobs = await startReplica(server, { environment: { JOBS: "true" }, schedule });
      const error_code = "InternalError";
      await eventually(async () => (await stateOf(id)).error_code === error_code, "the session is free");
      expect(await stateOf(id)).toMatchObject({
        status: "Waiting:ProvideCredentials",
        error_code,
        connection_id: null,
      });
      expect((await browser.open(widgetUrl)).text).toContain("The login was interrupted on our side.");
      expect(browser.page?.text).not.toContain("attempts left");
      await browser.submit("credentials", { username: at, password: "NO_HISTORY" });
      await waitForAnswer(browser, widgetUrl);
      expect(await stateOf(id)).toMatchObject({ status: "Finished:OK", error_code: null });
      await jobs.process.end("SIGTERM");
    },
  );

  const redirectBank = (): BankWithPage => ({
    server,
    connector_id: sandboxBanks.redirect,
    visit: (url, username, silentAt) => onBankPage(url, { username, password: silentAt ? "SLOW" : "ordinary" }),
    isWhole,
  });
  describeRedirectKills("[C-5.59]", redirectBank, ["the code"], "all");

  it("[C-5.56] with the page closed and its server killed while the bank waits for an approval, another replica hears of it", {
    timeout: LONG,
  }, async () => {
    const worker = await startReplica(server, { environment: { JOBS: "false" } });
    const { id, widgetUrl } = await tenant.openSession({ connector_id: "swe:eftertanke-bank" });
    const there = widgetUrl.replace(server.url, worker.url);
    const browser = createBrowser();
    await browser.open(there);
    await browser.submit("continue");
    await browser.submit("credentials", { username: "in the app", password: "ordinary" });
    await waitForAnswer(browser, there);
    expect(await stateOf(id)).toMatchObject({ status: "Waiting:Challenge", challenge_kind: "app" });
    const before = await bankData(server);
    await worker.process.end("SIGKILL");

    // With its clock ahead, this replica sees that the minute for the approval has passed.
    const jobs = await startReplica(server, {
      environment: { JOBS: "true", CLOCK_SHIFT_MS: "61000" },
      nodeOptions: ["--import", new URL("clock-shift.mjs", import.meta.url).href],
      schedule: { unfollowedChallenges: 100 },
    });
    await eventually(async () => (await stateOf(id)).status === "Finished:OK", "the approval is heard of");
    await isWhole((await stateOf(id)).connection_id);
    expect(await bankData(server)).toMatchObject({ connections: before.connections + 1 });
    expect((await browser.open(widgetUrl)).text).toContain("Your bank is connected");
    await jobs.process.end("SIGTERM");
  });

  it("what was cut off can be cancelled, and ends by itself with an error_code when its time is over", {
    timeout: LONG,
  }, async () => {
    const [first, ...others] = cutOff;
    expect(others.length).toBeGreaterThan(1);
    await first?.browser.open(first.widgetUrl);
    expect((await first?.browser.submit("cancel"))?.text).toContain("You have cancelled");
    const shift = new URL("clock-shift.mjs", import.meta.url).href;
    await server.start({ JOBS: "true", CLOCK_SHIFT_MS: String(TTL_MS + 1_000) }, ["--import", shift]);
    expect(await stateOf(String(first?.id))).toMatchObject({ status: "Finished:Aborted", error_code: "AbortedByUser" });
    for (const { id, widgetUrl, browser } of others) {
      const expired = { status: "Finished:Expired", error_code: "SessionExpired", widget_url: null };
      expect(await stateOf(id)).toMatchObject({ ...expired, connection_id: null });
      expect((await browser.open(widgetUrl)).text).toContain("Your session has expired");
    }
    const stored = () =>
      server.installation.withDatabase(async (pool) => {
        const { rows } = await pool.query("select from sessions where not finished or sealed_state is not null");
        return rows.length;
      });
    await eventually(async () => (await stored()) === 0, "the clean-up has come");
    expect(server.faults()).toEqual([]);
  });

  const stateOf = (session_id: string) => tenant.tools.call("svc-session-status", { session_id });

  async function begin() {
    const { id, widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    return { id, widgetUrl, browser };
  }

  /** The connection shows one complete snapshot: the sandbox's portfolios are the exact sums of their holdings. */
  async function isWhole(credentials_token: string) {
    const of = { credentials_token, page_size: 1 };
    const holdings = await tenant.tools.call("svc-investments", of);
    expect(holdings).toMatchObject({ sources: [{ state: "ok" }] });
    expect(holdings.total).toBeGreaterThan(0);
    const sums = holdings.totals.map(({ currency, balance }: Record<string, unknown>) => ({ currency, balance }));
    expect((await tenant.tools.call("svc-portfolios", of)).totals).toMatchObject(sums);
    expect((await tenant.tools.call("svc-investment-transactions", of)).total).toBeGreaterThan(0);
  }
});
