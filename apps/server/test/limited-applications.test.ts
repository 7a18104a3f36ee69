import { randomUUID } from "node:crypto";
import { operationsOf } from "@org/rest-api/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { obtainCode } from "./authorize.js";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { post, send } from "./http-client.js";
import { backends } from "./installation.js";
import { signedPdf } from "./letters.js";
import { byEndpoint, byTool, type Furniture, figures, furnish, ofAllClients, testRefusals } from "./limited-clients.js";
import { toolCall } from "./mcp-clients.js";

describe.each(backends)("an application that is limited to clients, on %s", (backend) => {
  let server: TestServer;
  let whole: TestTenant;
  let limited: TestTenant;
  let application: string;
  let inside: Furniture;
  let outside: Furniture;

  beforeAll(async () => {
    server = await startTestServer({ backend });
    whole = await server.createTenant("One");
    inside = await furnish(whole, "IN", "insider");
    outside = await furnish(whole, "OUT", "outsider");
    await furnish(whole, undefined, "nobody");
    ({ limited, application } = await limitedTo(["IN"]));
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  async function limitedTo(client_refs: readonly string[] | null) {
    const request = { tenant_id: whole.tenantId, name: "Limited", client_refs };
    const made = await server.operate("/operator/v1/applications/create", request);
    expect(made.application.client_refs).toEqual(client_refs);
    const secret = { clientId: made.application.client_id, clientSecret: made.client_secret };
    return { limited: await server.loginAgain({ ...whole, ...secret }), application: secret.clientId };
  }

  const limit = (client_refs: readonly string[] | null, client_id = application) =>
    server.operate("/operator/v1/applications/update", { client_id, client_refs });
  const call = (tool: string, args: object, tenant = limited) => tenant.tools.request(toolCall(tool, args));

  it("[C-14.880] finds in lists, sums and counts what is theirs, and nothing else", async () => {
    const lists = [
      ...["svc-credentials", "svc-portfolios", "svc-investments", "svc-investment-transactions"].map(
        (tool) =>
          [
            tool,
            (tenant: TestTenant) =>
              call(tool, { page_size: 500, ...(tool === "svc-investment-transactions" && { fields: ["id"] }) }, tenant),
          ] as const,
      ),
      ...(
        [
          ["/data/v1/list-connections", { page_size: 500 }],
          ["/data/v1/list-portfolios", { page_size: 500, totals_by: "bank" }],
          ["/data/v1/list-investments", { page_size: 500, include_source_token: true }],
          ["/data/v1/list-transactions", { page_size: 500 }],
          ["/data/v1/holdings-at", { page_size: 500 }],
          ["/data/v1/gains", { page_size: 500 }],
          ["/data/v1/summary", { by: "client" }],
          ["/data/v1/search-connections", {}],
          ["/letters/v1/search-letters", { query: {} }],
          ["/connect/v2/sessions/list-sessions", {}],
          ["/clients/v1/list", {}],
          ["/events/v1/list-events", { page_size: 500 }],
        ] as const
      ).map(([path, body]) => [path, (tenant: TestTenant) => tenant.post(path, body)] as const),
    ];
    for (const [name, ask] of lists) {
      const mine = await ask(limited);
      expect(mine.status, name).toBe(200);
      expect(inside.all.some((id) => mine.text.includes(id)) || mine.text.includes('"IN"'), name).toBe(true);
      expect(
        outside.all.filter((id) => mine.text.includes(id)),
        name,
      ).toEqual([]);
      expect(mine.text, name).not.toContain('"OUT"');
      const all = await ask(whole);
      expect(outside.all.some((id) => all.text.includes(id)) || all.text.includes('"OUT"'), name).toBe(true);
    }
    const { body } = await limited.post("/data/v1/list-portfolios", {});
    const { body: theirs } = await whole.post("/data/v1/list-portfolios", { client_ref: "IN" });
    expect({ ...body, snapshot: "" }).toEqual({ ...theirs, snapshot: "" });
    expect((await limited.post("/clients/v1/list", {})).body).toMatchObject({ total: 1 });
    expect((await limited.post("/letters/v1/search-letters", { query: {} })).body).toMatchObject({ total: 1 });
  });

  it("[C-8.158] is told the figures of theirs, as one that names them, and none of others", async () => {
    for (const [name, args] of Object.entries(figures)) {
      const ask = (tenant: TestTenant, more: object) => tenant.post(`/data/v1/${name}`, { ...args, ...more });
      const { status, body: mine } = await ask(limited, {});
      const { body: named } = await ask(whole, { client_ref: "IN" });
      expect([name, status, { ...mine, trace_id: "" }]).toEqual([name, status, { ...named, trace_id: "" }]);
      expect((await ask(limited, { client_ref: "OUT" })).status, name).toBe(404);
    }
  });

  testRefusals("[C-14.880]", () => ({ limited, inside, outside }));

  it("[C-14.880] reaches its own clients by every id", async () => {
    for (const [tool, args] of byTool.filter(([name]) => !/delete|credentials$/.test(name))) {
      if (JSON.stringify(args(inside, inside)).includes("OUT")) continue;
      expect(await call(tool, args(inside, inside)).then(({ text }) => text)).not.toContain("NOT_FOUND");
    }
    for (const [path, body] of byEndpoint.filter(
      ([name]) => !/delete|discontinue|refresh|end-session|renew-link|performance/.test(name),
    ))
      expect((await limited.post(path, body(inside))).status, path).toBe(200);
    expect((await limited.post("/clients/v1/show", { client_ref: "IN" })).body).toMatchObject({ connections: 1 });
    expect((await limited.post("/clients/v1/show", { client_ref: "OUT" })).status).toBe(404);
    const queried = { query: { client_ref_in: ["IN", "OUT"] } };
    expect((await limited.post("/letters/v1/search-letters", queried)).body.total).toBe(1);
    expect((await limited.post("/data/v1/search-connections", queried)).body.items).toHaveLength(1);
  });

  it("[C-14.881] makes nothing without one of them", async () => {
    const data = await signedPdf();
    for (const more of [{}, { client_ref: "OUT" }, { client_ref: "NEW" }, { labels: { client: "OUT" } }]) {
      const letter = await limited.post("/letters/v1/create-signed", {
        connector_id: sandboxBanks.datafeed,
        data,
        ...more,
      });
      expect([letter.status, letter.text]).toEqual([400, expect.stringContaining('"client_ref"')]);
      const session = await limited.post("/connect/v2/sessions/create-session", {
        configuration: { connector_id: sandboxBanks.psd2, ...more },
      });
      expect([session.status, session.text]).toEqual([400, expect.stringContaining('"configuration.client_ref"')]);
    }
    for (const client_ref of [undefined, "OUT"]) {
      const told = await call("svc-create-connect-session", { connector_id: sandboxBanks.psd2, client_ref });
      expect(told.text).toContain("VALIDATION_ERROR");
      expect(told.text).toContain("client_ref");
    }
    const made = await call("svc-create-connect-session", { connector_id: sandboxBanks.psd2, client_ref: "IN" });
    expect(made.text).toContain("session_id");
    expect((await whole.post("/clients/v1/list", {})).text).not.toContain("NEW");
  });

  it("[C-14.882] is refused by everything that is of all clients", async () => {
    const { body } = await send(`${server.url}/openapi.json`);
    const refused: string[] = [];
    for (const { path } of operationsOf(body).filter((one) => !one.path.startsWith("/operator/")))
      if ((await limited.post(path, {})).text.includes("limited to some clients")) refused.push(path);
    expect(refused.sort()).toEqual(ofAllClients);
  });

  it("[C-14.884] a limit holds at once for tokens that there are, follows a new reference and ends with the client", async () => {
    const { limited: other, application: id } = await limitedTo(null);
    const seen = async (tenant = other) =>
      (await tenant.post("/clients/v1/list", {})).body.items.map(
        ({ client_ref }: { client_ref: string }) => client_ref,
      );
    expect(await seen()).toEqual(["IN", "OUT"]);
    await limit(["OUT"], id);
    expect(await seen()).toEqual(["OUT"]);
    const page = await other.post("/data/v1/search-connections", { page_size: 1 });
    expect(page.body.items).toHaveLength(1);
    expect((await whole.post("/clients/v1/update", { client_ref: "OUT", new_client_ref: "AWAY" })).status).toBe(200);
    expect(await seen()).toEqual(["AWAY"]);
    const tools = (tenant: TestTenant) => call("svc-credentials", {}, tenant).then(({ text }) => text);
    expect(await tools(other)).toContain(outside.connection);
    await limit([], id);
    expect(await seen()).toEqual([]);
    expect(await tools(other)).not.toContain(outside.connection);
    await limit(["GONE"], id);
    expect(await seen()).toEqual(["GONE"]);
    expect((await whole.post("/clients/v1/delete", { client_ref: "GONE", confirm: true })).status).toBe(200);
    const { items } = await server.operate("/operator/v1/applications/list", { tenant_id: whole.tenantId });
    expect(items.find((one: { client_id: string }) => one.client_id === id)).toMatchObject({ client_refs: [] });
    // Somebody else's, who has the same reference later, is not seen.
    await whole.openSession({ connector_id: sandboxBanks.psd2, client_ref: "GONE" });
    expect(await seen()).toEqual([]);
    expect((await other.post("/data/v1/list-portfolios", {})).body).toMatchObject({ total: 0, items: [], totals: [] });
    expect((await other.post("/events/v1/list-events", {})).body.items).toEqual([]);
    await limit(null, id);
    expect(await seen()).toContain("IN");
    await whole.post("/clients/v1/update", { client_ref: "AWAY", new_client_ref: "OUT" });
  });

  it("[C-14.955] events of who had a reference before are not of the client that took it", async () => {
    const sign = async (client_ref: string) => {
      const letter = { connector_id: sandboxBanks.datafeed, data: await signedPdf(), client_ref };
      expect((await whole.post("/letters/v1/create-signed", letter)).status).toBe(200);
    };
    await sign("FORMER");
    await sign("LATTER");
    const { limited: other, application: id } = await limitedTo(["FORMER"]);
    const events = async (query = {}) => (await other.post("/events/v1/list-events", { query })).body;
    const [before] = (await events()).items;
    expect(before.data.client_ref).toBe("FORMER");
    await whole.post("/clients/v1/update", { client_ref: "FORMER", new_client_ref: "MOVED" });
    await whole.post("/clients/v1/update", { client_ref: "LATTER", new_client_ref: "FORMER" });
    await limit(["FORMER"], id);
    const [latter] = (await events()).items;
    expect(latter.data.client_ref).toBe("FORMER");
    expect(JSON.stringify(await events({ after: before.id }))).toContain("VALIDATION_ERROR");
    await sign("FORMER");
    const own = (await events()).items;
    expect(own.map((event: { id: string }) => event.id)).toContain(latter.id);
    expect(own.map((event: { id: string }) => event.id)).not.toContain(before.id);
  });

  it("[C-14.884] an answer from before the limit is not repeated, nor a page of before", async () => {
    const { limited: other, application: id } = await limitedTo(null);
    const headers = { "idempotency-key": randomUUID() };
    const body = { configuration: { connector_id: sandboxBanks.psd2, client_ref: "OUT" } };
    const first = await other.post("/connect/v2/sessions/create-session", body, { headers });
    expect(first.status).toBe(200);
    const page = await other.post("/data/v1/search-connections", { page_size: 1 });
    const letter = { connector_id: sandboxBanks.datafeed, data: await signedPdf(), client_ref: "OUT" };
    expect((await other.post("/letters/v1/create-signed", letter, { headers })).status).toBe(200);
    await limit(["IN"], id);
    const again = await other.post("/connect/v2/sessions/create-session", body, { headers });
    expect(again.status).toBeGreaterThanOrEqual(400);
    expect(again.text).not.toContain(first.body.session.session_id);
    expect((await other.post("/letters/v1/create-signed", letter, { headers })).status).toBe(400);
    const next = await other.post("/data/v1/search-connections", {
      page_size: 1,
      page_token: page.body.next_page_token,
    });
    expect(next.status).toBe(400);
  });

  it("[C-14.880] a login that comes upon a connection of another client does not name it", async () => {
    const { id, widgetUrl } = await limited.openSession({ connector_id: sandboxBanks.eBanking, client_ref: "IN" });
    await connectBank(widgetUrl, { username: "outsider", password: "the same password" });
    const ended = { error_code: "AlreadyExists", connection_id: null };
    expect(await limited.tools.call("svc-session-status", { session_id: id })).toMatchObject(ended);
    const { body: listed } = await limited.post("/connect/v2/sessions/list-sessions", {
      query: { session_id_in: [id] },
    });
    expect(listed.items).toMatchObject([ended]);
    const byConnection = { query: { connection_id_in: [outside.connection] } };
    expect((await limited.post("/connect/v2/sessions/list-sessions", byConnection)).body.items).toEqual([]);
    const { body: told } = await limited.post("/events/v1/list-events", { query: { object_id: id } });
    expect(told.items).toMatchObject([{ type: "session.finished", data: ended }, { type: "session.opened" }]);
    expect((await whole.tools.call("svc-session-status", { session_id: id })).connection_id).toBe(outside.connection);
  });

  it("[C-14.995] ending a session does not name its connection when that has become another client's", async () => {
    const target = { configuration: { connection_id: inside.connection } };
    const { session } = (await limited.post("/connect/v2/sessions/create-session", target)).body;
    await whole.post("/clients/v1/assign", { client_ref: "OUT", connection_id: inside.connection });
    const ended = await limited.post("/connect/v2/sessions/end-session", { session_id: session.session_id });
    await whole.post("/clients/v1/assign", { client_ref: "IN", connection_id: inside.connection });
    expect(ended.body).toMatchObject({ session: { status: "Finished:Aborted", connection_id: null } });
  });

  it.skipIf(backend === "embedded")(
    "[C-14.994] a client that is renamed while an application is limited to it stays in the limit, under its new reference",
    async () => {
      const { application: id } = await limitedTo(["IN"]);
      await server.installation.withDatabase(async (pool) => {
        const holder = await pool.connect();
        const waiting = async () =>
          (
            await pool.query(
              "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            )
          ).rowCount;
        await holder.query("begin");
        await holder.query(
          "select from client_limits join applications on application_id = holder_id where client_id = $1 for update of client_limits",
          [id],
        );
        const limiting = server.operator.post("/operator/v1/applications/update", {
          client_id: id,
          client_refs: ["OUT"],
        });
        await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
        const renaming = whole.post("/clients/v1/update", { client_ref: "OUT", new_client_ref: "OUT-2" });
        await Promise.race([renaming, expect.poll(waiting, { timeout: 60_000 }).toBe(2)]);
        await holder.query("rollback");
        holder.release();
        expect([(await limiting).status, (await renaming).status]).toEqual([200, 200]);
      });
      const { items } = await server.operate("/operator/v1/applications/list", { tenant_id: whole.tenantId });
      const found = items.find(({ client_id }: { client_id: string }) => client_id === id);
      await whole.post("/clients/v1/update", { client_ref: "OUT-2", new_client_ref: "OUT" });
      expect(found.client_refs).toEqual(["OUT-2"]);
    },
  );

  it("[C-14.880] what somebody of all clients lets it have is limited as well", async () => {
    const redirectUri = "https://app.example/done";
    const { application: made, client_secret } = await server.operate("/operator/v1/applications/create", {
      ...{ tenant_id: whole.tenantId, name: "Let in", client_refs: ["IN"], redirect_urls: [redirectUri] },
    });
    const { redemption } = await obtainCode(server.url, whole, {
      ...{ client_id: made.client_id, redirectUri, resource: server.url },
    });
    redemption.set("client_secret", client_secret);
    const { body: token } = await post(`${server.url}/token`, redemption);
    const connections = async () => {
      const { body } = await post(`${server.url}/data/v1/list-connections`, {}, { token: token.access_token });
      return body.items.map(({ credentials_token }: { credentials_token: string }) => credentials_token);
    };
    expect(await connections()).toEqual([inside.connection]);
    await limit(null, made.client_id);
    expect(await connections()).toContain(outside.connection);
  });

  it("[C-14.880] an operator's application has no limit, and a list names each client once", async () => {
    const create = (body: object) => server.operator.post("/operator/v1/applications/create", body);
    expect((await create({ tenant_id: null, name: "O", client_refs: ["IN"] })).status).toBe(400);
    const { application: own } = await server.operate("/operator/v1/applications/create", {
      tenant_id: null,
      name: "P",
    });
    const limitedOwn = { client_id: own.client_id, client_refs: ["IN"] };
    expect(
      (await server.operator.post("/operator/v1/applications/update", limitedOwn)).body.error.details,
    ).toMatchObject([{ field: "client_refs" }]);
    const twice = await create({ tenant_id: whole.tenantId, name: "T", client_refs: ["IN", "IN"] });
    expect([twice.status, twice.text]).toEqual([400, expect.stringContaining("client_refs")]);
  });
});
