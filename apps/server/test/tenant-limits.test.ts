import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { signedPdf } from "./letters.js";

const CREATE = "/connect/v2/sessions/create-session";
const SUBMIT = "/letters/v1/create-signed";

describe("what one tenant can take from another", () => {
  let server: TestServer;
  let greedy: TestTenant;
  let honest: TestTenant;
  let submission: object;

  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend("what is counted, and by how many at once, is in the stores' conformance suites"),
    });
    [greedy, honest] = [await server.createTenant("Greedy"), await server.createTenant("Honest")];
    submission = { connector_id: sandboxBanks.datafeed, data: await signedPdf() };
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const limit = (set: object, reset: readonly string[] = [], { tenantId } = greedy) =>
    server.operate("/operator/v1/tenants/change-limits", { tenant_id: tenantId, set, reset });
  const configuration = { connector_id: sandboxBanks.eBanking };

  it("[C-9.65] many slow logins leave another tenant's customer a place at the same bank", async () => {
    // Ten have a place at the same time, for eight seconds each, so the last of them take long.
    const slowLogin = async (_: unknown, login: number) => {
      const { widgetUrl } = await greedy.openSession(configuration);
      const browser = createBrowser();
      await browser.open(widgetUrl);
      await browser.submit("continue");
      await browser.submit("credentials", { username: `slow ${login}`, password: "SLOW" });
    };
    await Promise.all(Array.from({ length: 30 }, slowLogin));
    const { id, widgetUrl } = await honest.openSession(configuration);
    await connectBank(widgetUrl, { username: "ada", password: "secret" });
    expect(await honest.tools.call("svc-session-status", { session_id: id })).toMatchObject({ status: "Finished:OK" });
    const query = { status_in: ["Processing:ProvideCredentials"] };
    const { body } = await greedy.post("/connect/v2/sessions/list-sessions", { query });
    expect(body.items.length).toBeGreaterThan(0);
  });

  it("[C-9.64] beyond its limit a tenant is refused, told which, its value and when it ends; others are not", async () => {
    const { items } = await limit({ open_sessions: 0, letters: 0 });
    expect(items).toContainEqual({ name: "open_sessions", value: 0, source: "tenant", used: expect.any(Number) });

    const session = await greedy.post(CREATE, { configuration });
    expect(session.status).toBe(429);
    const inMinutes = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    expect(session.body.error).toMatchObject({
      code: "RateLimited",
      details: [{ limit: "open_sessions", value: 0, ends_at: expect.stringMatching(inMinutes) }],
    });
    expect(Number(session.headers.get("retry-after"))).toBeGreaterThan(0);
    const refused = greedy.tools.call("svc-create-connect-session", configuration);
    await expect(refused).rejects.toMatchObject({ code: "RATE_LIMITED", details: [{ limit: "open_sessions" }] });

    const letter = await greedy.post(SUBMIT, submission);
    expect([letter.status, letter.body.error]).toEqual([
      429,
      {
        code: "RATE_LIMITED",
        message: "the tenant has too many letters: 0 at most",
        details: [{ limit: "letters", value: 0, ends_at: null }],
      },
    ]);
    for (const [path, body] of [
      [CREATE, { configuration }],
      [SUBMIT, submission],
    ] as const)
      expect((await honest.post(path, body)).status, path).toBe(200);

    await limit({ document_bytes: 10 }, ["open_sessions", "letters"]);
    expect((await greedy.post(CREATE, { configuration })).status).toBe(200);
    const large = await greedy.post(SUBMIT, submission);
    expect(large.body.error.details).toEqual([{ limit: "document_bytes", value: 10, ends_at: null }]);
    await limit({}, ["document_bytes"]);
    expect((await greedy.post(SUBMIT, submission)).status).toBe(200);
  });

  it("[C-14.1072] beyond its clients a tenant makes no new one, by itself, for a session, a letter or an assignment; those it has are served", async () => {
    const many = await server.createTenant("Many clients");
    const create = (client_ref: string) => many.post("/clients/v1/create", { client_ref });
    const session = (client_ref: string) => many.post(CREATE, { configuration: { ...configuration, client_ref } });
    await limit({ clients: 2 }, [], many);
    expect([(await create("A")).status, (await session("B")).status]).toEqual([200, 200]);
    const details = [{ limit: "clients", value: 2, ends_at: null }];
    const refused = await create("C");
    expect([refused.status, refused.body.error]).toEqual([
      429,
      { code: "RATE_LIMITED", message: "the tenant has too many clients: 2 at most", details },
    ]);
    expect((await session("C")).body.error.details).toEqual(details);
    expect((await many.post(SUBMIT, { ...submission, client_ref: "C" })).body.error.details).toEqual(details);
    const { body: letter } = await many.post(SUBMIT, { ...submission, client_ref: "B" });
    const assign = (client_ref: string) =>
      many.post("/clients/v1/assign", { client_ref, letter_id: [letter.letter_id] });
    expect((await assign("C")).body.error.details).toEqual(details);
    expect([(await assign("A")).status, (await session("A")).status]).toEqual([200, 200]);

    const { items } = await limit({ clients: 3 }, [], many);
    expect(items).toContainEqual({ name: "clients", value: 3, source: "tenant", used: 2 });
    expect((await create("C")).status).toBe(200);
    expect((await many.post("/clients/v1/delete", { client_ref: "B", confirm: true })).status).toBe(200);
    expect((await create("D")).status).toBe(200);
    expect((await create("E")).status).toBe(429);
  });

  it("[C-9.470] [C-9.471] what is sent with sessions counts to their tenant until they end, by REST and by the tool", async () => {
    const filtering = await server.createTenant("Filtering");
    const value = Array.from({ length: 400 }, (_, number) => `esp:${number}`.padEnd(100, "é"));
    const connector_filter = { rules: [{ action: "exclude", field: "connector_id", value }] };
    const create = () => filtering.post(CREATE, { configuration: { connector_filter } });
    const useOf = async (set: object) => {
      const { items } = await limit(set, [], filtering);
      return items.find(({ name }: { name: string }) => name === "session_bytes").used;
    };
    await limit({ session_bytes: 250_000 }, [], filtering);
    const created = await Promise.all(Array.from({ length: 6 }, create));
    expect(created.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429, 429]);
    const refused = created.find(({ status }) => status === 429);
    const details = [{ limit: "session_bytes", value: 250_000, ends_at: expect.stringMatching(/^20.*Z$/) }];
    expect(refused?.body.error).toMatchObject({ code: "RateLimited", details });
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);

    const full = await useOf({});
    expect(full).toBeGreaterThan(3 * 70_000);
    await limit({ session_bytes: full }, [], filtering);
    const byTool = filtering.tools.call("svc-create-connect-session", configuration);
    await expect(byTool).rejects.toMatchObject({ code: "RATE_LIMITED", details: [{ limit: "session_bytes" }] });
    expect((await honest.post(CREATE, { configuration: { connector_filter } })).status).toBe(200);

    const { session, widget_url } = created.find(({ status }) => status === 200)?.body ?? {};
    const browser = createBrowser();
    await browser.open(widget_url);
    await browser.submit("continue");
    await browser.submit("cancel");
    const query = { session_id_in: [session?.session_id] };
    const { items } = (await filtering.post("/connect/v2/sessions/list-sessions", { query })).body;
    expect(items).toMatchObject([{ status: "Finished:Aborted", widget_url: null }]);
    expect(await useOf({})).toBeLessThan(full - 70_000);
    await filtering.openSession(configuration);
    expect((await create()).status).toBe(429);
    await limit({ session_bytes: full + 1_000 }, [], filtering);
    expect((await create()).status).toBe(200);
  });

  it("[C-9.64] requests of a minute are counted for each tenant, at /mcp and at the REST API", async () => {
    await limit({ requests_per_minute: 2 });
    const search = () => greedy.post("/letters/v1/search-letters", { query: {} });
    expect([(await search()).status, (await search()).status]).toEqual([200, 200]);
    const refused = await search();
    expect([refused.status, refused.body.error.details[0]]).toMatchObject([
      429,
      { limit: "requests_per_minute", value: 2, ends_at: expect.any(String) },
    ]);
    await expect(greedy.tools.call("svc-credentials")).rejects.toMatchObject({
      code: "RATE_LIMITED",
      details: [{ limit: "requests_per_minute" }],
    });
    const listed = await greedy.post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect([listed.status, listed.body.error.data]).toMatchObject([429, { details: [{ value: 2 }] }]);
    expect((await honest.tools.call("svc-credentials", {})).items).toBeDefined();
    await limit({}, ["requests_per_minute"]);
    expect((await search()).status).toBe(200);
  });

  it("[C-9.64] a tenant with as many live grants as it may have gets no more tokens until one ends; others get theirs", async () => {
    await limit({ grants: 2 });
    const ask = ({ clientId, clientSecret }: TestTenant) => server.token(clientId, clientSecret);
    const asked = await Promise.all([greedy, greedy, greedy, honest].map(ask));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429]);
    expect(asked[3]?.status).toBe(200);
    const refused = await ask(greedy);
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        error: "temporarily_unavailable",
        error_description: "the tenant has too many live grants: 2 at most",
      },
    ]);
    expect(refused.headers.get("retry-after")).toBe("60");
    await limit({}, ["grants"]);
    expect((await ask(greedy)).status).toBe(200);
  });

  it("[C-9.64] changes are in the audit trail, and the log names the limit of each refusal", async () => {
    const { items } = await server.operate("/operator/v1/audit/list", { action: "tenant.limits" });
    expect(items.length).toBeGreaterThan(0);
    expect(items[0]).toMatchObject({ tenant_id: greedy.tenantId, facts: { grants: null } });
    const limits = server.process.log().flatMap((record) => (record.limit === undefined ? [] : [record.limit]));
    expect(new Set(limits)).toEqual(
      new Set([
        "open_sessions",
        "session_bytes",
        "letters",
        "document_bytes",
        "clients",
        "requests_per_minute",
        "grants",
      ]),
    );
  });
});
