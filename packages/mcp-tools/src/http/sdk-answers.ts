import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  classifyInboundRequest,
  createMcpHandler,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { retryAfter, roomForAnswer } from "@org/http";
import { isObject, type ProtocolHeaders } from "./client-envelope.js";
import { createOpenQuestions } from "./elicitation.js";
import { isStreamed, type Offered } from "./offered.js";
import { createSdkServer, type Introduction, type SdkRequest, type ServedRequest } from "./sdk-server.js";
import type { EndedSessions } from "./session-ids.js";

/** Answers everything that is not a direct call, with a separate SDK server for each request. */
export interface SdkAnswers {
  /** The era in which the SDK would serve a request. A request that is invalid in both counts as modern, whose handler explains the fault. */
  eraOf(body: unknown, protocol: ProtocolHeaders): "legacy" | "modern";
  /** Writes the answer to `response`. */
  answer(request: SdkRequest, response: ServerResponse): Promise<void>;
  /** Ends the streams that are still open. */
  close(): Promise<void>;
}

/**
 * @param notes tells replicas what users answered elsewhere
 * @param onError called with what the SDK reports besides its answers, including refused requests
 */
export function createSdkAnswers(
  introduced: Introduction,
  offered: Offered,
  notes: EndedSessions,
  onError: (error: Error) => void,
): SdkAnswers {
  const modern = createMcpHandler(
    ({ authInfo }) => createSdkServer(introduced, offered, authInfo?.extra?.served as ServedRequest),
    { legacy: "reject", onerror: onError },
  );
  const answerLegacy = createLegacyAnswers(introduced, offered, notes, onError);

  return {
    eraOf(body, { version, method, name }) {
      const route = classifyInboundRequest({
        httpMethod: "POST",
        body,
        ...(version !== undefined && { protocolVersionHeader: version }),
        ...(method !== undefined && { mcpMethodHeader: method }),
        ...(name !== undefined && { mcpNameHeader: name }),
      });
      return route.kind === "legacy" ? "legacy" : "modern";
    },
    async answer(asked, response) {
      const { era, body, headers, protocol, served } = asked;
      let finish = async () => {};
      // When the client leaves a stream, this also cancels the question that a tool may be waiting for.
      response.once("close", () => void finish().catch(onError));
      const respond = async (request: Request) => {
        // The SDK passes `authInfo` to the factory and nothing else, so it carries what belongs to this request. It has no token.
        if (era === "modern")
          return modern.fetch(request, {
            parsedBody: body,
            authInfo: { token: "", clientId: "", scopes: [], extra: { served } },
          });
        const legacy = await answerLegacy(request, asked);
        finish = legacy.finish;
        return legacy.response;
      };
      const fetch = async (request: Request) => {
        const answered = await withRoom(withOutage(await respond(request), asked), response);
        // The SDK sets a weaker value on event streams, but an answer on a stream is just as private as any other.
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
}

/**
 * The answer to a single request during an outage is a 503, which clients and proxies know how to handle. A batch has an answer for
 * each of its requests, and a stream has begun before the outage was noticed.
 */
function withOutage(answered: Response, { body, served: { outage } }: SdkRequest): Response {
  if (outage === null || Array.isArray(body) || !isJson(answered)) return answered;
  const headers = new Headers(answered.headers);
  for (const [name, value] of Object.entries(retryAfter(outage.retryAfterSeconds ?? 5))) headers.set(name, value);
  return new Response(answered.body, { status: 503, headers });
}

/** A batch's answer may be as long as a hundred answers. Like any other, it needs room until it has been read. */
async function withRoom(answered: Response, response: ServerResponse): Promise<Response> {
  if (!isJson(answered)) return answered;
  const text = await answered.text();
  const refusal = roomForAnswer(response, text);
  if (!refusal) return new Response(text, { status: answered.status, headers: answered.headers });
  const headers = new Headers(answered.headers);
  for (const [name, value] of Object.entries(refusal.headers)) headers.set(name, String(value));
  return new Response(refusal.words, { status: refusal.status, headers });
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/json") ?? false;
}

/** Passes only the headers that the SDK checks. `Accept` is completed, because some clients send only a part of it or a wildcard. */
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

/** An answer of the SDK, and the clean-up after it was written. */
interface LegacyAnswer {
  readonly response: Response;
  readonly finish: () => Promise<void>;
}

/**
 * Answers clients before 2026-07-28 without state: JSON answers, and session ids issued outside of the transport.
 * @param notes tells replicas what users answered elsewhere
 * @param onError called with what the SDK reports besides its answers
 */
function createLegacyAnswers(
  introduced: Introduction,
  offered: Offered,
  notes: EndedSessions,
  onError: (error: Error) => void,
): (request: Request, asked: SdkRequest) => Promise<LegacyAnswer> {
  const questions = createOpenQuestions(notes);

  return async (request, { body, headers, served, owner, issueSession }) => {
    if (await questions.answer(body, owner, served.states))
      return { response: new Response(null, { status: 202 }), finish: async () => {} };
    // A server that may ask the client needs a stream for it.
    const asks = isStreamed(body, headers, served, offered);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !asks });
    transport.onerror = onError;
    const opened = asks ? questions.open(transport, owner, waitsForUser(body, offered) ? served.states : null) : null;
    const server = createSdkServer(introduced, offered, {
      ...served,
      ...(opened && { saidElsewhere: opened.saidElsewhere }),
    });
    const finish = async () => {
      opened?.end();
      await server.close();
    };
    try {
      await server.connect(transport);
      const response = await transport.handleRequest(request, { parsedBody: withoutCancellations(body) });
      return { response: await beginSession(body, response, issueSession), finish };
    } catch (error) {
      await finish();
      throw error;
    }
  };
}

/** Whether the called tool waits for its user's reply. */
function waitsForUser(body: unknown, { own }: Offered): boolean {
  const params = isObject(body) && isObject(body.params) ? body.params : {};
  return own.named(String(params.name))?.questionFirst !== undefined;
}

/**
 * Removes cancellations from a batch: one would suppress the answer to its request, and the batch would wait for that answer forever.
 * Nowhere else can a cancellation meet its request, since each POST has its own server.
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
