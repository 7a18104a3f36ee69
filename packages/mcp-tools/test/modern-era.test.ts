import { describe, expect, it } from "vitest";
import {
  CAPABILITIES,
  CLIENT,
  call,
  contentOf,
  envelope,
  INITIALIZE,
  modern,
  rpc,
  startMcp,
  VERSION,
} from "./mcp-server.js";

const mcp = await startMcp();
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

describe("server/discover", () => {
  it("[C-4.1] answers versions, capabilities, instructions and how long they hold", async () => {
    const { status, json } = await mcp.send(modern("server/discover"));
    expect(status).toBe(200);
    expect(json.result).toMatchObject({
      supportedVersions: ["2026-07-28"],
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        completions: {},
        extensions: { "io.modelcontextprotocol/skills": {} },
      },
      resultType: "complete",
      ttlMs: 300_000,
      cacheScope: "public",
    });
    expect(json.result.instructions).toContain("svc-create-connect-session");
  });
});

describe("results", () => {
  it("carry resultType and the server's name, whatever was asked", async () => {
    const requests = [
      modern("server/discover"),
      modern("tools/list"),
      modern("tools/call", { name: "svc-connectors", arguments: {} }),
      modern("tools/call", { name: "svc-connectors", arguments: { page: 0 } }),
      modern("prompts/list"),
      modern("prompts/get", { name: "connect-bank" }),
      modern("resources/list"),
      modern("resources/templates/list"),
      named(modern("resources/read", { uri: "wealth-connect://types" }), "wealth-connect://types"),
      modern("completion/complete", {
        ref: { type: "ref/prompt", name: "connect-bank" },
        argument: { name: "bank", value: "" },
      }),
    ];
    for (const request of requests) {
      const { json } = await mcp.send(request);
      expect(json.result.resultType).toBe("complete");
      expect(json.result._meta[SERVER_INFO]).toMatchObject({
        name: "wealth-connect",
        title: "Wealth Connect",
        version: "1.2.3",
      });
    }
  });

  for (const method of ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"])
    it(`${method} says how long it holds, and for whom`, async () => {
      expect((await mcp.send(modern(method))).json.result).toMatchObject({ ttlMs: 300_000, cacheScope: "public" });
    });

  it("a call does not say how long it holds", async () => {
    expect((await mcp.send(modern("tools/call", { name: "svc-connectors" }))).json.result).not.toHaveProperty("ttlMs");
  });

  it("have no session id, and one that a client sends is ignored", async () => {
    const request = modern("tools/call", { name: "svc-connectors" });
    const answer = await mcp.send({
      ...request,
      headers: { ...request.headers, "mcp-session-id": "of another server" },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
  });

  it("a subscription is acknowledged, granted nothing and ended at once", async () => {
    const answer = await mcp.send(modern("subscriptions/listen", { notifications: { toolsListChanged: true } }));
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    expect(answer.text).toContain("notifications/subscriptions/acknowledged");
    expect(answer.json.result.resultType).toBe("complete");
  });
});

describe("headers that mirror the body", () => {
  const tool = () => modern("tools/call", { name: "svc-connectors", arguments: {} });
  const faults: [string, Record<string, string | undefined>][] = [
    ["MCP-Protocol-Version missing", { "mcp-protocol-version": undefined }],
    ["MCP-Protocol-Version of another revision", { "mcp-protocol-version": "2025-11-25" }],
    ["Mcp-Method missing", { "mcp-method": undefined }],
    ["Mcp-Method of another method", { "mcp-method": "tools/list" }],
    ["Mcp-Method in another case", { "mcp-method": "Tools/Call" }],
    ["Mcp-Name missing", { "mcp-name": undefined }],
    ["Mcp-Name of another tool", { "mcp-name": "svc-credentials" }],
    ["Mcp-Name as damaged base64", { "mcp-name": "=?base64?c3Zj*?=" }],
    [
      "Mcp-Name as base64 of another tool",
      { "mcp-name": `=?base64?${Buffer.from("svc-credentials").toString("base64")}?=` },
    ],
  ];
  for (const [fault, headers] of faults)
    it(`${fault}: 400, -32020`, async () => {
      const request = tool();
      const { status, json } = await mcp.send({ ...request, headers: { ...request.headers, ...headers } });
      expect([status, json.error.code, json.id]).toEqual([400, -32020, 1]);
    });

  const uri = "wealth-connect://types";
  it.each([
    ["prompts/get", { name: "connect-bank" }, "connect-bank"],
    ["resources/read", { uri }, uri],
  ])("Mcp-Name is needed for %s too: 400, -32020 when it is missing or another", async (method, params, name) => {
    const request = modern(method, params);
    for (const [header, status, code] of [
      [undefined, 400, -32020],
      ["another", 400, -32020],
      [`=?base64?${Buffer.from(name).toString("base64")}?=`, 200, undefined],
    ] as const) {
      const answer = await mcp.send({ ...request, headers: { ...request.headers, "mcp-name": header } });
      expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
    }
  });

  it("Mcp-Name as base64 of the same tool is served", async () => {
    const request = tool();
    const name = `=?base64?${Buffer.from("svc-connectors").toString("base64")}?=`;
    expect(contentOf(await mcp.send({ ...request, headers: { ...request.headers, "mcp-name": name } })).total).toBe(4);
  });

  it("white space around a value does not matter", async () => {
    const request = tool();
    expect(
      (await mcp.send({ ...request, headers: { ...request.headers, "mcp-name": "  svc-connectors " } })).status,
    ).toBe(200);
  });

  it("claude.ai's connector service, which sends 2026-07-28 bodies under an older version header, is served", async () => {
    for (const params of [{ name: "svc-connectors" }, undefined]) {
      const client = { _meta: { [CLIENT]: { name: "claude-ai", version: "0.1.0" } } };
      const request = modern(params ? "tools/call" : "tools/list", { ...params, ...client });
      const answer = await mcp.send({
        ...request,
        headers: { ...request.headers, "mcp-protocol-version": "2025-11-25" },
      });
      expect([answer.status, answer.json.result?.resultType]).toEqual([200, "complete"]);
    }
  });
});

describe("faults", () => {
  const cases: [string, Parameters<typeof mcp.send>[0], number, number][] = [
    ["envelope without capabilities", modern("tools/list", { _meta: { [CAPABILITIES]: undefined } }), 400, -32602],
    ["envelope with capabilities that are none", modern("tools/list", { _meta: { [CAPABILITIES]: [] } }), 400, -32602],
    [
      "envelope with a client that is none",
      modern("tools/call", { name: "svc-connectors", _meta: { [CLIENT]: { name: 1 } } }),
      400,
      -32602,
    ],
    [
      "version header without an envelope",
      { body: rpc("tools/list", {}), headers: { "mcp-protocol-version": "2026-07-28" } },
      400,
      -32602,
    ],
    ["unknown method", modern("nonsense/method"), 404, -32601],
    ["method that is no longer there", modern("ping"), 404, -32601],
    [
      "subscriptions, which are not offered",
      modern("resources/subscribe", { uri: "wealth-connect://types" }),
      404,
      -32601,
    ],
    ["unknown tool", modern("tools/call", { name: "svc-nothing" }), 200, -32602],
    ["tools/call without a name", modern("tools/call", {}), 200, -32602],
    ["batch of modern requests", { body: [modern("tools/list").body] }, 400, -32600],
    [
      "initialize under a modern header",
      { body: rpc("initialize", INITIALIZE), headers: { "mcp-protocol-version": "2026-07-28" } },
      400,
      -32020,
    ],
  ];
  for (const [fault, request, status, code] of cases)
    it(`${fault}: ${status}, ${code}`, async () => {
      const answer = await mcp.send(request);
      expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
    });

  it("unsupported version: 400, -32022, naming the supported ones", async () => {
    const request = modern("tools/call", { name: "svc-connectors", _meta: { [VERSION]: "2030-01-01" } });
    const answer = await mcp.send({
      ...request,
      headers: { ...request.headers, "mcp-protocol-version": "2030-01-01" },
    });
    expect([answer.status, answer.json.error.code]).toEqual([400, -32022]);
    expect(answer.json.error.data).toEqual({ supported: ["2026-07-28"], requested: "2030-01-01" });
  });

  it("a notification is accepted with 202", async () => {
    const body = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, _meta: envelope } };
    expect(
      (
        await mcp.send({
          body,
          headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "notifications/cancelled" },
        })
      ).status,
    ).toBe(202);
  });
});

