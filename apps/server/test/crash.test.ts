import { setTimeout as delay } from "node:timers/promises";
import { type Browser, createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank, waitForAnswer } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { backends } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { ofxStatement } from "./ofx-statement.js";
import { rowCounts } from "./stored-rows.js";

const POSITIONS = 3_000;
const FILE = ofxStatement(POSITIONS);
/** When each round kills the server: after milliseconds, after a part of the time that the work took undisturbed, or at its end. */
const MOMENTS = [{ milliseconds: 20 }, { part: 0.4 }, { part: 0.8 }, "the end"] as const;
type Moment = (typeof MOMENTS)[number];

describe.each(backends)("SIGKILL on %s", (backend) => {
  let server: TestServer;
  let tenant: TestTenant;
  /** Duration of a round that nothing disturbs. */
  let usual: number;
  /** Holdings of a sandbox customer with many of them. */
  let large: number;
  const outcomes = { letters: new Set<string>(), sessions: new Set<string>() };

  beforeAll(async () => {
    // Without the clean-up, only requests can change the database.
    server = await startTestServer({ backend, environment: { JOBS: "false" } });
    tenant = await server.createTenant("Owner");
    const { letter, session, browser } = await prepare(server, tenant);
    const started = performance.now();
    await Promise.all([ingest(server, { letter_id: letter }, FILE), logIn(browser, session.widgetUrl, "undisturbed")]);
    usual = performance.now() - started;
    const { connection_id } = await tenant.tools.call("svc-session-status", { session_id: session.id });
    large = (await tenant.tools.call("svc-investments", { credentials_token: connection_id, page_size: 1 })).total;
    expect(large).toBeGreaterThan(1_000);
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it.each(MOMENTS)(
    "leaves nothing half-written and loses nothing acknowledged, after %j",
    { timeout: 120_000 },
    async (moment) => {
      const username = JSON.stringify(moment);
      const { letter, session, browser } = await prepare(server, tenant);
      const delivery = ingest(server, { letter_id: letter }, FILE).catch(() => null);
      const login = logIn(browser, session.widgetUrl, username).catch(() => null);
      await passed(moment, usual, [delivery, login]);
      await server.stop("SIGKILL");
      await server.start();

      outcomes.letters.add(await checkLetter(letter, (await delivery)?.status ?? null));
      outcomes.sessions.add(await checkSession(session, browser, username));
      expect((await login) === null || (await statusOf(session.id)) === "Finished:OK").toBe(true);
    },
  );

  it("was killed before the work was done and after it", () => {
    expect([...outcomes.letters].sort()).toEqual(["Connected", "WaitingForData"]);
    expect([...outcomes.sessions]).toContain("Finished:OK");
    expect(outcomes.sessions.size).toBeGreaterThan(1);
  });

  it("no table holds a row too many or too few", async () => {
    const { total } = await tenant.tools.call("svc-investments", { page_size: 1 });
    await server.stop();
    const counts = await server.installation.withDatabase(rowCounts);
    const rounds = MOMENTS.length + 1;
    expect(counts).toMatchObject({
      connections: 2 * rounds,
      feed_files: rounds,
      snapshots: 2 * 3 * rounds,
      holdings: total,
    });
    expect(server.faults()).toEqual([]);
  });

  /** A letter has its file completely or not at all; completely once that was acknowledged. Afterwards it has it. */
  async function checkLetter(letterId: string, acknowledged: number | null): Promise<string> {
    const found = await letterState(tenant, letterId);
    if (acknowledged !== null) expect([acknowledged, found.status]).toEqual([200, "Connected"]);
    expect([
      { status: "WaitingForData", holdings: null },
      { status: "Connected", holdings: POSITIONS },
    ]).toContainEqual(found);
    const again = await ingest(server, { letter_id: letterId }, FILE);
    expect(again.body.status).toBe(found.status === "Connected" ? "duplicate" : "ingested");
    expect(await letterState(tenant, letterId)).toEqual({ status: "Connected", holdings: POSITIONS });
    return found.status;
  }

  /** A session is finished with its data, or open without any and can be continued. Afterwards the customer is connected. */
  async function checkSession(session: Session, browser: Browser, username: string): Promise<string> {
    const state = await tenant.tools.call("svc-session-status", { session_id: session.id });
    if (state.status === "Finished:OK") {
      const of = { credentials_token: state.connection_id, page_size: 1 };
      expect(await tenant.tools.call("svc-investments", of)).toMatchObject({
        total: large,
        sources: [{ state: "ok" }],
      });
      expect((await tenant.tools.call("svc-portfolios", of)).total).toBeGreaterThan(0);
      return state.status;
    }
    expect(state).toMatchObject({
      status: expect.stringMatching(/^(Waiting|Processing):ProvideCredentials$/),
      connection_id: null,
      error_code: null,
    });
    await browser.open(session.widgetUrl);
    expect((await browser.submit("cancel")).text).toContain("You have cancelled");
    expect(await statusOf(session.id)).toBe("Finished:Aborted");
    const next = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(next.widgetUrl, { username, password: "a small customer's" });
    expect(await statusOf(next.id)).toBe("Finished:OK");
    return state.status;
  }

  const statusOf = async (sessionId: string): Promise<string> =>
    (await tenant.tools.call("svc-session-status", { session_id: sessionId })).status;
});

type Session = Awaited<ReturnType<TestTenant["openSession"]>>;

/** A letter that waits for its file and a session whose customer is about to type. */
async function prepare(server: TestServer, tenant: TestTenant) {
  const letter = await waitingLetter(server, tenant, sandboxBanks.datafeed);
  const session = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
  const browser = createBrowser();
  await browser.open(session.widgetUrl);
  await browser.submit("continue");
  return { letter, session, browser };
}

/** Connects a bank with thousands of positions. */
async function logIn(browser: Browser, widgetUrl: string, username: string): Promise<true> {
  await browser.submit("credentials", { username, password: "LARGE" });
  await waitForAnswer(browser, widgetUrl);
  return true;
}

async function passed(moment: Moment, usual: number, work: readonly Promise<unknown>[]): Promise<void> {
  if (moment === "the end") await Promise.all(work);
  else await delay("part" in moment ? usual * moment.part : moment.milliseconds);
}

/** A letter's status, and how many holdings its connection shows; null without a connection. */
async function letterState(tenant: TestTenant, letterId: string) {
  const search = await tenant.post("/letters/v1/search-letters", { query: { id_in: [letterId] } });
  const [{ status, connection_id }] = search.body.items;
  if (connection_id === null) return { status, holdings: null };
  const of = { credentials_token: connection_id, page_size: 1 };
  const { total, sources } = await tenant.tools.call("svc-investments", of);
  // Read whole, though the file is of an earlier day.
  expect(sources).toMatchObject([{ message: "old" }]);
  expect((await tenant.tools.call("svc-portfolios", of)).totals).toMatchObject([
    { currency: "USD", balance: `${2.5 * total}.00` },
  ]);
  return { status, holdings: total };
}
