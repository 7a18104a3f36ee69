import { expectOk, flood } from "./stage.mjs";

export const title = "300 tool calls at once, again and again";

const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "svc-connectors", arguments: {} } };
const headers = { accept: "application/json, text/event-stream" };

export function attack(stage) {
  return flood(stage, 300, async () => (await stage.post(stage.attacker, "/mcp", body, headers)).status);
}

export function honest({ honest: tenant, post }) {
  return expectOk(post(tenant, "/mcp", body, headers));
}
