import { fileURLToPath } from "node:url";
import { addEncryptionKey, newEncryptionKey } from "@org/installation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { post } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { startReplica } from "./replica.js";
import { rowsHolding } from "./stored-rows.js";

const KEYS = ["the key of the installation", "the key of a tenant", "wrong key that is not stored"];
const LONG = 120_000;

const DATABASE = oneBackend(
  "how settings are kept is in the stores' conformance suite; that a second server follows needs PostgreSQL anyway",
);

describe.each([DATABASE])("a provider of a third party, on %s", (backend) => {
  let server: TestServer;
  let other: TestTenant;

  beforeAll(async () => {
    const PROVIDERS = fileURLToPath(new URL("providers/odd-bank.mjs", import.meta.url));
    server = await startTestServer({
      backend,
      environment: { PROVIDERS, METRICS: "true", TRUST_PROXY: "1" },
      schedule: { circuits: 500 },
    });
    other = await server.createTenant("Other");
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const operate = (action: string, body: object = {}) => server.operate(`/operator/v1/providers/${action}`, body);
  const set = async (behaviour: string, key: string | undefined, more: object = {}) =>
    (await operate("set", { name: "odd-bank", settings: { behaviour, key }, ...more })).provider;
  const isOffered = async (tenant: TestTenant) => {
    const { items } = await tenant.tools.call("svc-connectors", { name: "banco raro" });
    return items[0]?.metadata.available as boolean | undefined;
  };

  it("[C-9.120] [C-9.125] [C-5.235] is there without settings; once it has some its row is imported, and customers log in", {
    timeout: LONG,
  }, async () => {
    const listed = async () => (await operate("list")).items.map(({ name, state }: Item) => [name, state]);
    expect(await listed()).toEqual([
      ["odd-bank", "no_settings"],
      ["sandbox", "available"],
    ]);
    expect(await set("works", KEYS[0])).toMatchObject({
      state: "available",
      reason: null,
      settings: { behaviour: "works", key: "set" },
      settings_schema: { required: ["behaviour", "key"] },
    });
    expect(await operate("sync", { name: "odd-bank" })).toMatchObject({
      ...{ inserted: 1, updated: 0, taken_total: 0, left_out_total: 1 },
      left_out: [{ id: "esp:nameless", field: "name", reason: expect.any(String) }],
    });
    expect([await isOffered(server.demo), await isOffered(other)]).toEqual([true, true]);
    const { id, widgetUrl } = await server.demo.openSession({ connector_id: "esp:odd" });
    await connectBank(widgetUrl, { username: "ada", password: "any" });
    expect(await server.demo.tools.call("svc-session-status", { session_id: id })).toMatchObject({
      status: "Finished:OK",
    });
    const { items } = await server.demo.tools.call("svc-portfolios", {});
    expect(items.map(({ name }: Item) => name)).toEqual(["Depot of odd-7"]);
  });

  it("[C-5.68] tells facts, which are in all rows of REST and in those of a tool that are asked for them", async () => {
    const held = { price: "2.50", identifiers: { wkn: "ODD001" } };
    const rest = await server.demo.post("/data/v1/list-investments", {});
    expect(rest.body.items).toMatchObject([{ name: "Odd Fund", ...held }]);
    const { items } = await server.demo.tools.call("svc-investments", {});
    expect(Object.keys(items[0])).toEqual([
      ...["id", "name", "isin", "amount", "balance", "currency", "valuation_date", "type", "subtype"],
    ]);
    const named = await server.demo.tools.call("svc-investments", { fields: ["price", "cost", "identifiers"] });
    expect(named.items).toEqual([{ ...held, cost: null }]);
    const moved = await server.demo.post("/data/v1/list-transactions", { fields: ["kind", "fees", "taxes"] });
    expect(moved.body.items).toEqual([{ kind: "buy", fees: "0.10", taxes: null }]);
  });

  it("[C-5.65] [C-5.66] [C-5.67] notifies, renews consents in time, and takes an access back", {
    timeout: LONG,
  }, async () => {
    const notify = (name: string, body: string, key: string, query = "") =>
      fetch(`${server.url}/providers/${name}/notifications${query}`, {
        method: "POST",
        body,
        headers: { "x-odd-key": key },
      });
    const answerTo = async (...request: Parameters<typeof notify>) => {
      const answer = await notify(...request);
      return [answer.status, await answer.text()];
    };
    const nothing = JSON.stringify({ error: "there is nothing at this address" });
    expect(await answerTo("nobody", "", "")).toEqual([404, nothing]);
    expect(await answerTo("sandbox", "", "")).toEqual([404, nothing]);
    expect(await answerTo("odd-bank", "", String(KEYS[0]), `?tenant=${other.tenantId}`)).toEqual([404, nothing]);
    expect(await answerTo("odd-bank", "item of ada", "a guess")).toEqual([401, ""]);
    expect((await answerTo("odd-bank", "x".repeat(300_000), String(KEYS[0])))[0]).toBe(413);

    const { items } = await server.demo.tools.call("svc-credentials", { bank: "raro" });
    const connection_id = items[0].credentials_token as string;
    const stateNow = async () => (await server.operate("/operator/v1/connections/status", { connection_id })).refresh;
    expect(await stateNow()).toMatchObject({ last_attempt_at: null });
    expect(await answerTo("odd-bank", "item of somebody", String(KEYS[0]))).toEqual([200, ""]);
    expect(await answerTo("odd-bank", "item of ada", String(KEYS[0]))).toEqual([200, ""]);
    await eventually(async () => (await stateNow()).last_outcome === "refreshed", "whom it names is refreshed");

    const shown = await server.demo.post("/data/v1/show-connection", { credentials_token: connection_id });
    expect(shown.body).toMatchObject({
      needs_relogin: false,
      consent_renewal: { expires_at: shown.body.status.consent_expires_at },
    });
    const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
    expect(await metrics()).toContain("wealth_connect_consents_to_renew 1");
    for (const [outcome, count] of Object.entries({ taken: 2, unverified: 1, unknown: 1, refused: 1 }))
      expect(await metrics()).toContain(
        `wealth_connect_notifications_total{provider="odd-bank",outcome="${outcome}"} ${count}`,
      );
    await server.demo.tools.call("svc-delete-credentials", { credentials_token: connection_id, confirm: true });
    await eventually(
      async () => (await metrics()).includes('wealth_connect_revocations_total{outcome="revoked"} 1'),
      "the access is given back",
    );
  });

  it("[C-9.492] one network's notifications that take long leave the institution places for others' notifications", async () => {
    const leaving = new AbortController();
    const notify = (address: string, key: string) =>
      fetch(`${server.url}/providers/odd-bank/notifications`, {
        method: "POST",
        body: "item of somebody",
        headers: { "x-odd-key": key, "x-forwarded-for": address },
        signal: leaving.signal,
      });
    let refused = 0;
    const flood = Array.from({ length: 12 }, async (_, index) => {
      const { status } = await notify(`198.51.100.${index}`, "slow");
      if (status === 503) refused += 1;
    });
    // The network has half of the institution's ten places.
    await eventually(async () => refused === 7, "the network's places are taken");
    expect((await notify("203.0.113.1", String(KEYS[0]))).status).toBe(200);
    leaving.abort();
    await Promise.allSettled(flood);
  });

  it("[C-9.121] takes no settings that its schema does not, and says where", async () => {
    const refused = await server.operator.post("/operator/v1/providers/set", {
      name: "odd-bank",
      settings: { behaviour: "sings", key: "short", more: 1 },
    });
    expect([refused.status, refused.body.error.details.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ["settings.behaviour", "settings.key", "settings.more"],
    ]);
  });

  it("[C-9.123] [C-9.124] under a tenant's own settings that do not work it is not available to this tenant; everybody else is served", {
    timeout: LONG,
  }, async () => {
    // This takes ten seconds while the rest continues.
    const hanging = await server.createTenant("Hanging");
    const hung = set("hangs", KEYS[1], { tenant_id: hanging.tenantId });
    const tenant_id = other.tenantId;
    for (const behaviour of ["nonsense", "throws"])
      expect(await set(behaviour, KEYS[1], { tenant_id })).toMatchObject({ state: "unavailable" });
    const { items } = await operate("list", { tenant_id });
    expect(items).toMatchObject([
      { name: "odd-bank", tenant_id, state: "unavailable", reason: "the key … is not known" },
      { name: "sandbox", tenant_id: null, state: "available" },
    ]);
    expect([await isOffered(server.demo), await isOffered(other)]).toEqual([true, false]);
    const refused = await other.post("/connect/v2/sessions/create-session", {
      configuration: { connector_id: "esp:odd" },
    });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("available: false")]);
    const filter = { rules: [{ action: "include", field: "connector_id", value: "esp:odd" }] };
    for (const [tenant, expected] of [
      [server.demo, true],
      [other, false],
    ] as const) {
      const { body } = await tenant.post("/connect/v2/connectors/preview-connector-filter", {
        connector_filter: filter,
      });
      expect(JSON.stringify(body.items).includes("esp:odd")).toBe(expected);
    }
    const { id, widgetUrl } = await other.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: "somebody", password: "a password" });
    expect(await other.tools.call("svc-session-status", { session_id: id })).toMatchObject({ status: "Finished:OK" });
    const { items: findings } = await server.operate("/operator/v1/doctor/examine", {});
    expect(findings.find(({ check }: { check: string }) => check === "providers")).toMatchObject({
      state: "warn",
      message: expect.stringContaining(`odd-bank of tenant ${tenant_id} the key … is not known`),
    });
    await hung;
    const ofHanging = async () => (await operate("list", { tenant_id: hanging.tenantId })).items[0];
    await eventually(async () => (await ofHanging()).state === "unavailable", "its create is given up");
    expect([await ofHanging(), await isOffered(hanging), await isOffered(server.demo)]).toMatchObject([
      { name: "odd-bank", reason: expect.stringContaining("10 s") },
      false,
      true,
    ]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('wealth_connect_providers{provider="odd-bank",state="unavailable"} 2');
    await operate("remove", { name: "odd-bank", tenant_id });
    expect(await isOffered(other)).toBe(true);
    await operate("remove", { name: "odd-bank", tenant_id: hanging.tenantId });
  });

  it("[C-9.126] tells whether settings are good, without keeping them", async () => {
    const tried = { name: "odd-bank", settings: { behaviour: "works", key: KEYS[2] } };
    expect(await operate("test", tried)).toEqual({ ok: false, cause: null, message: "asked with …" });
    expect(await operate("test", { name: "odd-bank" })).toEqual({ ok: true, cause: null, message: "asked with …" });
  });

  it.runIf(backend === "postgres")(
    "[C-9.120] another server follows without a restart",
    { timeout: LONG },
    async () => {
      const replica = await startReplica(server, {
        environment: { PROVIDERS: fileURLToPath(new URL("providers/odd-bank.mjs", import.meta.url)) },
      });
      const seen = async () => {
        const { body } = await post(`${replica.url}/operator/v1/providers/show`, { name: "odd-bank" }, server.operator);
        return body.provider.state as string;
      };
      expect(await seen()).toBe("available");
      await set("throws", KEYS[0]);
      await eventually(async () => (await seen()) === "unavailable", "the replica knows the new settings");
      await set("works", KEYS[0]);
      await eventually(async () => (await seen()) === "available", "the replica knows the settings after them");
      await replica.process.end("SIGTERM");
    },
  );

  it("[C-11.24] operators are told when calls of a provider fail too often, once, and that nobody says so any more", {
    timeout: LONG,
  }, async () => {
    const told = async () => {
      const { items } = await server.operate("/operator/v1/list-events", {
        order: "asc",
        query: { type_in: ["provider.*"] },
      });
      return items.map(({ type, data }: { type: string; data: object }) => [type, data]);
    };
    for (let logins = 0; logins < 6; logins += 1) {
      const { widgetUrl } = await server.demo.openSession({ connector_id: "esp:odd" });
      await connectBank(widgetUrl, { username: "ada", password: "out of order" });
    }
    const at = { connector_id: "esp:odd", provider: "odd-bank" };
    await eventually(async () => (await told()).length > 0, "a circuit is told of");
    expect(await told()).toMatchObject([["provider.degraded", at]]);
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain(
      'wealth_connect_provider_breakers{state="open"} 1',
    );
    // Simulates that its server is gone, and no other has failing calls.
    await server.stop();
    await server.installation.withDatabase((pool) =>
      pool.query("update provider_circuits set seen_at = seen_at - interval '1 day'"),
    );
    await server.start();
    await eventually(async () => (await told()).length > 1, "the circuit is forgotten");
    expect(await told()).toMatchObject([
      ["provider.degraded", at],
      ["provider.recovered", at],
    ]);
  });

  it("[C-9.122] its settings outlive a restart and a new encryption key's seal, and their secrets are nowhere", {
    timeout: LONG,
  }, async () => {
    await server.stop();
    const keys = addKey(server);
    await server.start(keys);
    for (let page_token: string | null = null; ; ) {
      const { unreadable, next_page_token } = await server.operate("/operator/v1/keys/rewrap", { page_token });
      expect(unreadable).toEqual([]);
      page_token = next_page_token;
      if (page_token === null) break;
    }
    const { encryption_keys } = await server.operate("/operator/v1/keys/list", {});
    expect(encryption_keys.map(({ values }: { values: number }) => values > 0)).toEqual([true, false]);
    expect((await operate("show", { name: "odd-bank" })).provider).toMatchObject({ state: "available" });
    const { items } = await server.operate("/operator/v1/audit/list", { action: "provider.set", tenant_id: null });
    expect(items[0]).toMatchObject({ object_type: "provider", object_id: "odd-bank", facts: {} });
    const shown = [await operate("list"), await operate("show", { name: "odd-bank" }), items];
    for (const key of KEYS) expect(JSON.stringify(shown) + server.output()).not.toContain(key);
    await server.stop();
    expect(await server.installation.withDatabase((pool) => rowsHolding(pool, KEYS))).toEqual([]);
    expect(server.faults()).toEqual([]);
  });
});

/** Adds a new encryption key before the installation's; returns the environment that the server needs for it. */
function addKey({ installation }: TestServer): Readonly<Record<string, string>> {
  const { dataDir, environment } = installation;
  if (environment.ENCRYPTION_KEYS === undefined) {
    addEncryptionKey({ dataDir });
    return {};
  }
  const added = `${newEncryptionKey(environment.ENCRYPTION_KEYS)},${environment.ENCRYPTION_KEYS}`;
  return { ENCRYPTION_KEYS: added };
}

interface Item {
  readonly name: string;
  readonly state: string;
}
