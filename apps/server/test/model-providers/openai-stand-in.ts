import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Connection, connectTo } from "./mcp-connection.js";
import { called, type Model, type Result } from "./model.js";
import { FileRefusal, faultsOf, type Reply, type StandIn, serverAddress, startStandIn } from "./stand-in.js";

const toolFilter = z.strictObject({ tool_names: z.array(z.string()).optional(), read_only: z.boolean().optional() });
const mcpTool = z.strictObject({
  type: z.literal("mcp"),
  server_label: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/),
  server_description: z.string().optional(),
  server_url: serverAddress,
  authorization: z.string().optional(),
  allowed_tools: z.array(z.string()).optional(),
  require_approval: z
    .union([
      z.enum(["always", "never"]),
      z.strictObject({ always: toolFilter.optional(), never: toolFilter.optional() }),
    ])
    .default("always"),
});
const approval = z.strictObject({
  type: z.literal("mcp_approval_response"),
  approval_request_id: z.string(),
  approve: z.boolean(),
});
const request = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string().min(1), z.array(approval).min(1)]),
  tools: z.tuple([mcpTool]),
  previous_response_id: z.string().optional(),
});

type McpTool = z.infer<typeof mcpTool>;

/** What the provider stores of a response: neither tools nor token. */
interface Kept {
  readonly question: string;
  readonly results: Result[];
  readonly pending?: { readonly id: string; readonly call: string; readonly with: object };
}

/**
 * OpenAI's Responses API, limited to a remote MCP server: it accepts only what is documented, connects to the server with the given parameters,
 * and requires approval for each call that is not in `never`.
 */
export function startOpenAi(apiKey: string, model: Model): Promise<StandIn> {
  const kept = new Map<string, Kept>();
  return startStandIn("/v1/responses", async ({ headers, body }, standIn) => {
    if (headers.authorization !== `Bearer ${apiKey}`) throw refusal(401, "Incorrect API key provided.");
    const { data, error } = request.safeParse(body);
    if (error) throw refusal(400, faultsOf(error));
    standIn.asked.push(data);
    const [tool] = data.tools;
    const connection = await connected(tool, standIn);
    try {
      const before = stateBefore(data, kept);
      const label = { server_label: tool.server_label };
      const output: object[] = [];
      if (data.previous_response_id === undefined) output.push({ ...label, ...listing(connection) });
      if (before.decision) output.push(...(await decided(connection, before, label)));
      const { pending } = await think(connection, tool, before, output);
      const id = `resp_${randomUUID()}`;
      kept.set(id, { question: before.question, results: before.results, ...(pending && { pending }) });
      return { status: 200, body: { id, object: "response", status: "completed", model: data.model, output } };
    } finally {
      await connection.close();
    }
  });

  /** Lets the model make its moves until it is done or wants something that needs approval. */
  async function think(connection: Connection, tool: McpTool, { question, results }: Kept, output: object[]) {
    const tools = connection.tools
      .map(({ name }) => name)
      .filter((name) => tool.allowed_tools === undefined || tool.allowed_tools.includes(name));
    for (;;) {
      const move = model({ question, tools, results });
      if ("say" in move) {
        const content = [{ type: "output_text", text: move.say, annotations: [] }];
        output.push({ id: `msg_${randomUUID()}`, type: "message", role: "assistant", status: "completed", content });
        return {};
      }
      const item = { server_label: tool.server_label, name: move.call, arguments: JSON.stringify(move.with) };
      if (!needsNoApproval(tool, move.call)) {
        const id = `mcpr_${randomUUID()}`;
        output.push({ id, type: "mcp_approval_request", ...item });
        return { pending: { id, ...move } };
      }
      output.push({ ...item, ...(await callItem(connection, move, results)) });
    }
  }
}

function needsNoApproval({ require_approval }: McpTool, name: string): boolean {
  if (typeof require_approval === "string") return require_approval === "never";
  const isNamed = (filter?: { tool_names?: string[] | undefined }) => filter?.tool_names?.includes(name) ?? false;
  return isNamed(require_approval.never) && !isNamed(require_approval.always);
}

async function connected(tool: McpTool, standIn: StandIn): Promise<Connection> {
  try {
    return await connectTo({ url: tool.server_url, token: tool.authorization }, "auto", standIn.sent);
  } catch (error) {
    throw refusal(
      424,
      `Error retrieving tool list from MCP server: '${tool.server_label}'. ${(error as Error).message}`,
    );
  }
}

/** The conversation so far, and a person's decision on the pending call. */
interface Before extends Kept {
  readonly decision?: z.infer<typeof approval>;
}

function stateBefore(
  { input, previous_response_id }: z.infer<typeof request>,
  kept: ReadonlyMap<string, Kept>,
): Before {
  if (typeof input === "string") return { question: input, results: [] };
  const before = kept.get(previous_response_id ?? "");
  const decision = input.find(({ approval_request_id }) => approval_request_id === before?.pending?.id);
  if (!before?.pending || !decision || input.length !== 1) throw refusal(400, "there is no such approval request");
  return { ...before, results: [...before.results], decision };
}

async function decided(connection: Connection, before: Before, label: object) {
  const { pending, decision, results } = before;
  if (!pending) return [];
  if (!decision?.approve) {
    results.push({ tool: pending.call, answer: {} });
    return [];
  }
  const item = {
    ...label,
    name: pending.call,
    arguments: JSON.stringify(pending.with),
    approval_request_id: pending.id,
  };
  return [{ ...item, ...(await callItem(connection, pending, results)) }];
}

async function callItem(connection: Connection, move: { call: string; with: object }, results: Result[]) {
  const { isError, content, text, result } = await called(connection, move);
  results.push(result);
  const outcome = isError
    ? { output: null, error: { type: "mcp_tool_execution_error", content } }
    : { output: text, error: null };
  return { id: `mcp_${randomUUID()}`, type: "mcp_call", ...outcome };
}

function listing({ tools }: Connection) {
  const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
  return { id: `mcpl_${randomUUID()}`, type: "mcp_list_tools", tools: listed };
}

function refusal(status: Reply["status"], message: string): FileRefusal {
  return new FileRefusal({
    status,
    body: { error: { message, type: "invalid_request_error", param: null, code: null } },
  });
}
