import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler, toWebRequest } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  fromJsonSchema,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { afterAll, describe, expect, it } from "vitest";
import { serverIcon } from "../src/icons.js";
import { bankInstructions, bankTools, callTool, type ToolServices } from "../src/index.js";
import {
  CAPABILITIES,
  CLIENT,
  call,
  envelope,
  INITIALIZE,
  modern,
  rpc,
  type Sending,
  sendTo,
  startMcp,
  VERSION,
} from "./mcp-server.js";
import { createWorld, ids } from "./world.js";

const TRACE = "0123456789abcdef0123456789abcdef";
const mcp = await startMcp({ services: await failingServices() }, { newTraceId: () => TRACE });
const oracle = await startOracle(mcp.deps.services);

const arguments_: [string, unknown][] = [
  ["svc-connectors", undefined],
  ["svc-connectors", { name: "beta", page_size: 1 }],
  ["svc-connectors", { page: 0, wrong: 1 }],
  ["svc-session-status", { session_id: "unknown" }],
  ["svc-credentials", { include_status: true }],
  ["svc-credential-status", { credentials_token: ids.alpha }],
  ["svc-needs-relogin", { credentials_token: ids.beta }],
  ["svc-delete-credentials", { credentials_token: ids.alpha }],
  ["svc-create-connect-session", {}],
  ["svc-portfolios", { currency: "eur" }],
  ["svc-investments", { credentials_token: ids.alpha }],
  ["svc-investments", { page_size: 500 }],
  ["svc-investments", { sort: "-balance", page_size: 2, totals_by: ["type", "portfolio"], fields: ["name", "bank"] }],
  ["svc-investments", { totals_only: true, name: "fund" }],
  ["svc-investments", { totals_by: "kind" }],
  ["svc-investment-transactions", { start_date: "2026-02-01" }],
  ["svc-connectors", { name: "FAIL" }],
  ["svc-nothing", {}],
];

/** Valid and invalid requests. Both servers must answer with the same status, type and meaning. */
const requests: [string, Sending][] = [
  ...arguments_.flatMap(([name, args]): [string, Sending][] => {
    const params = { name, ...(args !== undefined && { arguments: args as object }) };
    return [
      [`legacy ${name} ${JSON.stringify(args)}`, { body: rpc("tools/call", params, "id-1") }],
      [`modern ${name} ${JSON.stringify(args)}`, modern("tools/call", params, 42)],
    ];
  }),
  ["legacy batch of calls", { body: [call("svc-connectors", {}, 1), call("svc-credentials", { page: 0 }, 2)] }],
  ["legacy batch of one", { body: [call("svc-connectors", {}, 1)] }],
  ["legacy initialize", { body: rpc("initialize", INITIALIZE) }],
  ["legacy tools/list", { body: rpc("tools/list") }],
  ["legacy ping", { body: rpc("ping") }],
  ["legacy unknown method", { body: rpc("nothing/there") }],
  ["legacy notification", { body: { jsonrpc: "2.0", method: "notifications/initialized" } }],
  [
    "legacy call as a notification",
    { body: { jsonrpc: "2.0", method: "tools/call", params: { name: "svc-connectors" } } },
  ],
  [
    "legacy call with a progress token",
    { body: rpc("tools/call", { name: "svc-connectors", _meta: { progressToken: "p" } }) },
  ],
  [
    "legacy call with a damaged progress token",
    { body: rpc("tools/call", { name: "svc-connectors", _meta: { progressToken: {} } }) },
  ],
  [
    "legacy call with a related task",
    { body: rpc("tools/call", { name: "svc-connectors", _meta: { "io.modelcontextprotocol/related-task": 5 } }) },
  ],
  ["legacy call as a task", { body: rpc("tools/call", { name: "svc-connectors", task: { ttl: 5 } }) }],
  ["legacy call with meta that is none", { body: rpc("tools/call", { name: "svc-connectors", _meta: [] }) }],
  [
    "legacy call with unknown members",
    { body: { ...rpc("tools/call", { name: "svc-connectors", more: 1 }), more: 1 } },
  ],
  ["legacy call with a null id", { body: rpc("tools/call", { name: "svc-connectors" }, null) }],
  ["legacy call with a fractional id", { body: rpc("tools/call", { name: "svc-connectors" }, 1.5) }],
  ["legacy call with an unsafe id", { body: rpc("tools/call", { name: "svc-connectors" }, 2 ** 60) }],
  ["legacy call in another version of JSON-RPC", { body: { ...call("svc-connectors"), jsonrpc: "1.0" } }],
  [
    "legacy call under an older version",
    { body: call("svc-connectors"), headers: { "mcp-protocol-version": "2024-11-05" } },
  ],
  [
    "legacy call under an unknown version",
    { body: call("svc-connectors"), headers: { "mcp-protocol-version": "2019-01-01" } },
  ],
  [
    "legacy call under the modern version",
    { body: call("svc-connectors"), headers: { "mcp-protocol-version": "2026-07-28" } },
  ],
  ["modern tools/list", modern("tools/list")],
  ["modern discover", modern("server/discover")],
  ["modern unknown method", modern("nothing/there")],
  ...headerFaults(),
  ...envelopes().map(([what, meta]): [string, Sending] => [
    `modern call, ${what}`,
    modern("tools/call", { name: "svc-connectors", _meta: meta }),
  ]),
  [
    "modern call with an answer to input",
    modern("tools/call", { name: "svc-connectors", inputResponses: {}, requestState: "x" }),
  ],
  ["modern call with damaged request state", modern("tools/call", { name: "svc-connectors", requestState: 5 })],
  [
    "modern call without clientInfo",
    { ...modern("tools/call", { name: "svc-connectors" }), body: rpc("tools/call", withoutClient()) },
  ],
];

