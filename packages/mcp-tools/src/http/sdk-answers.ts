import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { toolNamed } from "../tool-list.js";
import { isObject } from "./client-envelope.js";
import type { Offered } from "./offered.js";
import { createOpenQuestions } from "./open-questions.js";
import type { ProtocolHeaders } from "./protocol-headers.js";
import { createSdkServer, type ServerInfo } from "./sdk-server.js";
import type { ServedRequest } from "./served-request.js";
import type { SessionOwner } from "./session-ids.js";

/** A request for the SDK to answer. */
export interface SdkRequest {
  readonly era: "legacy" | "modern";
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly protocol: ProtocolHeaders;
  readonly served: ServedRequest;
  readonly owner: SessionOwner;
  /** Names the session that a successful `initialize` begins. */
  readonly issueSession: (protocolVersion: string, capabilities: unknown) => string;
}

/** Answers whatever is no direct call, with a server of the SDK's own for each request. */
export interface SdkAnswers {
  /** Writes the answer to `response`. */
  answer(request: SdkRequest, response: ServerResponse): Promise<void>;
  /** Ends streams that are still open. */
  close(): Promise<void>;
}

/** @param onError told of what the SDK reports besides its answers, refused requests among it */
export function createSdkAnswers(
  serverInfo: ServerInfo,
  offered: Offered,
  onError: (error: Error) => void,
): SdkAnswers {
  const questions = createOpenQuestions();
  const modern = createMcpHandler(
    ({ authInfo }) => createSdkServer(serverInfo, offered, authInfo?.extra?.served as ServedRequest),
    { legacy: "reject", onerror: onError },
  );

  return {
    async answer({ era, body, headers, protocol, served, owner, issueSession }, response) {
      let finish = async () => {};
      // A client that leaves a stream takes the question along that a tool may be waiting for.
      response.once("close", () => void finish().catch(onError));
      const respond = async (request: Request) => {
        // The SDK hands `authInfo` to the factory and nowhere else: the way in for what belongs to this request. It holds no token.
        if (era === "modern")
          return modern.fetch(request, {
            parsedBody: body,
            authInfo: { token: "", clientId: "", scopes: [], extra: { served } },
          });
        if (questions.answer(body, owner)) return new Response(null, { status: 202 });
        const legacy = await answerLegacy(
          request,
          body,
          served,
          isStreamed(body, headers, served, offered) ? owner : null,
        );
        finish = legacy.finish;
        return beginSession(body, legacy.response, issueSession);
      };
      const fetch = async (request: Request) => {
        const answered = await respond(request);
        // Event streams come with a weaker one, and an answer on a stream is somebody's as much as any other.
        answered.headers.set("cache-control", "no-store");
        return answered;
      };
      const node = {
        method: "POST",
        url: "/mcp",
        headers: headersFor(headers, protocol),
        [Symbol.asyncIterator]: noBytes,
      };
      try {
        await toNodeHandler({ fetch }, { onerror: onError })(node, response, body);
      } finally {
        await finish();
      }
    },
    close: () => modern.close(),
  };

  /**
   * The shape that serves legacy clients without state: JSON answers, and session ids issued around the transport, not by it.
   * @param asker on whose behalf the server may ask the client, over a stream; null for a plain JSON answer
   */
  async function answerLegacy(request: Request, body: unknown, served: ServedRequest, asker: SessionOwner | null) {
    const server = createSdkServer(serverInfo, offered, served);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: asker === null });
    transport.onerror = onError;
    const endQuestions = asker && questions.open(transport, asker);
    const finish = async () => {
      endQuestions?.();
      await server.close();
    };
    try {
      await server.connect(transport);
      const response = await transport.handleRequest(request, { parsedBody: withoutCancellations(body) });
      return { response, finish };
    } catch (error) {
      await finish();
      throw error;
    }
  }
}

/** Whether a legacy client is answered over a stream: where something may be sent ahead of the answer, and the client takes it. */
function isStreamed(body: unknown, headers: IncomingHttpHeaders, served: ServedRequest, { tools }: Offered): boolean {
  if (!takesStreams(headers) || !isObject(body) || body.method !== "tools/call" || !isObject(body.params)) return false;
  const name = String(body.params.name);
  return tools.has(name) || (served.showsUrls && toolNamed(name)?.urlForUser !== undefined);
}

/** Whether a client says that it reads event streams. */
export function takesStreams({ accept }: IncomingHttpHeaders): boolean {
  return accept?.includes("text/event-stream") ?? false;
}

/**
 * A cancellation inside a batch would silence the answer to its request, and the batch would wait for that answer for good. In
 * no other place can a cancellation meet its request, since each POST has a server of its own.
 */
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const rest = body.filter(
    (message) => !isObject(message) || message.method !== "notifications/cancelled" || "id" in message,
  );
  return rest.length > 0 ? rest : body;
}

async function beginSession(
  body: unknown,
  response: Response,
  issueSession: SdkRequest["issueSession"],
): Promise<Response> {
  if (!isObject(body) || body.method !== "initialize" || response.status !== 200) return response;
  const answer: unknown = await response.clone().json();
  const result = isObject(answer) ? answer.result : undefined;
  if (isObject(result) && typeof result.protocolVersion === "string") {
    const params = isObject(body.params) ? body.params : {};
    response.headers.set("mcp-session-id", issueSession(result.protocolVersion, params.capabilities));
  }
  return response;
}

/** What the SDK looks at, and no more: `Accept` is completed, because clients send a part of it or a wildcard at times. */
function headersFor(headers: IncomingHttpHeaders, { version, method, name }: ProtocolHeaders): Record<string, string> {
  const kept: Record<string, string> = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  if (version !== undefined) kept["mcp-protocol-version"] = version;
  if (method !== undefined) kept["mcp-method"] = method;
  if (name !== undefined) kept["mcp-name"] = name;
  for (const [header, value] of Object.entries(headers))
    if (header.startsWith("mcp-param-") && typeof value === "string") kept[header] = value;
  return kept;
}

/** The body has been read already. */
async function* noBytes(): AsyncGenerator<never> {}
