import { ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import { CoreError } from "@org/core";
import type { ToolAnswer } from "../call-tool.js";
import type { OfferContext, RequestContext } from "../offer.js";
import type { Tool } from "../tool.js";
import type { RequestStates } from "./request-states.js";

/** Calls a tool for the client whose request is being answered. */
export type ToolCaller = (tool: Tool, args: unknown) => Promise<ToolAnswer>;

/** What belongs to the one request that a server of the SDK is made for. */
export interface ServedRequest {
  readonly method: string | undefined;
  readonly call: ToolCaller;
  readonly context: RequestContext;
  readonly states: RequestStates;
  /** Whether the client shows URLs to its user when it is asked to. */
  readonly showsUrls: boolean;
  /** Told of what is thrown and is no refusal: a defect or an outage. Nothing of it reaches the client. */
  readonly onDefect: (error: unknown) => void;
}

/**
 * A handler of the SDK whose refusals are answered in their words and whose defects are not: the SDK would send whatever message
 * an error has.
 */
export function guarded<Args extends unknown[], Result>(
  { context, onDefect }: ServedRequest,
  handler: (...args: Args) => Result | Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await handler(...args);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      if (error instanceof CoreError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
      onDefect(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, "Something went wrong on our side. Try again later.", {
        trace_id: context.actor.trace_id,
      });
    }
  };
}

/**
 * The context of a request for what may take several rounds.
 * @param what its kind and name, to which `requestState` is bound @throws ProtocolError for a bad `requestState`
 */
export function contextInRounds({ context, states }: ServedRequest, what: string, sdk: ServerContext): OfferContext {
  const mint = (payload: unknown) => states.mint(what, payload);
  const sent = sdk.mcpReq.requestState();
  if (sent === undefined) return { ...context, sdk, state: undefined, mint };
  const read = states.read(what, sent);
  if (!read)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
      reason: "invalid_request_state",
    });
  return { ...context, sdk, state: read.payload, mint };
}

/** Refuses a cursor, since none of the lists has a second page. */
export function onlyPage(what: string, params: { cursor?: string | undefined } | undefined): void {
  if (params?.cursor !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown cursor: the list of ${what} is one page`);
}
