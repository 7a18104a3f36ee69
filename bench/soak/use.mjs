// What the soak does to the product beyond `mixed-use.mjs`, with a model of what has to be there afterwards.
import { setTimeout as delay } from "node:timers/promises";
import { createBrowser } from "@org/pages/testing";
import { ask, BUSY_MS, callerOf, isBusy } from "../faults/mixed-use.mjs";

/** Connections of customers; beyond that the oldest is deleted with each new one. */
const CONNECTIONS = 200;
const CONNECTOR = "esp:banco-penaclarin";
/** Its customers' passwords: all of them get in, one of them after a code. */
const PASSWORDS = ["ordinary", "ordinary", "ordinary", "SCA_SMS"];
const ATTEMPTS = 100;
const WAIT_MS = 100;
/** A connection is refreshed at most every 15 minutes, which begin when the server has come to it. */
const REFRESH_MS = 17 * 60_000;
const PAGES_SIZE = 50;

/**
 * Kinds of use as `beginMixedUse` has them, and `check(server)`.
 * @param server the proxy
 * @param tenant credentials of a tenant of its own
 */
export function beginMoreUse(server, tenant) {
  const caller = callerOf(tenant);
  const connections = [];
  const refreshed = { count: 0, by: {} };
  let customers = 0;
  let reads = 0;

  const kinds = {
    async customers() {
      customers += 1;
      const number = customers;
      const { session_id, widget_url } = await caller.tool(server, "svc-create-connect-session", {
        connector_id: CONNECTOR,
      });
      await logIn(widget_url, `customer-${number}`, PASSWORDS[number % PASSWORDS.length]);
      const status = await untilFinished(session_id);
      if (status.status !== "Finished:OK") throw new Error(`a session ended with ${JSON.stringify(status)}`);
      connections.push({ id: status.connection_id, refreshed_at: performance.now() });
      if (connections.length > CONNECTIONS) {
        const { id } = connections.shift();
        await caller.rest(server, "/data/v1/delete-connection", { credentials_token: id, confirm: true });
      }
    },
    async refreshes() {
      const due = connections.find(({ refreshed_at }) => performance.now() - refreshed_at > REFRESH_MS);
      if (due === undefined) return;
      due.refreshed_at = performance.now();
      const { outcome } = await caller.rest(server, "/connect/v2/connections/refresh", { connection_id: due.id });
      refreshed.count += 1;
      refreshed.by[outcome] = (refreshed.by[outcome] ?? 0) + 1;
      if (outcome !== "refreshed" && outcome !== "under_way") throw new Error(`a refresh ended as ${outcome}`);
    },
    async tools() {
      reads += 1;
      const page = 1 + (reads % 20);
      const newest = connections.at(-1);
      const [name, args] = [
        ["svc-investments", { page, page_size: PAGES_SIZE }],
        ["svc-investments", { currency: ["EUR"], page_size: 20 }],
        ["svc-portfolios", { page_size: PAGES_SIZE }],
        ["svc-investment-transactions", { page, page_size: PAGES_SIZE }],
        ["svc-credentials", { page_size: 20 }],
        newest ? ["svc-needs-relogin", { credentials_token: newest.id }] : ["svc-credentials", {}],
        ["svc-connectors", { page_size: 10 }],
      ][reads % 7];
      await caller.tool(server, name, args);
    },
    async data() {
      await caller.rest(server, "/data/v1/list-investments", { min_balance: "100", page_size: 20 });
      await caller.rest(server, "/data/v1/search-connections", { query: { state_in: ["ready"] }, page_size: 20 });
    },
    async filters() {
      const rules = [
        { action: "exclude", field: "connector_id", value: "*" },
        { action: "include", field: "countries", value: "Spain" },
      ];
      await caller.rest(server, "/connect/v2/connectors/preview-connector-filter", { connector_filter: { rules } });
    },
    async pages() {
      for (const path of ["/openapi.json", "/.well-known/oauth-authorization-server", "/console", "/"]) {
        const { status } = await ask(server, path, {});
        if (status !== 200) throw new Error(`${path}: ${status}`);
      }
    },
    /** A wrong secret is refused, and refused only: with 401, or with 429 once there were too many. */
    async guesses() {
      const fields = { grant_type: "client_credentials", client_id: tenant.client_id, client_secret: "wrong" };
      const type = "application/x-www-form-urlencoded";
      const { status } = await ask(server, "/token", { body: String(new URLSearchParams(fields)), type });
      if (status !== 401 && status !== 429) throw new Error(`a wrong secret is answered ${status}`);
    },
  };
  return { kinds, check, facts: () => ({ customers, connections: connections.length, refreshed }) };

  async function check() {
    const faults = [];
    const there = new Set();
    for (let page_token; ; ) {
      const body = { query: {}, page_size: 100, ...(page_token && { page_token }) };
      const answer = await caller.rest(server, "/data/v1/search-connections", body);
      for (const { connection_id } of answer.items) there.add(connection_id);
      page_token = answer.next_page_token;
      if (!page_token) break;
    }
    for (const { id } of connections) if (!there.delete(id)) faults.push("a connection is lost");
    if (there.size > 0) faults.push(`${there.size} connections are there that were deleted, or never acknowledged`);
    return faults;
  }

  async function logIn(widgetUrl, username, password) {
    const browser = createBrowser();
    await patiently(() => browser.open(widgetUrl));
    await submit(browser, "continue");
    await submit(browser, "credentials", { username, password });
    await untilAnswered(browser, widgetUrl);
    if (!browser.form("answer")) return;
    await submit(browser, "answer", { answer: "123456" });
    await untilAnswered(browser, widgetUrl);
  }

  function submit(browser, step, typed) {
    const filled = browser.filled(step, typed);
    return patiently(() => browser.send(filled));
  }

  async function untilAnswered(browser, address) {
    for (let attempt = 0; browser.page?.refreshes && attempt < ATTEMPTS; attempt += 1) {
      await delay(WAIT_MS);
      await patiently(() => browser.open(address));
    }
  }

  /** Asks again where the servers have too much to do. */
  async function patiently(work) {
    for (;;) {
      const { status, text } = await work();
      if (!isBusy({ status, text })) return;
      server.onBusy();
      await delay(BUSY_MS);
    }
  }

  async function untilFinished(session_id) {
    for (let attempt = 0; ; attempt += 1) {
      const status = await caller.tool(server, "svc-session-status", { session_id });
      if (status.status.startsWith("Finished:") || attempt === ATTEMPTS) return status;
      await delay(WAIT_MS);
    }
  }
}
