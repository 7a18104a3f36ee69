import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { createPlaces, type SemaphoreLoad } from "@org/admission";
import { CoreError, limitReached, reachedLimitError, type TenantActor, toCoreError } from "@org/core";
import {
  type Authentication,
  andThen,
  BodyError,
  createOriginPolicy,
  type Exchange,
  exchangeOf,
  logDefect,
  type MaybePromise,
  type Principal,
  preflightHeaders,
  refusalWords,
  retryAfter,
} from "@org/http";
import { bankEndpoint } from "../endpoint.js";
import type { Tool } from "../tool.js";
import {
  declaresForms,
  declaresUrls,
  idOf,
  metaOf,
  type ProtocolHeaders,
  protocolHeaders,
  rpcMethodOf,
  takesStreams,
} from "./client-envelope.js";
import { createCallFrames, type DirectCalls, directCalls } from "./direct-call.js";
import type { CallRecord, McpHandlerDeps } from "./mcp-handler-deps.js";
import { toolScopesOf } from "./mcp-routes.js";
import { isStreamed, missingScopes, offeredWith } from "./offered.js";
import { batchTooLarge, bodyRefusal, MAX_MIXED_BATCH, paramsRefusal, readMessage } from "./read-message.js";
import { oauthRefusal, type Reply, rpcRefusal, send, unavailable } from "./reply.js";
import { createRequestStates } from "./request-states.js";
import type { SdkAnswers } from "./sdk-answers.js";
import type { ServedRequest, ToolCaller } from "./sdk-server.js";
import { createSessionIds } from "./session-ids.js";
import { createToolCallers } from "./tool-caller.js";

/** Answers one {@link McpEndpoint}, in both protocol eras and without state in the process. */
export interface McpHandler {
  /**
   * Answers one request of any method, whatever goes wrong. It reads the body itself, so no body parser may be mounted before it.
   * Use it with `node:http` directly, or with express: `app.all("/mcp", handler.handle)`.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Numbers of calls from batches that run and that wait. */
  readonly batchCalls: SemaphoreLoad;
  /** Ends everything still open, when the server stops. */
  readonly close: () => Promise<void>;
}

type RefusedAuthentication = Extract<Authentication, { readonly refusal: unknown }>;

/** A principal with a tenant: any but an operator. */
type TenantPrincipal = Principal & { readonly tenant_id: string };

/** One request and its state in the handler. */
interface McpRequest {
  readonly exchange: Exchange;
  readonly calls: CallRecord[];
  /** CORS headers for its origin. */
  cors: OutgoingHttpHeaders | null;
  /** The method of its message; `batch` when it has several messages. */
  rpcMethod: string | undefined;
  /** The id of its message if it is a single request, else null. */
  rpcId: string | number | null;
}

/** A message of a caller with a tenant, whose session is live. */
interface McpMessage {
  readonly asked: McpRequest;
  readonly principal: TenantPrincipal;
  readonly body: unknown;
  readonly meta: ReturnType<typeof metaOf>;
  readonly protocol: ProtocolHeaders;
  /** The calls in it, if it has no other messages and they are answered here. */
  readonly direct: DirectCalls | null;
  readonly era: "legacy" | "modern";
}

/** Maximum number of concurrent calls that wait for their users, per tenant and overall. */
const STREAMS = {
  ofKey: { name: "calls_waiting_for_users", value: 500 },
  overall: { name: "calls_waiting_for_users", value: 2_000 },
  retryAfterSeconds: 30,
};

