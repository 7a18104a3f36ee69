import type { IncomingHttpHeaders } from "node:http";
import {
  type CallToolResult,
  type CompleteRequest,
  type GetPromptRequest,
  type InputRequiredResult,
  mergeCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { type CoreError, toCoreError } from "@org/core";
import { type ToolAnswer, toolResult } from "../call-tool.js";
import { MAX_COMPLETIONS } from "../completers.js";
import { serverIcon } from "../icons.js";
import { withViews } from "../listed-tools.js";
import type { OfferContext, OfferedPrompt, RequestContext } from "../offer.js";
import type { Tool } from "../tool.js";
import type { ProtocolHeaders } from "./client-envelope.js";
import { askFirst, type SaidElsewhere, showUrl } from "./elicitation.js";
import { completersOf, type Offered, resourceAt } from "./offered.js";
import { outageData, UNAVAILABLE_CODE } from "./reply.js";
import type { RequestStates } from "./request-states.js";
import type { SessionOwner } from "./session-ids.js";

/** The server's name and version, as sent to clients. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** What a client learns first of the server. */
export interface Introduction {
  readonly serverInfo: ServerInfo;
  readonly instructions: string;
}

/** Calls a tool for the client whose request is being answered. */
export type ToolCaller = (tool: Tool, args: unknown) => Promise<ToolAnswer>;

/** Everything that belongs to the one request of an SDK server. */
export interface ServedRequest {
  readonly method: string | undefined;
  readonly call: ToolCaller;
  readonly context: RequestContext;
  readonly states: RequestStates;
  /** Whether the client can show URLs to its user. */
  readonly showsUrls: boolean;
  /** Whether the client can show forms to its user. */
  readonly showsForms: boolean;
  /** The user's answer to this request's question, if another replica received it. */
  readonly saidElsewhere?: SaidElsewhere;
  /** Set when a dependency of the answer was unavailable. */
  outage: CoreError | null;
  /** Called with any error that is not a refusal: a defect. Nothing of it reaches the client. */
  readonly onDefect: (error: unknown) => void;
}

/** A request for the SDK to answer, with its context. */
export interface SdkRequest {
  readonly era: "legacy" | "modern";
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly protocol: ProtocolHeaders;
  readonly served: ServedRequest;
  readonly owner: SessionOwner;
  /** Makes the id of the session that a successful `initialize` begins. */
  readonly issueSession: (protocolVersion: string, capabilities: unknown) => string;
}

/** Maximum length of a prompt argument in characters: a name, an id or a date. */
const MAX_VALUE = 500;

/** Shared, because otherwise the SDK makes a validator for each server, which is slow. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** What clients may cache: public, but only for a few minutes, so that a new release becomes visible soon. */
const cacheHint = { ttlMs: 300_000, cacheScope: "public" } as const;
const cacheHints = {
  "server/discover": cacheHint,
  "tools/list": cacheHint,
  "prompts/list": cacheHint,
  "resources/list": cacheHint,
  "resources/templates/list": cacheHint,
};

/** Capabilities of what is offered: an endpoint without prompts declares none. */
function capabilitiesOf({ prompts, resources, views, templates, extensions }: Offered): ServerCapabilities {
  const own: ServerCapabilities = {
    tools: { listChanged: false },
    ...(prompts.size > 0 && { prompts: { listChanged: false } }),
    ...(resources.size + views.size + templates.length > 0 && { resources: { listChanged: false, subscribe: false } }),
    ...(prompts.size + templates.length > 0 && { completions: {} }),
  };
  return extensions.reduce<ServerCapabilities>(
    (all, { capabilities = {} }) => mergeCapabilities(all, capabilities),
    own,
  );
}

/**
 * Makes an SDK server for one request. It is never shared: a server or transport with two clients can send one client's data to the other
 * (CVE-2026-25536). The low-level class is used because the tools' schemas are built once and checked here.
 */
export function createSdkServer(introduced: Introduction, offered: Offered, request: ServedRequest): Server {
  const { serverInfo, instructions } = introduced;
  const capabilities = capabilitiesOf(offered);
  const server = new Server(introduction(serverInfo, request.method), {
    capabilities,
    instructions,
    cacheHints,
    jsonSchemaValidator,
  });
  offerTools(server, offered, request);
  if (capabilities.prompts) offerPrompts(server, offered, request);
  if (capabilities.resources) offerResources(server, offered, request);
  if (capabilities.completions) offerCompletions(server, offered, request);
  for (const { register } of offered.extensions) register?.(server);
  return server;
}

/** Includes the icon only where a client first meets the server, not in every result. */
function introduction(serverInfo: ServerInfo, method: string | undefined) {
  return method === "initialize" || method === "server/discover" ? { ...serverInfo, icons: serverIcon } : serverInfo;
}

/** Answers `tools/list` and `tools/call`. */
function offerTools(server: Server, { own, toolViews, tools }: Offered, request: ServedRequest): void {
  server.setRequestHandler("tools/list", ({ params }) => {
    onlyPage("tools", params);
    return { tools: [...withViews(own.listed(), toolViews), ...[...tools.values()].map(({ listed }) => listed)] };
  });
  server.setRequestHandler("tools/call", async ({ params }, sdk): Promise<CallToolResult | InputRequiredResult> => {
    const context = contextInRounds(request, `tool ${params.name}`, sdk);
    const extra = tools.get(params.name);
    if (extra) return guarded(request, () => extra.call(params.arguments ?? {}, context))();
    const tool = own.named(params.name);
    if (!tool) throw invalidParams(`Tool ${params.name.slice(0, 100)} not found`);
    const call = guarded(request, (called: Tool = tool) => request.call(called, params.arguments));
    if (tool.questionFirst && request.showsForms)
      return askFirst(tool, tool.questionFirst, call, { ...context, saidElsewhere: request.saidElsewhere });
    return tool.urlForUser && request.showsUrls ? showUrl(tool.urlForUser, call, context) : toolResult(await call());
  });
}

/** Answers `prompts/list` and `prompts/get`. */
function offerPrompts(server: Server, { prompts }: Offered, request: ServedRequest): void {
  server.setRequestHandler("prompts/list", ({ params }) => {
    onlyPage("prompts", params);
    return { prompts: [...prompts.values()].map(({ listed }) => listed) };
  });
  server.setRequestHandler(
    "prompts/get",
    guarded(request, ({ params }: GetPromptRequest, sdk: ServerContext) => {
      const prompt = prompts.get(params.name);
      if (!prompt) throw invalidParams(`Prompt ${params.name.slice(0, 100)} not found`);
      const values = params.arguments ?? {};
      const faults = argumentFaults(prompt, values).slice(0, MAX_FAULTS);
      if (faults.length > 0) throw invalidParams(`Invalid arguments for prompt ${params.name}: ${faults.join("; ")}`);
      return prompt.get(values, contextInRounds(request, `prompt ${params.name}`, sdk));
    }),
  );
}

/** Same number as for a tool. */
const MAX_FAULTS = 50;

function argumentFaults({ listed }: OfferedPrompt, values: Readonly<Record<string, string>>): string[] {
  const known = listed.arguments ?? [];
  const names = known.map(({ name }) => name);
  return [
    ...known
      .filter(({ name, required }) => required && (values[name] ?? "").trim() === "")
      .map(({ name }) => `${name} is required`),
    ...Object.entries(values).flatMap(([name, value]) => {
      if (!names.includes(name))
        return [`${name.slice(0, 100)} is none of its arguments, which are ${names.join(", ")}`];
      return value.length > MAX_VALUE ? [`${name} must have at most ${MAX_VALUE} characters`] : [];
    }),
  ];
}

/** Answers `resources/list`, `resources/templates/list` and `resources/read`. */
function offerResources(server: Server, offered: Offered, request: ServedRequest): void {
  server.setRequestHandler("resources/list", ({ params }) => {
    onlyPage("resources", params);
    return { resources: [...offered.resources.values()].map(({ listed }) => listed) };
  });
  server.setRequestHandler("resources/templates/list", ({ params }) => {
    onlyPage("resource templates", params);
    return { resourceTemplates: offered.templates.map(({ listed }) => listed) };
  });
  const read = guarded(request, async (uri: string) => {
    const resource = resourceAt(offered, uri);
    if (!resource) return null;
    return "matches" in resource ? resource.read(uri, request.context) : resource.read(request.context);
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    const found = await read(uri);
    if (!found) throw new ResourceNotFoundError(uri);
    const { contents, ...freshness } = found;
    // Only 2026-07-28, whose requests carry an envelope, can say how long a client may cache what it has read.
    return { contents: [...contents], ...(mcpReq.envelope && freshness) };
  });
}

/** Answers `completion/complete` for arguments of prompts and variables of resource templates. */
function offerCompletions(server: Server, offered: Offered, request: ServedRequest): void {
  const complete = guarded(request, async ({ ref, argument }: CompleteRequest["params"]) => {
    const completers = completersOf(offered, ref);
    if (!completers) {
      const what = ref.type === "ref/prompt" ? `Prompt ${ref.name}` : `Resource template ${ref.uri}`;
      throw invalidParams(`${what.slice(0, 200)} not found`);
    }
    const completer = Object.hasOwn(completers, argument.name) ? completers[argument.name] : undefined;
    return completer ? completer(argument.value, request.context) : [];
  });
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const values = await complete(params);
    const shown = values.slice(0, MAX_COMPLETIONS);
    return { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } };
  });
}

