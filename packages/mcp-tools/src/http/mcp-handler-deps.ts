import type { Tracer } from "@opentelemetry/api";
import type { Authenticate } from "@org/http";
import type { ToolErrorCode } from "../call-tool.js";
import type { Extension } from "../offer.js";
import type { ToolServices } from "../tool.js";
import type { ToolView } from "../tool-view.js";
import type { EndedSessions, SessionKeys } from "./session-ids.js";

/** What the handler needs from outside. */
export interface McpHandlerDeps {
  readonly services: ToolServices;
  /** Checks the `Authorization` header; a bearer verifier of `@org/oauth-server` is one. */
  readonly authenticate: Authenticate;
  /** Address of the protected resource metadata (RFC 9728), which refused clients are told. */
  readonly resourceMetadata: string;
  /** Address of the service without a path, such as `https://wealth.example.com`. */
  readonly publicUrl: string;
  /** Further origins of web pages that may call. */
  readonly allowedOrigins?: readonly string[];
  /** The first signs session ids, all verify; the same on every replica. */
  readonly sessionKeys: SessionKeys;
  readonly endedSessions: EndedSessions;
  /** Shown to clients. */
  readonly serverVersion: string;
  /** More tools, prompts and resources, beside the product's own. */
  readonly extensions?: readonly Extension[];
  /** The most characters of an answer's text (`ANSWER_MAX_CHARACTERS`); 75,000 where nothing is set. */
  readonly answerMaxCharacters?: number;
  /** Pages that hosts which can (MCP Apps) show for the tools' answers; one for a tool at most. */
  readonly views?: readonly ToolView[];
  readonly clock: () => Date;
  readonly log: McpLog;
  /**
   * Counts a request of a tenant: each tool call, those of a batch one by one, and each request of another method.
   * @throws CoreError RATE_LIMITED with the limit when the tenant has had its share
   */
  readonly admit?: (tenantId: string) => void;
  /** Counts a session that a client ends, which all replicas remember for weeks. @throws CoreError as `admit` */
  readonly admitSessionEnd?: (tenantId: string) => void;
  /** Makes a span of every tool call, those in a batch one by one; no spans where there is none. */
  readonly tracer?: Tracer | undefined;
  /** Told of every tool call, those in a batch one by one. */
  readonly onCall?: (call: CallRecord) => void;
}

/** Takes what goes wrong; a pino logger is one. The record of a request itself is the server's, see `createEdge` of `@org/http`. */
export interface McpLog {
  debug(record: object, message: string): void;
  error(record: object, message: string): void;
}

/** One tool call, for metrics. */
export interface CallRecord {
  readonly tool: string;
  readonly outcome: "ok" | ToolErrorCode | "UNAVAILABLE";
  readonly milliseconds: number;
}
