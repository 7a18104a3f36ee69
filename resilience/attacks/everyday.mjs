import { expectOk } from "./stage.mjs";

/** How many holdings each tenant has, so that a page costs what it does for a customer. */
export const holdings = 2_000;

const page = { page_size: 20 };
const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "svc-investments", arguments: page },
};
const mcpHeaders = { accept: "application/json, text/event-stream" };

/** What the honest tenant asks for every day, at a gentle rate: a tool, a page by REST, and whether the server lives. */
export const honest = {
  async mcp({ honest: tenant, post, agent }) {
    const body = await expectOk(post(tenant, "/mcp", call, mcpHeaders, agent));
    if (!/"structuredContent"/.test(body) || /"isError":true/.test(body)) throw new Error(body.slice(0, 200));
  },
  rest: ({ honest: tenant, post, agent }) => expectOk(post(tenant, "/data/v1/list-investments", page, {}, agent)),
  healthz: ({ send, agent }) => expectOk(send({ method: "GET", path: "/healthz", agent })),
};
