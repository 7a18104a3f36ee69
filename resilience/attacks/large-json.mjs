import { flood } from "./stage.mjs";

export const title = "bodies of almost a megabyte of JSON, ten at once: names, faults and nothing in particular";

const PARALLEL = 10;
const named = Object.fromEntries(Array.from({ length: 75_000 }, (_, index) => [`k${index.toString(36)}`, 1]));
const nothing = (count) => Array.from({ length: count }, () => ({}));
const rpc = (method, params) => ["/mcp", JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })];
const bodies = [
  rpc("ping", named),
  rpc("tools/call", { name: "svc-investments", arguments: named }),
  rpc("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "a", version: "1", icons: nothing(45_000) },
  }),
  ["/letters/v1/search-letters", JSON.stringify({ query: { labels: named } })],
  ["/connect/v2/connectors/preview-connector-filter", JSON.stringify({ connector_filter: { rules: nothing(45_000) } })],
  ["/connect/v2/sessions/list-sessions", JSON.stringify({ query: { status_in: Array(90_000).fill("x") } })],
];

export function attack(stage) {
  const headers = { accept: "application/json, text/event-stream" };
  return flood(stage, PARALLEL, async (index) => {
    const [path, body] = bodies[index % bodies.length];
    return (await stage.post(stage.attacker, path, body, headers)).status;
  });
}
