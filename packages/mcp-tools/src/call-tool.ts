import type { CallToolResult } from "@modelcontextprotocol/server";
import {
  type CoreError,
  type CoreErrorCode,
  checkInput,
  type Fault,
  faultsOf,
  limitReached,
  type TenantActor,
  toCoreError,
} from "@org/core";
import type { z } from "zod";
import { ANSWER_MAX_CHARACTERS } from "./page-answer.js";
import type { Tool, ToolServices } from "./tool.js";

/** Codes of tool errors (contract §4). */
export type ToolErrorCode =
  | "VALIDATION_ERROR"
  | "NOT_FOUND"
  | "CONFIRMATION_REQUIRED"
  | "CONFLICT"
  | "RATE_LIMITED"
  | "INTERNAL_ERROR";

/** What a call came to: the JSON text of the answer, or of `{"error": {…}}` with its code. */
export interface ToolAnswer {
  readonly json: string;
  readonly error: ToolErrorCode | null;
  /** Name of the limit that the call met. */
  readonly limit?: string;
}

/** What a call needs besides its arguments. */
export interface CallContext {
  readonly services: ToolServices;
  readonly actor: TenantActor;
  readonly traceId: string;
  readonly clock: () => Date;
  /** Characters that the text of an answer may have; {@link ANSWER_MAX_CHARACTERS} where nothing is set. */
  readonly maxCharacters?: number | undefined;
  /** Counts the call. @throws CoreError when its tenant has had its share */
  readonly admit?: (() => void) | undefined;
  /** Waits until the call may run, and returns what ends its turn. @throws CoreError when too many wait */
  readonly begin?: (() => Promise<() => void>) | undefined;
  /** Told of what a service throws that is no refusal: a defect. Nothing of it reaches the client. */
  readonly onDefect: (error: unknown) => void;
}

/** Faults listed in one error; a request can hold more unknown names than anybody reads. */
const MAX_FAULTS = 50;
/** Characters of a name that a client made up, where it is repeated to it. */
const MAX_NAME = 100;

/**
 * Checks the arguments, calls the tool, and turns whatever goes wrong into a tool error.
 * @throws CoreError UNAVAILABLE when something that the tool needs is away: that is no answer of a tool, but a 503
 */
export async function callTool(tool: Tool, args: unknown, context: CallContext): Promise<ToolAnswer> {
  let end: (() => void) | undefined;
  try {
    context.admit?.();
    const given = withoutNulls(tool, args ?? {});
    const parsed = checkInput(tool.input, given);
    if (!parsed.success) return refuseArguments(tool, parsed.error, given);
    if (context.begin) end = await context.begin();
    const { services, actor, maxCharacters = ANSWER_MAX_CHARACTERS } = context;
    return { json: await tool.run(services, actor, parsed.data, maxCharacters), error: null };
  } catch (error) {
    const refused = toCoreError(error);
    if (refused?.code === "UNAVAILABLE") throw refused;
    if (refused) return refusalBy(refused, context.clock());
    context.onDefect(error);
    return internalError(context.traceId);
  } finally {
    end?.();
  }
}

/**
 * The arguments without those that are null: models send null for what they leave out. The published schema does not say so, because
 * hosts show it to people and models, for whom leaving out is simpler.
 */
function withoutNulls(tool: Tool, args: unknown): unknown {
  if (args === null || typeof args !== "object" || Array.isArray(args)) return args;
  const nulls = Object.keys(args).filter(
    (name) => (args as Record<string, unknown>)[name] === null && Object.hasOwn(tool.input.shape, name),
  );
  if (nulls.length === 0) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !nulls.includes(name)));
}

function refusalBy(error: CoreError, now: Date): ToolAnswer {
  const code = codes[error.code as keyof typeof codes];
  const limit = limitReached(error, now);
  if (limit === undefined) return refusal(code, `${error.message}${nextStepAfter(error.message)}`, error.details);
  return {
    json: JSON.stringify({ error: { code, message: error.message, details: [limit] } }),
    error: code,
    limit: limit.limit,
  };
}

/** The result of a call as the protocol has it: the structured answer, and the same as text. */
export function toolResult({ json, error }: ToolAnswer): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text: json }];
  return error === null ? { content, structuredContent: JSON.parse(json) } : { content, isError: true };
}

/** Where the ids come from that a call can ask in vain for. */
const sources: Readonly<Record<string, string>> = {
  connector_id: "svc-connectors lists the banks that can be connected",
  credentials_token: "svc-credentials lists the bank connections",
  connection_id: "svc-credentials lists the bank connections; connection_id is the credentials_token of one",
  session_id: "it is the session_id that svc-create-connect-session answered",
  portfolio_id: "it is the id of a row of svc-portfolios",
  investment_id: "it is the id of a row of svc-investments",
};

/** How a caller goes on whose id is not known. */
function nextStepAfter(message: string): string {
  const source = sources[/^no such (\w+)/.exec(message)?.[1] ?? ""];
  return source === undefined ? "" : `. Next: ${source}.`;
}

const codes = {
  VALIDATION_ERROR: "VALIDATION_ERROR",
  NOT_FOUND: "NOT_FOUND",
  CONFIRMATION_REQUIRED: "CONFIRMATION_REQUIRED",
  CONFLICT: "CONFLICT",
  RATE_LIMITED: "RATE_LIMITED",
  TOO_LARGE: "VALIDATION_ERROR",
  IDEMPOTENCY_MISMATCH: "VALIDATION_ERROR",
} as const satisfies Record<Exclude<CoreErrorCode, "UNAVAILABLE">, ToolErrorCode>;

function refuseArguments(tool: Tool, error: z.ZodError, args: unknown): ToolAnswer {
  const names = Object.keys(tool.input.shape).join(", ");
  const faults = firstOfEach(faultsOf(error, args)).map((fault) =>
    fault.error_type === "UnknownField"
      ? { ...fault, message: `is not a parameter of ${tool.name}, which takes ${names}` }
      : fault,
  );
  return refusal("VALIDATION_ERROR", faults.slice(0, MAX_FAULTS).map(sentenceOf).join("; "), faults);
}

/** One fault per field: further ones say the same in other words. */
function firstOfEach(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.toReversed().map((fault) => [fault.field, fault])).values()].toReversed();
}

function refusal(code: ToolErrorCode, message: string, details: readonly Fault[] | undefined): ToolAnswer {
  const listed = details?.slice(0, MAX_FAULTS).map((fault) => ({ ...fault, field: shorten(fault.field) }));
  return { json: JSON.stringify({ error: { code, message, ...(listed && { details: listed }) } }), error: code };
}

function internalError(traceId: string): ToolAnswer {
  const message = "Something went wrong on our side. Try again later; if it happens again, report the trace_id.";
  return {
    json: JSON.stringify({ error: { code: "INTERNAL_ERROR", message, trace_id: traceId } }),
    error: "INTERNAL_ERROR",
  };
}

function sentenceOf({ field, message }: Fault): string {
  return `${shorten(field)}: ${message}`;
}

function shorten(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}…`;
}
