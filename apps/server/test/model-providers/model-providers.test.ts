import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "../connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "../harness.js";
import { oneBackend } from "../installation.js";
import { rawCaller } from "../mcp-clients.js";
import { startAnthropic } from "./anthropic-stand-in.js";
import { adviser } from "./model.js";
import { startOpenAi } from "./openai-stand-in.js";
import { buildExamples, removeExamples, runExample } from "./run-example.js";
import type { StandIn } from "./stand-in.js";

const KEY = "sk-of-a-test";
const BANK = "Banco Peñaclarín";
const DELETION = "svc-delete-credentials";

let server: TestServer;
let openAi: StandIn;
let anthropic: StandIn;

beforeAll(async () => {
  await buildExamples();
  server = await startTestServer({ backend: oneBackend("the examples speak to the tools; flows runs those on both") });
  [openAi, anthropic] = await Promise.all([startOpenAi(KEY, adviser), startAnthropic(KEY, adviser, { callsInOne: 2 })]);
}, START_TIMEOUT);
afterAll(async () => {
  removeExamples();
  await Promise.all([openAi?.stop(), anthropic?.stop(), server?.remove()]);
});

/** The settings with which a person would use this server through these stand-ins. */
function environment(): Record<string, string> {
  return {
    WEALTH_CONNECT_URL: server.url,
    WEALTH_CONNECT_CLIENT_ID: server.demo.clientId,
    WEALTH_CONNECT_CLIENT_SECRET: server.demo.clientSecret,
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${openAi.url}/v1`,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: anthropic.url,
  };
}

async function connect(username: string): Promise<string> {
  const { id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
  await connectBank(widgetUrl, { username, password: "any" });
  const { status, connection_id } = await server.demo.tools.call("svc-session-status", { session_id: id });
  expect(status).toBe("Finished:OK");
  return connection_id;
}

const connections = async () => (await server.demo.tools.call("svc-credentials")).total;

/** The body of the last request to a stand-in. */
// biome-ignore lint/suspicious/noExplicitAny: a stand-in has checked its shape
const lastAsked = (standIn: StandIn) => standIn.asked.at(-1) as any;

describe("a question through a provider's own MCP integration", () => {
  beforeAll(async () => {
    await connect("who asks");
  });

  it.each([
    {
      rule: "[S1-1.1] [S1-1.10] OpenAI: the token goes in authorization and is forwarded on each call",
      example: "openai",
      standIn: () => openAi,
      tokenOf: () => lastAsked(openAi).tools[0].authorization,
    },
    {
      rule: "[S1-1.1] [S1-1.10] Anthropic: the token goes in authorization_token and is forwarded on each call, also after a pause",
      example: "anthropic",
      standIn: () => anthropic,
      tokenOf: () => lastAsked(anthropic).mcp_servers[0].authorization_token,
    },
  ])("$rule", async ({ example, standIn, tokenOf }) => {
    const { totals } = await server.demo.tools.call("svc-portfolios", { page_size: 1 });
    expect(totals.length).toBeGreaterThan(0);
    const { code, stdout, stderr } = await runExample(example, { env: environment() });
    expect({ code, stdout, calls: stderr.split("\n").map((line) => line.split(" ")[0]) }).toEqual({
      code: 0,
      stdout: `${totals.map((one: Record<string, string>) => `${one.balance} ${one.currency}`).join(", ")}; ${BANK} needs a login: false\n`,
      calls: ["svc-credentials", "svc-portfolios", "svc-needs-relogin", ""],
    });
    const sent = standIn().sent.splice(0);
    expect(sent.filter(({ method }) => method === "tools/call")).toHaveLength(3);
    expect(new Set(sent.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${tokenOf()}`]));
  });

  it("[S1-1.11] OpenAI gets a server_label, and approval is kept for svc-delete-credentials only", async () => {
    await runExample("openai", { env: environment() });
    const [tool] = lastAsked(openAi).tools;
    const { never, always } = tool.require_approval;
    expect({ label: tool.server_label, always }).toEqual({
      label: "wealth_connect",
      always: { tool_names: [DELETION] },
    });
    const { body } = await server.demo.tools.request({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const others = body.result.tools
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => name !== DELETION);
    expect(never.tool_names.toSorted()).toEqual(others.toSorted());
  });

  it("[S1-1.12] Anthropic is given the server, the toolset that names it without the deletion, and a token that could not delete", async () => {
    await runExample("anthropic", { env: environment() });
    const { mcp_servers, tools } = lastAsked(anthropic);
    expect(tools).toEqual([
      { type: "mcp_toolset", mcp_server_name: mcp_servers[0].name, configs: { [DELETION]: { enabled: false } } },
    ]);
    const caller = rawCaller(server.mcpUrl, mcp_servers[0].authorization_token);
    const { status } = await caller.request({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: DELETION, arguments: { credentials_token: "any", confirm: true } },
    });
    expect(status).toBe(403);
  });
});

