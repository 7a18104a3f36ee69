import type { IncomingMessage } from "node:http";
import type { ToolErrorCode } from "../call-tool.js";
import type { Extension } from "../offer.js";
import type { ToolServices } from "../tool.js";
import type { ToolView } from "../tool-view.js";
import type { Authenticate, ScopeChallenge } from "./authentication.js";
import type { EndedSessions } from "./ended-sessions.js";
import type { SessionKey } from "./session-ids.js";

/** What the handler needs from outside. */
export interface McpHandlerDeps {
  readonly services: ToolServices;
  readonly authenticate: Authenticate;
  readonly challenge: ScopeChallenge;
  /** Address of the service without a path, such as `https://wealth.example.com`. */
  readonly publicUrl: string;
  /** Further origins of web pages that may call. */
  readonly allowedOrigins?: readonly string[];
  /** The first signs session ids, all verify; the same on every replica. */
  readonly sessionKeys: readonly SessionKey[];
  readonly endedSessions: EndedSessions;
  /** Shown to clients. */
  readonly serverVersion: string;
  /** More tools, prompts and resources, beside the product's own. */
  readonly extensions?: readonly Extension[];
  /** Pages that hosts which can (MCP Apps) show for the tools' answers; one for a tool at most. */
  readonly views?: readonly ToolView[];
  readonly clock: () => Date;
  readonly log: McpLog;
  /** Told of every tool call, those in a batch one by one. */
  readonly onCall?: (call: CallRecord) => void;
  /** Address of the client, for the audit log; by default the socket's, which is the proxy's when there is one. */
  readonly addressOf?: (request: IncomingMessage) => string | null;
  /** 32 hex digits; random by default. */
  readonly newTraceId?: () => string;
  /** Milliseconds of a clock that only runs forward; `performance.now` by default. */
  readonly stopwatch?: () => number;
}

/** Takes log records; a pino logger is one. Each request leaves one at `info`; nothing secret is in any. */
export interface McpLog {
  debug(record: object, message: string): void;
  info(record: object, message: string): void;
  error(record: object, message: string): void;
}

/** One tool call, for metrics. */
export interface CallRecord {
  readonly tool: string;
  readonly outcome: "ok" | ToolErrorCode;
  readonly milliseconds: number;
}
