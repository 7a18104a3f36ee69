import { createBrowser } from "@org/pages/testing";
import { expect } from "vitest";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { startTestServer } from "./harness.js";
import type { Backend } from "./installation.js";
import { startPlaid } from "./institutions/plaid.js";
import type { PlaidInstitution, PlaidLogin } from "./institutions/plaid-bank.js";
import { type PlaidVisit, visitLink } from "./institutions/plaid-person.js";

// biome-ignore lint/suspicious/noExplicitAny: rows of tools.
type Row = any;
type Target = { connector_id: string } | { connection_id: string };

/** A connection is refreshed by request at most every 15 minutes. */
const A_WHILE = 16 * 60_000;
const shift = `--import ${new URL("clock-shift.mjs", import.meta.url).href}`;

/** How a person goes through Hosted Link to its end. */
export const visitOf = (login: PlaidLogin, more: PlaidVisit = {}): PlaidVisit => ({
  institution_id: login.institution.institution_id,
  username: login.username,
  password: login.password,
  accounts: "all",
  ...(login.code !== null && { code: login.code }),
  ...more,
});

/** A server with Plaid and two institutions of it. It has no jobs: nothing is fetched but by request. */
export async function openPlaidStage(backend: Backend) {
  let ahead = 0;
  const server = await startTestServer({
    backend,
    environment: { PROVIDERS: "plaid", JOBS: "false", NODE_OPTIONS: shift, CLOCK_JUMP_MS: String(A_WHILE) },
  });
  const plaid = await startPlaid({ clock: () => new Date(Date.now() + ahead) });
  const banks = [plaid.catalogue.add("First Larkspur"), plaid.catalogue.add("Second Larkspur")] as const;
  const { base_url, client } = plaid;
  const settings = { ...client, base_url, countries: ["US"] };
  await server.operate("/operator/v1/providers/set", { name: "plaid", settings });
  await server.operate("/operator/v1/providers/sync", { name: "plaid" });
  let tenant = server.demo;
  let people = 0;

  async function begin(target: Target) {
    const { id, widgetUrl } = await tenant.openSession(target);
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await waitForAnswer(browser, widgetUrl);
    return {
      browser,
      widgetUrl,
      session: (): Promise<Row> => tenant.tools.call("svc-session-status", { session_id: id }),
      /** Goes to Plaid, and comes back; returns what the widget says then. */
      async go(visit: PlaidVisit): Promise<string> {
        // Whoever left Plaid begins again.
        if (!browser.form("redirect")) {
          await browser.submit("credentials");
          await waitForAnswer(browser, widgetUrl);
        }
        const { location } = await visitLink((await browser.submit("redirect")).url, visit);
        await browser.open(location);
        await waitForAnswer(browser, widgetUrl);
        return browser.page?.text ?? "";
      },
    };
  }

  async function rows(tool: string, credentials_token: string): Promise<Row[]> {
    const found: Row[] = [];
    for (let page = 1; ; page += 1) {
      const { items, total } = await tenant.tools.call(tool, { credentials_token, page, page_size: 200 });
      found.push(...items);
      if (items.length === 0 || found.length >= total) return found;
    }
  }

  const latest = async (connection_id: string) =>
    (await server.operate("/operator/v1/connections/status", { connection_id })).refresh;

  return {
    server,
    plaid,
    banks,
    begin,
    rows,
    latest,
    /** A person with accounts of these names at an institution. */
    enrol(at: PlaidInstitution, accounts: readonly string[] = ["Brokerage"]) {
      people += 1;
      const login = plaid.enrol(at, `person-${people}`);
      const opened = accounts.map((name, index) => login.open(name, { mask: String(1_000 + 10 * people + index) }));
      return { login, accounts: opened as [ReturnType<PlaidLogin["open"]>, ...ReturnType<PlaidLogin["open"]>[]] };
    },
    /** Connects a login; returns the connection's id and the Item that it has made. */
    async connect(login: PlaidLogin, visit: PlaidVisit = {}) {
      const going = await begin({ connector_id: `usa:plaid-${login.institution.institution_id}` });
      await going.go(visitOf(login, visit));
      const session = await going.session();
      expect(session).toMatchObject({ status: "Finished:OK", error_code: null });
      const item = plaid.items.at(-1);
      if (item === undefined) throw new Error("no Item");
      return { connection_id: session.connection_id as string, item };
    },
    /** A while passes for both, with tokens that are good beyond it. */
    async passes() {
      tenant = await server.loginAgain(server.demo);
      await server.renewOperator();
      process.kill(server.process.pid, "SIGUSR2");
      ahead += A_WHILE;
    },
    /** So many milliseconds pass for Plaid alone. */
    later(milliseconds: number) {
      ahead += milliseconds;
    },
    /** Requests a refresh until there is one, and returns its outcome: a clock that jumps does so a moment after it is told to. */
    async refresh(connection_id: string): Promise<string> {
      const before = (await latest(connection_id)).last_attempt_at;
      return eventually(async () => {
        await tenant.post("/connect/v2/connections/refresh", { connection_id });
        const { state, last_attempt_at, last_outcome } = await latest(connection_id);
        return last_attempt_at !== before && state !== "under_way" && last_outcome;
      }, "a refresh");
    },
    call: (tool: string, given: object): Promise<Row> => tenant.tools.call(tool, given),
    /** Ids of all rows of a connection. */
    async idsOf(token: string): Promise<string[]> {
      const tools = ["svc-portfolios", "svc-investments", "svc-investment-transactions"];
      return (await Promise.all(tools.map((one) => rows(one, token))))
        .flat()
        .map(({ id }) => id as string)
        .sort();
    },
    sent: (path: string) => plaid.institution.requests.filter((each) => each.path === path).length,
    async close() {
      await server.remove();
      await plaid.close();
    },
  };
}
