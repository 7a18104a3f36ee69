import {
  type GetPromptRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { OfferedPrompt } from "../offer.js";
import type { Offered } from "./offered.js";
import { contextInRounds, guarded, onlyPage, type ServedRequest } from "./served-request.js";

/** Longest value of an argument, in characters: a name, an id or a date. */
const MAX_VALUE = 500;

/** Answers `prompts/list` and `prompts/get`. */
export function offerPrompts(server: Server, { prompts }: Offered, request: ServedRequest): void {
  server.setRequestHandler("prompts/list", ({ params }) => {
    onlyPage("prompts", params);
    return { prompts: [...prompts.values()].map(({ listed }) => listed) };
  });
  server.setRequestHandler(
    "prompts/get",
    guarded(request, ({ params }: GetPromptRequest, sdk: ServerContext) => {
      const prompt = prompts.get(params.name);
      if (!prompt) throw refusal(`Prompt ${params.name.slice(0, 100)} not found`);
      const values = params.arguments ?? {};
      const faults = faultsOf(prompt, values);
      if (faults.length > 0) throw refusal(`Invalid arguments for prompt ${params.name}: ${faults.join("; ")}`);
      return prompt.get(values, contextInRounds(request, `prompt ${params.name}`, sdk));
    }),
  );
}

function faultsOf({ listed }: OfferedPrompt, values: Readonly<Record<string, string>>): string[] {
  const known = listed.arguments ?? [];
  const names = known.map(({ name }) => name);
  return [
    ...known
      .filter(({ name, required }) => required && (values[name] ?? "").trim() === "")
      .map(({ name }) => `${name} is required`),
    ...Object.entries(values).flatMap(([name, value]) => {
      if (!names.includes(name))
        return [`${name.slice(0, 100)} is none of its arguments, which are ${names.join(", ")}`];
      return value.length > MAX_VALUE ? [`${name} must have at most ${MAX_VALUE} characters`] : [];
    }),
  ];
}

function refusal(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
