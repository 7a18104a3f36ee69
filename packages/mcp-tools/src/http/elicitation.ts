import { randomUUID } from "node:crypto";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type JSONRPCMessage,
  type WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { CoreError } from "@org/core";
import { z } from "zod";
import { type ToolAnswer, toolResult } from "../call-tool.js";
import type { OfferContext } from "../offer.js";
import type { ConfirmationQuestion, QuestionFirst, Tool, UrlForUser } from "../tool.js";
import { isObject } from "./client-envelope.js";
import type { RequestStates } from "./request-states.js";
import type { EndedSessions, SessionOwner } from "./session-ids.js";

/** Names of the questions in `inputRequests` and in the answers to them. A call asks at most one. */
const CONFIRM = "confirm";
const OPEN_URL = "open_url";
/** How long a client before 2026-07-28, which holds a stream open for the question, may let its user think. */
const GRACE_PERIOD_MS = 120_000;
/** How often the answer from another replica is polled. */
const POLL_MS = 1_000;

/** The user's reply to a question. `unanswered`: no reply in time, or the client could not ask. */
type Said = "yes" | "no" | "closed" | "unanswered";

/** Returns the reply of a user that another replica received; null while there is none. */
export type SaidElsewhere = () => Promise<"yes" | "no" | null>;

const form = (label: string) => ({
  type: "object" as const,
  properties: { confirmed: { type: "boolean" as const, title: label } },
  required: ["confirmed"],
});
const heldQuestion = z.object({ about: z.string() });
const heldAnswer = z.object({ json: z.string() });

/**
 * Has the client ask its user before a tool acts (elicitation in form mode). Without a yes the tool does nothing. In 2026-07-28 the
 * question is the first round and the answer the second. In earlier versions the question is sent over the stream of the call, which waits
 * for it, and the client's answer is a separate request that may reach another replica.
 */
export async function askFirst(
  tool: Tool,
  questionFor: QuestionFirst,
  call: (tool: Tool) => Promise<ToolAnswer>,
  { sdk, state, mint, saidElsewhere }: OfferContext & { saidElsewhere?: SaidElsewhere | undefined },
): Promise<CallToolResult | InputRequiredResult> {
  let pending: InputRequiredResult | undefined;
  const asking: Tool = {
    ...tool,
    async run(services, actor, parameters, most) {
      const question = await questionFor(services, actor, parameters);
      const said = question === null ? "yes" : await ask(question);
      if (said !== "yes") throw new CoreError("CONFIRMATION_REQUIRED", words[said]);
      return tool.run(services, actor, parameters, most);
    },
  };
  const answer = await call(asking);
  return pending ?? toolResult(answer);

  async function ask(question: ConfirmationQuestion): Promise<Said> {
    const { about, message, label } = question;
    if (!sdk.mcpReq.envelope) return askOverStream(question);
    const held = heldQuestion.safeParse(state);
    const response = inputResponse(sdk.mcpReq.inputResponses, CONFIRM);
    if (held.success && held.data.about === about && response.kind === "elicit") return saidBy(response);
    pending = inputRequired({
      inputRequests: { [CONFIRM]: inputRequired.elicit({ message, requestedSchema: form(label) }) },
      requestState: mint({ about }),
    });
    return "unanswered";
  }

  async function askOverStream({ message, label }: ConfirmationQuestion): Promise<Said> {
    const answered = new AbortController();
    const params = { message, requestedSchema: form(label) };
    const here = sdk.mcpReq.send({ method: "elicitation/create", params }, { timeout: GRACE_PERIOD_MS }).then(
      (response): Said => saidBy(response),
      (): Said => "unanswered",
    );
    try {
      return await Promise.race([here, elsewhere(answered.signal)]);
    } finally {
      answered.abort();
    }
  }

  async function elsewhere(ended: AbortSignal): Promise<Said> {
    while (!ended.aborted) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS).unref());
      // A failed poll decides nothing; the next one may succeed.
      const said = ended.aborted ? null : await saidElsewhere?.().catch(() => null);
      if (said) return said;
    }
    return "unanswered";
  }
}

