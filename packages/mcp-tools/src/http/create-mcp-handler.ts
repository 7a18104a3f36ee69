import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { classifyInboundRequest } from "@modelcontextprotocol/server";
import type { TenantActor } from "@org/core";
import { callTool } from "../call-tool.js";
import { tools } from "../tool-list.js";
import { isObject, metaOf, type ProtocolHeaders, protocolHeaders } from "./client-envelope.js";
import { createCallFrames, directCall } from "./direct-call.js";
import { takesStreams } from "./legacy-answers.js";
import type { CallRecord, McpHandlerDeps, Principal } from "./mcp-handler-deps.js";
import { missingScopes, offeredWith } from "./offered.js";
import { createOriginGuard } from "./origin-guard.js";
import { isJsonRequest, readJsonBody } from "./read-body.js";
import { bodyRefusals, commonHeaders, oauthRefusal, type Reply, rpcRefusal, send } from "./reply.js";
import { paramsRefusal } from "./request-params.js";
import { createRequestStates } from "./request-states.js";
import { createSdkAnswers } from "./sdk-answers.js";
import type { ToolCaller } from "./sdk-server.js";
import { createSessionIds } from "./session-ids.js";
import { declaresUrls } from "./show-url.js";
import { newTraceId, traceIdIn } from "./trace-id.js";

/** Answers `/mcp`, in both protocol eras and without state in the process. */
export interface McpHandler {
  /**
   * Answers one request of any method; never rejects. It reads the body itself, so that no body parser may stand before it.
   * For `node:http` directly, or for express: `app.all("/mcp", handler.handle)`.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Ends what is still open, when the server stops. */
  readonly close: () => Promise<void>;
}

/** Whoever belongs to a tenant: everybody but operators. */
type TenantPrincipal = Principal & { readonly tenant_id: string };