/** Wraps an SDK handler so that refusals keep their message and defects do not: the SDK would send the message of any error. */
function guarded<Args extends unknown[], Result>(
  request: ServedRequest,
  handler: (...args: Args) => Result | Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await handler(...args);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const refusal = toCoreError(error);
      if (refusal?.code === "UNAVAILABLE") {
        request.outage = refusal;
        throw new ProtocolError(UNAVAILABLE_CODE, refusal.message, outageData(refusal));
      }
      if (refusal) throw invalidParams(refusal.message);
      request.onDefect(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, "Something went wrong on our side. Try again later.", {
        trace_id: request.context.actor.trace_id,
      });
    }
  };
}

/**
 * Returns the context of a request that may take several rounds.
 * @param what its kind and name, to which `requestState` is bound @throws ProtocolError for an invalid `requestState`
 */
function contextInRounds({ context, states }: ServedRequest, what: string, sdk: ServerContext): OfferContext {
  const mint = (payload: unknown) => states.mint(what, payload);
  const sent = sdk.mcpReq.requestState();
  if (sent === undefined) return { ...context, sdk, state: undefined, mint };
  const read = states.read(what, sent);
  if (!read)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
      reason: "invalid_request_state",
    });
  return { ...context, sdk, state: read.payload, mint };
}

/** Refuses a cursor, because none of the lists has a second page. */
function onlyPage(what: string, params: { cursor?: string | undefined } | undefined): void {
  if (params?.cursor !== undefined) throw invalidParams(`Unknown cursor: the list of ${what} is one page`);
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
