// Gives Anthropic's Messages API access to Wealth Connect; its models then connect on their own.
// https://platform.claude.com/docs/en/agents-and-tools/mcp-connector
import { ExampleError, runExample } from "./example-error.js";
import { post } from "./post.js";
import { readSettings, type Settings } from "./settings.js";
import { accessToken, DELETION, readOnlyScopes } from "./wealth-connect.js";

/** The parts of an answer's blocks that are used. */
interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly is_error?: boolean;
  readonly content?: unknown;
}

interface Message {
  readonly content: readonly Block[];
  readonly stop_reason: string;
}

const API_VERSION = "2023-06-01";
/** Without it the API knows neither `mcp_servers` nor `mcp_toolset`. */
const MCP_BETA = "mcp-client-2025-11-20";
const SERVER = "wealth-connect";
const MAX_TOKENS = 4_096;
/** A model needs time for several tools. */
const TIMEOUT_MS = 300_000;
/** How often an answer may continue after a pause. */
const MAX_TURNS = 10;

const provider = {
  name: "Anthropic",
  baseUrl: "https://api.anthropic.com",
  model: "claude-sonnet-5-5",
  prefix: "ANTHROPIC",
};

await runExample(async () => {
  const settings = readSettings(provider, process.env, process.argv.slice(2));
  // The API calls tools without asking anybody. Deletion is therefore excluded twice: the token does not allow it, and the toolset does not offer it.
  const token = await accessToken(settings, readOnlyScopes);
  const messages: object[] = [{ role: "user", content: settings.question }];
  for (let turn = 1; ; turn += 1) {
    const { content, stop_reason } = await ask(settings, token, messages);
    for (const block of content) print(block);
    if (stop_reason === "end_turn") break;
    if (stop_reason !== "pause_turn") throw new ExampleError(`Anthropic did not finish its answer: ${stop_reason}`);
    if (turn === MAX_TURNS) throw new ExampleError(`Anthropic paused its answer ${MAX_TURNS} times`);
    // A long answer comes in parts; sending it back makes the model continue.
    messages.push({ role: "assistant", content });
  }
});

/** One request. It includes server and token, since the provider stores neither. */
async function ask(settings: Settings, token: string, messages: readonly object[]): Promise<Message> {
  return (await post({
    to: "Anthropic",
    url: `${settings.provider.baseUrl}/v1/messages`,
    headers: {
      "x-api-key": settings.provider.apiKey,
      "anthropic-version": API_VERSION,
      "anthropic-beta": MCP_BETA,
    },
    body: {
      model: settings.model,
      max_tokens: MAX_TOKENS,
      messages,
      mcp_servers: [{ type: "url", url: `${settings.serverUrl}/mcp`, name: SERVER, authorization_token: token }],
      tools: [{ type: "mcp_toolset", mcp_server_name: SERVER, configs: { [DELETION]: { enabled: false } } }],
    },
    timeoutMs: TIMEOUT_MS,
  })) as Message;
}

/** Calls go to stderr, the answer to stdout. */
function print({ type, text, name, input, is_error, content }: Block): void {
  if (type === "text" && text) console.log(text);
  if (type === "mcp_tool_use") console.error(`${name} ${JSON.stringify(input)}`);
  if (type === "mcp_tool_result" && is_error) console.error(`failed: ${JSON.stringify(content)}`);
}
