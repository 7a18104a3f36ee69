import { describe, expect, it } from "vitest";
import { createMcpHandler, type ToolView } from "../src/index.js";
import { call, INITIALIZE, modern, rpc, startMcp } from "./mcp-server.js";

const views: readonly ToolView[] = [
  { tool: "svc-portfolios", html: "<!doctype html><title>portfolios</title>" },
  { tool: "svc-investments", html: "<!doctype html><title>investments</title>" },
];
const plain = await startMcp();
const { log: _, ...shared } = plain.deps;
/** The same data behind a handler with views. */
const viewed = await startMcp({ ...shared, views });
const URI = "ui://wealth-connect/svc-portfolios";

const eras = {
  "2025-11-25": (method: string, params: Record<string, unknown> = {}) => ({
    body: rpc(method, params),
    headers: { "mcp-protocol-version": "2025-11-25" } as Record<string, string>,
  }),
  "2026-07-28": (method: string, params: Record<string, unknown> = {}) => {
    const { body, headers } = modern(method, params);
    return { body, headers: { ...headers, ...(typeof params.uri === "string" && { "mcp-name": params.uri }) } };
  },
};

describe.each(Object.entries(eras))("in %s", (version, requestOf) => {
  const ask = async (server: typeof plain, method: string, params?: Record<string, unknown>, token = "alice") =>
    (await server.send({ ...requestOf(method, params), token })).json;

  it("tools with a view name it in the new place and the old one; nothing else of the list is different", async () => {
    const { tools } = (await ask(viewed, "tools/list")).result;
    const shown = tools.filter(({ _meta }: { _meta?: object }) => _meta);
    expect(shown.map(({ name, _meta }: { name: string; _meta: object }) => [name, _meta])).toEqual(
      views.map(({ tool }) => {
        const resourceUri = `ui://wealth-connect/${tool}`;
        return [tool, { ui: { resourceUri }, "ui/resourceUri": resourceUri }];
      }),
    );
    const without = tools.map(({ _meta, ...tool }: { _meta?: object }) => tool);
    expect(without).toEqual((await ask(plain, "tools/list")).result.tools);
  });

  it("a view is read by anybody with a token, as a page that hosts know by its type and that asks for no host", async () => {
    for (const token of ["alice", "reader"]) {
      const { result } = await ask(viewed, "resources/read", { uri: URI }, token);
      expect(result.contents).toEqual([
        {
          uri: URI,
          mimeType: "text/html;profile=mcp-app",
          text: views[0]?.html,
          _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
        },
      ]);
      if (version === "2026-07-28") expect(result).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
    }
    expect((await ask(plain, "resources/read", { uri: URI })).error).toBeDefined();
    expect((await ask(viewed, "resources/read", { uri: `${URI}x` })).error).toBeDefined();
  });

  it("resources that are for people and models are listed as before", async () => {
    expect(await ask(viewed, "resources/list")).toEqual(await ask(plain, "resources/list"));
  });

  it.each(["svc-portfolios", "svc-investments"])("%s answers the same, byte for byte", async (name) => {
    for (const args of [{}, { page: 0 }]) {
      const request = requestOf("tools/call", { name, arguments: args });
      const [before, now] = await Promise.all([plain.send(request), viewed.send(request)]);
      expect(before.status).toBe(200);
      expect(now.text).toBe(before.text);
    }
  });
});

it("the extension is declared where there is a view, and only there", async () => {
  const capabilitiesOf = async (server: typeof plain, request: { body: object; headers?: Record<string, string> }) =>
    (await server.send(request)).json.result.capabilities;
  for (const request of [{ body: rpc("initialize", INITIALIZE) }, modern("server/discover")]) {
    const { extensions, ...others } = await capabilitiesOf(viewed, request);
    const { extensions: plainly, ...plainOthers } = await capabilitiesOf(plain, request);
    const ui = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
    expect(extensions).toEqual({ ...plainly, ...ui });
    expect(plainly).not.toHaveProperty("io.modelcontextprotocol/ui");
    expect(others).toEqual(plainOthers);
  }
});

it("calls still go the direct way", async () => {
  const before = viewed.logs.length;
  const { json } = await viewed.send({ body: call("svc-portfolios") });
  expect(Object.keys(json.result)).toEqual(["content", "structuredContent"]);
  expect(viewed.logs.slice(before)).toMatchObject([{ tool: "svc-portfolios", outcome: "ok" }]);
});

it.each([
  ["is for no tool", [{ tool: "svc-nothing", html: "" }], "svc-nothing, which is no tool"],
  ["is there twice", [views[0], views[0]], "offered twice: ui://wealth-connect/svc-portfolios"],
])("a view that %s is a defect of whoever wires it", (_, wrong, message) => {
  expect(() => createMcpHandler({ ...plain.deps, views: wrong as ToolView[] })).toThrow(message);
});