/** Accepting a form without ticking the box means no. */
function saidBy(response: unknown): Exclude<Said, "unanswered"> {
  if (!isObject(response) || response.action !== "accept") {
    return isObject(response) && response.action === "decline" ? "no" : "closed";
  }
  return isObject(response.content) && response.content.confirmed === true ? "yes" : "no";
}

const words = {
  no: "the user was asked and said no: nothing has been changed. Do not call again unless the user asks for it",
  closed:
    "the user closed the question without an answer: nothing has been changed. Call again only when the user wants it",
  unanswered: "the user has not answered the question: nothing has been changed. Calling again asks again",
} as const satisfies Record<Exclude<Said, "yes">, string>;

/**
 * Has the client show a URL of a tool's answer to the user (elicitation in URL mode). The answer contains the URL in any case. In
 * 2026-07-28 the question is the first round and the client's reply, carried between the rounds, the second. In earlier versions the
 * question precedes the answer on the same stream. Nothing waits for the client's reply, so any replica may receive it.
 */
export async function showUrl(
  urlOf: UrlForUser,
  call: () => Promise<ToolAnswer>,
  { sdk, state, mint }: OfferContext,
): Promise<CallToolResult | InputRequiredResult> {
  const held = heldAnswer.safeParse(state);
  const answer = held.success ? { json: held.data.json, error: null } : await call();
  if (answer.error !== null) return toolResult(answer);
  const { url, message, id } = urlOf(JSON.parse(answer.json));

  if (!sdk.mcpReq.envelope) {
    const params = { mode: "url", message, url, elicitationId: id };
    void sdk.mcpReq.send({ method: "elicitation/create", params }).catch(() => {});
    return toolResult(answer);
  }
  const response = inputResponse(sdk.mcpReq.inputResponses, OPEN_URL);
  if (held.success && response.kind === "elicit")
    return toolResult({
      json: JSON.stringify({ ...JSON.parse(answer.json), user_action: response.action }),
      error: null,
    });
  return inputRequired({
    inputRequests: { [OPEN_URL]: inputRequired.elicitUrl({ url, message }) },
    requestState: mint({ json: answer.json }),
  });
}

/** Questions that tools ask clients while they run. The answers arrive in separate requests. */
interface OpenQuestions {
  /**
   * Lets the server behind a transport ask questions until `end`. Its questions get unique ids.
   * @param states signs these ids, so that any replica recognizes a question of this owner; null: only this process takes the answer
   */
  open(
    transport: WebStandardStreamableHTTPServerTransport,
    owner: SessionOwner,
    states: RequestStates | null,
  ): { readonly end: () => void; readonly saidElsewhere: SaidElsewhere };
  /**
   * Passes an answer to the server that asked, or records it for the replica that did. False when it answers no question of this
   * owner: clients may send answers that nobody waits for.
   */
  answer(body: unknown, owner: SessionOwner, states: RequestStates): Promise<boolean>;
}

const PURPOSE = "question";
const questionState = z.object({ nonce: z.string() });

/** Its state lives only as long as the request that asks, so losing the process loses nothing else. */
export function createOpenQuestions(notes: EndedSessions): OpenQuestions {
  const asking = new Map<string, { transport: WebStandardStreamableHTTPServerTransport; owner: SessionOwner }>();

  return {
    open(transport, owner, states) {
      const nonce = randomUUID();
      // Each request has its own server, and each server counts its questions from 0: without a prefix they would be confused.
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

/** Recorded in the list of ended sessions, because every replica follows that list: one word, under a name that nobody can guess. */
function noteOf(nonce: string, said: "yes" | "no"): string {
  return `${nonce}.${said}`;
}