describe("a deletion", () => {
  const words = ["Delete", "my", "connection"];

  it.each([
    { what: "no", typed: "n\n" },
    { what: "nothing, the terminal is closed", typed: "" },
  ])("[S1-1.11] through OpenAI waits for approval: $what", async ({ typed }) => {
    const before = await connections();
    const { code, stdout, stderr } = await runExample("openai", { words, env: environment(), typed });
    expect({ code, stdout, left: await connections() }).toEqual({
      code: 0,
      stdout: `I left ${BANK} alone.\n`,
      left: before,
    });
    expect(stderr).toMatch(/svc-delete-credentials with \{.*"confirm":true\}: allow it\? \[y\/N\]/);
  });

  it("[S1-1.11] through OpenAI happens after a yes", async () => {
    await connect("who goes");
    const before = await connections();
    const { code, stdout } = await runExample("openai", { words, env: environment(), typed: "yes\n" });
    expect({ code, stdout, left: await connections() }).toEqual({
      code: 0,
      stdout: `The connection to ${BANK} and all data stored for it have been deleted.\n`,
      left: before - 1,
    });
  });

  it.each([
    { what: "nobody there", typed: "" },
    { what: "both answers typed ahead", typed: "n\nno\n" },
  ])("[S1-1.11] that is asked for again is refused again: $what", async ({ typed }) => {
    const insistent = await startOpenAi(KEY, ({ results }) =>
      results.length < 2
        ? { call: DELETION, with: { credentials_token: "any", confirm: true } }
        : { say: "I give up." },
    );
    const env = { ...environment(), OPENAI_BASE_URL: `${insistent.url}/v1` };
    const { code, stdout, stderr } = await runExample("openai", { words, env, typed }).finally(insistent.stop);
    expect({ code, stdout, asked: stderr.split("allow it?").length - 1 }).toEqual({
      code: 0,
      stdout: "I give up.\n",
      asked: 2,
    });
    expect(insistent.sent.filter(({ method }) => method === "tools/call")).toEqual([]);
  });

  it("[S1-1.12] is not offered through Anthropic", async () => {
    const before = await connections();
    const { code, stdout } = await runExample("anthropic", { words, env: environment() });
    expect({ code, stdout, left: await connections() }).toEqual({
      code: 0,
      stdout: `I cannot delete ${BANK}.\n`,
      left: before,
    });
  });
});

describe("what goes wrong is one clear line each", () => {
  it.each([
    [
      "openai",
      {},
      [
        "WEALTH_CONNECT_URL is not set",
        "WEALTH_CONNECT_CLIENT_ID is not set",
        "WEALTH_CONNECT_CLIENT_SECRET is not set",
        "OPENAI_API_KEY is not set",
      ],
    ],
    [
      "anthropic",
      {},
      [
        "WEALTH_CONNECT_URL is not set",
        "WEALTH_CONNECT_CLIENT_ID is not set",
        "WEALTH_CONNECT_CLIENT_SECRET is not set",
        "ANTHROPIC_API_KEY is not set",
      ],
    ],
    [
      "openai",
      { WEALTH_CONNECT_URL: "bank.example" },
      ["WEALTH_CONNECT_URL is not an http or https URL: bank.example"],
    ],
    [
      "anthropic",
      { ANTHROPIC_BASE_URL: "" },
      [/^WEALTH_CONNECT_URL has to be an https URL that Anthropic can reach: http:/],
    ],
    ["openai", { OPENAI_API_KEY: "sk-wrong" }, ["OpenAI answered 401: Incorrect API key provided."]],
    ["anthropic", { ANTHROPIC_API_KEY: "sk-wrong" }, ["Anthropic answered 401: invalid x-api-key"]],
    ["openai", { WEALTH_CONNECT_CLIENT_SECRET: "wrong" }, [/^Wealth Connect answered 401: /]],
    [
      "anthropic",
      { WEALTH_CONNECT_URL: "http://127.0.0.1:9" },
      [/^Wealth Connect cannot be reached at http:\/\/127\.0\.0\.1:9\/token: /],
    ],
    [
      "openai",
      { OPENAI_BASE_URL: "http://127.0.0.1:9" },
      [/^OpenAI cannot be reached at http:\/\/127\.0\.0\.1:9\/responses: /],
    ],
  ] as [string, Record<string, string>, (string | RegExp)[]][])("%s with %j", async (example, changed, lines) => {
    const isBare = Object.keys(changed).length === 0;
    const { code, stdout, stderr } = await runExample(example, { env: isBare ? {} : { ...environment(), ...changed } });
    expect({ code, stdout, lines: stderr.trim().split("\n") }).toEqual({
      code: 1,
      stdout: "",
      lines: lines.map((line) => (typeof line === "string" ? line : expect.stringMatching(line))),
    });
  });
});
