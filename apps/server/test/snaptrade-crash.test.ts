import { createBrowser } from "@org/pages/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { type SnapTrade, startSnapTrade } from "./institutions/snaptrade.js";
import type { SnapTradePartner } from "./institutions/snaptrade-book.js";
import { furnish } from "./institutions/snaptrade-furnish.js";
import { bankData, describeRedirectKills } from "./redirect-kills.js";
import { refreshLater } from "./renewal-kills.js";
import { startReplica } from "./replica.js";

const connector_id = "usa:snaptrade-larch";
const environment = { PROVIDERS: "snaptrade" };
/** What SnapTrade is asked after its customer is back. It has no codes to redeem. */
const paths = { "who they are": /^\/authorizations\/[^/]+$/, "their data": /\/positions\/all$/ };

describe.skipIf(!testDatabaseUrl)("SnapTrade, whose logins make users and connections there", () => {
  let server: TestServer;
  let snaptrade: SnapTrade;
  let partner: SnapTradePartner;
  let day: string;

  beforeAll(async () => {
    server = await startTestServer({ backend: "postgres", environment: { ...environment, JOBS: "false" } });
    // A day does not end during a test.
    day = new Date().toISOString().slice(0, 10);
    snaptrade = await startSnapTrade({ clock: () => new Date(Math.min(Date.now(), Date.parse(`${day}T23:59:59Z`))) });
    furnish(snaptrade.book);
    await setKey();
    await server.operate("/operator/v1/providers/sync", { name: "snaptrade" });
  }, START_TIMEOUT);
  afterAll(async () => {
    await snaptrade?.close();
    await server?.remove();
  });

  /** Another key at SnapTrade: the server keeps to 250 requests a minute with each. */
  async function setKey() {
    partner = snaptrade.book.addPartner();
    snaptrade.allow(10_000);
    const { client_id, consumer_key } = partner;
    const settings = { client_id, consumer_key, base_url: snaptrade.base_url };
    await server.operate("/operator/v1/providers/set", { name: "snaptrade", settings });
  }

  /** A customer goes through the portal; the address at which they come back. */
  async function visit(url: string): Promise<string> {
    const { headers } = await fetch(url, { redirect: "manual" });
    const body = new URLSearchParams({ broker: "LARCH", username: "erika", password: "s3cret" });
    const signedIn = await fetch(new URL(`${headers.get("location")}/sign-in`, url), {
      method: "POST",
      body,
      redirect: "manual",
    });
    return signedIn.headers.get("location") ?? "";
  }

  const asked = (path: RegExp) => snaptrade.institution.requests.filter((each) => path.test(each.path)).length;
  let isAsked = () => true;
  /** Users at SnapTrade, each with how many connections it has. */
  const users = () => [...partner.users.values()].map(({ connections }) => connections.length);

  describeRedirectKills(
    "[C-5.231] [C-5.287]",
    () => ({
      server,
      connector_id,
      environment,
      visit(url, _, silentAt) {
        isAsked = () => true;
        if (silentAt !== null && silentAt !== "the code") {
          const path = paths[silentAt];
          const before = asked(path);
          isAsked = () => asked(path) > before;
          snaptrade.institution.fail((request) => path.test(request.path), { kind: "hang" });
        }
        return visit(url);
      },
      async isWhole(credentials_token) {
        const of = { credentials_token, page_size: 1 };
        const holdings = await server.demo.tools.call("svc-investments", of);
        expect(holdings).toMatchObject({ total: 17, sources: [{ state: "ok" }] });
        expect((await server.demo.tools.call("svc-investment-transactions", of)).total).toBe(34);
      },
      isAsked: () => isAsked(),
      async ends(credentials_token) {
        await server.demo.tools.call("svc-delete-credentials", { credentials_token, confirm: true });
        await eventually(async () => {
          await snaptrade.settle();
          return users().length === 0;
        }, "the user of the connection is gone, and that of the login that was killed");
        expect(snaptrade.violations).toEqual([]);
      },
    }),
    ["who they are", "their data"],
  );

  const brokenEvent = (id: string) => ({ eventType: "CONNECTION_BROKEN", brokerageAuthorizationId: id });
  const here = (path: RegExp) => (request: { readonly path: string }) => path.test(request.path);
  /** A customer connects; the connection. */
  async function connect(tenant = server.demo) {
    const { id, widgetUrl } = await tenant.openSession({ connector_id });
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await waitForAnswer(browser, widgetUrl);
    await browser.open(await visit((await browser.submit("redirect")).url));
    await waitForAnswer(browser, widgetUrl);
    const session = await tenant.tools.call("svc-session-status", { session_id: id });
    expect(session).toMatchObject({ status: "Finished:OK", error_code: null });
    return session.connection_id as string;
  }
  /** Refreshes it as if the time to wait for SnapTrade were over; the outcome. */
  async function refreshed(connection_id: string) {
    await server.installation.withDatabase((pool) =>
      pool.query("update connection_refreshes set due_at = now() - interval '1 second' where due_at is not null"),
    );
    return refreshLater({ server, connection_id });
  }
  async function shown(credentials_token: string) {
    const of = { credentials_token, page_size: 1 };
    const { total, sources } = await server.demo.tools.call("svc-investments", of);
    const moved = await server.demo.tools.call("svc-investment-transactions", of);
    return [sources[0].state, total, moved.total];
  }

  it("[C-5.234] killed while a connection is removed: it is gone for good here, SnapTrade is not asked for its data, and who comes again has another user", {
    timeout: START_TIMEOUT,
  }, async () => {
    await setKey();
    const before = await bankData(server);
    const credentials_token = await connect();
    const worker = await startReplica(server, { environment: { ...environment, JOBS: "false" } });
    const removals = /^\/(connection\/|snapTrade\/deleteUser)/;
    snaptrade.institution.fail(here(removals), { kind: "hang" });
    const sent = asked(removals);
    const { status } = await fetch(`${worker.url}/data/v1/delete-connection`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.demo.token}`, "content-type": "application/json" },
      body: JSON.stringify({ credentials_token, confirm: true }),
    });
    expect(status).toBe(200);
    await eventually(() => asked(removals) > sent, "SnapTrade is asked to remove the connection");
    await worker.process.end("SIGKILL");
    expect(await bankData(server)).toMatchObject({ connections: before.connections });
    expect(
      (await server.demo.post("/connect/v2/connections/refresh", { connection_id: credentials_token })).status,
    ).toBe(400);
    // Only SnapTrade's dashboard knows this user now, as docs/reference/providers/snaptrade.md says.
    expect(users()).toEqual([1]);
    const again = await connect();
    expect(users()).toEqual([1, 1]);
    expect(await shown(again)).toEqual(["ok", 17, 34]);
    await server.demo.tools.call("svc-delete-credentials", { credentials_token: again, confirm: true });
    await eventually(async () => {
      await snaptrade.settle();
      return users().length === 1;
    }, "the other user is gone");
    partner.users.clear();
    expect(snaptrade.violations).toEqual([]);
  });

  it("[C-5.233] a connection that is repaired at SnapTrade, and not here, is read again after its webhook, once for each", {
    timeout: START_TIMEOUT,
  }, async () => {
    snaptrade.webhooks.listen(partner, `${server.url}/providers/snaptrade/notifications`);
    const credentials_token = await connect();
    const needsRelogin = async () =>
      (await server.demo.tools.call("svc-needs-relogin", { credentials_token })).needs_relogin;
    const due = async () =>
      (await server.operate("/operator/v1/connections/status", { connection_id: credentials_token })).refresh.next_at;
    const [connection] = snaptrade.book.connections();
    if (connection === undefined) throw new Error("there is no connection");
    snaptrade.book.disable(connection);
    await snaptrade.settle();
    expect(await refreshed(credentials_token)).toBe("relogin_needed");
    expect([await needsRelogin(), await due()]).toEqual([true, null]);
    // One more of these is one more try.
    expect(await snaptrade.webhooks.send(partner, brokenEvent(connection.id))).toBe(200);
    expect(await due()).not.toBeNull();
    expect(await refreshed(credentials_token)).toBe("relogin_needed");
    expect(await due()).toBeNull();
    snaptrade.book.reconnect(connection, "read");
    await snaptrade.settle();
    expect(await due()).not.toBeNull();
    expect(await refreshed(credentials_token)).toBe("refreshed");
    expect([await needsRelogin(), await shown(credentials_token)]).toEqual([false, ["ok", 17, 34]]);
    await server.demo.tools.call("svc-delete-credentials", { credentials_token, confirm: true });
    await eventually(async () => {
      await snaptrade.settle();
      return users().length === 0;
    }, "the user is gone");
    expect(snaptrade.violations).toEqual([]);
  });

  it("[C-5.288] before the first sync has ended the connection is pending and never empty; holdings come first, their history after them", {
    timeout: START_TIMEOUT,
  }, async () => {
    for (const early of ["empty", "425"] as const) {
      snaptrade.habits.early = early;
      snaptrade.book.isFirstSyncHeld = true;
      const connection_id = await connect();
      expect(await shown(connection_id)).toEqual(["pending", 0, 0]);
      expect(await refreshed(connection_id)).toBe("pending");
      snaptrade.book.finishFirstSync("holdings");
      await refreshed(connection_id);
      expect((await shown(connection_id)).slice(1)).toEqual([17, 0]);
      snaptrade.book.finishFirstSync();
      await eventually(async () => {
        await refreshed(connection_id);
        return (await shown(connection_id))[2] === 34;
      }, "the history");
      expect(await shown(connection_id)).toEqual(["ok", 17, 34]);
      await server.demo.tools.call("svc-delete-credentials", { credentials_token: connection_id, confirm: true });
    }
  });

  it("[C-5.288] limits, a busy brokerage and broken answers take nothing of what was read; pages that shift, come twice or by halves lose and double nothing", {
    timeout: START_TIMEOUT,
  }, async () => {
    await setKey();
    const { book, paging, institution } = snaptrade;
    // A page by halves, another one twice, and a row that comes meanwhile.
    paging.rows = 10;
    paging.spoilt = { to: "half", offset: 10, times: 1 };
    paging.after = (account) => {
      paging.after = null;
      const [activity] = account.rows;
      if (activity) book.arrive(account, { ...activity.activity, description: "Late", trade_date: day });
    };
    const connection_id = await connect();
    paging.spoilt = { to: "first", offset: 0, times: 0 };
    await eventually(async () => {
      const outcome = await refreshed(connection_id);
      return outcome === "refreshed" && (await shown(connection_id))[2] === 35;
    }, "all rows");
    expect(await shown(connection_id)).toEqual(["ok", 17, 35]);

    snaptrade.allow(1);
    expect(await refreshed(connection_id)).toBe("throttled");
    snaptrade.allow(10_000);
    const busy = { detail: "Unable to sync with brokerage account.", status_code: 503, code: "3002" };
    const instead = {
      kind: "instead",
      reply: { status: 503, body: JSON.stringify(busy), headers: { "content-type": "application/json" } },
    } as const;
    institution.fail(here(/\/balances$/), instead);
    expect(await refreshed(connection_id)).toBe("throttled");
    // An answer that comes by halves is asked for once more.
    institution.fail(here(/\/positions\/all$/), { kind: "half" });
    expect(await refreshed(connection_id)).toBe("refreshed");
    snaptrade.spoil(/\/activities$/, (body) => body.replace(/"trade_date":"[^"]+"/, '"trade_date":"soon"'));
    expect(await refreshed(connection_id)).toBe("refreshed");
    snaptrade.spoil(/\/activities$/, null);
    institution.fail(here(/\/balances$/), { kind: "trickle", pieces: 3, milliseconds: 50 });
    expect(await refreshed(connection_id)).toBe("refreshed");
    expect(await shown(connection_id)).toEqual(["ok", 17, 35]);
    expect(snaptrade.violations).toEqual([]);
    await server.demo.tools.call("svc-delete-credentials", { credentials_token: connection_id, confirm: true });
  });

  it("[C-5.286] a personal key is one tenant's, and a removed connection is gone from its owner's SnapTrade account", {
    timeout: START_TIMEOUT,
  }, async () => {
    const owner = snaptrade.book.addPartner({ isPersonal: true });
    const tenant = await server.createTenant("Owner");
    const settings = {
      client_id: owner.client_id,
      consumer_key: owner.consumer_key,
      base_url: snaptrade.base_url,
      key_type: "personal",
    };
    const set = (more: object) =>
      server.operator.post("/operator/v1/providers/set", { name: "snaptrade", settings, ...more });
    expect((await set({})).text).toContain("accounts of its owner");
    expect((await set({ tenant_id: tenant.tenantId })).status).toBe(200);
    snaptrade.allow(10_000, 10_000);
    const credentials_token = await connect(tenant);
    const [{ connections = [] } = {}] = [...owner.users.values()];
    expect(connections).toHaveLength(1);
    const held = await tenant.tools.call("svc-investments", { credentials_token, page_size: 1 });
    expect(held).toMatchObject({ total: 17, sources: [{ state: "ok" }] });
    await tenant.tools.call("svc-delete-credentials", { credentials_token, confirm: true });
    await eventually(async () => {
      await snaptrade.settle();
      return [...owner.users.values()].every((each) => each.connections.length === 0);
    }, "the connection is gone");
    expect(owner.users.size).toBe(1);
    expect(snaptrade.violations).toEqual([]);
  });
});
