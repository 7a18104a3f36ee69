import { addDecimals } from "@org/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { backends } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { clientEras, connectClient, ToolRefusal } from "./mcp-clients.js";
import { ofxStatement } from "./ofx-statement.js";
import { rowsHolding, storyOf } from "./stored-rows.js";

const TOOLS = [
  "svc-connectors",
  "svc-create-connect-session",
  "svc-session-status",
  "svc-credentials",
  "svc-credential-status",
  "svc-needs-relogin",
  "svc-delete-credentials",
  "svc-portfolios",
  "svc-investments",
  "svc-investment-transactions",
];

describe.each(backends)("the flows of the specification on %s", (backend) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ backend });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  /** What each era's connection left behind, to be searched for after its deletion. */
  const deleted: { ids: string[]; words: string[] }[] = [];

  describe.each(clientEras)("with the official %s client", (era) => {
    const customer = { username: `customer-of-${era}`, password: "SCA_SMS", answer: "123456" };
    let mcp: Awaited<ReturnType<typeof connectClient>>;
    let connectorId: string;
    let bank: string;
    let credential: string;
    const sessions: string[] = [];
    let items: Record<string, string[]>;

    beforeAll(async () => {
      mcp = await connectClient(era, server.mcpUrl, server.demo.token);
    });
    afterAll(() => mcp?.close());

    it("[S1-1.4] finds exactly the ten tools", () => {
      expect(mcp.toolNames).toEqual(TOOLS);
    });

    it("[C-4.85] a search that finds nothing says what to try", async () => {
      const hints = await Promise.all(
        ["Spain", "Peru", "penaclarinn", "qqqq"].map(async (name) => (await mcp.call("svc-connectors", { name })).hint),
      );
      expect(hints).toEqual([
        expect.stringMatching(
          /^No bank has "Spain" in its name\. It is a country, esp in countries, with these banks: Banca Torresoto, (.+, ){3}.+ and \d+ more\.$/,
        ),
        'No bank has "Peru" in its name. It is a country, per in countries, and no bank of the catalogue is there.',
        'No bank has "penaclarinn" in its name. Similar: Banco Peñaclarín.',
        'No bank has "qqqq" in its name. Try one word of the name, or its beginning, before you say that the bank is not supported.',
      ]);
    });

    it("[S1-4.19] [S1-3.1] [S1-3.3] (a) connector → session → widget with a challenge → Finished:OK → listed", async () => {
      const found = await mcp.call("svc-connectors", { name: era === "legacy" ? "banco peñaclarín" : "RIOMARFIL" });
      expect(found).toMatchObject({ total: 1, items: [{ metadata: { available: true, countries: ["esp"] } }] });
      connectorId = found.items[0].connector_id;
      bank = found.items[0].name;
      const session = await mcp.call("svc-create-connect-session", { connector_id: connectorId });
      sessions.push(session.session_id);
      const before = await mcp.call("svc-session-status", { session_id: session.session_id });
      expect(before).toMatchObject({
        status: "Waiting:ProvideCredentials",
        widget_url: session.widget_url,
        connection_id: null,
        connector_id: connectorId,
      });

      const page = await connectBank(session.widget_url, customer);
      expect(page.text).toContain("Your bank is connected");
      const finished = await untilFinished(mcp, session.session_id);
      expect(finished).toMatchObject({ status: "Finished:OK", widget_url: null, error_code: null });
      credential = finished.connection_id;
      const listed = await mcp.call("svc-credentials", { bank: bank.toUpperCase(), ready_only: true });
      const own = listed.items.find((item: { credentials_token: string }) => item.credentials_token === credential);
      expect(own).toMatchObject({ bank, labels: {}, attention: null, accounts: expect.any(Array) });
    });

    it("[S1-4.9] [S1-4.10] the new credential is healthy and needs no login", async () => {
      const status = await mcp.call("svc-credential-status", { credentials_token: credential });
      expect(status).toMatchObject({ pending: false, blocked: false, sca_token: null, reset_token: null });
      const relogin = await mcp.call("svc-needs-relogin", { credentials_token: credential });
      expect(relogin).toEqual({ needs_relogin: false, reasons: [] });
    });

    it("[S1-4.21] [C-5.19] [C-4.22] (c) credentials → portfolios → investments → transactions, and the sums agree", async () => {
      const listed = await mcp.call("svc-credentials", {});
      expect(listed.items.map((item: { credentials_token: string }) => item.credentials_token)).toContain(credential);
      const of = { credentials_token: credential, page_size: 500 };
      const portfolios = await mcp.call("svc-portfolios", of);
      expect(portfolios.total).toBeGreaterThan(0);
      expect(portfolios.sources).toMatchObject([{ credentials_token: credential, bank, state: "ok" }]);
      expect(sumsOf(portfolios.items)).toEqual(sumsOf(portfolios.totals));
      for (const portfolio of portfolios.items) {
        const investments = await mcp.call("svc-investments", { portfolio_id: portfolio.id, page_size: 500 });
        expect(sumsOf(investments.items)).toEqual(sumsOf([portfolio]));
        expect(sumsOf(investments.totals)).toEqual(sumsOf([portfolio]));
      }
      const transactions = await mcp.call("svc-investment-transactions", of);
      expect(transactions.total).toBeGreaterThan(0);
      items = await idsOf(mcp, credential);
      const [holding] = items["svc-investments"] ?? [];
      const narrowed = await mcp.call("svc-investment-transactions", { investment_id: holding, page_size: 500 });
      expect(items["svc-investment-transactions"]).toEqual(
        expect.arrayContaining(narrowed.items.map(({ id }: { id: string }) => id)),
      );
    });

    it("[S1-4.20] [C-5.14] (b) a re-login keeps the connection and every id under it", async () => {
      const session = await mcp.call("svc-create-connect-session", { connection_id: credential });
      sessions.push(session.session_id);
      await connectBank(session.widget_url, customer);
      const finished = await untilFinished(mcp, session.session_id);
      expect(finished).toMatchObject({ status: "Finished:OK", connection_id: credential, connector_id: connectorId });
      expect(await idsOf(mcp, credential)).toEqual(items);
    });

    it("[S1-7.3] [C-4.29] [C-4.30] deletion asks for a yes, happens once, and the rest no longer knows it", async () => {
      const refusal = (args: object) =>
        mcp.call("svc-delete-credentials", args).catch((error: ToolRefusal) => error.code);
      expect(await refusal({ credentials_token: credential })).toBe("CONFIRMATION_REQUIRED");
      expect(await refusal({ credentials_token: credential, confirm: false })).toBe("CONFIRMATION_REQUIRED");
      expect(await idsOf(mcp, credential)).toEqual(items);
      const confirmed = { credentials_token: credential, confirm: true };
      expect((await mcp.call("svc-delete-credentials", confirmed)).message).toContain(bank);
      expect(await refusal(confirmed)).toBe("NOT_FOUND");
      await expect(mcp.call("svc-credential-status", { credentials_token: credential })).rejects.toThrow(ToolRefusal);
      const listed = await mcp.call("svc-credentials", {});
      expect(JSON.stringify(listed)).not.toContain(credential);
      deleted.push({
        ids: [credential, ...sessions, ...Object.values(items).flat()],
        words: [customer.username, bank],
      });
    });
  });

  it("[C-4.31] deleting a connection that a letter made discontinues the letter in the same transaction", async () => {
    const letter_id = await waitingLetter(server, server.demo, sandboxBanks.datafeed);
    const { connection_id } = (await ingest(server, { letter_id }, ofxStatement(2))).body;
    const letter = async () => {
      const { body } = await server.demo.post("/letters/v1/search-letters", { query: { id_in: [letter_id] } });
      return body.items[0];
    };
    expect(await letter()).toMatchObject({ status: "Connected", connection_id });
    await server.demo.tools.call("svc-delete-credentials", { credentials_token: connection_id, confirm: true });
    expect(await letter()).toMatchObject({ status: "Discontinued", connection_id: null });
    await server.stop();
    // All rows written by one transaction have the same xmin.
    const { rows } = await server.installation.withDatabase((pool) =>
      pool.query(
        `select xmin::text from letters where letter_id = $1
         union all select xmin::text from audit_log where action = 'connection.delete' and object_id = $2`,
        [letter_id, connection_id],
      ),
    );
    expect(rows).toEqual([{ xmin: rows[0]?.xmin }, { xmin: rows[0]?.xmin }]);
    await server.start();
  });

  it("[C-11.89] the labels of a deleted connection and its sessions are in no table", async () => {
    const labels = { desk: "Labelled Client" };
    const configuration = { connector_id: sandboxBanks.eBanking, labels };
    const made = await server.demo.post("/connect/v2/sessions/create-session", { configuration });
    await connectBank(made.body.widget_url, { username: "labelled", password: "any" });
    const { connection_id } = await server.demo.tools.call("svc-session-status", {
      session_id: made.body.session.session_id,
    });
    await server.demo.tools.call("svc-delete-credentials", { credentials_token: connection_id, confirm: true });
    await server.stop();
    await server.installation.withDatabase(async (pool) => {
      expect((await rowsHolding(pool, [connection_id])).map(({ table }) => table)).toContain("events");
      expect(await rowsHolding(pool, [labels.desk])).toEqual([]);
    });
    await server.start();
  });

  it("[C-4.30] [C-11.29] after that no table holds a row of them, and audit trail and events hold ids only", async () => {
    const kept = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    await server.stop();
    expect(deleted).toHaveLength(clientEras.length);
    await server.installation.withDatabase(async (pool) => {
      expect((await rowsHolding(pool, [kept.id])).map(({ table }) => table)).toContain("sessions");
      for (const { ids, words } of deleted) {
        const rows = await rowsHolding(pool, ids);
        expect([...new Set(rows.map(({ table }) => table))]).toEqual(["audit_log", "events"]);
        expect(rows.filter(({ json }) => words.some((word) => json.includes(word)))).toEqual([]);
        expect(await storyOf(pool, ids)).toEqual([
          "session.opened",
          "connection.created ready by login",
          "data.changed portfolios,holdings,transactions",
          "session.finished Finished:OK",
          "session.opened",
          // The bank returns the same data for its returning customer.
          "connection.refreshed ready by login",
          "session.finished Finished:OK",
          "connection.removed removed",
        ]);
      }
    });
    expect(server.faults()).toEqual([]);
  });
});

