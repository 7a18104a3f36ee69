import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { budgetedCalls, type Call, type CountedServer, startCountedServer } from "./counted-server.js";
import { START_TIMEOUT, sandboxBanks, type TestTenant } from "./harness.js";
import { backends } from "./installation.js";
import { submitLetter } from "./letters.js";
import { toolCall } from "./mcp-clients.js";

describe.runIf(backends.includes("postgres"))("[C-9.460] [C-9.542] what a call costs on PostgreSQL", () => {
  let counted: CountedServer;
  let tenant: TestTenant;
  let session: string;

  beforeAll(async () => {
    counted = await startCountedServer("calls");
    tenant = counted.server.demo;
    const { widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
    await connectBank(widgetUrl, { username: "somebody", password: "a password" });
    await submitLetter(tenant, sandboxBanks.datafeed, { labels: { desk: "7" } });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const initialize = mcpCall("2025-11-25", { jsonrpc: "2.0", id: 1, method: "initialize", params });
    session = String((await counted.send(initialize)).headers["mcp-session-id"]);
  }, START_TIMEOUT);
  afterAll(() => counted?.remove());

  const clientInfo = { name: "counting", version: "1" };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };

  /** The calls of the budget, by its names. */
  const calls: Readonly<Record<string, () => Call>> = {
    "svc-investments, 2025-11-25 with a session": () => legacyTool("svc-investments", { page_size: 20 }),
    "svc-investments, 2026-07-28": () => modernTool("svc-investments", { page_size: 20 }),
    "svc-portfolios, 2025-11-25 with a session": () => legacyTool("svc-portfolios"),
    "svc-portfolios, 2026-07-28": () => modernTool("svc-portfolios"),
    "svc-investment-transactions, 2026-07-28": () => modernTool("svc-investment-transactions"),
    "svc-credentials, 2026-07-28": () => modernTool("svc-credentials", { include_status: true }),
    "svc-credentials, a full page": () => modernTool("svc-credentials", { page_size: 1 }),
    "svc-connectors, 2026-07-28": () => modernTool("svc-connectors", { name: "banco" }),
    "data read by REST": () => restCall("/data/v1/list-investments", { page_size: 20 }),
    "letter search": () => restCall("/letters/v1/search-letters", { query: { labels: { desk: "7" } } }),
    "filter preview": () =>
      restCall("/connect/v2/connectors/preview-connector-filter", {
        connector_filter: { rules: [{ action: "exclude", field: "countries", value: "esp" }] },
      }),
  };

  it("names the calls that are counted", () => expect(budgetedCalls("calls")).toEqual(Object.keys(calls)));

  it.each(Object.keys(calls))("%s", async (name) => {
    await counted.checkCost(name, calls[name] as () => Call);
  });

  function legacyTool(name: string, args: object = {}): Call {
    return mcpCall("2025-11-25", toolCall(name, args), { "mcp-session-id": session });
  }

  function modernTool(name: string, args: object = {}): Call {
    const { params, ...message } = toolCall(name, args);
    const headers = { "mcp-method": "tools/call", "mcp-name": name };
    return mcpCall("2026-07-28", { ...message, params: { ...params, _meta } }, headers);
  }

  function mcpCall(version: string, message: object, headers: Call["headers"] = {}): Call {
    const accept = "application/json, text/event-stream";
    return jsonCall("/mcp", message, { accept, "mcp-protocol-version": version, ...headers });
  }

  function restCall(path: string, body: object): Call {
    return jsonCall(path, body, {});
  }

  function jsonCall(path: string, body: object, headers: Call["headers"]): Call {
    const common = { "content-type": "application/json", authorization: `Bearer ${tenant.token}` };
    return { path, headers: { ...common, ...headers }, body: JSON.stringify(body) };
  }
});
