import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { CoreError } from "@org/core";
import { z } from "zod";
import { type ToolAnswer, toolResult } from "../call-tool.js";
import type { OfferContext } from "../offer.js";
import type { Question, QuestionFirst, Tool } from "../tool.js";
import { isObject } from "./client-envelope.js";

/** Name of the one question, in `inputRequests` and in the answers to them. */
const QUESTION = "confirm";
/** For how long a client of before 2026-07-28, which holds a stream open for it, may let its user think. */
const PATIENCE_MS = 120_000;
/** How often another replica's word is looked for. */
const LOOK_MS = 1_000;

/** What the user said to a question; `unanswered` is no answer in time, or a client that could not ask. */
type Said = "yes" | "no" | "closed" | "unanswered";

/** What a user said who answered at another replica; null when nobody has. */
export type SaidElsewhere = () => Promise<"yes" | "no" | null>;

const form = (label: string) => ({
  type: "object" as const,
  properties: { confirmed: { type: "boolean" as const, title: label } },
  required: ["confirmed"],
});
const heldQuestion = z.object({ about: z.string() });

/**
 * Has the client ask its user before a tool acts (elicitation in form mode); without a yes the tool does nothing. In 2026-07-28 the
 * question is the first round and the answer the second; before, the question goes over the stream of the call, which waits for it,
 * and the client's answer is a request of its own that may reach another replica.
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

  async function ask(question: Question): Promise<Said> {
    const { about, message, label } = question;
    if (!sdk.mcpReq.envelope) return askOverStream(question);
    const held = heldQuestion.safeParse(state);
    const response = inputResponse(sdk.mcpReq.inputResponses, QUESTION);
    if (held.success && held.data.about === about && response.kind === "elicit") return saidBy(response);
    pending = inputRequired({
      inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema: form(label) }) },
      requestState: mint({ about }),
    });
    return "unanswered";
  }

  async function askOverStream({ message, label }: Question): Promise<Said> {
    const answered = new AbortController();
    const params = { message, requestedSchema: form(label) };
    const here = sdk.mcpReq.send({ method: "elicitation/create", params }, { timeout: PATIENCE_MS }).then(
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
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
      // Nothing is decided by a look that fails: the next one may not.
      const said = ended.aborted ? null : await saidElsewhere?.().catch(() => null);
      if (said) return said;
    }
    return "unanswered";
  }
}

/** Accepting a form in which the box is not ticked is a no. */
export function saidBy(response: unknown): Exclude<Said, "unanswered"> {
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
