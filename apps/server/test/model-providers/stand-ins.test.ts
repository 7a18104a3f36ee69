import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, startTestServer, type TestServer } from "../harness.js";
import { oneBackend } from "../installation.js";
import { startAnthropic } from "./anthropic-stand-in.js";
import type { Model } from "./model.js";
import { startOpenAi } from "./openai-stand-in.js";
import type { StandIn } from "./stand-in.js";

const KEY = "sk-of-a-test";
/** Lists the connections once. */
const lister: Model = ({ results }) =>
  results.length === 0 ? { call: "svc-credentials", with: {} } : { say: `${results[0]?.answer.total} connections` };

let server: TestServer;
let openAi: StandIn;
let anthropic: StandIn;

beforeAll(async () => {
  server = await startTestServer({
    backend: oneBackend("it is about what the stand-ins refuse; the server only lists"),
  });
  [openAi, anthropic] = await Promise.all([startOpenAi(KEY, lister), startAnthropic(KEY, lister)]);
}, START_TIMEOUT);
afterAll(() => Promise.all([openAi?.stop(), anthropic?.stop(), server?.remove()]));

async function ask(url: string, headers: Record<string, string>, body: object) {
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: response.status, body: (await response.json()) as any };
}

/** The examples prove only as much as the stand-ins refuse: each of these is documented as wrong by a provider. */
describe("the stand-in of OpenAI", () => {
  const tool = () => ({
    type: "mcp",
    server_label: "wealth_connect",
    server_url: server.mcpUrl,
    authorization: server.demo.token,
    require_approval: "never",
  });
  const send = (changed: object, toolChanged: object = {}) =>
    ask(
      `${openAi.url}/v1/responses`,
      { authorization: `Bearer ${KEY}` },
      { model: "m", input: "list", tools: [{ ...tool(), ...toolChanged }], ...changed },
    );

  it("lists the tools, calls one and says what came of it", async () => {
    const { status, body } = await send({});
    expect({ status, types: body.output.map(({ type }: { type: string }) => type) }).toEqual({
      status: 200,
      types: ["mcp_list_tools", "mcp_call", "message"],
    });
    expect(body.output[0].tools).toHaveLength(10);
    expect(body.output[2].content[0].text).toBe("0 connections");
  });

  it.each([
    [undefined, "mcp_approval_request"],
    ["always", "mcp_approval_request"],
    [{ always: { tool_names: ["svc-delete-credentials"] } }, "mcp_approval_request"],
    [{ never: { tool_names: ["svc-credentials"] } }, "mcp_call"],
  ])("[S1-1.11] with require_approval %j the call is %s", async (require_approval, type) => {
    const { body } = await send({}, { require_approval });
    expect(body.output[1].type).toBe(type);
  });

  it.each([
    ["no server_label", {}, { server_label: undefined }, 400, "tools.0.server_label"],
    ["a server without https", {}, { server_url: "http://bank.example/mcp" }, 400, "must start with https://"],
    ["the other provider's field", {}, { authorization_token: "t" }, 400, "authorization_token"],
    ["no model", { model: undefined }, {}, 400, "model"],
    [
      "an approval of nothing",
      { input: [{ type: "mcp_approval_response", approval_request_id: "x", approve: true }] },
      {},
      400,
      "no such approval request",
    ],
    [
      "no token for the server",
      {},
      { authorization: undefined },
      424,
      "Error retrieving tool list from MCP server: 'wealth_connect'",
    ],
    ["a damaged token", {}, { authorization: "x.y.z" }, 424, "Error retrieving tool list"],
  ])("refuses %s", async (_what, changed, toolChanged, status, message) => {
    const answer = await send(changed, toolChanged);
    expect(answer).toMatchObject({ status, body: { error: { message: expect.stringContaining(message) } } });
  });
});

describe("the stand-in of Anthropic", () => {
  const right = { "x-api-key": KEY, "anthropic-version": "2023-06-01", "anthropic-beta": "mcp-client-2025-11-20" };
  const send = (changed: object, { headers = {}, mcpServer = {} }: { headers?: object; mcpServer?: object } = {}) => {
    const definition = { type: "url", url: server.mcpUrl, name: "wealth", authorization_token: server.demo.token };
    return ask(
      `${anthropic.url}/v1/messages`,
      { ...right, ...headers },
      {
        model: "m",
        max_tokens: 100,
        messages: [{ role: "user", content: "list" }],
        mcp_servers: [{ ...definition, ...mcpServer }],
        tools: [{ type: "mcp_toolset", mcp_server_name: "wealth" }],
        ...changed,
      },
    );
  };

  it("calls a tool and says what came of it", async () => {
    const { status, body } = await send({});
    expect({ status, types: body.content.map(({ type }: { type: string }) => type) }).toEqual({
      status: 200,
      types: ["mcp_tool_use", "mcp_tool_result", "text"],
    });
    expect(body).toMatchObject({ stop_reason: "end_turn", content: [{}, {}, { text: "0 connections" }] });
  });

  it.each([
    ["no beta header", {}, { headers: { "anthropic-beta": "" } }, "mcp_servers"],
    ["the deprecated beta", {}, { headers: { "anthropic-beta": "mcp-client-2025-04-04" } }, "mcp_servers"],
    ["no version", {}, { headers: { "anthropic-version": "" } }, "anthropic-version"],
    ["a server without a toolset", { tools: [] }, {}, "tools"],
    [
      "a toolset of another server",
      { tools: [{ type: "mcp_toolset", mcp_server_name: "x" }] },
      {},
      "tools.0.mcp_server_name",
    ],
    ["the other provider's field", {}, { mcpServer: { authorization: "t" } }, "authorization"],
    ["a server without https", {}, { mcpServer: { url: "http://bank.example/mcp" } }, "must start with https://"],
    ["no max_tokens", { max_tokens: undefined }, {}, "max_tokens"],
    [
      "a damaged token",
      {},
      { mcpServer: { authorization_token: "x.y.z" } },
      "Connection error while communicating with MCP server",
    ],
  ])("refuses %s", async (_what, changed, options, message) => {
    const answer = await send(changed, options);
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(message) } } });
  });
});
