// The official SDK, version 1: a stateless server per request with JSON answers, on node:http.
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { bankTools } from "@org/mcp-tools";
import { openHoldings, toolResult } from "./holdings-page.mjs";

const read = openHoldings(process.env);
const { name, description, input, output } = bankTools.named("svc-investments");

createServer(async (request, response) => {
  const server = new McpServer({ name: "sdk", version: "1.0.0" });
  server.registerTool(name, { description, inputSchema: input.shape, outputSchema: output.shape }, async (parameters) =>
    toolResult(await read(parameters)),
  );
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(Number(process.env.PORT), "127.0.0.1");
