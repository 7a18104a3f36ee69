import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Connection, connectTo } from "./mcp-connection.js";
import { called, type Model, type Result } from "./model.js";
import { FileRefusal, faultsOf, type StandIn, serverAddress, startStandIn } from "./stand-in.js";

const API_VERSION = "2023-06-01";
const MCP_BETA = "mcp-client-2025-11-20";

const toolConfig = z.strictObject({ enabled: z.boolean().optional(), defer_loading: z.boolean().optional() });
const toolset = z.strictObject({
  type: z.literal("mcp_toolset"),
  mcp_server_name: z.string(),
  default_config: toolConfig.optional(),
  configs: z.record(z.string(), toolConfig).optional(),
});
const mcpServer = z.strictObject({
  type: z.literal("url"),
  url: serverAddress,
  name: z.string().min(1),
  authorization_token: z.string().optional(),
});
const block = z.union([
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({
    type: z.literal("mcp_tool_use"),
    id: z.string().regex(/^mcptoolu_/),
    name: z.string(),
    server_name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({
    type: z.literal("mcp_tool_result"),
    tool_use_id: z.string().regex(/^mcptoolu_/),
    is_error: z.boolean(),
    content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  }),
]);
const request = z
  .strictObject({
    model: z.string().min(1),
    max_tokens: z.int().min(1),
    messages: z
      .array(
        z.union([
          z.strictObject({ role: z.literal("user"), content: z.string().min(1) }),
          z.strictObject({ role: z.literal("assistant"), content: z.array(block).min(1) }),
        ]),
      )
      .min(1),
    mcp_servers: z.tuple([mcpServer]),
    tools: z.tuple([toolset]),
  })
  .refine(({ mcp_servers: [server], tools: [set] }) => server.name === set.mcp_server_name, {
    path: ["tools", 0, "mcp_server_name"],
    message: "each server has to be named by exactly one toolset",
  });

type Body = z.infer<typeof request>;
type Block = z.infer<typeof block>;

/**
 * Anthropic's Messages API, limited to its MCP connector: it accepts only what is documented, connects to the server with the given parameters,
 * offers the tools that the toolset leaves enabled, and calls them without approval. An answer pauses after `callsInOne` calls.
 */
export function startAnthropic(apiKey: string, model: Model, { callsInOne = 10 } = {}): Promise<StandIn> {
  return startStandIn("/v1/messages", async ({ headers, body }, standIn) => {
    if (headers["x-api-key"] !== apiKey) throw refusal(401, "authentication_error", "invalid x-api-key");
    if (headers["anthropic-version"] !== API_VERSION) throw invalid("anthropic-version: header is required");
    const betas = String(headers["anthropic-beta"] ?? "").split(",");
    if (!betas.includes(MCP_BETA)) throw invalid("mcp_servers: Extra inputs are not permitted");
    const { data, error } = request.safeParse(body);
    if (error) throw invalid(faultsOf(error));
    standIn.asked.push(data);
    const connection = await connected(data, standIn);
    try {
      const { content, stop_reason } = await think(connection, data);
      const message = { id: `msg_${randomUUID()}`, type: "message", role: "assistant", model: data.model, content };
      return { status: 200, body: { ...message, stop_reason, stop_sequence: null } };
    } finally {
      await connection.close();
    }
  });

  async function think(connection: Connection, { messages, tools: [set] }: Body) {
    const [first] = messages;
    const question = first?.role === "user" ? first.content : "";
    const results = messages.flatMap((message) => (message.role === "assistant" ? resultsIn(message.content) : []));
    const tools = connection.tools.map(({ name }) => name).filter((name) => isEnabled(set, name));
    const content: Block[] = [];
    for (let calls = 0; calls < callsInOne; calls += 1) {
      const move = model({ question, tools, results });
      if ("say" in move) {
        content.push({ type: "text", text: move.say });
        return { content, stop_reason: "end_turn" };
      }
      if (!tools.includes(move.call)) throw new Error(`the model was not offered ${move.call}`);
      const { isError, content: answer, result } = await called(connection, move);
      results.push(result);
      const id = `mcptoolu_${randomUUID()}`;
      content.push(
        { type: "mcp_tool_use", id, name: move.call, server_name: set.mcp_server_name, input: { ...move.with } },
        { type: "mcp_tool_result", tool_use_id: id, is_error: isError, content: answer.map((part) => ({ ...part })) },
      );
    }
    return { content, stop_reason: "pause_turn" };
  }
}

/** A tool's own setting overrides the toolset's, which overrides the default (on). */
function isEnabled({ default_config, configs }: z.infer<typeof toolset>, name: string): boolean {
  return configs?.[name]?.enabled ?? default_config?.enabled ?? true;
}

/** What tools answered in the parts of the answer so far. */
function resultsIn(content: readonly Block[]): Result[] {
  return content.flatMap((use) => {
    if (use.type !== "mcp_tool_use") return [];
    const answer = content.find((other) => other.type === "mcp_tool_result" && other.tool_use_id === use.id);
    if (answer?.type !== "mcp_tool_result") throw invalid(`messages: ${use.id} has no mcp_tool_result`);
    return [{ tool: use.name, answer: JSON.parse(answer.content.map(({ text }) => text ?? "").join("")) }];
  });
}

async function connected({ mcp_servers: [server] }: Body, standIn: StandIn): Promise<Connection> {
  try {
    return await connectTo({ url: server.url, token: server.authorization_token }, "legacy", standIn.sent);
  } catch (error) {
    throw invalid(`Connection error while communicating with MCP server: ${(error as Error).message}`);
  }
}

function invalid(message: string): FileRefusal {
  return refusal(400, "invalid_request_error", message);
}

function refusal(status: number, type: string, message: string): FileRefusal {
  return new FileRefusal({ status, body: { type: "error", error: { type, message } } });
}
