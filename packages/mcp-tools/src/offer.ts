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

/** Whom a request comes from and what may be used to answer it. */
export interface RequestContext {
  readonly services: ToolServices;
  readonly actor: TenantActor;
  readonly scopes: ReadonlySet<string>;
}

/** A {@link RequestContext} for what may take several rounds and may talk to the client. */
export interface OfferContext extends RequestContext {
  /** The SDK's own context of the request: progress, log messages, what the client answered to `inputRequests`. */
  readonly sdk: ServerContext;
  /** What {@link mint} was given in the round before; undefined in the first. */
  readonly state: unknown;
  /** A `requestState` for the next round: signed, and good for this caller and this tool, prompt or resource only. */
  readonly mint: (payload: unknown) => string;
}

/** Proposes values that begin with, or contain, what has been typed so far, the best first. */
export type Completer = (typed: string, context: RequestContext) => Promise<readonly string[]>;

/** Completers of arguments or of variables, by their names. */
export type Completers = Readonly<Record<string, Completer>>;

/** A prompt: how it is listed, and what makes its messages. */
export interface OfferedPrompt {
  readonly listed: ListedPrompt;
  readonly completers?: Completers;
  /** @param values what was given for the arguments; their names and presence are checked against `listed.arguments` */
  get(
    values: Readonly<Record<string, string>>,
    context: OfferContext,
  ): Promise<GetPromptResult | InputRequiredResult> | GetPromptResult | InputRequiredResult;
}

/** What reading a resource answers, and for how long (milliseconds) and for whom a client may keep it. */
export interface ResourceContent {
  readonly contents: ReadResourceResult["contents"];
  readonly ttlMs: number;
  readonly cacheScope: "public" | "private";
}

/** A resource at one address. An extension's may be a `ui://` one. */
export interface OfferedResource {
  readonly listed: ListedResource;
  /** Scope that reading it needs; left out: any token will do. */
  readonly scope?: ToolScope;
  read(context: RequestContext): Promise<ResourceContent> | ResourceContent;
}

/** Resources at addresses of one form. */
export interface OfferedTemplate {
  readonly listed: ListedTemplate;
  readonly completers?: Completers;
  readonly scope?: ToolScope;
  /** Whether an address is of this form. */
  matches(uri: string): boolean;
  /** Null when there is nothing at this address. @throws CoreError for an address that the caller can mend */
  read(uri: string, context: RequestContext): Promise<ResourceContent | null>;
}

/** A tool in the SDK's own terms, which may talk to the client while it works. */
export interface OfferedTool {
  readonly listed: ListedTool;
  call(
    args: Readonly<Record<string, unknown>>,
    context: OfferContext,
  ): Promise<CallToolResult | InputRequiredResult> | CallToolResult | InputRequiredResult;
}

/**
 * More tools, prompts and resources for the same handler, in the SDK's own terms. A client that keeps a stream open is answered
 * over it when it calls one of these tools, so that they can report progress and ask the client; its answers have to reach the
 * same process.
 */
export interface Extension {
  readonly tools?: readonly OfferedTool[];
  readonly prompts?: readonly OfferedPrompt[];
  readonly resources?: readonly OfferedResource[];
  readonly templates?: readonly OfferedTemplate[];
  /** Added to what the server declares. */
  readonly capabilities?: ServerCapabilities;
  /** Handlers of further methods. */
  readonly register?: (server: Server) => void;
}
