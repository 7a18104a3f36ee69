// What the soak does in addition to `mixed-use.mjs`, with a model of what must be there afterwards.
import { setTimeout as delay } from "node:timers/promises";
import { createBrowser } from "@org/pages/testing";
import { ask, BUSY_MS, callerOf, isBusy, page } from "../faults/mixed-use.mjs";

/** The number of customers' connections that stay and are refreshed. */
const KEPT = 150;
/** The number of connections that come and go: beyond it each new one replaces the oldest. */
const CONNECTIONS = 100;
const CONNECTOR = "esp:banco-penaclarin";
/** The customers' passwords: all can log in, one of them after a code. */
const PASSWORDS = ["ordinary", "ordinary", "ordinary", "SCA_SMS"];
const ATTEMPTS = 100;
const WAIT_MS = 100;
/** A connection is refreshed at most every 15 minutes, counted from when the server has processed it; a new one immediately. */
const REFRESH_MS = 17 * 60_000;
const PAGES_SIZE = 50;

/**
 * Kinds of use as in `beginMixedUse`, and `check(server)`. A kind that finds nothing to do answers false.
 * @param first a server, or the proxy in front of both
 * @param tenant credentials of a separate tenant
 */
export function beginMoreUse(first, tenant) {
  const caller = callerOf(tenant);
  /** The first ones stay. */
  const connections = [];
  const refreshed = { count: 0, by: {} };
  let customers = 0;
  let reads = 0;

  const kinds = {
    async customers(server, other) {
      customers += 1;
      const number = customers;
      const { session_id, widget_url } = await caller.tool(server, "svc-create-connect-session", {
        connector_id: CONNECTOR,
      });
      await logIn(server, widget_url, `customer-${number}`, PASSWORDS[number % PASSWORDS.length]);
      const { status, connection_id: id } = await untilFinished(other, session_id);
      if (status !== "Finished:OK") throw new Error(`a session ended with ${status}`);
      connections.push({ id, refreshed_at: Number.NEGATIVE_INFINITY });
      if (connections.length > KEPT + CONNECTIONS) {
        const [{ id }] = connections.splice(KEPT, 1);
        await caller.rest(server, "/data/v1/delete-connection", { credentials_token: id, confirm: true });
      }
    },
    async refreshes(server) {
      const due = connections.slice(0, KEPT).find(({ refreshed_at }) => performance.now() - refreshed_at > REFRESH_MS);
      if (due === undefined) return false;
      due.refreshed_at = performance.now();
      const { outcome } = await caller.rest(server, "/connect/v2/connections/refresh", { connection_id: due.id });
      refreshed.count += 1;
      refreshed.by[outcome] = (refreshed.by[outcome] ?? 0) + 1;
      if (outcome !== "refreshed" && outcome !== "under_way") throw new Error(`a refresh ended as ${outcome}`);
    },
    async tools(server) {
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
    async data(server) {
      await caller.rest(server, "/data/v1/list-investments", { min_balance: "100", page_size: 20 });
      await caller.rest(server, "/data/v1/search-connections", { query: { state_in: ["ready"] }, page_size: 20 });
    },
    async filters(server) {
      const rules = [
        { action: "exclude", field: "connector_id", value: "*" },
        { action: "include", field: "countries", value: "Spain" },
      ];
      await caller.rest(server, "/connect/v2/connectors/preview-connector-filter", { connector_filter: { rules } });
    },
    async pages(server) {
      for (const path of ["/openapi.json", "/.well-known/oauth-authorization-server", "/console", "/"])
        await page(server, path);
    },
    /** A wrong secret must be refused, with 401, or with 429 after too many. */
    async guesses(server) {
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
      const answer = await caller.rest(first, "/data/v1/search-connections", body);
      for (const { connection_id } of answer.items) there.add(connection_id);
      page_token = answer.next_page_token;
      if (!page_token) break;
    }
    for (const { id } of connections) if (!there.delete(id)) faults.push("a connection is lost");
    if (there.size > 0) faults.push(`${there.size} connections are there that were deleted, or never acknowledged`);
    return faults;
  }

  async function logIn(server, widgetUrl, username, password) {
    const browser = createBrowser(new Map(), undefined, server.fetch);
    await patiently(server, () => browser.open(widgetUrl));
    await submit(server, browser, "continue");
    await submit(server, browser, "credentials", { username, password });
    await waitForAnswer(server, browser, widgetUrl);
    if (!browser.form("answer")) return;
    await submit(server, browser, "answer", { answer: "123456" });
    await waitForAnswer(server, browser, widgetUrl);
  }

  function submit(server, browser, step, typed) {
    const filled = browser.filled(step, typed);
    return patiently(server, () => browser.send(filled));
  }

  async function waitForAnswer(server, browser, address) {
    for (let attempt = 0; browser.page?.refreshes && attempt < ATTEMPTS; attempt += 1) {
      await delay(WAIT_MS);
      await patiently(server, () => browser.open(address));
    }
  }

  /** Repeats the request if the servers are overloaded. */
  async function patiently(server, work) {
    for (;;) {
      const { status, text } = await work();
      if (server.onBusy === undefined || !isBusy({ status, text })) {
        if (status >= 400) throw new Error(`a page of a session: ${status} ${text.slice(0, 200)}`);
        return;
      }
      server.onBusy();
      await delay(BUSY_MS);
    }
  }

  async function untilFinished(server, session_id) {
    for (let attempt = 0; ; attempt += 1) {
      const status = await caller.tool(server, "svc-session-status", { session_id });
      if (status.status.startsWith("Finished:") || attempt === ATTEMPTS) return status;
      await delay(WAIT_MS);
    }
  }
}
