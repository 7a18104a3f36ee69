import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { type Answer, post, send } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { type Furniture, figures, furnish } from "./limited-clients.js";
import { clientEras, connectClient, rawCaller, ToolRefusal, toolCall } from "./mcp-clients.js";

const DAY_MS = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

describe("/mcp/analytics", () => {
  let server: TestServer;
  let tenant: TestTenant;
  let inside: Furniture;
  let outside: Furniture;
  let address: string;
  beforeAll(async () => {
    const backend = oneBackend("what the store reads is in its conformance suite; this is about the protocol");
    server = await startTestServer({ backend, environment: { METRICS: "true" } });
    address = `${server.url}/mcp/analytics`;
    tenant = await server.createTenant("One");
    inside = await furnish(tenant, "IN", "insider");
    outside = await furnish(tenant, "OUT", "outsider");
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  /** Each tool with the endpoint of REST that answers the same. Days are fixed, so that midnight changes nothing. */
  const questions = () => {
    const period = { from: dayBefore(90), to: dayBefore(1) };
    const paging = { page: 2, page_size: 3 };
    return [
      ["wealth-summary", "/data/v1/summary", { date: dayBefore(1), by: "client" }],
      ["wealth-summary", "/data/v1/summary", { date: dayBefore(1), by: "security", client_ref: "IN", ...paging }],
      ["wealth-history", "/data/v1/list-history", { ...period, interval: "week", include_coverage: true }],
      ["wealth-history", "/data/v1/list-history", { ...period, credentials_token: [inside.connection], ...paging }],
      ["wealth-income", "/data/v1/income", { ...period, by: "month" }],
      ["wealth-income", "/data/v1/income", { ...period, by: "kind", kind: ["fee", "tax"], stale_after: 30 }],
      // [C-8.161]
      ["wealth-why", "/data/v1/why", { id: inside.portfolio }],
      ["wealth-why", "/data/v1/why", { id: inside.investment, date: dayBefore(1) }],
      ["wealth-why", "/data/v1/why", { id: inside.transaction }],
    ] as const;
  };

  it.each(clientEras)("[C-8.166] the %s client gets what REST answers, field by field", async (era) => {
    const client = await connectClient(era, address, tenant.token);
    const names = ["wealth-summary", "wealth-history", "wealth-performance", "wealth-income", "wealth-why"];
    expect(client.toolNames).toEqual(names);
    for (const [tool, path, args] of questions()) {
      const { status, body } = await tenant.post(path, args);
      expect([path, status]).toEqual([path, 200]);
      expect(await client.call(tool, args)).toEqual(body);
    }
    await client.close();
  });

  it("[C-8.166] [C-8.167] a return, or why there is none, is that of REST", async () => {
    const { items } = await tenant.tools.call("svc-portfolios", { client_ref: "IN", page_size: 500 });
    const of = items.map(({ id, currency }: Record<string, string>) => ({ portfolio_id: id, currency }));
    const period = { from: dayBefore(90), to: dayBefore(1) };
    const calls = [
      ...of.flatMap((one: object) => [
        { ...one, ...period, stale_after: 400 },
        { ...one, ...period, method: "mwr", allow_gaps: true },
      ]),
      { ...period, client_ref: "IN", currency: "JPY" },
    ];
    const caller = rawCaller(address, tenant.token);
    const outcomes = new Set<number>();
    for (const args of calls) {
      const { status, body } = await tenant.post("/data/v1/performance", args);
      outcomes.add(status);
      const { result } = (await caller.request(toolCall("wealth-performance", args))).body;
      if (status === 200) expect(result.structuredContent).toEqual(body);
      else {
        const { code, message, details } = body.error;
        expect(JSON.parse(result.content[0].text).error).toEqual({ code, message, details });
        expect([status, code, result.isError]).toEqual([422, "INSUFFICIENT_DATA", true]);
      }
    }
    // Both have occurred.
    expect([...outcomes].sort()).toEqual([200, 422]);
  });

  it("[C-8.217] days of the year 1 are answered, those of a year 0 refused by name", async () => {
    const ids = { id: inside.portfolio };
    for (const [name, args] of Object.entries({ ...figures, why: ids })) {
      const field = "from" in args ? "from" : "date";
      const on = (day: string) => ({ ...args, ...(field === "from" ? { from: day, to: day } : { date: day }) });
      const answered = await tenant.post(`/data/v1/${name}`, {
        ...on("0001-01-01"),
        ...(name !== "why" && { currency: "USD" }),
      });
      expect([name, [200, 404, 422].includes(answered.status)]).toEqual([name, true]);
      const { status, body } = await tenant.post(`/data/v1/${name}`, on("0000-12-31"));
      expect([name, status, body.error.details[0].field]).toEqual([name, 400, field]);
    }
    expect(server.faults()).toEqual([]);
  });

  it("[C-8.168] [C-8.162] whoever is limited to clients reaches no other, in no figure, nor where one comes from", async () => {
    const made = await server.operate("/operator/v1/applications/create", {
      tenant_id: tenant.tenantId,
      name: "Limited",
      client_refs: ["IN"],
    });
    const limited = await server.loginAgain({
      ...tenant,
      clientId: made.application.client_id,
      clientSecret: made.client_secret,
    });
    const caller = rawCaller(address, limited.token);
    const asks = { date: dayBefore(1), by: "client" };
    const mine = await caller.call("wealth-summary", asks);
    const { body: theirs } = await tenant.post("/data/v1/summary", { ...asks, client_ref: "IN" });
    expect(mine).toEqual(theirs);
    expect(mine.items.map(({ key }: { key: string }) => key)).toEqual(["IN"]);
    const tools = {
      "wealth-summary": asks,
      "wealth-history": figures["list-history"],
      "wealth-performance": figures.performance,
      "wealth-income": figures.income,
    };
    for (const scope of [
      { client_ref: "OUT" },
      { client_ref: ["IN", "OUT"] },
      { credentials_token: outside.connection },
      { portfolio_id: outside.portfolio },
      { client_ref: "IN", credentials_token: outside.connection },
      { portfolio_id: [inside.portfolio, outside.portfolio] },
    ]) {
      for (const [tool, args] of Object.entries(tools)) {
        const refused = await caller.call(tool, { ...args, ...scope }).catch((error: unknown) => error);
        expect([tool, scope, (refused as ToolRefusal).code]).toEqual([tool, scope, "NOT_FOUND"]);
        expect(refused).toBeInstanceOf(ToolRefusal);
      }
    }
    expect(await caller.call("wealth-why", { id: inside.portfolio })).toMatchObject({ what: "portfolio" });
    for (const id of [outside.portfolio, outside.investment, outside.transaction, outside.connection]) {
      const refused = await caller.call("wealth-why", { id }).catch((error: unknown) => error);
      expect([id, (refused as ToolRefusal).code]).toEqual([id, "NOT_FOUND"]);
    }
  });

  it("[C-8.165] is a resource of its own: a token for one endpoint is refused at the other, which says where to get one", async () => {
    const tokenFor = async (resource: string) =>
      String((await server.token(tenant.clientId, tenant.clientSecret, { resource })).body.access_token);
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const ask = (url: string, token?: string): Promise<Answer> => post(url, list, token ? { token } : {});
    const metadata = (path: string) => `resource_metadata="${server.url}/.well-known/oauth-protected-resource${path}"`;
    const analytics = await tokenFor(address);
    const banks = await tokenFor(server.mcpUrl);
    expect([(await ask(address, analytics)).status, (await ask(server.mcpUrl, banks)).status]).toEqual([200, 200]);
    for (const [url, token, path] of [
      [address, banks, "/mcp/analytics"],
      [server.mcpUrl, analytics, "/mcp"],
    ] as const) {
      const refused = await ask(url, token);
      const challenge = refused.headers.get("www-authenticate");
      expect([url, refused.status]).toEqual([url, 401]);
      expect(challenge).toContain('error="invalid_token"');
      expect(challenge).toContain(metadata(path));
    }
    // [C-3.6] It is not for the REST API, whose data are more than figures.
    expect((await post(`${server.url}/data/v1/list-portfolios`, {}, { token: analytics })).status).toBe(401);
    const unknown = (await ask(address)).headers.get("www-authenticate");
    expect(unknown).toContain(metadata("/mcp/analytics"));
    expect(unknown).toContain('scope="investments:read"');
    const document = (await send(`${server.url}/.well-known/oauth-protected-resource/mcp/analytics`)).body;
    expect(document).toMatchObject({ resource: address, authorization_servers: [server.url] });
    expect((await ask(`${address}/`, analytics)).status).toBe(200);
  });

  it("[C-8.168] calls are logged and counted as those of /mcp", async () => {
    const before = server.process.log().length;
    await rawCaller(address, tenant.token).call("wealth-income", { from: dayBefore(30), by: "kind" });
    const recordOf = () =>
      server.process
        .log()
        .slice(before)
        .find(({ tool }) => tool === "wealth-income");
    await eventually(async () => recordOf() !== undefined, "the request is logged");
    expect(recordOf()).toMatchObject({
      route: "/mcp/analytics",
      rpc_method: "tools/call",
      outcome: "ok",
      tenant_id: tenant.tenantId,
      application_id: expect.any(String),
    });
    const { text } = await send(`${server.url}/metrics`);
    expect(text).toContain('wealth_connect_tool_call_seconds_count{tool="wealth-income",outcome="ok"}');
    expect(server.faults()).toEqual([]);
  });
});
