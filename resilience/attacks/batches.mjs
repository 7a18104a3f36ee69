import { expectOk, fillHoldings, flood } from "./stage.mjs";

export const title = "Ten concurrent batches of 100 filtered searches at /mcp";

const HOLDINGS = 20_000;

/** Gives both tenants a connection with many holdings, because a search without bank data costs nothing. */
export async function prepare(stage) {
  for (const { tenant } of [stage.attacker, stage.honest]) await fillHoldings(stage, tenant, HOLDINGS);
}

export async function attack(stage) {
  const batch = Array.from({ length: 100 }, (_, id) =>
    call(id, { currency: ["EUR", "USD"], inv_type: ["F", "ETF"], min_balance: 1_000 * id, page_size: 50 }),
  );
  return flood(stage, 10, async () => {
    const { status, body } = await stage.post(stage.attacker, "/mcp", batch, mcpHeaders);
    if (status !== 200) return status;
    return /RATE_LIMITED/.test(body) ? "200, some RATE_LIMITED" : /isError/.test(body) ? "200, some errors" : 200;
  });
}

export async function honest({ honest: tenant, post }) {
  const body = await expectOk(post(tenant, "/mcp", call(1, { page_size: 20 }), mcpHeaders));
  if (/"isError":true/.test(body)) throw new Error(body.slice(0, 200));
}

const mcpHeaders = { accept: "application/json, text/event-stream" };

function call(id, args) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "svc-investments", arguments: args } };
}