type Caller = Awaited<ReturnType<typeof connectClient>>;

function untilFinished(mcp: Caller, sessionId: string) {
  return eventually(async () => {
    const session = await mcp.call("svc-session-status", { session_id: sessionId });
    return session.status.startsWith("Finished:") && session;
  }, "the session is finished");
}

/** Ids of everything below a credential, by tool. */
async function idsOf(mcp: Caller, credential: string): Promise<Record<string, string[]>> {
  const ids: Record<string, string[]> = {};
  for (const tool of ["svc-portfolios", "svc-investments", "svc-investment-transactions"]) {
    const answer = await mcp.call(tool, { credentials_token: credential, page_size: 500, fields: ["id"] });
    expect(answer.total).toBe(answer.items.length);
    ids[tool] = answer.items.map(({ id }: { id: string }) => id);
  }
  return ids;
}

/** Exact sums of balances by currency, without trailing zeros. */
function sumsOf(rows: readonly { currency: string; balance: string | null }[]) {
  const sums: Record<string, string> = {};
  for (const { currency, balance } of rows) sums[currency] = addDecimals(sums[currency] ?? "0.0", balance ?? "0");
  return Object.fromEntries(Object.entries(sums).map(([currency, sum]) => [currency, sum.replace(/\.?0+$/, "")]));
}