describe("both eras", () => {
  it("[S1-1.4] list the ten tools in the specification's order, and offer the same", async () => {
    const legacy = (await mcp.send({ body: rpc("tools/list") })).json.result.tools;
    const { tools } = (await mcp.send(modern("tools/list"))).json.result;
    expect(tools).toEqual(legacy);
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual([
      "svc-connectors",
      "svc-create-connect-session",
      "svc-session-status",
      "svc-credentials",
      "svc-credential-status",
      "svc-needs-relogin",
      "svc-delete-credentials",
      "svc-portfolios",
      "svc-investments",
      "svc-investment-transactions",
    ]);
  });

  it("[C-9.7] list all ten whatever the scope", async () => {
    for (const token of ["alice", "reader"])
      expect((await mcp.send({ token, body: rpc("tools/list") })).json.result.tools).toHaveLength(10);
  });

  it("answer a call alike", async () => {
    const legacy = contentOf(await mcp.send({ body: call("svc-investments", { page_size: 3 }) }));
    expect(
      contentOf(await mcp.send(modern("tools/call", { name: "svc-investments", arguments: { page_size: 3 } }))),
    ).toEqual(legacy);
  });

  it("never mix up clients: requests at the same time under the same ids each get their own answer", async () => {
    const totals = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const token = at % 2 === 0 ? "alice" : "bob";
        const params = { name: "svc-credentials", arguments: {} };
        const request = at % 4 < 2 ? { body: [rpc("tools/call", params, 1)] } : modern("tools/call", params, 1);
        return [token, contentOf(await mcp.send({ ...request, token })).total];
      }),
    );
    for (const [token, total] of totals) expect([token, total]).toEqual(token === "alice" ? ["alice", 4] : ["bob", 1]);
  });

  it("refuse a cursor of tools/list, since the list is one page", async () => {
    for (const request of [{ body: rpc("tools/list", { cursor: "x" }) }, modern("tools/list", { cursor: "x" })])
      expect((await mcp.send(request)).json.error.code).toBe(-32602);
  });
});

/** Changes a request so that its header names something other than the tool or prompt. */
function named(request: ReturnType<typeof modern>, name: string): ReturnType<typeof modern> {
  return { ...request, headers: { ...request.headers, "mcp-name": name } };
}
