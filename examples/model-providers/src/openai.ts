// Gives OpenAI's Responses API access to Wealth Connect; its models then connect on their own.
// https://developers.openai.com/api/docs/guides/tools-remote-mcp
import { createInterface } from "node:readline";
import { ExampleError, runExample } from "./example-error.js";
import { post } from "./post.js";
import { readSettings, type Settings } from "./settings.js";
import { accessToken, DELETION, readOnlyScopes, readOnlyTools } from "./wealth-connect.js";

/** The parts of a response's items that are used. */
interface OutputItem {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  /** JSON text. */
  readonly arguments?: string;
  readonly error?: unknown;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
}

interface OpenAiResponse {
  readonly id: string;
  readonly status: string;
  readonly output: readonly OutputItem[];
}

/** A model needs time for several tools. */
const TIMEOUT_MS = 300_000;
/** The most approvals per question. */
const MAX_ROUNDS = 10;

const provider = {
  name: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  model: "gpt-6-astra",
  prefix: "OPENAI",
};

await runExample(async () => {
  const settings = readSettings(provider, process.env, process.argv.slice(2));
  const token = await accessToken(settings, [...readOnlyScopes, "connections:delete"]);
  // One reader for all answers, so that what is typed ahead is not lost between two questions.
  const terminal = createInterface({ input: process.stdin });
  try {
    await converse(settings, token, terminal[Symbol.asyncIterator]());
  } finally {
    terminal.close();
  }
});

/** Asks the question, and continues after each approval or refusal until the model has answered. */
async function converse(settings: Settings, token: string, answers: AsyncIterator<string>): Promise<void> {
  let response = await ask(settings, token, { input: settings.question });
  for (let round = 1; ; round += 1) {
    for (const item of response.output) print(item);
    const requests = response.output.filter(({ type }) => type === "mcp_approval_request");
    if (requests.length === 0) break;
    if (round === MAX_ROUNDS) throw new ExampleError(`OpenAI asked for approval ${MAX_ROUNDS} times`);
    const input = await decide(requests, answers);
    response = await ask(settings, token, { input, previous_response_id: response.id });
  }
}

/** One request. It includes tools and token, since the provider stores neither. */
async function ask(settings: Settings, token: string, turn: object): Promise<OpenAiResponse> {
  const response = (await post({
    to: "OpenAI",
    url: `${settings.provider.baseUrl}/responses`,
    headers: { authorization: `Bearer ${settings.provider.apiKey}` },
    body: { model: settings.model, tools: [wealthConnect(settings, token)], ...turn },
    timeoutMs: TIMEOUT_MS,
  })) as OpenAiResponse;
  if (response.status !== "completed") throw new ExampleError(`OpenAI did not finish its answer: ${response.status}`);
  return response;
}

/** A call of a tool in neither list waits for approval, including tools that are added later. */
function wealthConnect({ serverUrl }: Settings, token: string) {
  return {
    type: "mcp",
    server_label: "wealth_connect",
    server_description: "The user's bank connections, portfolio accounts, holdings and transactions",
    server_url: `${serverUrl}/mcp`,
    authorization: token,
    require_approval: { never: { tool_names: readOnlyTools }, always: { tool_names: [DELETION] } },
  };
}

/** Asks the person at the terminal about each call; only `y` or `yes` approves. */
async function decide(requests: readonly OutputItem[], answers: AsyncIterator<string>) {
  const decisions = [];
  for (const { id, name, arguments: given } of requests) {
    process.stderr.write(`${name} with ${given}: allow it? [y/N] `);
    const said = await answers.next();
    const approve = !said.done && /^y(es)?$/i.test(said.value.trim());
    decisions.push({ type: "mcp_approval_response", approval_request_id: id, approve });
  }
  return decisions;
}

/** Calls go to stderr, the answer to stdout. */
function print({ type, name, arguments: given, error, content = [] }: OutputItem): void {
  if (type === "mcp_call") console.error(`${name} ${given}${error ? ` failed: ${JSON.stringify(error)}` : ""}`);
  for (const { text } of content) if (text) console.log(text);
}
