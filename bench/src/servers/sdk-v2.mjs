// The official SDK, version 2. For clients of the older era: a stateless server per request with JSON answers; for those of 2026-07-28: its own
// handler, which also creates a server per request. It runs on node:http, which is faster than the express of its examples.
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { bankTools } from "@org/mcp-tools";
import { openHoldings, toolResult } from "./holdings-page.mjs";

const read = openHoldings(process.env);
const { name, description, input: inputSchema, output: outputSchema } = bankTools.named("svc-investments");
const modern = toNodeHandler(createMcpHandler(buildServer, { responseMode: "json" }));

createServer((request, response) =>
  request.headers["mcp-protocol-version"] === "2026-07-28" ? modern(request, response) : legacy(request, response),
).listen(Number(process.env.PORT), "127.0.0.1");

async function legacy(request, response) {
  const server = buildServer();
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

function buildServer() {
  const server = new McpServer({ name: "sdk", version: "1.0.0" });
  server.registerTool(name, { description, inputSchema, outputSchema }, async (parameters) =>
    toolResult(await read(parameters)),
  );
  return server;
}
