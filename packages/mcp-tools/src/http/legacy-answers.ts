import { randomUUID } from "node:crypto";
import { type JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { z } from "zod";
import { toolNamed } from "../tool-list.js";
import { type SaidElsewhere, saidBy } from "./ask-first.js";
import { isObject } from "./client-envelope.js";
import { isStreamed } from "./event-streams.js";
import type { Offered } from "./offered.js";
import type { RequestStates } from "./request-states.js";
import { createSdkServer, type SdkRequest, type ServerInfo } from "./sdk-server.js";
import type { EndedSessions, SessionOwner } from "./session-ids.js";

/** An answer of the SDK's, and what has to be done once it has been written. */
export interface LegacyAnswer {
  readonly response: Response;
  readonly finish: () => Promise<void>;
}

/**
 * Answers clients of before 2026-07-28 without state: JSON answers, and session ids issued around the transport, not by it.
 * @param notes by which replicas tell each other what users have said
 * @param onError told of what the SDK reports besides its answers
 */
export function createLegacyAnswers(
  serverInfo: ServerInfo,
  offered: Offered,
  notes: EndedSessions,
  onError: (error: Error) => void,
): (request: Request, asked: SdkRequest) => Promise<LegacyAnswer> {
  const questions = createOpenQuestions(notes);

  return async (request, { body, headers, served, owner, issueSession }) => {
    if (await questions.answer(body, owner, served.states))
      return { response: new Response(null, { status: 202 }), finish: async () => {} };
    // Where the server may ask the client, it needs a stream to ask over.
    const asks = isStreamed(body, headers, served, offered);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !asks });
    transport.onerror = onError;
    const opened = asks ? questions.open(transport, owner, waitsForUser(body) ? served.states : null) : null;
    const server = createSdkServer(serverInfo, offered, {
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

/** Whether the tool that is called waits for what its user says. */
function waitsForUser(body: unknown): boolean {
  const params = isObject(body) && isObject(body.params) ? body.params : {};
  return toolNamed(String(params.name))?.questionFirst !== undefined;
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

/** Questions that tools ask clients while they work; the answers come in requests of their own. */
interface OpenQuestions {
  /**
   * Lets the server behind a transport ask until `end`. Its questions get ids of their own.
   * @param states signs these ids, so that any replica knows a question of this owner; null: only this process takes the answer
   */
  open(
    transport: WebStandardStreamableHTTPServerTransport,
    owner: SessionOwner,
    states: RequestStates | null,
  ): { readonly end: () => void; readonly saidElsewhere: SaidElsewhere };
  /**
   * Hands an answer to whoever asked, or notes what it says for the replica that did. False when it answers no question, or none
   * of this owner's: a client may say what nobody waits for.
   */
  answer(body: unknown, owner: SessionOwner, states: RequestStates): Promise<boolean>;
}

const PURPOSE = "question";
const questionState = z.object({ nonce: z.string() });

/** What it holds between requests ends with the request that asks: what is lost with the process is lost with it. */
function createOpenQuestions(notes: EndedSessions): OpenQuestions {
  const asking = new Map<string, { transport: WebStandardStreamableHTTPServerTransport; owner: SessionOwner }>();

  return {
    open(transport, owner, states) {
      const nonce = randomUUID();
      // Each request has a server of its own, and each of these counts from 0: without a prefix, questions would be mixed up.
      const prefix = states?.mint(PURPOSE, { nonce }) ?? nonce;
      const send = transport.send.bind(transport);
      transport.send = (message, options) =>
        send("method" in message && "id" in message ? { ...message, id: `${prefix}.${message.id}` } : message, options);
      asking.set(prefix, { transport, owner });
      return {
        end: () => asking.delete(prefix),
        async saidElsewhere() {
          if (await notes.isEnded(noteOf(nonce, "no"))) return "no";
          return (await notes.isEnded(noteOf(nonce, "yes"))) ? "yes" : null;
        },
      };
    },
    async answer(body, { application_id, tenant_id }, states) {
      if (!isObject(body) || "method" in body || typeof body.id !== "string") return false;
      const end = body.id.lastIndexOf(".");
      const prefix = body.id.slice(0, end);
      const asked = asking.get(prefix);
      if (asked?.owner.application_id === application_id && asked.owner.tenant_id === tenant_id) {
        asked.transport.onmessage?.({ ...body, id: Number(body.id.slice(end + 1)) } as JSONRPCMessage);
        return true;
      }
      const minted = asked ? null : states.read(PURPOSE, prefix);
      const state = questionState.safeParse(minted?.payload);
      if (!minted || !state.success) return false;
      await notes.end(noteOf(state.data.nonce, saidBy(body.result) === "yes" ? "yes" : "no"), minted.expiresAt);
      return true;
    },
  };
}

/** Kept where ended sessions are, because every replica follows that list: one word, under a name that nobody can guess. */
function noteOf(nonce: string, said: "yes" | "no"): string {
  return `${nonce}.${said}`;
}