describe("a direct answer and the SDK's own do not differ", () => {
  for (const [what, request] of requests)
    it(what, async () => {
      const ours = await mcp.send(request);
      const theirs = await sendTo(oracle, request);
      expect([ours.status, ours.headers["content-type"], ours.json]).toEqual([
        theirs.status,
        theirs.headers["content-type"],
        theirs.json,
      ]);
    });
});

it.each([
  ["arguments that are a list", call("svc-connectors", [])],
  ["a name that is none", call(5 as unknown as string)],
])("a call with %s is refused as the SDK does it, in our words", async (_, body) => {
  const ours = await mcp.send({ body });
  const theirs = await sendTo(oracle, { body });
  expect([ours.status, ours.json.error.code]).toEqual([theirs.status, theirs.json.error.code]);
  expect(ours.json.error.message).toMatch(/^Invalid params: params\.(name|arguments): must be /);
});

function headerFaults(): [string, Sending][] {
  const request = modern("tools/call", { name: "svc-connectors" });
  const changes: Record<string, string | undefined>[] = [
    { "mcp-protocol-version": undefined },
    { "mcp-protocol-version": "2025-06-18" },
    { "mcp-method": undefined },
    { "mcp-method": "tools/list" },
    { "mcp-name": undefined },
    { "mcp-name": "svc-credentials" },
    { "mcp-name": "=?base64?c3ZjLWNvbm5lY3RvcnM=?=" },
    { "mcp-name": "=?base64?%?=" },
  ];
  return changes.map((change) => [
    `modern call, headers ${JSON.stringify(change)}`,
    { ...request, headers: { ...request.headers, ...change } },
  ]);
}

