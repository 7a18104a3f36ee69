import { describe, expect, it } from "vitest";
import { call, contentOf, INITIALIZE, rpc, startMcp } from "./mcp-server.js";
import { createWorld, ids } from "./world.js";

const mcp = await startMcp();

describe("initialize", () => {
  for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
    it(`[C-4.1] [S1-9.1] [S1-9.2] echoes ${version}`, async () => {
      const answer = await mcp.send({ body: rpc("initialize", { ...INITIALIZE, protocolVersion: version }) });
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toBe("application/json");
      expect(answer.json.result.protocolVersion).toBe(version);
    });

  it("[S1-4.1] [S1-4.4] [S1-5.8] answers 200 with capabilities, who the server is, and instructions", async () => {
    const { status, json } = await mcp.send({ body: rpc("initialize", INITIALIZE) });
    expect(status).toBe(200);
    expect(json.result.capabilities).toEqual({
      tools: { listChanged: false },
      prompts: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      completions: {},
      extensions: { "io.modelcontextprotocol/skills": {} },
    });
    expect(json.result.serverInfo).toMatchObject({
      name: "wealth-connect",
      title: "Wealth Connect",
      version: "1.2.3",
      icons: [{ mimeType: "image/svg+xml" }],
    });
    expect(json.result.instructions).toContain("svc-create-connect-session");
  });

  it("offers its newest legacy version to a client that asks for one it does not know", async () => {
    const { json } = await mcp.send({ body: rpc("initialize", { ...INITIALIZE, protocolVersion: "2019-01-01" }) });
    expect(json.result.protocolVersion).toBe("2025-11-25");
  });

  it("refuses an initialize without what belongs to it, and issues no session for it", async () => {
    const answer = await mcp.send({ body: rpc("initialize", { capabilities: {} }) });
    expect(answer.json.error).toBeDefined();
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
  });
});

