import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import express from "express";
import { afterAll, describe, expect, it } from "vitest";
import { startMcp } from "./mcp-server.js";
import { ids } from "./world.js";

const mcp = await startMcp();
const requestInit = { headers: { Authorization: "Bearer alice" } };
const who = { name: "test", version: "1" };

describe("the official v1 client", () => {
  async function connect(url = mcp.url) {
    const client = new LegacyClient(who);
    const transport = new LegacyTransport(new URL(url), { requestInit });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return { client, transport };
  }

  it("[S1-1.1] [S1-1.2] [S1-1.8] connects, lists, calls with its output check, and ends its session", async () => {
    const { client, transport } = await connect();
    expect(transport.sessionId).toMatch(/^wcm1\./);
    expect(client.getServerVersion()?.name).toBe("wealth-connect");
    expect(client.getInstructions()).toContain("svc-portfolios");
    expect((await client.listTools()).tools).toHaveLength(10);
    const { structuredContent } = await client.callTool({
      name: "svc-investments",
      arguments: { credentials_token: ids.alpha },
    });
    expect(structuredContent).toMatchObject({ total: 3 });
    const { isError } = await client.callTool({ name: "svc-investments", arguments: { page: 0 } });
    expect(isError).toBe(true);
    await expect(client.callTool({ name: "svc-nothing" })).rejects.toThrow(/-32602/);
    await client.ping();
    await transport.terminateSession();
    expect(transport.sessionId).toBeUndefined();
    await client.close();
  });

  it("passes its own check on the answer of every read tool", async () => {
    const { client } = await connect();
    await client.listTools();
    const token = { credentials_token: ids.alpha };
    const calls: [string, object][] = [
      ["svc-connectors", {}],
      ["svc-create-connect-session", { connector_id: "esp:alpha" }],
      ["svc-credentials", { include_status: true }],
      ["svc-credential-status", token],
      ["svc-needs-relogin", { credentials_token: ids.beta }],
      ["svc-portfolios", { include_source_token: true }],
      ["svc-investments", { fields: ["id"] }],
      ["svc-investment-transactions", token],
    ];
    for (const [name, args] of calls) {
      const answer = await client.callTool({ name, arguments: { ...args } });
      expect(answer.isError, name).toBeUndefined();
    }
    await client.close();
  });

  it("works through express, where the handler is one route of many", async () => {
    const app = express();
    app.get("/healthz", (_request, response) => void response.send("ok"));
    app.all("/mcp", mcp.handler.handle);
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    const { client } = await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
    expect((await client.listTools()).tools).toHaveLength(10);
    expect((await client.callTool({ name: "svc-connectors" })).isError).toBeUndefined();
    await client.close();
  });
});

describe("the official v2 client", () => {
  for (const mode of ["auto", "legacy"] as const)
    it(`connects (${mode}), lists, and calls with its output check`, async () => {
      const client = new ModernClient(who, { versionNegotiation: { mode } });
      await client.connect(new ModernTransport(new URL(mcp.url), { requestInit }));
      expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
      expect((await client.listTools()).tools).toHaveLength(10);
      const { structuredContent } = await client.callTool({
        name: "svc-portfolios",
        arguments: { credentials_token: ids.alpha },
      });
      expect(structuredContent).toMatchObject({ total: 2 });
      expect((await client.callTool({ name: "svc-portfolios", arguments: { more: 1 } })).isError).toBe(true);
      await client.close();
    });
});
