// fastmcp without state, with JSON answers and its own HTTP server.
import { bankTools } from "@org/mcp-tools";
import { FastMCP } from "fastmcp";
import { z } from "zod";
import { openHoldings, toolResult } from "./holdings-page.mjs";

const read = openHoldings(process.env);
const { name, description, input: parameters, output } = bankTools.named("svc-investments");
const server = new FastMCP({ name: "fastmcp", version: "1.0.0", logger: quiet() });
// fastmcp answers what the schema names and nothing else.
const outputSchema = output.extend({ source_counts: z.looseObject({}) });
server.addTool({ name, description, parameters, outputSchema, execute: async (page) => toolResult(await read(page)) });
await server.start({
  transportType: "httpStream",
  httpStream: {
    host: "127.0.0.1",
    port: Number(process.env.PORT),
    endpoint: "/mcp",
    stateless: true,
    enableJsonResponse: true,
  },
});

/** Silences fastmcp's logging of every request. */
function quiet() {
  const say = () => undefined;
  return { debug: say, error: console.error, info: say, log: say, warn: say };
}
