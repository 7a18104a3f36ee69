import type { IncomingMessage } from "node:http";
import type { ToolErrorCode } from "../call-tool.js";
import type { Extension } from "../offer.js";
import type { ToolServices } from "../tool.js";
import type { ToolView } from "../tool-view.js";
import type { EndedSessions, SessionKey } from "./session-ids.js";

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

/** Who sent a request, as its access token says. */
export interface Principal {
  readonly application_id: string;
  readonly client_id: string;
  /** Null for an operator, who has no business here. */
  readonly tenant_id: string | null;
  readonly scopes: ReadonlySet<string>;
  readonly grant_id: string;
}

/** What checking the `Authorization` header came to. */
export type Authentication =
  | { readonly principal: Principal }
  | {
      /** One sentence for a person, without anything of the token. */
      readonly refusal: string;
      readonly status: number;
      /** The whole `WWW-Authenticate` header. */
      readonly wwwAuthenticate: string;
    };

/** Checks the `Authorization` header of a request; `@org/oauth-server`'s verifier is one, once adapted. */
export type Authenticate = (authorization: string | undefined) => Authentication | Promise<Authentication>;

/** Writes the `WWW-Authenticate` header for a token without the scopes needed, which are separated by spaces. */
export type ScopeChallenge = (need: { scope: string }) => string;
