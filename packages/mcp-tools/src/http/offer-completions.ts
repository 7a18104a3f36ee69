import { type CompleteRequest, ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { MAX_COMPLETIONS } from "../completers.js";
import type { Completers } from "../offer.js";
import type { Offered } from "./offered.js";
import { guarded, type ServedRequest } from "./served-request.js";

/** Answers `completion/complete` for arguments of prompts and variables of resource templates. */
export function offerCompletions(server: Server, offered: Offered, request: ServedRequest): void {
  const complete = guarded(request, async ({ ref, argument }: CompleteRequest["params"]) => {
    const completers = completersOf(offered, ref);
    const completer = Object.hasOwn(completers, argument.name) ? completers[argument.name] : undefined;
    return completer ? completer(argument.value, request.context) : [];
  });
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const values = await complete(params);
    const shown = values.slice(0, MAX_COMPLETIONS);
    return { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } };
  });
}

function completersOf({ prompts, templates }: Offered, ref: CompleteRequest["params"]["ref"]): Completers {
  const owner =
    ref.type === "ref/prompt" ? prompts.get(ref.name) : templates.find(({ listed }) => listed.uriTemplate === ref.uri);
  if (!owner) {
    const what = ref.type === "ref/prompt" ? `Prompt ${ref.name}` : `Resource template ${ref.uri}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${what.slice(0, 200)} not found`);
  }
  return owner.completers ?? {};
}
