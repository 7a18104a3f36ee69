import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBrowser } from "./browser.js";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { backends } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { ofxStatement } from "./ofx-statement.js";
import { rowCounts } from "./stored-rows.js";

const POSITIONS = 20_000;
const LONG = 240_000;
/** Moments of the kill, as parts of the time that the same work took undisturbed; the last is after its answer. */
const MOMENTS = [0.05, 0.3, 0.6, 0.85, 0.97, 1.5];

describe.each(backends)("SIGKILL on %s", (backend) => {
  let server: TestServer;
  beforeAll(async () => {
    // Without the clean-up nothing but requests can change the database.
    server = await startTestServer({ backend, environment: { JOBS: "false" } });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it("during ingestion: a file is there whole or not at all, and whole once it was acknowledged", {
    timeout: LONG,
  }, async () => {
    const tenant = await server.createTenant("Custodians");
    const file = ofxStatement(POSITIONS);
    const deliver = (letter_id: string) => ingest(server, { letter_id }, file);
    const usual = await milliseconds(async () => {
      expect((await deliver(await waitingLetter(server, tenant, sandboxBanks.datafeed))).status).toBe(200);
    });
    const outcomes = new Set<string>();
    for (const moment of MOMENTS) {
      const letter = await waitingLetter(server, tenant, sandboxBanks.datafeed);
      const answer = await killedDuring(server, usual * moment, () => deliver(letter));
      await server.start();

      const found = await letterState(tenant, letter);
      if (answer) expect([answer.status, found.status]).toEqual([200, "Connected"]);
      if (found.status === "WaitingForData") expect(found).toEqual({ status: "WaitingForData", holdings: null });
      else expect(found).toEqual({ status: "Connected", holdings: POSITIONS });
      outcomes.add(`${found.status}, ${answer ? "acknowledged" : "cut off"}`);

      // Delivered again it is taken, or known to have been taken.
      const again = (await deliver(letter)).body;
      expect(again.status).toBe(found.status === "Connected" ? "duplicate" : "ingested");
      expect(await letterState(tenant, letter)).toEqual({ status: "Connected", holdings: POSITIONS });
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(["WaitingForData, cut off", "Connected, acknowledged"]));
    await server.stop();
    const counts = await server.installation.withDatabase(rowCounts);
    const files = MOMENTS.length + 1;
    expect(counts).toMatchObject({
      connections: files,
      feed_files: files,
      holdings: files * POSITIONS,
      snapshots: 3 * files,
    });
    await server.start();
  });

  it("[S1-3.1] during session completion: the session is finished with its data, or open without any", {
    timeout: LONG,
  }, async () => {
    const tenant = await server.createTenant("Customers");
    const usual = await milliseconds(() => completed(tenant, "undisturbed"));
    const { total } = await tenant.tools.call("svc-investments", { page_size: 1 });
    const outcomes = new Set<string>();
    for (const [number, moment] of MOMENTS.entries()) {
      const username = `customer-${number}`;
      const session = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
      const browser = createBrowser();
      await browser.open(session.widgetUrl);
      await browser.submit("continue");
      await killedDuring(server, usual * moment, () => browser.submit("credentials", { username, password: "LARGE" }));
      await server.start();

      const state = await tenant.tools.call("svc-session-status", { session_id: session.id });
      outcomes.add(state.status);
      if (state.status === "Finished:OK") {
        const read = { credentials_token: state.connection_id, page_size: 1 };
        const data = await tenant.tools.call("svc-investments", read);
        expect(data).toMatchObject({ total, sources: [{ state: "ok" }] });
        expect((await tenant.tools.call("svc-portfolios", read)).total).toBeGreaterThan(0);
        continue;
      }
      // The bank was not asked yet, or its answer is lost: nothing of it is visible, and the customer can leave and begin anew.
      expect(state).toMatchObject({
        status: expect.stringMatching(/^(Waiting|Processing):ProvideCredentials$/),
        connection_id: null,
        error_code: null,
      });
      await browser.open(session.widgetUrl);
      expect((await browser.submit("cancel")).text).toContain("You have cancelled");
      const left = await tenant.tools.call("svc-session-status", { session_id: session.id });
      expect(left).toMatchObject({ status: "Finished:Aborted", connection_id: null, widget_url: null });
      await completed(tenant, username);
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(["Processing:ProvideCredentials", "Finished:OK"]));
    const credentials = await tenant.tools.call("svc-credentials", {});
    expect(credentials.total).toBe(MOMENTS.length + 1);
    expect((await tenant.tools.call("svc-investments", { page_size: 1 })).total).toBe(credentials.total * total);
    expect(server.faults()).toEqual([]);
  });
});

/** Connects a bank with thousands of positions. */
async function completed(tenant: TestTenant, username: string): Promise<void> {
  const { id, widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
  await connectBank(widgetUrl, { username, password: "LARGE" });
  expect(await tenant.tools.call("svc-session-status", { session_id: id })).toMatchObject({ status: "Finished:OK" });
}

/** Kills the server some time after a request went out; answers what the request answered, null when it was cut off. */
async function killedDuring<T>(server: TestServer, wait: number, request: () => Promise<T>): Promise<T | null> {
  const answer = request().catch(() => null);
  await delay(wait);
  await server.stop("SIGKILL");
  return answer;
}

/** A letter's status, and how many holdings its connection shows; null without a connection. */
async function letterState(tenant: TestTenant, letterId: string) {
  const search = await tenant.post("/letters/v1/search-letters", { query: { id_in: [letterId] } });
  const [{ status, connection_id }] = search.body.items;
  if (connection_id === null) return { status, holdings: null };
  const { total, totals, sources } = await tenant.tools.call("svc-investments", { credentials_token: connection_id });
  expect(sources).toMatchObject([{ state: "ok" }]);
  expect(totals).toHaveLength(1);
  return { status, holdings: total };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
