import { addDecimals } from "@org/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";

const DAY = 24 * 60 * 60_000;
const DATABASE = oneBackend("what a publication stores is in the stores' conformance suite, which runs on both");

/** A camt.053 statement of one account. */
function statement(day: Date): Buffer {
  const date = day.toISOString().slice(0, 10);
  return Buffer.from(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
  <GrpHdr><CreDtTm>${date}T22:00:00Z</CreDtTm></GrpHdr><Stmt><Id>${date}</Id><Acct><Id><Othr><Id>A1</Id></Othr></Id></Acct>
  <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>
  </Stmt></BkToCstmrStmt></Document>`);
}

describe.each([DATABASE])("data that are old by age, on %s", (backend) => {
  let server: TestServer;
  let tenant: TestTenant;
  let days = 0;
  beforeAll(async () => {
    server = await startTestServer({ backend });
    tenant = server.demo;
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  /** The server restarts with its clock moved on, and refreshes nothing by itself. */
  async function later(more: number) {
    days += more;
    const shift = new URL("clock-shift.mjs", import.meta.url).href;
    await server.start({ CLOCK_SHIFT_MS: String(days * DAY), JOBS: "false" }, ["--import", shift]);
    tenant = await server.loginAgain(tenant);
    await server.renewOperator();
  }
  const today = () => new Date(Date.now() + days * DAY);
  async function sourcesOf(credentials_token: string) {
    const tools = ["svc-portfolios", "svc-investments", "svc-investment-transactions"];
    const answers = await Promise.all(tools.map((tool) => tenant.tools.call(tool, { credentials_token })));
    return answers.map(({ sources: [{ state, message, as_of }] }) =>
      message === undefined ? state : `${state}: ${message}, of ${as_of.slice(0, 10)}`,
    );
  }

  it("[C-4.110] of a bank are stale six days after a refresh, and not once they are refreshed", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { id, widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: "ada", password: "ordinary" });
    const { connection_id } = await tenant.tools.call("svc-session-status", { session_id: id });
    expect(await sourcesOf(connection_id)).toEqual(["ok", "ok", "ok"]);
    const day = today().toISOString().slice(0, 10);
    await later(6);
    expect(await sourcesOf(connection_id)).toEqual(Array(3).fill(`stale: old, of ${day}`));
    const refreshed = await tenant.post("/connect/v2/connections/refresh", { connection_id });
    expect(refreshed.body).toMatchObject({ outcome: "refreshed" });
    expect(await sourcesOf(connection_id)).toEqual(["ok", "ok", "ok"]);
  });

  it("[C-4.111] of monthly files are not after 40 days and are after 100; files of 2009 are from the beginning", {
    timeout: START_TIMEOUT,
  }, async () => {
    const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    const take = async (day: Date) => (await ingest(server, { letter_id }, statement(day), "a.xml")).body;
    const { connection_id } = await take(new Date("2009-03-01"));
    const portfolios = async () => (await sourcesOf(connection_id))[0];
    expect(await portfolios()).toBe("stale: old, of 2009-03-01");
    await later(30);
    // Two files of a day are one.
    await take(new Date(today().getTime() - DAY));
    await take(today());
    expect(await portfolios()).toBe("ok");
    const day = today().toISOString().slice(0, 10);
    await later(40);
    expect(await portfolios()).toBe("ok");
    await later(60);
    expect(await portfolios()).toBe(`stale: old, of ${day}`);
  });

  it("[C-4.113] dividends of a sandbox bank are found by kind", async () => {
    const { id, widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.psd2 });
    await connectBank(widgetUrl, { username: "grace", password: "ordinary" });
    const { connection_id } = await tenant.tools.call("svc-session-status", { session_id: id });
    const { items } = await tenant.tools.call("svc-investment-transactions", {
      credentials_token: connection_id,
      fields: ["description", "kind", "balance", "gross", "taxes"],
      page_size: 500,
    });
    const paid = items.filter(({ description }: { description: string }) =>
      /^Di(vidend|stribution):/.test(description),
    );
    expect(paid.length).toBeGreaterThan(5);
    expect(items.filter(({ kind }: { kind: string }) => kind === "dividend")).toEqual(paid);
    for (const { balance, taxes, gross } of paid) expect(addDecimals(balance, taxes ?? "0")).toBe(gross);
  });
});
