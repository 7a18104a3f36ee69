import { setTimeout as delay } from "node:timers/promises";
import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { larkspur, larkspurQueries, truthOf } from "../../../packages/provider-ibkr-flex/test/stand-in/customers.js";
import { type FlexService, startFlexService } from "../../../packages/provider-ibkr-flex/test/stand-in/flex-service.js";
import type { FlexTruth } from "../../../packages/provider-ibkr-flex/test/stand-in/truth.js";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { operatorCommands } from "./operator-commands.js";
import { expectSameTools } from "./same-tools.js";
import { rowsHolding } from "./stored-rows.js";

const DAY = 24 * 60 * 60_000;
/** Minimum time between two requests with one token, by the database's clock, which is not shifted. */
const TURN_MS = 1_500;
const connector_id = "usa:interactive-brokers";
const query_id = larkspurQueries.activity;
const shift = new URL("clock-shift.mjs", import.meta.url).href;

const DATABASE = oneBackend("how connections, settings and facts are stored is in the stores' conformance suites");

/** Interactive Brokers from its settings to the end of a connection, against a stand-in written by a third party. */
describe.each([DATABASE])("Interactive Brokers on %s", (backend) => {
  const token = larkspur();
  const nextToken = larkspur("987654321098765432109876");
  const operator = operatorCommands(() => server);
  let institution: FlexService;
  let server: TestServer;
  let tenant: TestTenant;

  beforeAll(async () => {
    institution = await startFlexService({ clock: () => new Date(), tokens: [token, nextToken], generation_ms: 0 });
    server = await startTestServer({ backend, environment: { PROVIDERS: "ibkr-flex" }, schedule: { refreshes: 50 } });
    tenant = server.demo;
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    await institution?.close();
    operator.remove();
  });

  async function login(target: { connector_id: string } | { connection_id: string }, typed: Record<string, string>) {
    const { id, widgetUrl } = await tenant.openSession(target);
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await browser.submit("credentials", typed);
    await waitForAnswer(browser, widgetUrl);
    return { browser, session: await tenant.tools.call("svc-session-status", { session_id: id }) };
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows of three tools
  const rows = async (tool: string, credentials_token: string): Promise<any[]> =>
    (await tenant.tools.call(tool, { credentials_token, page_size: 200 })).items;

  const joined = <Row>(items: readonly Row[], columns: (row: Row) => unknown[]) =>
    items.map((row) => columns(row).join(" | ")).sort();
  /** Columns that both name alike. */
  const holdingColumns = (row: FlexTruth["holdings"][number]) => [
    row.isin,
    row.amount,
    row.balance,
    row.currency,
    row.valuation_date,
    row.type,
  ];

  /** What the tools show, in the format of the expected data. */
  async function shown(credentials_token: string) {
    const portfolios = await rows("svc-portfolios", credentials_token);
    const holdings = await rows("svc-investments", credentials_token);
    const transactions = await rows("svc-investment-transactions", credentials_token);
    return {
      portfolios: joined(portfolios, (row) => [row.refAccount, row.balance, row.currency]),
      holdings: joined(holdings, holdingColumns),
      transactions: joined(transactions, (row) => [row.operationDate, row.amount, row.balance ?? "0", row.currency]),
    };
  }

  function truth({ portfolios, holdings, transactions }: FlexTruth) {
    return {
      portfolios: joined(portfolios, (row) => [row.account, row.balance, row.currency]),
      holdings: joined(holdings, holdingColumns),
      transactions: joined(transactions, (row) => [row.operation_date, row.amount, row.balance ?? "0", row.currency]),
    };
  }

  /** The next day, or a later one: the server restarts with its clock moved on. */
  async function after(days: number) {
    await delay(TURN_MS);
    await server.start({ CLOCK_SHIFT_MS: String(days * DAY) }, ["--import", shift]);
    tenant = await server.loginAgain(tenant);
    await server.renewOperator();
  }

  const refreshOf = async (connection_id: string) =>
    (await server.operator.post("/operator/v1/connections/status", { connection_id })).body.refresh;

  /** Checks what the operator, and a caller who requests it, see of a waiting refresh; no data is lost. */
  async function waitsWith(connection_id: string, outcome: string, words: string) {
    const isWaiting = async () => (await refreshOf(connection_id)).last_outcome === outcome;
    await eventually(isWaiting, `the refresh is ${outcome}`);
    expect(await refreshOf(connection_id)).toMatchObject({ state: "planned", next_at: expect.any(String) });
    const asked = await tenant.post("/connect/v2/connections/refresh", { connection_id });
    expect([asked.status, asked.text]).toEqual([429, expect.stringContaining(words)]);
    expect((await tenant.tools.call("svc-needs-relogin", { credentials_token: connection_id })).needs_relogin).toBe(
      false,
    );
  }

  it("[C-5.305] [C-5.100] [C-5.101] [C-5.103] from its settings to the end of a connection, digit by digit", {
    timeout: START_TIMEOUT,
  }, async () => {
    await operator.run(
      ["providers", "set", "ibkr-flex", "--file", "-"],
      JSON.stringify({ base_url: institution.base_url }),
    );
    expect(await operator.run(["providers", "test", "ibkr-flex"])).toMatchObject({ ok: true });
    expect(await operator.run(["providers", "sync", "ibkr-flex"])).toMatchObject({ inserted: 1 });
    const found = await tenant.tools.call("svc-connectors", { name: "interactive brokers" });
    expect(found.items).toMatchObject([{ connector_id, metadata: { available: true } }]);

    const wrong = await login({ connector_id }, { token: token.value, query_id: "9999999" });
    expect(wrong.session).toMatchObject({ error_code: "InvalidCredentials" });
    const { session } = await login({ connector_id }, { token: ` ${token.value} `, query_id });
    expect(session).toMatchObject({ status: "Finished:OK", connector_id });
    const { connection_id } = session;
    expect(await shown(connection_id)).toEqual(truth(truthOf(token, query_id, "first")));
    await expectSameTools(tenant.tools, connection_id);
    const ids = (await rows("svc-portfolios", connection_id)).map(({ id }: { id: string }) => id);

    // The next day the institution first throttles requests, and then prepares the statement; servers are killed meanwhile.
    institution.publishNextDay();
    const statements = () => [institution.begun.get(query_id) ?? 0, institution.delivered.get(query_id) ?? 0];
    const [begun = 0, delivered = 0] = statements();
    institution.answerWith(1018, { times: 1 });
    await after(1.5);
    await waitsWith(connection_id, "throttled", "the institution wants fewer requests");
    expect(statements()).toEqual([begun, delivered]);
    expect(await shown(connection_id)).toEqual(truth(truthOf(token, query_id, "first")));
    institution.takeToGenerate(1_000);
    await server.stop("SIGKILL");
    await after(1.51);
    await waitsWith(connection_id, "pending", "the institution prepares the data");
    expect(statements()).toEqual([begun + 1, delivered]);
    await server.stop("SIGKILL");
    await after(1.52);
    await eventually(
      async () => (await refreshOf(connection_id)).last_outcome === "refreshed",
      "the next day's refresh",
    );
    expect(statements()).toEqual([begun + 1, delivered + 1]);
    expect(await shown(connection_id)).toEqual(truth(truthOf(token, query_id, "second")));

    token.is_active = false;
    // A daily refresh comes within 36 hours of the one before.
    await after(3.1);
    await eventually(
      async () => (await refreshOf(connection_id)).last_outcome === "relogin_needed",
      "the end of the token",
    );
    expect(await tenant.tools.call("svc-needs-relogin", { credentials_token: connection_id })).toMatchObject({
      needs_relogin: true,
      reasons: [{ code: "auth_error" }],
    });
    expect(await shown(connection_id)).toEqual(truth(truthOf(token, query_id, "second")));

    const repaired = await login(
      { connection_id },
      { token: nextToken.value, query_id: larkspurQueries.other_formats },
    );
    expect(repaired.session).toMatchObject({ status: "Finished:OK", connection_id });
    expect((await rows("svc-portfolios", connection_id)).map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(await shown(connection_id)).toEqual(truth(truthOf(token, query_id, "second")));
    const twice = await login({ connector_id }, { token: nextToken.value, query_id });
    expect(twice.session).toMatchObject({ status: "Finished:Error", error_code: "AlreadyExists", connection_id });

    await tenant.tools.call("svc-delete-credentials", { credentials_token: connection_id, confirm: true });
    expect((await tenant.tools.call("svc-credentials", {})).items).toEqual([]);
    expect(institution.violations).toEqual([]);
    expect(institution.busiestMinute()).toBeLessThanOrEqual(10);
    const secrets = [token.value, nextToken.value];
    expect(secrets.filter((secret) => server.output().includes(secret))).toEqual([]);
    await server.stop();
    expect(await server.installation.withDatabase((pool) => rowsHolding(pool, secrets))).toEqual([]);
    expect(server.faults()).toEqual([]);
  });
});
