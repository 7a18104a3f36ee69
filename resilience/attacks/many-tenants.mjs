import { requestBytes } from "@org/bench/measuring/load.mjs";
import { accessToken, addTenant } from "@org/bench/product/installation.mjs";
import { closedLoop, OTHER_NETWORK } from "./closed-loop.mjs";
import { addHoldings } from "./sites.mjs";

export { holdings, honest } from "./everyday.mjs";

export const title = "1,000 connections of several tenants, each with a request in flight";

const targets = {
  ping: { method: "ping" },
  data: { method: "tools/call", params: { name: "svc-investments", arguments: { page_size: 20 } } },
};

export const variants = Object.fromEntries(
  Object.keys(targets).flatMap((target) =>
    [5, 20].map((tenants) => [`${target}-${tenants}`, { target, tenants, connections: 1_000, from: OTHER_NETWORK }]),
  ),
);

export async function prepare(stage) {
  const attackers = [];
  for (let made = 0; made < variants[stage.variant].tenants; made += 1) {
    const tenant = await addTenant(stage, stage.operator, `Attacker ${made}`);
    attackers.push({ ...tenant, token: await accessToken(stage, tenant) });
  }
  const ids = attackers.map(({ tenant }) => tenant);
  await addHoldings(stage, ids, 200);
  return { attackers };
}

export function attack(stage) {
  const { target, tenants, ...loop } = variants[stage.variant];
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...targets[target] });
  return closedLoop(stage, loop, (index) => {
    const { token } = stage.attackers[index % tenants];
    return requestBytes("POST", "/mcp", { ...headers, authorization: `Bearer ${token}` }, body);
  });
}