describe("requests", () => {
  it("[S1-1.7] accepts the headers of the specification and answers JSON", async () => {
    const answer = await mcp.send({ body: rpc("ping") });
    expect(answer.json).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  for (const accept of [undefined, "*/*", "application/json", "text/event-stream", "application/*"])
    it(`takes Accept: ${accept ?? "(none)"} from a legacy client`, async () => {
      for (const body of [rpc("tools/list"), call("svc-connectors")]) {
        const answer = await mcp.send({ headers: { accept }, body });
        expect(answer.status).toBe(200);
        expect(answer.json.result).toBeDefined();
      }
    });

  it("[C-4.5] serves a request without a session id", async () => {
    expect(
      contentOf(
        await mcp.send({ body: call("svc-credential-status", { credentials_token: await firstCredential() }) }),
      ),
    ).toHaveProperty("pending");
  });

  it("accepts notifications with 202 and no body", async () => {
    for (const method of ["notifications/initialized", "notifications/cancelled", "notifications/unknown"]) {
      const answer = await mcp.send({ body: { jsonrpc: "2.0", method, params: {} } });
      expect([answer.status, answer.text]).toEqual([202, ""]);
    }
  });

  it("accepts a posted response with 202", async () => {
    expect((await mcp.send({ body: { jsonrpc: "2.0", id: 7, result: {} } })).status).toBe(202);
  });

  it("answers -32601 to methods that it does not offer", async () => {
    for (const method of [
      "resources/subscribe",
      "resources/unsubscribe",
      "logging/setLevel",
      "nonsense",
      "server/discover",
    ])
      expect((await mcp.send({ body: rpc(method, {}) })).json.error.code).toBe(-32601);
  });

  it("answers -32602 to an unknown tool", async () => {
    const { status, json } = await mcp.send({ body: call("svc-nothing") });
    expect([status, json.error.code]).toEqual([200, -32602]);
    expect(json.error.message).toContain("svc-nothing");
  });

  it("answers -32602 to a tools/call without a usable name or arguments", async () => {
    for (const params of [
      {},
      { name: 5 },
      { name: "svc-connectors", arguments: [] },
      { name: "svc-connectors", arguments: "x" },
    ])
      expect((await mcp.send({ body: rpc("tools/call", params) })).json.error.code).toBe(-32602);
  });

  it("answers 400 to a protocol version header that it does not know", async () => {
    const answer = await mcp.send({ headers: { "mcp-protocol-version": "2019-01-01" }, body: call("svc-connectors") });
    expect(answer.status).toBe(400);
    expect(answer.json.error.message).toContain("2025-11-25");
  });

  it("keeps ids as they are: text, zero, large numbers", async () => {
    for (const id of ["", 'a"b', 0, -1, Number.MAX_SAFE_INTEGER])
      for (const body of [rpc("ping", undefined, id), call("svc-connectors", {}, id)])
        expect((await mcp.send({ body })).json.id).toBe(id);
  });
});

describe("batches", () => {
  it("answers each request and no notification", async () => {
    const body = [
      rpc("ping", undefined, 1),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      call("svc-connectors", {}, "two"),
    ];
    const { status, json } = await mcp.send({ body });
    expect(status).toBe(200);
    expect(json.map((message: { id: unknown }) => message.id)).toEqual([1, "two"]);
    expect(json[1].result.structuredContent.total).toBe(4);
  });

  it("answers 202 to a batch of notifications", async () => {
    expect((await mcp.send({ body: [{ jsonrpc: "2.0", method: "notifications/initialized" }] })).status).toBe(202);
    expect(
      (await mcp.send({ body: [{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }] }))
        .status,
    ).toBe(202);
  });

  it("[C-9.520] takes 100 tool calls, or 20 messages if others are among them", async () => {
    const pings = Array.from({ length: 21 }, (_, id) => rpc("ping", undefined, id));
    const calls = Array.from({ length: 101 }, (_, id) => call("svc-connectors", {}, id));
    for (const body of [pings.slice(1), calls.slice(1), [...calls.slice(82), pings[0]]])
      expect((await mcp.send({ body })).json).toHaveLength(body.length);
    for (const body of [pings, calls, [...calls.slice(81), pings[0]]]) {
      const refused = await mcp.send({ body });
      expect([refused.status, refused.json.error.code]).toEqual([400, -32600]);
    }
  });

  it("refuses an empty batch, one with an initialize in it, and one with something that is no message", async () => {
    for (const body of [[], [rpc("initialize", INITIALIZE, 1), rpc("ping", undefined, 2)], [rpc("ping"), 5]])
      expect((await mcp.send({ body })).status).toBe(400);
  });

  it("answers a request that is cancelled in its own batch, instead of waiting for good", async () => {
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const { json } = await mcp.send({ body: [call("svc-connectors", {}, 1), cancelled] });
    expect(json.result.structuredContent.total).toBe(4);
  });

  it("[C-9.65] runs four calls at once of all batches of a tenant, while another tenant's batch has its turn", async () => {
    const world = await createWorld();
    let running = 0;
    let most = 0;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { credentials } = world.services;
    const slow = await startMcp({
      services: {
        ...world.services,
        credentials: {
          ...credentials,
          async list(actor, query) {
            if (actor.tenant_id !== ids.tenantA) return credentials.list(actor, query);
            running += 1;
            most = Math.max(most, running);
            await gate;
            running -= 1;
            return credentials.list(actor, query);
          },
        },
      },
    });
    const batch = Array.from({ length: 20 }, (_, id) => call("svc-credentials", {}, id));
    const greedy = Array.from({ length: 3 }, () => slow.send({ body: batch }));
    await expect.poll(() => slow.handler.batchCalls).toMatchObject({ running: 4, waiting: 56 });
    const { json } = await slow.send({ body: batch, token: "bob" });
    expect(json).toHaveLength(20);
    expect(slow.handler.batchCalls).toMatchObject({ running: 4, waiting: 56 });
    const single = await slow.send({ body: call("svc-connectors") });
    expect(single.status).toBe(200);
    open();
    for (const { json: answers } of await Promise.all(greedy)) expect(answers).toHaveLength(20);
    expect(most).toBe(4);
  });

  it("gives up what waits when its client has left", async () => {
    const world = await createWorld();
    const slow = await startMcp({
      services: {
        ...world.services,
        credentials: { ...world.services.credentials, list: () => new Promise(() => {}) },
      },
    });
    const body = JSON.stringify(Array.from({ length: 20 }, (_, id) => call("svc-credentials", {}, id)));
    const leaving = new AbortController();
    const headers = { "content-type": "application/json", authorization: "Bearer alice" };
    const left = fetch(slow.url, { method: "POST", headers, body, signal: leaving.signal }).catch(() => "left");
    await expect.poll(() => slow.handler.batchCalls.waiting).toBe(16);
    leaving.abort();
    expect(await left).toBe("left");
    await expect.poll(() => slow.handler.batchCalls.waiting).toBe(0);
  });

  it("counts each call of a batch", async () => {
    const counted: string[] = [];
    const counting = await startMcp({ onCall: (record) => counted.push(`${record.tool} ${record.outcome}`) });
    await counting.send({ body: [call("svc-connectors", {}, 1), call("svc-credentials", { page: 0 }, 2)] });
    expect(counted.sort()).toEqual(["svc-connectors ok", "svc-credentials VALIDATION_ERROR"]);
    expect(counting.logs).toMatchObject([{ rpc_method: "batch", calls: 2, outcome: "VALIDATION_ERROR" }]);
  });
});

async function firstCredential(): Promise<string> {
  return contentOf(await mcp.send({ body: call("svc-credentials") })).items[0].credentials_token;
}
