// mcp-lite, without state, on node:http.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { bankTools } from "@org/mcp-tools";
import { McpServer, StreamableHttpTransport } from "mcp-lite";
import { z } from "zod";
import { openHoldings, toolResult } from "./holdings-page.mjs";

const read = openHoldings(process.env);
const { name, description, input: inputSchema, output: outputSchema } = bankTools.named("svc-investments");
const server = new McpServer({
  name: "mcp-lite",
  version: "1.0.0",
  schemaAdapter: (schema) => z.toJSONSchema(schema, { io: "input" }),
});
server.tool(name, {
  description,
  inputSchema,
  outputSchema,
  handler: async (parameters) => toolResult(await read(parameters)),
});
const fetch = new StreamableHttpTransport().bind(server);

createServer(toNodeHandler({ fetch })).listen(Number(process.env.PORT), "127.0.0.1");
