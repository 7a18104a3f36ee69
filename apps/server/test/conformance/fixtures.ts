import { setTimeout as delay } from "node:timers/promises";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ContentBlock,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import type { Extension, OfferContext, OfferedPrompt, OfferedTool } from "@org/mcp-tools";
import { formWithDefaults, formWithEnums, schemaOf2020 } from "./fixture-schemas.js";

/** One red point, and a few samples of silence. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const image: ContentBlock = { type: "image", data: PNG, mimeType: "image/png" };

/** What the protocol's conformance suite expects of a server under test, in addition to what every server has. */
export const conformanceFixtures: Extension = {
  capabilities: { logging: {}, resources: { subscribe: true } },
  tools: [
    tool("test_simple_text", () => said("This is a simple text response for testing.")),
    tool("test_image_content", () => ({ content: [image] })),
    tool("test_audio_content", () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] })),
    tool("test_embedded_resource", () => ({
      content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    })),
    tool("test_multiple_content_types", () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        image,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    })),
    tool("test_error_handling", () => ({
      ...said("This tool intentionally returns an error for testing"),
      isError: true,
    })),
    tool("test_tool_with_logging", async ({ sdk }) => {
      for (const step of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await sdk.mcpReq.log("info", step);
        await delay(50);
      }
      return said("done");
    }),
    tool("test_logging_tool", async ({ sdk }) => {
      await sdk.mcpReq.log("info", "working");
      return said("done");
    }),
    tool("test_tool_with_progress", async ({ sdk }) => {
      const progressToken = sdk.mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await sdk.mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress, total: 100 },
          });
        await delay(50);
      }
      return said("done");
    }),
    tool("test_sampling", async ({ sdk }, { prompt }) => {
      const answer = await sdk.mcpReq.send({
        method: "sampling/createMessage",
        params: samplingOf(String(prompt), 100),
      });
      return said(`LLM response: ${textIn(answer)}`);
    }),
    tool("test_elicitation", async ({ sdk }, { message }) => {
      const text = { type: "string", description: "What the user says" };
      const params = formOf(String(message), { username: text, email: text });
      const { action, content } = await sdk.mcpReq.send({ method: "elicitation/create", params });
      return said(`User response: action=${action}, content=${JSON.stringify(content)}`);
    }),
    ...Object.entries({
      test_elicitation_sep1034_defaults: formWithDefaults,
      test_elicitation_sep1330_enums: formWithEnums,
    }).map(([name, requestedSchema]) =>
      tool(name, async ({ sdk }) => {
        const params = { message: "Please fill in", requestedSchema };
        const { action, content } = await sdk.mcpReq.send({ method: "elicitation/create", params });
        return said(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
      }),
    ),
    {
      listed: { name: "json_schema_2020_12_tool", description: "For the suite", inputSchema: schemaOf2020 },
      call: () => said("done"),
    },
    tool("test_missing_capability", () => inputRequired({ inputRequests: { sample: sampling("Say something", 10) } })),
    tool("test_streaming_elicitation", () =>
      inputRequired({ inputRequests: { user_name: nameForm("What is your name?") } }),
    ),

    tool("test_input_required_result_elicitation", ({ sdk }) => {
      const name = acceptedText(sdk, "user_name", "name");
      if (name === undefined) return inputRequired({ inputRequests: { user_name: nameForm("What is your name?") } });
      return said(`Hello, ${name}!`);
    }),
    tool("test_input_required_result_sampling", ({ sdk }) => {
      const answer = inputResponse(sdk.mcpReq.inputResponses, "capital_question");
      if (answer.kind === "sampling") return said(textIn(answer.result));
      return inputRequired({ inputRequests: { capital_question: sampling("What is the capital of France?", 100) } });
    }),
    tool("test_input_required_result_list_roots", ({ sdk }) => {
      const answer = inputResponse(sdk.mcpReq.inputResponses, "client_roots");
      if (answer.kind === "roots") return said(JSON.stringify(answer.roots));
      return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    }),
    ...["test_input_required_result_request_state", "test_input_required_result_tampered_state"].map((name) =>
      tool(name, ({ state, mint }) =>
        state === undefined
          ? inputRequired({ inputRequests: { confirm: confirmForm }, requestState: mint({ asked: true }) })
          : said("state-ok"),
      ),
    ),
    tool("test_input_required_result_multiple_inputs", ({ sdk, mint }) => {
      const inputRequests = {
        user_name: nameForm("What is your name?"),
        greeting: sampling("Generate a greeting", 50),
        client_roots: inputRequired.listRoots(),
      };
      const answered = Object.keys(inputRequests).every(
        (key) => inputResponse(sdk.mcpReq.inputResponses, key).kind !== "missing",
      );
      return answered ? said("All answered") : inputRequired({ inputRequests, requestState: mint({ asked: true }) });
    }),
    tool("test_input_required_result_multi_round", ({ sdk, state, mint }) => {
      const name = acceptedText(sdk, "step1", "name") ?? (state as { name?: string } | undefined)?.name;
      if (name === undefined)
        return inputRequired({
          inputRequests: { step1: nameForm("Step 1: What is your name?") },
          requestState: mint({}),
        });
      const color = acceptedText(sdk, "step2", "color");
      if (color !== undefined) return said(`${name} likes ${color}`);
      const step2 = inputRequired.elicit(formOf("Step 2: What is your favorite color?", { color: { type: "string" } }));
      return inputRequired({ inputRequests: { step2 }, requestState: mint({ name }) });
    }),
    tool("test_input_required_result_capabilities", ({ sdk }) => {
      const envelope = sdk.mcpReq.envelope as Record<string, ClientCapabilities> | undefined;
      const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
      return inputRequired({
        inputRequests: {
          ...(declared.sampling && { sample: sampling("Say something", 10) }),
          ...(declared.elicitation && { user_name: nameForm("What is your name?") }),
        },
      });
    }),
  ],
  prompts: [
    prompt("test_simple_prompt", [], () => [{ type: "text", text: "This is a simple prompt for testing." }]),
    prompt("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) => [
      { type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` },
    ]),
    prompt("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri = "" }) => [
      embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
      { type: "text", text: "Please process the embedded resource above." },
    ]),
    prompt("test_prompt_with_image", [], () => [image, { type: "text", text: "Please analyze the image above." }]),
    {
      listed: { name: "test_input_required_result_prompt", description: "A prompt that asks first" },
      get: (_, { sdk }) => {
        const context = acceptedText(sdk, "user_context", "context");
        if (context !== undefined) return messagesOf([{ type: "text", text: `In the context of ${context}` }]);
        const form = formOf("What context should the prompt use?", { context: { type: "string" } });
        return inputRequired({ inputRequests: { user_context: inputRequired.elicit(form) } });
      },
    },
  ],
  resources: [
    {
      listed: { uri: "test://static-text", name: "static-text", description: "Text", mimeType: "text/plain" },
      read: () => ({
        contents: [
          {
            uri: "test://static-text",
            mimeType: "text/plain",
            text: "This is the content of the static text resource.",
          },
        ],
        ttlMs: 0,
        cacheScope: "public",
      }),
    },
    {
      listed: { uri: "test://static-binary", name: "static-binary", description: "A picture", mimeType: "image/png" },
      read: () => ({
        contents: [{ uri: "test://static-binary", mimeType: "image/png", blob: PNG }],
        ttlMs: 0,
        cacheScope: "public",
      }),
    },
  ],
  templates: [
    {
      listed: { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" },
      matches: (uri) => /^test:\/\/template\/[^/]+\/data$/.test(uri),
      async read(uri) {
        const [, , , id] = uri.split("/");
        const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
        return { contents: [{ uri, mimeType: "application/json", text }], ttlMs: 0, cacheScope: "public" };
      },
    },
  ],
  register(server) {
    server.setRequestHandler("resources/subscribe", () => ({}));
    server.setRequestHandler("resources/unsubscribe", () => ({}));
  },
};

type Sdk = OfferContext["sdk"];

function tool(
  name: string,
  run: (
    context: OfferContext,
    args: Readonly<Record<string, unknown>>,
  ) => Promise<CallToolResult> | CallToolResult | InputRequiredResult,
): OfferedTool {
  return {
    listed: { name, description: "For the conformance suite", inputSchema: { type: "object" } },
    call: (args, context) => run(context, args),
  };
}

function prompt(
  name: string,
  required: readonly string[],
  contents: (values: Readonly<Record<string, string>>) => ContentBlock[],
): OfferedPrompt {
  const args = required.map((argument) => ({ name: argument, description: "For the suite", required: true }));
  return {
    listed: { name, description: "For the conformance suite", arguments: args },
    completers: Object.fromEntries(required.map((argument) => [argument, async () => ["paris", "park"]])),
    get: (values) => messagesOf(contents(values)),
  };
}

function messagesOf(contents: ContentBlock[]) {
  return { messages: contents.map((content) => ({ role: "user" as const, content })) };
}

function said(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function embedded(uri: string, mimeType: string, text: string): ContentBlock {
  return { type: "resource", resource: { uri, mimeType, text } };
}

function formOf(message: string, properties: object) {
  const requestedSchema = { type: "object", properties, required: Object.keys(properties) };
  return { message, requestedSchema } as Parameters<typeof inputRequired.elicit>[0];
}

function nameForm(message: string) {
  return inputRequired.elicit(formOf(message, { name: { type: "string" } }));
}

const confirmForm = inputRequired.elicit(formOf("Please confirm", { ok: { type: "boolean" } }));

function samplingOf(text: string, maxTokens: number) {
  return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }], maxTokens };
}

function sampling(text: string, maxTokens: number) {
  return inputRequired.createMessage(samplingOf(text, maxTokens));
}

function acceptedText(sdk: Sdk, key: string, field: string): string | undefined {
  const answer = inputResponse(sdk.mcpReq.inputResponses, key);
  const value = answer.kind === "elicit" && answer.action === "accept" ? answer.content?.[field] : undefined;
  return typeof value === "string" ? value : undefined;
}

function textIn({ content }: { content: unknown }): string {
  const [first] = [content].flat();
  return String((first as { text?: unknown } | undefined)?.text);
}