/** Makes the handler of an endpoint (contract §4). */
export function createMcpHandler(deps: McpHandlerDeps): McpHandler {
  const { endpoint = bankEndpoint } = deps;
  const { name, title, instructions } = endpoint;
  const toolScopes = toolScopesOf(endpoint);
  const serverInfo = { name, title, version: deps.serverVersion };
  const origins = createOriginPolicy(deps.publicUrl, deps.allowedOrigins ?? []);
  const sessions = createSessionIds({
    path: endpoint.path,
    keys: deps.sessionKeys,
    clock: deps.clock,
    ended: deps.endedSessions,
  });
  const statesOf = createRequestStates({ keys: deps.sessionKeys, clock: deps.clock });
  const offered = offeredWith(endpoint, deps.extensions ?? [], deps.views ?? []);
  const onSdkError = (error: Error) => deps.log.debug({ err: error }, "mcp sdk");
  let loadedSdk: SdkAnswers | undefined;
  const frame = createCallFrames(serverInfo);
  const callers = createToolCallers(deps);
  const streams = createPlaces(STREAMS);

  return {
    handle(request, response) {
      const exchange = exchangeOf(request, response);
      void serve({ exchange, calls: [], cors: null, rpcMethod: undefined, rpcId: null });
    },
    batchCalls: callers.batchCalls,
    close: async () => loadedSdk?.close(),
  };

  /** Never rejects. */
  async function serve(asked: McpRequest): Promise<void> {
    const { response, traceId } = asked.exchange;
    try {
      const reply = await answer(asked);
      if (reply) finish(asked, reply);
      else noteOutcome(asked, response.statusCode >= 400 ? "bad_request" : "ok");
    } catch (error) {
      try {
        finish(asked, failureReply(asked, error));
      } catch (defect) {
        deps.log.error({ err: defect, trace_id: traceId }, "mcp request failed");
      }
      if (!response.writableEnded) response.destroy();
    }
  }

  function failureReply({ exchange, rpcId }: McpRequest, error: unknown): Reply {
    if (error instanceof BodyError) return bodyRefusal(error, deps.clock());
    const refusal = toCoreError(error);
    if (refusal?.code === "UNAVAILABLE") return unavailable(rpcId, refusal);
    logDefect(deps.log, exchange, error, "mcp request failed");
    return rpcRefusal(500, -32603, "Internal server error", "INTERNAL_ERROR");
  }

  /** The SDK is large, and plain calls do not need it: it is loaded by the first request that does. */
  async function sdk(): Promise<SdkAnswers> {
    if (loadedSdk) return loadedSdk;
    const { createSdkAnswers } = await import("./sdk-answers.js");
    loadedSdk ??= createSdkAnswers({ serverInfo, instructions }, offered, deps.endedSessions, onSdkError);
    return loadedSdk;
  }

  /**
   * Returns the answer, or null when the SDK has written it. Host, Origin and CORS are checked first, then the token, then the request. Until a
   * tool runs nothing is awaited that is known: a cached token, a body that has arrived, a live session.
   */
  function answer(asked: McpRequest): MaybePromise<Reply | null> {
    const { headers, method } = asked.exchange.request;
    if (!origins.isServedHost(headers.host)) return forbidden("Host is not served here");
    asked.cors = origins.headersFor("guarded", headers);
    if (headers.origin !== undefined && !asked.cors) return forbidden("Origin is not allowed");
    if (method === "OPTIONS")
      return { status: 204, body: null, headers: preflightHeaders(preflight, headers), outcome: "preflight" };
    return asked.exchange.andThen(deps.authenticate(asked.exchange.request), (authentication) =>
      "refusal" in authentication
        ? unauthenticated(headers.authorization, authentication)
        : answerCaller(asked, authentication.principal),
    );
  }

  function answerCaller(asked: McpRequest, principal: Principal): MaybePromise<Reply | null> {
    const { exchange } = asked;
    exchange.principal = principal;
    if (!hasTenant(principal)) return scopeRefusal(exchange, toolScopes, "an operator has no tenant");
    const { request } = exchange;
    if (request.method === "DELETE") return endSession(exchange, principal);
    if (request.method === "POST")
      return andThen(readMessage(request), (read) =>
        "refusal" in read ? read.refusal : answerMessage(asked, principal, read.value),
      );
    return rpcRefusal(
      405,
      -32000,
      "Method not allowed: this server opens no streams of its own",
      "method_not_allowed",
      { Allow: "POST, DELETE" },
    );
  }

  function answerMessage(asked: McpRequest, principal: TenantPrincipal, body: unknown): MaybePromise<Reply | null> {
    const { exchange } = asked;
    asked.rpcMethod = rpcMethodOf(body);
    asked.rpcId = idOf(body);
    const meta = metaOf(body);
    exchange.continueTrace(meta?.traceparent);

    const protocol = protocolHeaders(exchange.request.headers, body);
    const direct = directCalls(body, protocol, endpoint.tools);
    if (!direct && Array.isArray(body) && body.length > MAX_MIXED_BATCH) return batchTooLarge;
    const era = direct ? direct[0].era : sdk().then((answers) => answers.eraOf(body, protocol));
    return exchange.andThen(era, (known) =>
      andThen(
        sessionRefusal(asked, principal, known),
        (refused) => refused ?? answerInEra({ asked, principal, body, meta, protocol, direct, era: known }),
      ),
    );
  }

  /** Checks the session of a legacy request, and renews it; null when there is nothing to refuse. */
  function sessionRefusal(
    { exchange, rpcMethod }: McpRequest,
    principal: TenantPrincipal,
    era: "legacy" | "modern",
  ): MaybePromise<Reply | null> {
    const { request, response } = exchange;
    const sessionId = request.headers["mcp-session-id"];
    if (era === "modern" || sessionId === undefined || rpcMethod === "initialize") return null;
    return exchange.andThen(sessions.isLive(String(sessionId), principal), (isLive) => {
      if (!isLive) return sessionNotFound;
      const renewed = sessions.renew(String(sessionId), principal);
      if (renewed !== null) response.setHeader("Mcp-Session-Id", renewed);
      return null;
    });
  }

  function answerInEra(message: McpMessage): MaybePromise<Reply | null> {
    const { asked, principal, body, meta, protocol, direct, era } = message;
    const { exchange } = asked;
    const refused = direct ? null : paramsRefusal(body, era, protocol);
    if (refused) return refused;
    const missing = missingScopes(body, principal.scopes, offered);
    if (missing.size > 0) return scopeRefusal(exchange, [...missing], "the token lacks the scope of this tool");

    if (asked.rpcMethod !== "tools/call") {
      const limited = limitRefusal(exchange, () => deps.admit?.(principal.tenant_id));
      if (limited) return limited;
    }
    const actor = actorOf(exchange, principal);
    const isBatch = asked.rpcMethod === "batch";
    const call = callers.callerFor({ exchange, actor, isBatch, meta, calls: asked.calls });
    if (!direct || direct.some(({ tool }) => talksToUser(tool, exchange.request, era, body)))
      return answerBySdk(message, actor, call);
    const ok = (json: string): Reply => ({ status: 200, body: json, outcome: "ok" });
    const [first] = direct;
    if (!isBatch) return call(first.tool, first.args).then((answer) => ok(frame(first, answer)));
    // Each answer is written in a step of its own. An outage is the answer to its call alone.
    const answers = direct.map((one) =>
      call(one.tool, one.args).then(
        (answer) => frame(one, answer),
        (error: unknown) => failureReply({ ...asked, rpcId: one.id }, error).body,
      ),
    );
    // The SDK answers a batch of one without a list.
    return Promise.all(answers).then((all) => ok(all.length === 1 ? String(all[0]) : `[${all.join()}]`));
  }

  async function answerBySdk(
    { asked, principal, body, protocol, era }: McpMessage,
    actor: TenantActor,
    call: ToolCaller,
  ): Promise<Reply | null> {
    const { exchange } = asked;
    const { request, response } = exchange;
    // Noted early for the access log, in case the client disconnects before the answer ends.
    exchange.note({ rpc_method: asked.rpcMethod });
    for (const [name, value] of Object.entries({
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...asked.cors,
    }))
      if (value !== undefined) response.setHeader(name, value);
    const issueSession = (protocolVersion: string, capabilities: unknown) =>
      sessions.issue(principal, { protocolVersion, capabilities });
    const served: ServedRequest = {
      method: asked.rpcMethod,
      outage: null,
      call,
      context: { services: deps.services, actor, scopes: principal.scopes },
      states: statesOf(principal),
      showsUrls: showsUrls(request, era, body),
      showsForms: showsForms(request, era, body),
      onDefect: (error) => logDefect(deps.log, exchange, error, "mcp request failed", { rpc_method: asked.rpcMethod }),
    };
    if (era === "legacy" && isStreamed(body, request.headers, served, offered)) {
      const limited = limitRefusal(exchange, () => beginStream(principal, exchange));
      if (limited) return limited;
    }
    const answers = await sdk();
    await answers.answer(
      { era, body, headers: request.headers, protocol, served, owner: principal, issueSession },
      response,
    );
    return null;
  }

  /** Legacy clients declared it in `initialize`, and their session id contains it. The id has been verified by now. */
  function showsUrls({ headers }: IncomingMessage, era: "legacy" | "modern", body: unknown): boolean {
    if (era === "modern") return declaresUrls(body);
    const sessionId = headers["mcp-session-id"];
    return sessionId !== undefined && takesStreams(headers) && sessions.showsUrls(String(sessionId));
  }

  /** Only for requests that are not calls: each call has an answer of its own and is admitted individually. */
  function limitRefusal(exchange: Exchange, admit: () => void): Reply | null {
    try {
      admit();
      return null;
    } catch (error) {
      const limit = error instanceof CoreError ? limitReached(error, deps.clock()) : undefined;
      if (!(error instanceof CoreError) || limit === undefined) throw error;
      exchange.note({ limit: limit.limit });
      const headers = retryAfter(error.retryAfterSeconds ?? 1);
      return rpcRefusal(429, -32000, error.message, "RATE_LIMITED", headers, { details: [limit] });
    }
  }

  /** A batch gets a single answer, so it has no stream on which a question could be sent first. */
  function showsForms({ headers }: IncomingMessage, era: "legacy" | "modern", body: unknown): boolean {
    if (era === "modern") return declaresForms(body);
    if (Array.isArray(body)) return false;
    const sessionId = headers["mcp-session-id"];
    return sessionId !== undefined && takesStreams(headers) && sessions.showsForms(String(sessionId));
  }

  /** Whether a call of the tool would show something to, or ask, this client's user. */
  function talksToUser(tool: Tool, request: IncomingMessage, era: "legacy" | "modern", body: unknown): boolean {
    return (
      (tool.urlForUser !== undefined && showsUrls(request, era, body)) ||
      (tool.questionFirst !== undefined && showsForms(request, era, body))
    );
  }

  function actorOf({ traceId, address }: Exchange, principal: TenantPrincipal): TenantActor {
    const { tenant_id, application_id, grant_id, client_refs } = principal;
    return { tenant_id, application_id, grant_id, trace_id: traceId, address, ...(client_refs && { client_refs }) };
  }

  /** Limits the calls that wait for their users: each may hold a stream and an SDK server for minutes. @throws CoreError */
  function beginStream({ tenant_id }: TenantPrincipal, exchange: Exchange): void {
    const limit = streams.take(tenant_id);
    if (limit) throw reachedLimitError(limit, "too many calls wait for what their users say");
    exchange.atClose(() => streams.leave(tenant_id));
  }

  async function endSession(exchange: Exchange, principal: TenantPrincipal): Promise<Reply> {
    const sessionId = exchange.request.headers["mcp-session-id"];
    if (sessionId === undefined) return rpcRefusal(400, -32000, "Mcp-Session-Id header is required", "bad_request");
    if (!(await sessions.isLive(String(sessionId), principal))) return sessionNotFound;
    const limited = limitRefusal(exchange, () => deps.admitSessionEnd?.(principal.tenant_id));
    if (limited) return limited;
    return (await sessions.end(String(sessionId), principal))
      ? { status: 204, body: null, outcome: "session_ended" }
      : sessionNotFound;
  }

  function unauthenticated(authorization: string | undefined, { refusal, fault }: RefusedAuthentication): Reply {
    const { resourceMetadata } = deps;
    return oauthRefusal(
      { error: refusal, scopes: toolScopes, resourceMetadata, authorization, fault },
      refusalWords(refusal, fault),
    );
  }

  function scopeRefusal({ request }: Exchange, scopes: readonly string[], why: string): Reply {
    const { resourceMetadata } = deps;
    const { authorization } = request.headers;
    const challenge = { error: "insufficient_scope", scopes, resourceMetadata, authorization } as const;
    return oauthRefusal(challenge, `${why}: ${scopes.join(" ")} is needed`);
  }
}

// GET is allowed so that a page sees the 405 itself. Requested headers are granted because the origin is trusted already.
const preflight = { methods: ["POST", "DELETE", "GET"], requestHeaders: "asked", maxAgeSeconds: 7200 } as const;

function hasTenant(principal: Principal): principal is TenantPrincipal {
  return principal.tenant_id !== null;
}

function forbidden(why: string): Reply {
  return rpcRefusal(403, -32000, why, "forbidden_origin");
}

const sessionNotFound = rpcRefusal(404, -32001, "Session not found: initialize again", "session_not_found");

function finish(asked: McpRequest, reply: Reply): void {
  noteOutcome(asked, reply.outcome);
  send(asked.exchange.response, reply, asked.cors);
}

/** Adds what the access log says only about MCP requests. */
function noteOutcome({ exchange, calls, rpcMethod }: McpRequest, outcome: string): void {
  const failed = calls.find((call) => call.outcome !== "ok");
  exchange.note({
    rpc_method: rpcMethod,
    outcome: outcome === "ok" ? (failed?.outcome ?? "ok") : outcome,
    ...(calls.length === 1 ? { tool: calls[0]?.tool } : calls.length > 1 && { calls: calls.length }),
  });
}
