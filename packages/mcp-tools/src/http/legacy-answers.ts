import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { toolNamed } from "../tool-list.js";
import { isObject } from "./client-envelope.js";
import type { Offered } from "./offered.js";
import { createSdkServer, type SdkRequest, type ServedRequest, type ServerInfo } from "./sdk-server.js";
import type { SessionOwner } from "./session-ids.js";

/** An answer of the SDK's, and what has to be done once it has been written. */
export interface LegacyAnswer {
  readonly response: Response;
  readonly finish: () => Promise<void>;
}

/**
 * Answers clients of before 2026-07-28 without state: JSON answers, and session ids issued around the transport, not by it.
 * @param onError told of what the SDK reports besides its answers
 */
export function createLegacyAnswers(
  serverInfo: ServerInfo,
  offered: Offered,
  onError: (error: Error) => void,
): (request: Request, asked: SdkRequest) => Promise<LegacyAnswer> {
  const questions = createOpenQuestions();

  return async (request, { body, headers, served, owner, issueSession }) => {
    if (questions.answer(body, owner)) return { response: new Response(null, { status: 202 }), finish: async () => {} };
    const server = createSdkServer(serverInfo, offered, served);
    // Where the server may ask the client, it needs a stream to ask over.
    const asks = isStreamed(body, headers, served, offered);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !asks });
    transport.onerror = onError;
    const endQuestions = asks ? questions.open(transport, owner) : null;
    const finish = async () => {
      endQuestions?.();
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

/** Whether a client says that it reads event streams. */
export function takesStreams({ accept }: IncomingHttpHeaders): boolean {
  return accept?.includes("text/event-stream") ?? false;
}

/** Whether an answer goes over a stream: where something may be sent ahead of it, and the client takes streams. */
function isStreamed(body: unknown, headers: IncomingHttpHeaders, served: ServedRequest, { tools }: Offered): boolean {
  if (!takesStreams(headers) || !isObject(body) || body.method !== "tools/call" || !isObject(body.params)) return false;
  const name = String(body.params.name);
  return tools.has(name) || (served.showsUrls && toolNamed(name)?.urlForUser !== undefined);
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

/** Questions that tools of extensions ask clients while they work; the answers come in requests of their own. */
interface OpenQuestions {
  /** Lets the server behind a transport ask, until the function answered is called. Its questions get ids of their own. */
  open(transport: WebStandardStreamableHTTPServerTransport, owner: SessionOwner): () => void;
  /** Hands an answer to whoever asked. False when nobody did, here or any more: a client may say what nobody waits for. */
  answer(body: unknown, owner: SessionOwner): boolean;
}

/** The only state between requests, and for no longer than the request that asks: what is lost with the process is lost with it. */
function createOpenQuestions(): OpenQuestions {
  const asking = new Map<string, { transport: WebStandardStreamableHTTPServerTransport; owner: SessionOwner }>();

  return {
    open(transport, owner) {
      // Each request has a server of its own, and each of these counts from 0: without a prefix, questions would be mixed up.
      const prefix = randomUUID();
      const send = transport.send.bind(transport);
      transport.send = (message, options) =>
        send("method" in message && "id" in message ? { ...message, id: `${prefix}.${message.id}` } : message, options);
      asking.set(prefix, { transport, owner });
      return () => asking.delete(prefix);
    },
    answer(body, { application_id, tenant_id }) {
      if (!isObject(body) || "method" in body || typeof body.id !== "string") return false;
      const [prefix = "", number] = body.id.split(".");
      const asked = asking.get(prefix);
      if (asked?.owner.application_id !== application_id || asked.owner.tenant_id !== tenant_id) return false;
      asked.transport.onmessage?.({ ...body, id: Number(number) } as JSONRPCMessage);
      return true;
    },
  };
}
