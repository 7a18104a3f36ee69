import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { type ToolAnswer, toolResult } from "../call-tool.js";
import type { OfferContext } from "../offer.js";
import type { UrlForUser } from "../tool.js";

/** Name of the one question, in `inputRequests` and in the answers to them. */
const QUESTION = "open_url";

const heldAnswer = z.object({ json: z.string() });

/**
 * Has the client show a URL of a tool's answer to the user (elicitation in URL mode), and returns the URL all the same. In
 * 2026-07-28 the question is the first round, and the answer, which the client carries between the rounds, the second; before,
 * it goes ahead of the answer on the same stream, and nobody waits for what the client says, so that any replica may hear it.
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
  const response = inputResponse(sdk.mcpReq.inputResponses, QUESTION);
  if (held.success && response.kind === "elicit")
    return toolResult({
      json: JSON.stringify({ ...JSON.parse(answer.json), user_action: response.action }),
      error: null,
    });
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicitUrl({ url, message }) },
    requestState: mint({ json: answer.json }),
  });
}
