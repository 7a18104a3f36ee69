import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, type TestServer } from "./harness.js";
import { holdLocks } from "./hold-locks.js";
import { startReplica } from "./replica.js";
import { rowCounts } from "./stored-rows.js";

export const onSession = (sessionId: string) => `select from sessions where session_id = '${sessionId}' for update`;
export const onTable = (table: string) => () => `lock table ${table} in share mode`;

/** Counts of all rows that come from banks. */
export async function bankData({ installation }: TestServer) {
  const { connections, snapshots, portfolios, holdings, transactions, connection_refreshes } =
    await installation.withDatabase(rowCounts);
  return { connections: Number(connections), snapshots, portfolios, holdings, transactions, connection_refreshes };
}

/** A bank with a page of its own, on a server on PostgreSQL. */
export interface BankWithPage {
  readonly server: TestServer;
  readonly connector_id: string;
  /** Of the replicas. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * What a customer does on the bank's page.
   * @param silentAt what the bank then leaves without an answer; null = nothing
   * @returns where they come back
   */
  visit(pageUrl: string, customer: string, silentAt: Silence | null): Promise<string>;
  /** Fails unless the connection has all that the bank has. */
  isWhole(connection_id: string): Promise<void>;
  /** Whether the bank has been asked what it leaves without an answer. Left out: it has, as soon as the session says so. */
  isAsked?(): boolean;
  /** After each kill. */
  ends?(connection_id: string): Promise<void>;
}

/** What a bank leaves without an answer after its customer has come back. */
type Silence = "the code" | "who they are" | "their data";

/** How far the customer gets, what stops the server there, and the session's state afterwards. */
type Kill = readonly [
  at: string,
  goes: "to the link" | "to the page" | "away" | "back",
  stopped: { readonly lock: (sessionId: string) => string } | { readonly silentAt: Silence } | null,
  status: string,
];

const kills: readonly Kill[] = [
  ["as the login begins", "to the link", { lock: onSession }, "Waiting:ProvideCredentials"],
  ["before they go", "to the page", null, "Waiting:Challenge"],
  ["while they are away", "away", null, "Waiting:Challenge"],
  ["as they come back", "back", { lock: onSession }, "Waiting:Challenge"],
  ["while their code is redeemed", "back", { silentAt: "the code" }, "Waiting:ProvideCredentials"],
  ["while the bank says who they are", "back", { silentAt: "who they are" }, "Waiting:ProvideCredentials"],
  ["while their data are read", "back", { silentAt: "their data" }, "Waiting:ProvideCredentials"],
  ["as the connection is written", "back", { lock: onTable("connections") }, "Waiting:ProvideCredentials"],
];

/** Where no bank has a part in it: what a kill leaves there is the same with each. */
const withoutBank: readonly string[] = ["as the login begins", "before they go", "as they come back"];

/**
 * Replicas are killed during logins at a bank, while another one serves on.
 * @param steps which of them: "silences" where another bank of the same provider shows the others, "all" with those at which no bank has a part
 */
export function describeRedirectKills(
  rules: string,
  open: () => BankWithPage,
  silences: readonly Silence[] = ["the code", "who they are", "their data"],
  steps: "all" | "of the bank" | "silences" = "of the bank",
): void {
  describe(`${rules} killed during a login by redirect, while another replica serves on`, () => {
    const schedule = { cutOffLogins: 100, loginLease: 1_500, savedAccesses: 100 };
    let survivor: Awaited<ReturnType<typeof startReplica>>;

    beforeAll(async () => {
      const { server, environment } = open();
      survivor = await startReplica(server, { environment: { ...environment, JOBS: "true" }, schedule });
    }, START_TIMEOUT);
    afterAll(() => survivor?.process.end("SIGTERM"));

    const possible = kills.filter(([at, , to]) => {
      if (to && "silentAt" in to) return silences.includes(to.silentAt);
      return steps === "all" || (steps === "of the bank" && !withoutBank.includes(at));
    });
    it.each(possible)("%s", { timeout: START_TIMEOUT }, async (at, goes, stopped, status) => {
      const { server, connector_id, environment, ...bank } = open();
      const { demo: tenant } = server;
      const stateOf = (session_id: string) => tenant.tools.call("svc-session-status", { session_id });
      const worker = await startReplica(server, { environment: { ...environment, JOBS: "false" }, schedule });
      const here = (url: string) => url.replace(server.url, worker.url);
      const there = (url: string) => url.replace(server.url, survivor.url);
      const { id, widgetUrl } = await tenant.openSession({ connector_id });
      const before = await bankData(server);
      const browser = createBrowser();
      let callback: string | null = null;
      await browser.open(here(widgetUrl));
      if (goes !== "to the link") {
        await browser.submit("continue");
        await waitForAnswer(browser, here(widgetUrl));
        expect(await stateOf(id)).toMatchObject({ status: "Waiting:Challenge", challenge_kind: "redirect" });
        const silentAt = stopped && "silentAt" in stopped ? stopped.silentAt : null;
        if (goes !== "to the page") callback = await bank.visit((await browser.submit("redirect")).url, at, silentAt);
      }
      const held = stopped && "lock" in stopped ? await holdLocks(server, stopped.lock(id)) : null;
      const send = async () => {
        if (goes === "to the link") await browser.submit("continue");
        if (goes === "back") await browser.open(here(String(callback)));
      };
      const sent = send().catch(() => null);
      if (held) await eventually(held.isWaitedFor, "the server is halted");
      else if (goes === "back")
        await eventually(
          async () => (await stateOf(id)).status === "Processing:Challenge" && bank.isAsked?.() !== false,
          at,
        );
      await worker.process.end("SIGKILL");
      await sent;
      await held?.release();
      await eventually(async () => (await stateOf(id)).status === status, status);
      expect(await bankData(server)).toEqual(before);

      // The bank's return address works once, and only if no bank has seen its code.
      if (callback !== null) {
        await browser.open(there(callback));
        if (status === "Waiting:ProvideCredentials")
          expect(await stateOf(id)).toMatchObject({ status, error_code: "InternalError" });
      }
      await browser.open(there(widgetUrl));
      for (const step of ["continue", "credentials"])
        if (browser.form(step)) {
          await browser.submit(step);
          await waitForAnswer(browser, there(widgetUrl));
        }
      await waitForAnswer(browser, there(widgetUrl));
      if (browser.form("redirect")) {
        const { url } = await browser.submit("redirect");
        await browser.open(there(await bank.visit(url, at, null)));
        await waitForAnswer(browser, there(widgetUrl));
      }
      const { connection_id, ...end } = await stateOf(id);
      expect(end).toMatchObject({ status: "Finished:OK", error_code: null });
      await bank.isWhole(connection_id);
      expect(await bankData(server)).toMatchObject({ connections: before.connections + 1 });
      await bank.ends?.(connection_id);
    });
  });
}
