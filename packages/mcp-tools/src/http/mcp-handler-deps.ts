import type { Tracer } from "@opentelemetry/api";
import type { Authenticate } from "@org/http";
import type { ToolOutcome } from "../call-tool.js";
import type { McpEndpoint } from "../endpoint.js";
import type { Extension } from "../offer.js";
import type { ToolServices } from "../tool.js";
import type { ToolView } from "../tool-view.js";
import type { EndedSessions, SessionKeys } from "./session-ids.js";

/** What the handler needs from its host. */
export interface McpHandlerDeps {
  /** Which MCP server to answer; {@link bankEndpoint} by default. */
  readonly endpoint?: McpEndpoint;
  readonly services: ToolServices;
  /** Checks the access token of a request; a bearer verifier of `@org/oauth-server` is one. */
  readonly authenticate: Authenticate;
  /** Address of the protected resource metadata (RFC 9728), which refused clients get. */
  readonly resourceMetadata: string;
  /** Address of the service without a path, such as `https://wealth.example.com`. */
  readonly publicUrl: string;
  /** Additional origins of web pages that may call. */
  readonly allowedOrigins?: readonly string[];
  /** The first one signs session ids, all verify. They are the same on every replica. */
  readonly sessionKeys: SessionKeys;
  readonly endedSessions: EndedSessions;
  /** Version shown to clients. */
  readonly serverVersion: string;
  /** Additional tools, prompts and resources. */
  readonly extensions?: readonly Extension[];
  /** Maximum number of characters of an answer's text (`ANSWER_MAX_CHARACTERS`); 75,000 by default. */
  readonly answerMaxCharacters?: number;
  /** Pages that MCP Apps hosts show for tools' answers; at most one per tool. */
  readonly views?: readonly ToolView[];
  readonly clock: () => Date;
  readonly log: McpLog;
  /**
   * Counts a tenant's request: each tool call, also each one in a batch, and each request of another method.
   * @throws CoreError RATE_LIMITED with the limit when the tenant is over it
   */
  readonly admit?: (tenantId: string) => void;
  /** Counts a session that a client ends, which all replicas remember for weeks. @throws CoreError as `admit` */
  readonly admitSessionEnd?: (tenantId: string) => void;
  /** Makes a span for every tool call, also for each one in a batch; without a tracer there are no spans. */
  readonly tracer?: Tracer | undefined;
  /** Called with every tool call, also with each one in a batch. */
  readonly onCall?: (call: CallRecord) => void;
}

/** Receives failures; a pino logger fits. The request's own record is the server's, see `createEdge` of `@org/http`. */
export interface McpLog {
  debug(record: object, message: string): void;
  error(record: object, message: string): void;
}

/** One tool call, for metrics. */
export interface CallRecord {
  readonly tool: string;
  readonly outcome: ToolOutcome;
  readonly milliseconds: number;
}
