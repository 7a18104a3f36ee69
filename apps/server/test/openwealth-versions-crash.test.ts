import { createBrowser } from "@org/pages/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { holdLocks } from "./hold-locks.js";
import type { VersionBank } from "./institutions/openwealth-versions.js";
import { startBanks } from "./openwealth-banks.js";
import { onOpenWealthPage } from "./openwealth-page.js";
import { bankData, describeRedirectKills, onSession, onTable } from "./redirect-kills.js";
import { startReplica } from "./replica.js";

const TARGET = "CH0000000000";
const environment = { PROVIDERS: "openwealth" };
/** Of the replicas. */
const schedule = { cutOffLogins: 100, loginLease: 1_500 };
const start = () =>
  startBanks(
    {
      one: { version: "1.1" },
      two: { version: "1.2" },
      three: { version: "2.0" },
      behind: {
        version: "1.2",
        blink: { target_id: TARGET },
        settings: {
          auth: { type: "certificate" },
          consent_header: "Permission-ID",
          headers: {
            "X-CorAPI-Target-ID": TARGET,
            "X-PSU-IP-Address": "AUTO",
            "X-PSU-User-Agent": "AUTO",
            "User-Agent": "WealthConnect/1.0",
          },
        },
      },
    },
    { JOBS: "false" },
  );

describe.skipIf(!testDatabaseUrl)("banks with OpenWealth before version 3, and a server that is killed", () => {
  let at: Awaited<ReturnType<typeof start>>;
  let survivor: Awaited<ReturnType<typeof startReplica>> | undefined;
  beforeAll(async () => {
    at = await start();
  }, START_TIMEOUT);
  afterAll(async () => {
    await survivor?.process.end("SIGTERM");
    await at?.close();
  });

  describe.each(["one", "two", "three"] as const)("%s", (id) => {
    let isAsked = () => true;
    describeRedirectKills(
      "[C-5.268]",
      () => {
        const bank = at.banks[id];
        return {
          server: at.server,
          connector_id: `che:${id}`,
          environment,
          async visit(url, _, silentAt) {
            if (silentAt) isAsked = silence(bank, silentAt);
            return onOpenWealthPage(url, "larkspur");
          },
          isWhole: (connection_id) => at.expectTruth(connection_id, id, "larkspur"),
          isAsked: () => isAsked(),
          async ends(credentials_token) {
            await at.tenant.tools.call("svc-delete-credentials", { credentials_token, confirm: true });
            // No code was redeemed twice.
            expect([bank.violations, bank.authorization.violations]).toEqual([{ calls: [], parameters: [] }, []]);
          },
        };
      },
      undefined,
      id === "three" ? "of the bank" : "silences",
    );
  });

  const idsEntered: readonly (readonly [
    when: string,
    stopped: { readonly lock: (sessionId: string) => string } | { readonly silentAt: keyof typeof paths },
    status: string,
  ])[] = [
    ["as the id arrives", { lock: onSession }, "Waiting:ProvideCredentials"],
    ["while the bank says whose consent it is", { silentAt: "who they are" }, "Processing:ProvideCredentials"],
    ["while their data are read", { silentAt: "their data" }, "Processing:ProvideCredentials"],
    ["as the connection is written", { lock: onTable("connections") }, "Processing:ProvideCredentials"],
  ];
  it.each(
    idsEntered.flatMap(([when, stopped, status]) =>
      // Before data come, nothing is done with the connection that is there.
      ["a new consent", ...(/data|written/.test(when) ? ["another consent of a connection"] : [])].map(
        (what) => [what, when, stopped, status] as const,
      ),
    ),
  )(
    "[C-5.268] %s is entered, and a server is killed %s: another replica has the customer enter it again",
    {
      timeout: START_TIMEOUT,
    },
    async (what, when, stopped, status) => {
      const { server, tenant } = at;
      const bank = at.banks.behind;
      const { larkspur } = bank.customers;
      const consent = () => {
        const id = bank.consents.ask("larkspur", [larkspur.id]);
        bank.consents.give(id);
        return id;
      };
      const stateOf = (session_id: string) => tenant.tools.call("svc-session-status", { session_id });
      const connection_id = what.startsWith("another") ? await connect(consent()) : null;
      const known = connection_id === null ? null : await at.idsOf(connection_id);
      const before = await bankData(server);
      const worker = await startReplica(server, { environment: { ...environment, JOBS: "false" }, schedule });
      onTestFinished(() => worker.process.end("SIGKILL").then(() => undefined));
      const { id, widgetUrl } = await tenant.openSession(
        connection_id === null ? { connector_id: "che:behind" } : { connection_id },
      );
      const here = widgetUrl.replace(server.url, worker.url);
      survivor ??= await startReplica(server, { environment: { ...environment, JOBS: "true" }, schedule });
      const there = widgetUrl.replace(server.url, survivor.url);
      const browser = createBrowser();
      await browser.open(here);
      await browser.submit("continue");
      const consent_id = consent();
      const isAsked = "silentAt" in stopped ? silence(bank, stopped.silentAt) : null;
      const held = "lock" in stopped ? await holdLocks(server, stopped.lock(id)) : null;
      const sent = browser.submit("credentials", { consent_id }).catch(() => null);
      await eventually(held?.isWaitedFor ?? isAsked ?? (() => true), when);
      // A job may have been the first to wait for the lock.
      await eventually(async () => (await stateOf(id)).status === status, status);
      await worker.process.end("SIGKILL");
      await sent;
      await held?.release();
      await eventually(
        async () => (await stateOf(id)).status === "Waiting:ProvideCredentials",
        "the session is given back",
      );
      expect(await bankData(server)).toEqual(before);

      await browser.open(there);
      if (browser.form("continue")) await browser.submit("continue");
      await browser.submit("credentials", { consent_id });
      await waitForAnswer(browser, there);
      const end = await stateOf(id);
      expect(end).toMatchObject({ status: "Finished:OK", error_code: null });
      await at.expectTruth(end.connection_id, "behind", "larkspur");
      const more = connection_id === null ? 1 : 0;
      expect(await bankData(server)).toMatchObject({ connections: before.connections + more });
      if (connection_id !== null) {
        expect(end.connection_id).toBe(connection_id);
        expect(await at.idsOf(connection_id)).toEqual(known);
      }
      await tenant.tools.call("svc-delete-credentials", { credentials_token: end.connection_id, confirm: true });
      expect(bank.violations.parameters).toEqual([]);
      for (const output of [worker, survivor]) expect(output.process.output()).not.toContain(consent_id);
    },
  );

  async function connect(consent_id: string): Promise<string> {
    const { id, widgetUrl } = await at.tenant.openSession({ connector_id: "che:behind" });
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await browser.submit("credentials", { consent_id });
    await waitForAnswer(browser, widgetUrl);
    const session = await at.tenant.tools.call("svc-session-status", { session_id: id });
    expect(session).toMatchObject({ status: "Finished:OK" });
    return session.connection_id;
  }
});

/** What a bank leaves without an answer, and its path in each version. */
const paths = {
  "the code": /\/oauth\/token$/,
  "who they are": /\/(customerAccounts|customers)$/,
  "their data": /\/(positions|customer-position-statement)$/,
};

/** The bank leaves the next such request without an answer; returns whether it was asked. */
function silence({ institution }: VersionBank, at: keyof typeof paths): () => boolean {
  const asked = () => institution.requests.filter(({ path }) => paths[at].test(path)).length;
  const before = asked();
  institution.fail(({ path }) => paths[at].test(path), { kind: "hang" });
  return () => asked() > before;
}
