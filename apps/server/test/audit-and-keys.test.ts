import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type chainPageSchema, createChainCheck } from "@org/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { post } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { rowsHolding } from "./stored-rows.js";

/** As long as a real id, but of no application. */
const UNKNOWN_CLIENT = "wca_AAAAAAAAAAAAAAAAAAAAAA";

/** A tenant that does not exist, for lines from long ago. */
const EXPIRED_ID = "01900000-0000-7000-8000-00000000dead";

type Page = z.infer<typeof chainPageSchema>;
interface Line {
  readonly action: string;
  readonly actor: string;
  readonly address: string | null;
  readonly object_id: string;
  readonly tenant_id: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

const DATABASE = oneBackend("the audit trail and sealed values have suites of the stores, which run on both");

describe.each([DATABASE])("operation on %s", (backend) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      backend,
      schedule: { auditTrail: 100, refusalCounts: 1_000, auditChain: 200, cleanUp: 1_000 },
    });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const trail = async (search: object = {}): Promise<Line[]> =>
    (await server.operate("/operator/v1/audit/list", { order: "oldest", page_size: 1_000, ...search })).items;
  const actionsOf = (lines: readonly Line[]) => lines.map(({ action }) => action);

  it("[security.md] every grant, refusal and revocation is kept, each with whom it belongs to, also across a stop", {
    timeout: START_TIMEOUT,
  }, async () => {
    const tenant = await server.createTenant("Audited");
    const { clientId, clientSecret, tenantId } = tenant;
    const issued = (await server.token(clientId, clientSecret)).body;
    const form = { grant_type: "refresh_token", refresh_token: issued.refresh_token };
    const refreshed = (await post(`${server.url}/token`, new URLSearchParams(form))).body;
    expect((await post(`${server.url}/token`, new URLSearchParams(form))).status).toBe(400);
    expect(refreshed.refresh_token).toBeTypeOf("string");
    const revocable = (await server.token(clientId, clientSecret)).body.refresh_token;
    await post(`${server.url}/revoke`, new URLSearchParams({ token: revocable }));
    expect((await server.token(clientId, "wrong")).status).toBe(401);
    expect((await server.token(UNKNOWN_CLIENT, "wrong")).status).toBe(401);
    expect((await server.token("no\u0000body", "wrong")).status).toBe(400);
    await server.stop();
    await server.installation.withDatabase(writeOldLines);
    await server.start();

    const lines = await trail({ tenant_id: tenantId });
    expect(actionsOf(lines)).toEqual([
      "tenant.create",
      "application.created",
      "grant.issued",
      "grant.issued",
      "grant.refreshed",
      "grant.reuse_detected",
      "grant.refused",
      "grant.issued",
      "grant.ended",
      "grant.refused",
    ]);
    expect(lines.at(-1)).toMatchObject({ actor: "unknown", facts: { client_id: clientId, detail: "invalid_client" } });
    expect(JSON.stringify(lines)).not.toContain(clientSecret);

    const own = await trail({ tenant_id: null, action: "grant.refused" });
    expect(own.map(({ facts }) => facts.detail)).toEqual(["invalid_client", "invalid_request"]);
    expect(own[0]?.facts.client_id).toBe(UNKNOWN_CLIENT);
    const issuedToOperator = await trail({ tenant_id: null, action: "grant.issued" });
    expect(issuedToOperator.length).toBeGreaterThan(0);
    expect(await trail({ tenant_id: server.demo.tenantId, object_id: lines[0]?.object_id })).toEqual([]);
  });

  it("[security.md] every line gets its place in the hash chain, and an old refusal leaves it with its hash alone", {
    timeout: START_TIMEOUT,
  }, async () => {
    const old = () => trail({ tenant_id: EXPIRED_ID });
    await eventually(async () => (await old()).length === 1, "the old refusal goes");
    expect(await old()).toMatchObject([{ actor: "somebody", action: "grant.refused" }]);
    const head = await eventually(async () => {
      const found = await server.operate("/operator/v1/audit/head", {});
      return found.waiting === 0 && found;
    }, "every line is chained");
    const check = createChainCheck(undefined, [head]);
    for (let after: number | null = 0; after !== null; ) {
      const page: Page = await server.operate("/operator/v1/audit/chain", { after, page_size: 10 });
      expect([page.items.map(check.add).filter(Boolean), page.strangers]).toEqual([[], []]);
      after = page.next_after;
    }
    expect(check.end()).toBeNull();
    expect(check.report()).toMatchObject({ erased: 1, erased_until: "2020-01-01T00:00:00.000Z" });
    await expect.poll(() => server.output()).toContain("audit trail: head of the chain");
  });

  it("[security.md] refusals of nobody in particular are counted, and hide nobody else's line", {
    timeout: START_TIMEOUT,
  }, async () => {
    const since = new Date().toISOString();
    const refused = () => trail({ tenant_id: null, action: "grant.refused", since });
    const count = (lines: readonly Line[]) => lines.reduce((sum, { facts }) => sum + Number(facts.count), 0);
    const tries = Array.from({ length: 60 }, () => server.token(UNKNOWN_CLIENT, "wrong"));
    const honest = await server.createTenant("Honest");
    await Promise.all(tries);
    const lines = await eventually(async () => {
      const found = await refused();
      return count(found) === tries.length && found;
    }, "the count is written");
    expect(lines.length).toBeLessThan(tries.length / 2);
    expect(lines[0]).toMatchObject({ actor: "unknown", address: "127.0.0.0/24", facts: { client_id: UNKNOWN_CLIENT } });
    const records = server.output().match(/"msg":"grant.refused"/g) ?? [];
    expect(records.length).toBeLessThan(tries.length);
    await eventually(
      async () => actionsOf(await trail({ tenant_id: honest.tenantId })).includes("grant.issued"),
      "the honest tenant's line is written",
    );
  });

  it("[C-11.7] [C-11.8] a tenant that waits is told what happens to it, and nobody else but operators", {
    timeout: START_TIMEOUT,
  }, async () => {
    const [tenant, other] = [await server.createTenant("Told"), await server.createTenant("Not told")];
    const list = (who: Pick<TestTenant, "post">, body: object) => who.post("/events/v1/list-events", body);
    const waiting = list(tenant, { order: "asc", query: { type_in: ["letter.*"] }, wait_seconds: 30 });
    const letter_id = await submitLetter(tenant, sandboxBanks.datafeed, { labels: { desk: "north" } });
    const { status, body } = await waiting;
    expect([status, body.items]).toMatchObject([
      200,
      [{ type: "letter.created", tenant_id: tenant.tenantId, data: { letter_id, labels: { desk: "north" } } }],
    ]);
    // A change can be read immediately.
    await tenant.post("/letters/v1/discontinue-letter", { letter_id });
    const { id: after, sequence } = body.items[0];
    expect((await list(tenant, { order: "asc", query: { after } })).body.items[0]).toMatchObject({
      type: "letter.moved",
      sequence: sequence + 1,
    });

    expect(
      (await list(other, {})).body.items.filter(({ type }: { type: string }) => type.startsWith("letter.")),
    ).toEqual([]);
    expect((await list(other, { query: { after } })).body.error.details).toMatchObject([{ field: "query.after" }]);
    const operated = (query: object) => server.operate("/operator/v1/list-events", { query });
    const found = (await operated({ tenant_id: tenant.tenantId, object_id: letter_id })).items;
    expect(found.at(-1)).toEqual(body.items[0]);
    expect(JSON.stringify((await operated({})).items)).not.toContain(letter_id);
    const { access_token } = (await server.token(tenant.clientId, tenant.clientSecret, { scope: "letters:read" })).body;
    const refused = await post(`${server.url}/events/v1/list-events`, {}, { token: access_token });
    expect(refused.status).toBe(403);
  });

  it("[security.md] [C-9.90] who reads data is written down, once for each kind of data and connection, by tool or by REST alike", {
    timeout: START_TIMEOUT,
  }, async () => {
    const tenant = await server.createTenant("Read");
    await furnish(tenant);
    for (let times = 0; times < 3; times++) await tenant.tools.call("svc-portfolios");
    const holdings = await tenant.tools.call("svc-investments", { page_size: 5 });
    const fields = Object.keys(holdings.items[0]);
    const { status, body } = await tenant.post("/data/v1/list-investments", { page_size: 5, fields });
    expect([status, body.items, body.total]).toEqual([200, holdings.items, holdings.total]);
    expect((await tenant.post("/data/v1/list-transactions", {})).status).toBe(200);
    const reads = await eventually(async () => {
      const found = await trail({ tenant_id: tenant.tenantId, action: "data.read" });
      return found.length >= 3 && found;
    }, "the reads are written");
    expect(reads.map(({ facts }) => facts.tool)).toEqual([
      "svc-portfolios",
      "svc-investments",
      "svc-investment-transactions",
    ]);
    const { items } = await tenant.tools.call("svc-credentials");
    expect(new Set(reads.map(({ object_id }) => object_id))).toEqual(new Set([items[0].credentials_token]));
    expect(reads[0]?.facts.grant_id).toBeTypeOf("string");
  });

  it("[C-8.5] a tenant that is switched off gets no token, its tokens end, and the list shows it", {
    timeout: START_TIMEOUT,
  }, async () => {
    const tenant = await server.createTenant("Switched");
    await server.operate("/operator/v1/tenants/disable", { tenant_id: tenant.tenantId });
    expect((await server.token(tenant.clientId, tenant.clientSecret)).status).toBe(401);
    await untilRefused(tenant);
    const enabled = async () =>
      (await server.operate("/operator/v1/tenants/list", {})).items.find(
        ({ tenant_id }: { tenant_id: string }) => tenant_id === tenant.tenantId,
      ).enabled;
    expect(await enabled()).toBe(false);
    await server.operate("/operator/v1/tenants/enable", { tenant_id: tenant.tenantId });
    expect(await enabled()).toBe(true);
    expect((await (await server.loginAgain(tenant)).post("/letters/v1/search-letters", { query: {} })).status).toBe(
      200,
    );
  });

  it("[C-8.5] a deleted tenant leaves nothing but ids in the audit trail, and its tokens end", {
    timeout: START_TIMEOUT,
  }, async () => {
    const name = "Tenant to be forgotten";
    const tenant = await server.createTenant(name);
    await furnish(tenant);
    await tenant.openSession({ connector_id: sandboxBanks.eBanking });
    const { tenantId: tenant_id, clientId } = tenant;
    const before = await server.demo.post("/letters/v1/search-letters", { query: {} });
    expect((await server.operator.post("/operator/v1/tenants/delete", { tenant_id })).status).toBe(400);
    await server.operate("/operator/v1/tenants/delete", { tenant_id, confirm: true });
    await untilRefused(tenant);
    expect((await server.operator.post("/operator/v1/tenants/delete", { tenant_id, confirm: true })).status).toBe(404);
    expect((await server.demo.post("/letters/v1/search-letters", { query: {} })).text).toBe(before.text);
    await server.stop();
    const holding = await server.installation.withDatabase((pool) => rowsHolding(pool, [tenant_id, name, clientId]));
    await server.start();
    expect([...new Set(holding.map(({ table }) => table))]).toEqual(["audit_log"]);
    expect(holding.filter(({ json }) => json.includes(name))).toEqual([]);
    expect(actionsOf(await trail({ tenant_id })).filter((action) => action.startsWith("tenant."))).toEqual([
      "tenant.create",
      "tenant.disabled",
      "tenant.delete",
    ]);
    expect((await server.token(clientId, tenant.clientSecret)).status).toBe(401);
  });

  it("[C-8.9] [security.md] rotation of the signing key invalidates no token", { timeout: START_TIMEOUT }, async () => {
    const tenant = await server.loginAgain(server.demo);
    const statesOf = (keys: readonly { state: string }[]) => keys.map(({ state }) => state).sort();
    const { signing_keys: before } = await server.operate("/operator/v1/keys/list", {});
    expect(statesOf(before)).toEqual(["active", "next"]);
    const { signing_keys: after } = await server.operate("/operator/v1/keys/rotate", {});
    expect(after).toHaveLength(3);
    const waiting = before.find(({ state }: { state: string }) => state === "next").kid;
    expect(after.find(({ kid }: { kid: string }) => kid === waiting).signs_from).toBeTypeOf("string");
    expect((await tenant.post("/letters/v1/search-letters", { query: {} })).status).toBe(200);
    await server.start();
    expect(await trail({ action: "signing_key.rotated" })).toMatchObject([{ tenant_id: null, object_id: waiting }]);
  });

  it("[C-8.20] a signing key that is revoked takes its access tokens along within 5 s, and nothing else", {
    timeout: START_TIMEOUT,
  }, async () => {
    // The previous key may have signed the operator's token; the new one signs half a minute after a rotation.
    await server.renewOperator();
    const tenant = await server.createTenant("Stolen key");
    const { access_token, refresh_token } = (await server.token(tenant.clientId, tenant.clientSecret)).body;
    const { kid } = JSON.parse(Buffer.from(access_token.split(".")[0], "base64url").toString());
    const search = (token: string) => post(`${server.url}/letters/v1/search-letters`, { query: {} }, { token });
    expect((await search(access_token)).status).toBe(200);
    const { signing_keys } = await server.operate("/operator/v1/keys/revoke", { kid });
    expect(signing_keys.map((key: { kid: string }) => key.kid)).not.toContain(kid);
    // Checks only the status; the rule of two seconds on the server's own clock covers the time it takes.
    await eventually(async () => (await search(access_token)).status === 401, "a token ends with its key");
    const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token });
    const refreshed = await post(`${server.url}/token`, form);
    expect((await search(refreshed.body.access_token)).status).toBe(200);
    await server.loginAgain(server.demo);
    expect((await server.operator.post("/operator/v1/keys/revoke", { kid })).status).toBe(401);
    await server.renewOperator();
    expect((await server.operator.post("/operator/v1/keys/revoke", { kid })).status).toBe(404);
    await server.start();
    expect(await trail({ action: "signing_key.revoked" })).toMatchObject([{ tenant_id: null, object_id: kid }]);
  });

  it("[C-8.9] [C-9.15] everything stored moves to a new encryption key while the server works, and then needs it alone", {
    timeout: START_TIMEOUT,
  }, async () => {
    const tenant = await server.loginAgain(server.demo);
    await furnish(tenant);
    const open = await tenant.openSession({ connector_id: sandboxBanks.psd2 });
    const older =
      server.installation.environment.ENCRYPTION_KEYS ??
      readFileSync(join(server.installation.dataDir, "encryption-keys"), "utf8").trim();
    const newer = `new:${randomBytes(32).toString("base64")}`;
    await server.start({ ENCRYPTION_KEYS: `${newer},${older}` });
    const usage = async (): Promise<Record<string, number>> => {
      const { encryption_keys } = await server.operate("/operator/v1/keys/list", {});
      return Object.fromEntries(
        encryption_keys.map(({ key_id, values }: { key_id: string; values: number }) => [key_id, values]),
      );
    };
    const before = await usage();
    expect([before.new, before.k1]).toEqual([0, expect.any(Number)]);

    let rewrapped = 0;
    let page_token: string | null = null;
    do {
      const done = await server.operate("/operator/v1/keys/rewrap", { page_token });
      expect(done.unreadable).toEqual([]);
      rewrapped += done.rewrapped;
      page_token = done.next_page_token;
    } while (page_token !== null);
    expect(await usage()).toEqual({ new: rewrapped, k1: 0 });
    expect(rewrapped).toBe(before.k1);
    expect((await server.operate("/operator/v1/keys/rewrap", {})).rewrapped).toBe(0);
    expect((await server.operator.post("/operator/v1/keys/rewrap", { page_token: "x.y" })).status).toBe(400);

    await server.start({ ENCRYPTION_KEYS: newer });
    expect((await tenant.tools.call("svc-session-status", { session_id: open.id })).widget_url).toBe(open.widgetUrl);
    expect((await server.token(tenant.clientId, tenant.clientSecret)).status).toBe(200);
    await connectBank(open.widgetUrl, { username: "after the new key", password: "a password" });
    expect(await tenant.tools.call("svc-session-status", { session_id: open.id })).toMatchObject({
      status: "Finished:OK",
    });
    await server.stop();
    expect(await server.installation.withDatabase(sealingKeys)).toEqual(["new"]);
    expect(server.faults()).toEqual([]);
  });

  /** A connection with data, and a letter with a document. */
  async function furnish(tenant: TestTenant): Promise<void> {
    const { id, widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: `user ${id}`, password: "a password" });
    expect(await tenant.tools.call("svc-session-status", { session_id: id })).toMatchObject({ status: "Finished:OK" });
    await submitLetter(tenant, sandboxBanks.datafeed, { labels: { client: "somebody" } });
  }
});

/** Two old refusals: one of an unknown client, one of a known actor. */
async function writeOldLines(pool: Parameters<typeof rowsHolding>[0]): Promise<void> {
  for (const actor of ["unknown", "somebody"])
    await pool.query(
      `insert into audit_log (tenant_id, audit_id, at, actor, action, object_type, object_id, facts)
       values ($1, gen_random_uuid(), '2020-01-01', $2, 'grant.refused', 'client', '', '{}')`,
      [EXPIRED_ID, actor],
    );
}

/** Key ids of everything in the database that looks like a sealed value, in any column. */
async function sealingKeys(pool: Parameters<typeof rowsHolding>[0]): Promise<string[]> {
  const found = (await rowsHolding(pool, ["eyJ"])).flatMap(({ json }) =>
    [...json.matchAll(/(eyJ[\w-]+)\.[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+/g)].map(([, header = ""]) => header),
  );
  const ids = found.map((header) => JSON.parse(Buffer.from(header, "base64url").toString()).kid);
  return [...new Set(ids)];
}

async function untilRefused(tenant: TestTenant): Promise<void> {
  await eventually(
    async () => (await tenant.post("/letters/v1/search-letters", { query: {} })).status === 401,
    "an access token ends with its grant",
  );
}