function envelopes(): [string, object][] {
  const capabilities: unknown[] = [
    {},
    { elicitation: {}, roots: { listChanged: true } },
    { elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
    { elicitation: { form: { applyDefaults: "no" } } },
    { elicitation: [] },
    { elicitation: { url: 5 } },
    { sampling: 5 },
    { sampling: { context: 5 } },
    { roots: { listChanged: "yes" } },
    { roots: 5 },
    { experimental: { a: {} }, extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } } },
    { experimental: { a: 5 } },
    { extensions: [] },
    { tasks: 5, unknown: 5 },
    "none",
    null,
    [],
  ];
  const infos: unknown[] = [
    { name: "a", version: "1", title: "A", websiteUrl: "https://example.com", description: "d" },
    { name: "a", version: "1", icons: [{ src: "https://example.com/i.png" }] },
    { name: "a", version: "1", icons: 5 },
    { name: "a", version: "1", title: 5 },
    { name: "a" },
    { name: 5, version: "1" },
    "none",
    null,
  ];
  return [
    ...capabilities.map((value): [string, object] => [
      `capabilities ${JSON.stringify(value)}`,
      { [CAPABILITIES]: value },
    ]),
    ...infos.map((value): [string, object] => [`client ${JSON.stringify(value)}`, { [CLIENT]: value }]),
    ["version that is no text", { [VERSION]: 5 }],
    ["version of the legacy era", { [VERSION]: "2025-11-25" }],
    ["progress token", { progressToken: 5 }],
    ["damaged progress token", { progressToken: null }],
    ["log level", { "io.modelcontextprotocol/logLevel": "info" }],
    ["damaged log level", { "io.modelcontextprotocol/logLevel": "loud" }],
    ["trace context and foreign keys", { traceparent: "x", "com.example/a": 1 }],
  ];
}

function withoutClient() {
  const { [CLIENT]: _, ...rest } = envelope;
  return { name: "svc-connectors", _meta: rest };
}

/** Returns the services of the world, with one search that fails, for INTERNAL_ERROR. */
async function failingServices(): Promise<ToolServices> {
  const { services } = await createWorld();
  const search: ToolServices["connectors"]["search"] = async (query, tenantId) => {
    if (query.name === "FAIL") throw new Error("secret detail");
    return services.connectors.search(query, tenantId);
  };
  return { ...services, connectors: { ...services.connectors, search } };
}

/** Serves the same tools with nothing but the SDK: its high-level server, its transports, its routing between the eras. */
async function startOracle(services: ToolServices): Promise<number> {
  const accepting = {
    getValidator: () => (data: unknown) => ({ valid: true as const, data: data as never, errorMessage: undefined }),
  };
  const hint = { ttlMs: 300_000, cacheScope: "public" as const };
  const actor = { tenant_id: ids.tenantA, application_id: ids.applicationA, trace_id: TRACE, address: "127.0.0.1" };

  /** @param introduces whether a client first meets the server in this request, which includes the icon */
  function build(introduces: boolean): McpServer {
    const name = { name: "wealth-connect", title: "Wealth Connect", version: "1.2.3" };
    const server = new McpServer(introduces ? { ...name, icons: serverIcon } : name, {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        completions: {},
        extensions: { "io.modelcontextprotocol/skills": {} },
      },
      instructions: bankInstructions,
      cacheHints: { "tools/list": hint, "server/discover": hint },
      jsonSchemaValidator: accepting,
      requestState: {
        verify: () => {
          throw new Error("none has been given out");
        },
      },
    });
    for (const { name, title, description, icons, inputSchema, outputSchema, annotations } of bankTools.listed()) {
      const tool = bankTools.named(name);
      if (!tool || !outputSchema) throw new Error(name);
      const config = {
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(annotations !== undefined && { annotations }),
        ...(icons !== undefined && { icons }),
        inputSchema: fromJsonSchema(inputSchema as never, accepting),
        outputSchema: fromJsonSchema(outputSchema as never, accepting),
      };
      server.registerTool(name, config, async (args: unknown) => {
        const { json, error } = await callTool(tool, args, {
          services,
          actor,
          traceId: TRACE,
          clock: () => new Date(0),
          onDefect: () => {},
        });
        const content = [{ type: "text" as const, text: json }];
        return error === null ? { content, structuredContent: JSON.parse(json) } : { content, isError: true };
      });
    }
    return server;
  }

  const introductions = new Set(["initialize", "server/discover"]);
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const read = { method: "POST", url: "/mcp", headers: request.headers, async *[Symbol.asyncIterator]() {} };
    const make = () => build(introductions.has((body as { method?: string }).method ?? ""));
    if (!(await isLegacyRequest(await toWebRequest(read, body), body)))
      return toNodeHandler(createMcpHandler(make, { legacy: "reject" }))(read, response, body);
    const server = make();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return toNodeHandler({ fetch: (web) => transport.handleRequest(web, { parsedBody: body }) })(read, response, body);
  }
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