/** One request on its way through the handler, with what the log will say of it. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly calls: CallRecord[];
  cors: OutgoingHttpHeaders | null;
  traceId: string;
  principal: Principal | null;
  method: string | undefined;
  outcome: string;
}

/** Makes the handler of `/mcp` (contract §4). */
export function createMcpHandler(deps: McpHandlerDeps): McpHandler {
  const { stopwatch = () => performance.now(), addressOf = (request) => request.socket.remoteAddress ?? null } = deps;
  const serverInfo = { name: "wealth-connect", title: "Wealth Connect", version: deps.serverVersion };
  const guard = createOriginGuard(deps.publicUrl, deps.allowedOrigins ?? []);
  const sessions = createSessionIds({ keys: deps.sessionKeys, clock: deps.clock, ended: deps.endedSessions });
  const statesOf = createRequestStates({ keys: deps.sessionKeys, clock: deps.clock });
  const offered = offeredWith(deps.extensions ?? [], deps.views ?? []);
  const sdk = createSdkAnswers(serverInfo, offered, (error) => deps.log.debug({ err: error }, "mcp sdk"));
  const frame = createCallFrames(serverInfo);

  return {
    async handle(request, response) {
      const started = stopwatch();
      const exchange = begin(request, response);
      try {
        const reply = await answer(exchange);
        if (reply) finish(exchange, reply);
      } catch (error) {
        deps.log.error({ err: error, trace_id: exchange.traceId }, "mcp request failed");
        finish(exchange, rpcRefusal(500, -32603, "Internal server error", "INTERNAL_ERROR"));
        if (!response.writableEnded) response.destroy();
      }
      deps.log.info(recordOf(exchange, stopwatch() - started), "mcp request");
    },
    close: sdk.close,
  };

  function begin(request: IncomingMessage, response: ServerResponse): Exchange {
    const traceId = traceIdIn(request.headers.traceparent) ?? (deps.newTraceId ?? newTraceId)();
    return {
      request,
      response,
      calls: [],
      cors: null,
      traceId,
      principal: null,
      method: undefined,
      outcome: "ok",
    };
  }

  /** The answer, or null when the SDK has written it. Host, Origin and CORS come first, then the token, then the request. */
  async function answer(exchange: Exchange): Promise<Reply | null> {
    const { headers, method } = exchange.request;
    const verdict = guard.check(headers);
    if ("refusal" in verdict) return rpcRefusal(403, -32000, verdict.refusal, "forbidden_origin");
    exchange.cors = verdict.headers;
    if (method === "OPTIONS")
      return { status: 204, body: null, headers: guard.preflight(headers), outcome: "preflight" };

    const authentication = await deps.authenticate(headers.authorization);
    if ("refusal" in authentication) {
      const { status, wwwAuthenticate, refusal } = authentication;
      return oauthRefusal(status, wwwAuthenticate, status === 401 ? "unauthorized" : "refused", refusal);
    }
    const { principal } = authentication;
    exchange.principal = principal;
    if (!hasTenant(principal))
      return scopeRefusal(new Set(tools.map((tool) => tool.scope)), "an operator has no tenant");
    if (method === "POST") return answerPost(exchange, principal);
    if (method === "DELETE") return endSession(headers["mcp-session-id"], principal);
    return rpcRefusal(
      405,
      -32000,
      "Method not allowed: this server opens no streams of its own",
      "method_not_allowed",
      { Allow: "POST, DELETE" },
    );
  }

  async function answerPost(exchange: Exchange, principal: TenantPrincipal): Promise<Reply | null> {
    const { request, response } = exchange;
    if (!isJsonRequest(request.headers)) return bodyRefusals.not_json_type;
    const read = await readJsonBody(request);
    if ("fault" in read) return bodyRefusals[read.fault];
    const { value: body } = read;
    exchange.method = methodOf(body);
    if (request.headers.traceparent === undefined)
      exchange.traceId = traceIdIn(metaOf(body)?.traceparent) ?? exchange.traceId;

    const protocol = protocolHeaders(request.headers, body);
    const single = directCall(body, protocol);
    const era = single?.era ?? eraOf(body, protocol);
    const sessionId = request.headers["mcp-session-id"];
    if (
      era === "legacy" &&
      sessionId !== undefined &&
      exchange.method !== "initialize" &&
      !(await sessions.isLive(String(sessionId), principal))
    )
      return sessionNotFound;
    const refused = single ? null : paramsRefusal(body, era, protocol);
    if (refused) return refused;
    const missing = missingScopes(body, principal.scopes, offered);
    if (missing.size > 0) return scopeRefusal(missing, "the token lacks the scope of this tool");

    const call = callerFor(exchange, principal);
    const direct = single?.tool.urlForUser && showsUrls(exchange, era, body) ? null : single;
    if (direct) return { status: 200, body: frame(direct, await call(direct.tool, direct.args)), outcome: "ok" };
    for (const [name, value] of Object.entries(commonHeaders(exchange.traceId, exchange.cors)))
      if (value !== undefined) response.setHeader(name, value);
    const issueSession = (protocolVersion: string, capabilities: unknown) =>
      sessions.issue(principal, { protocolVersion, capabilities });
    const served = {
      method: exchange.method,
      call,
      context: { services: deps.services, actor: actorOf(exchange, principal), scopes: principal.scopes },
      states: statesOf(principal),
      showsUrls: showsUrls(exchange, era, body),
      onDefect: (error: unknown) =>
        deps.log.error({ err: error, method: exchange.method, trace_id: exchange.traceId }, "mcp request failed"),
    };
    await sdk.answer(
      { era, body, headers: request.headers, protocol, served, owner: principal, issueSession },
      response,
    );
    if (response.statusCode >= 400) exchange.outcome = "bad_request";
    return null;
  }

  /** Legacy clients have said it in `initialize`, which their session id holds; it has been verified by now. */
  function showsUrls({ request: { headers } }: Exchange, era: "legacy" | "modern", body: unknown): boolean {
    if (era === "modern") return declaresUrls(body);
    const sessionId = headers["mcp-session-id"];
    return sessionId !== undefined && takesStreams(headers) && sessions.showsUrls(String(sessionId));
  }

  function actorOf({ traceId, request }: Exchange, { tenant_id, application_id }: TenantPrincipal): TenantActor {
    return { tenant_id, application_id, trace_id: traceId, address: addressOf(request) };
  }

  async function endSession(sessionId: string | string[] | undefined, principal: Principal): Promise<Reply> {
    if (sessionId === undefined) return rpcRefusal(400, -32000, "Mcp-Session-Id header is required", "bad_request");
    return (await sessions.end(String(sessionId), principal))
      ? { status: 204, body: null, outcome: "session_ended" }
      : sessionNotFound;
  }

  function scopeRefusal(scopes: ReadonlySet<string>, why: string): Reply {
    const scope = [...scopes].join(" ");
    return oauthRefusal(403, deps.challenge({ scope }), "insufficient_scope", `${why}: ${scope} is needed`);
  }

  function callerFor(exchange: Exchange, principal: TenantPrincipal): ToolCaller {
    const { traceId, calls } = exchange;
    const actor = actorOf(exchange, principal);
    return async (tool, args) => {
      const started = stopwatch();
      const onDefect = (error: unknown) =>
        deps.log.error({ err: error, tool: tool.name, trace_id: traceId }, "tool failed");
      const answer = await callTool(tool, args, { services: deps.services, actor, traceId, onDefect });
      const record = { tool: tool.name, outcome: answer.error ?? "ok", milliseconds: stopwatch() - started } as const;
      calls.push(record);
      deps.onCall?.(record);
      return answer;
    };
  }
}

function hasTenant(principal: Principal): principal is TenantPrincipal {
  return principal.tenant_id !== null;
}

const sessionNotFound = rpcRefusal(404, -32001, "Session not found: initialize again", "session_not_found");

/** Which era the SDK would serve a request in; what is invalid in both counts as modern, whose handler says why. */
function eraOf(body: unknown, { version, method, name }: ProtocolHeaders): "legacy" | "modern" {
  const route = classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  });
  return route.kind === "legacy" ? "legacy" : "modern";
}

function methodOf(body: unknown): string | undefined {
  if (Array.isArray(body)) return "batch";
  const method = isObject(body) ? body.method : undefined;
  return typeof method === "string" ? method.slice(0, 64) : undefined;
}

function finish(exchange: Exchange, reply: Reply): void {
  exchange.outcome = reply.outcome;
  send(exchange.response, reply, commonHeaders(exchange.traceId, exchange.cors));
}

function recordOf({ response, calls, traceId, principal, method, outcome }: Exchange, milliseconds: number): object {
  const failed = calls.find((call) => call.outcome !== "ok");
  return {
    method,
    ...(calls.length === 1 ? { tool: calls[0]?.tool } : calls.length > 1 && { calls: calls.length }),
    outcome: outcome === "ok" ? (failed?.outcome ?? "ok") : outcome,
    status: response.statusCode,
    ms: Math.round(milliseconds * 10) / 10,
    trace_id: traceId,
    application_id: principal?.application_id ?? null,
  };
}
