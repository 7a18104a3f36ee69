import pg from "pg";
import { flood } from "./stage.mjs";

export const title = "MCP sessions that are begun and ended at once, which every replica remembers for 30 days";

const PARALLEL = 16;
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "attack", version: "1" } },
};

/** Returns how ending the sessions was answered, and how many sessions the server remembers. */
export async function attack(stage) {
  const { attacker, post, send } = stage;
  const outcomes = await flood(stage, PARALLEL, async () => {
    const { headers } = await post(attacker, "/mcp", INITIALIZE);
    const session = String(headers["mcp-session-id"]);
    const authorization = `Bearer ${attacker.token}`;
    return (await send({ method: "DELETE", path: "/mcp", headers: { authorization, "mcp-session-id": session } }))
      .status;
  });
  const database = new pg.Client({ connectionString: stage.databaseUrl });
  await database.connect();
  const { rows } = await database.query("select count(*)::integer as remembered from ended_mcp_sessions");
  await database.end();
  return { outcomes, ...rows[0] };
}
