import type {
  CallToolResult,
  GetPromptResult,
  InputRequiredResult,
  Prompt as ListedPrompt,
  Resource as ListedResource,
  ResourceTemplateType as ListedTemplate,
  Tool as ListedTool,
  ReadResourceResult,
  Server,
  ServerCapabilities,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { TenantActor } from "@org/core";
import type { ToolScope, ToolServices } from "./tool.js";

/** The sender of a request, and what may be used to answer it. */
export interface RequestContext {
  readonly services: ToolServices;
  readonly actor: TenantActor;
  readonly scopes: ReadonlySet<string>;
}

/** A {@link RequestContext} for handlers that may take several rounds and may talk to the client. */
export interface OfferContext extends RequestContext {
  /** The SDK's own context of the request: progress, log messages, the client's answers to `inputRequests`. */
  readonly sdk: ServerContext;
  /** The payload given to {@link mint} in the previous round; undefined in the first. */
  readonly state: unknown;
  /** Makes a `requestState` for the next round: signed, and valid only for this caller and this tool, prompt or resource. */
  readonly mint: (payload: unknown) => string;
}

/** Proposes values that begin with, or contain, the typed text, best first. */
export type Completer = (typed: string, context: RequestContext) => Promise<readonly string[]>;

/** Completers of arguments or variables, by name. */
export type Completers = Readonly<Record<string, Completer>>;

/** A prompt: its list entry, and the function that makes its messages. */
export interface OfferedPrompt {
  readonly listed: ListedPrompt;
  readonly completers?: Completers;
  /** @param values the given arguments; their names and presence have been checked against `listed.arguments` */
  get(
    values: Readonly<Record<string, string>>,
    context: OfferContext,
  ): Promise<GetPromptResult | InputRequiredResult> | GetPromptResult | InputRequiredResult;
}

/** Content of a resource, with how long (milliseconds) and for whom a client may cache it. */
export interface ResourceContent {
  readonly contents: ReadResourceResult["contents"];
  readonly ttlMs: number;
  readonly cacheScope: "public" | "private";
}

/** A resource at one address. An extension's address may start with `ui://`. */
export interface OfferedResource {
  readonly listed: ListedResource;
  /** Scope needed to read it; without one, any token will do. */
  readonly scope?: ToolScope;
  read(context: RequestContext): Promise<ResourceContent> | ResourceContent;
}

/** Resources whose addresses share a template. */
export interface OfferedTemplate {
  readonly listed: ListedTemplate;
  readonly completers?: Completers;
  readonly scope?: ToolScope;
  /** Whether an address matches the template. */
  matches(uri: string): boolean;
  /** Null when there is nothing at this address. @throws CoreError for an address that the caller can correct */
  read(uri: string, context: RequestContext): Promise<ResourceContent | null>;
}

/** A tool in the SDK's own terms, which may talk to the client while it runs. */
export interface OfferedTool {
  readonly listed: ListedTool;
  call(
    args: Readonly<Record<string, unknown>>,
    context: OfferContext,
  ): Promise<CallToolResult | InputRequiredResult> | CallToolResult | InputRequiredResult;
}

/**
 * Additional tools, prompts and resources for the same handler, in the SDK's own terms. When a client that accepts streams calls one of
 * these tools, it is answered over a stream, so that the tool can report progress and ask the client. The client's answers must reach the
 * same process.
 */
export interface Extension {
  readonly tools?: readonly OfferedTool[];
  readonly prompts?: readonly OfferedPrompt[];
  readonly resources?: readonly OfferedResource[];
  readonly templates?: readonly OfferedTemplate[];
  /** Added to the server's declared capabilities. */
  readonly capabilities?: ServerCapabilities;
  /** Registers handlers of further methods. */
  readonly register?: (server: Server) => void;
}
