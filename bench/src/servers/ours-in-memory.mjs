// The /mcp handler on node:http over holdings in memory, without authentication and log.
import { createServer } from "node:http";
import { createMcpHandler } from "@org/mcp-tools";
import { openHoldings } from "./holdings-page.mjs";

const read = openHoldings(process.env);
const principal = {
  application_id: "application",
  client_id: "client",
  tenant_id: "tenant",
  grant_id: "grant",
  scopes: new Set(["investments:read"]),
};
const holdings = async (_actor, request) => {
  const { itemsJson, rest } = await read(request);
  return { items_json: itemsJson(), ...rest };
};
const { handle } = createMcpHandler({
  services: { data: { holdings } },
  authenticate: () => ({ principal }),
  resourceMetadata: "",
  publicUrl: "http://localhost",
  sessionKeys: [{ id: "k", key: Buffer.alloc(32, 1) }],
  endedSessions: { end: async () => {}, isEnded: () => false },
  serverVersion: "0",
  clock: () => new Date(),
  log: { debug() {}, error: (record) => console.error(record) },
});

createServer(handle).listen(Number(process.env.PORT), "127.0.0.1");
