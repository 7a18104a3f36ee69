import type { CallToolResult } from "@modelcontextprotocol/server";
import {
  type CoreError,
  type CoreErrorCode,
  checkInput,
  type Fault,
  faultsOf,
  invalid,
  invalidValue,
  limitReached,
  type TenantActor,
  toCoreError,
  withoutDoubt,
} from "@org/core";
import { z } from "zod";
import { ANSWER_MAX_CHARACTERS } from "./page-answer.js";
import type { Tool, ToolServices } from "./tool.js";

/** Codes of tool errors (contract §4). */
export type ToolErrorCode =
  | "VALIDATION_ERROR"
  | "NOT_FOUND"
  | "CONFIRMATION_REQUIRED"
  | "CONFLICT"
  | "RATE_LIMITED"
  | "INSUFFICIENT_DATA"
  | "INTERNAL_ERROR";

/** Result of a call: the JSON text of the answer, or of `{"error": {…}}` with its code. */
export interface ToolAnswer {
  readonly json: string;
  readonly error: ToolErrorCode | null;
  /** Name of the limit that the call exceeded. */
  readonly limit?: string;
}

/** What a call needs besides its arguments. */
export interface CallContext {
  readonly services: ToolServices;
  readonly actor: TenantActor;
  readonly traceId: string;
  readonly clock: () => Date;
  /** Maximum length of the answer's text in characters; {@link ANSWER_MAX_CHARACTERS} by default. */
  readonly maxCharacters?: number | undefined;
  /** Counts the call. @throws CoreError when its tenant is over its limit */
  readonly admit?: (() => void) | undefined;
  /**
   * Waits until the call may run, before its arguments are checked, and returns the function that ends its turn.
   * @throws CoreError when too many calls wait
   */
  readonly begin?: (() => Promise<() => void>) | undefined;
  /** Called with any error of a service that is not a refusal: a defect. Nothing of it reaches the client. */
  readonly onDefect: (error: unknown) => void;
  /** Called when the call has ended. @param limit name of the limit that it exceeded */
  readonly onEnd?: ((outcome: ToolOutcome, limit?: string) => void) | undefined;
}

/** How a call ended: `UNAVAILABLE` when a dependency of the tool is. */
export type ToolOutcome = "ok" | ToolErrorCode | "UNAVAILABLE";

/** Maximum number of faults in one error. A request may have more unknown names than anyone reads. */
const MAX_FAULTS = 50;
/** Maximum length of a client's own name that an error repeats. */
const MAX_NAME = 100;

/**
 * Checks the arguments, calls the tool, and converts any failure to a tool error.
 * @throws CoreError UNAVAILABLE when a dependency of the tool is unavailable, which is answered with a 503 rather than a tool error
 */
export async function callTool(tool: Tool, args: unknown, context: CallContext): Promise<ToolAnswer> {
  let end: (() => void) | undefined;
  const ended = (answer: ToolAnswer) => {
    context.onEnd?.(answer.error ?? "ok", answer.limit);
    return answer;
  };
  try {
    context.admit?.();
    if (context.begin) end = await context.begin();
    const given = underOwnNames(tool, plainArguments(tool, args ?? {}));
    const parsed = checkInput(tool.input, given);
    if (!parsed.success) return ended(refuseArguments(tool, parsed.error, given));
    const { services, actor, maxCharacters = ANSWER_MAX_CHARACTERS } = context;
    return ended({ json: await tool.run(services, actor, parsed.data, maxCharacters), error: null });
  } catch (error) {
    return ended(refusalOf(error, tool, context));
  } finally {
    end?.();
  }
}

/** @throws CoreError UNAVAILABLE */
function refusalOf(error: unknown, tool: Tool, { clock, traceId, onDefect, onEnd }: CallContext): ToolAnswer {
  const refused = toCoreError(error);
  if (refused?.code === "UNAVAILABLE") {
    onEnd?.("UNAVAILABLE");
    throw isReading(tool) ? withoutDoubt(refused) : refused;
  }
  if (refused) return refusalBy(refused, clock());
  onDefect(error);
  return internalError(traceId);
}

function isReading({ scope }: Tool): boolean {
  return scope.endsWith(":read");
}

/**
 * Reads arguments as models write them (contract §11, §4): null and "" for an optional parameter are omissions, and JSON text of a
 * number, a flag or a list is parsed where the parameter does not accept the text itself. The published schema does not mention it: hosts
 * show the schema to people and models, for whom the plain form is simpler.
 */
function plainArguments({ input: { shape } }: Tool, args: unknown): unknown {
  if (args === null || typeof args !== "object" || Array.isArray(args)) return args;
  let changed: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(args)) {
    const parameter = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (parameter === undefined) continue;
    const plain = isOmission(value, parameter) ? undefined : plainValue(value, parameter);
    if (plain === value) continue;
    changed ??= { ...args };
    if (plain === undefined) delete changed[name];
    else changed[name] = plain;
  }
  return changed ?? args;
}

/** Moves what came under another name. @throws CoreError VALIDATION_ERROR when both names came, with different values */
function underOwnNames({ otherName }: Tool, args: unknown): unknown {
  if (otherName === undefined || args === null || typeof args !== "object" || Array.isArray(args)) return args;
  const { name, of } = otherName;
  const { [name]: value, ...rest } = args as Readonly<Record<string, unknown>>;
  const own = rest[of] ?? "";
  if (typeof value !== "string" || typeof own !== "string") return args;
  if (own !== "" && own.toLowerCase() !== value.toLowerCase())
    throw invalid(invalidValue(name, `is another name of ${of}: give one of them, or both the same value`));
  return { ...rest, [of]: value };
}

function isOmission(value: unknown, parameter: z.core.$ZodType): boolean {
  return value === null || (value === "" && z.safeParse(parameter, undefined).success);
}

/** JSON text of a list, a number or a flag; anything else that a string may hold means itself. */
const jsonText = /^\s*(?:\[.*\]|-?\d+(?:\.\d+)?|true|false)\s*$/s;

function plainValue(value: unknown, parameter: z.core.$ZodType): unknown {
  if (typeof value !== "string" || !jsonText.test(value)) return value;
  const read = jsonOf(value);
  if (read === undefined) return value;
  const isText = !Array.isArray(read) && z.safeParse(parameter, value).success;
  return !isText && z.safeParse(parameter, read).success ? read : value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalBy(error: CoreError, now: Date): ToolAnswer {
  const code = codes[error.code as keyof typeof codes];
  const limit = limitReached(error, now);
  if (error.missing)
    return { json: JSON.stringify({ error: { code, message: error.message, details: error.missing } }), error: code };
  if (limit === undefined) return refusal(code, `${error.message}${nextStepAfter(error.message)}`, error.details);
  return {
    json: JSON.stringify({ error: { code, message: error.message, details: [limit] } }),
    error: code,
    limit: limit.limit,
  };
}

/** Makes the protocol's result of a call: the structured answer, and the same as text. */
export function toolResult({ json, error }: ToolAnswer): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text: json }];
  return error === null ? { content, structuredContent: JSON.parse(json) } : { content, isError: true };
}

/** Where a caller finds valid ids, by parameter. */
const sources: Readonly<Record<string, string>> = {
  connector_id: "svc-connectors lists the banks that can be connected",
  credentials_token: "svc-credentials lists the bank connections",
  connection_id: "svc-credentials lists the bank connections; connection_id is the credentials_token of one",
  session_id: "it is the session_id that svc-create-connect-session answered",
  portfolio_id: "it is the id of a row of svc-portfolios",
  investment_id: "it is the id of a row of svc-investments",
  id: "it is the id of a row of svc-portfolios, svc-investments or svc-investment-transactions of /mcp",
};

/** Tells a caller with an unknown id where to find a valid one. */
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
  INSUFFICIENT_DATA: "INSUFFICIENT_DATA",
} as const satisfies Record<Exclude<CoreErrorCode, "UNAVAILABLE">, ToolErrorCode>;

function refuseArguments(tool: Tool, error: z.ZodError, args: unknown): ToolAnswer {
  const names = Object.keys(tool.input.shape).join(", ");
  const { otherName } = tool;
  const faults = firstOfEach(faultsOf(error, args)).map((fault) => {
    if (fault.error_type === "UnknownField")
      return { ...fault, message: `is not a parameter of ${tool.name}, which takes ${names}` };
    return fault.error_type === "RequiredField" && fault.field === otherName?.of
      ? { ...fault, message: `is required, or ${otherName.name}, which is another name of it` }
      : fault;
  });
  return refusal("VALIDATION_ERROR", faults.slice(0, MAX_FAULTS).map(sentenceOf).join("; "), faults);
}

/** Keeps one fault per field; further ones repeat it in other words. */
function firstOfEach(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.toReversed().map((fault) => [fault.field, fault])).values()].toReversed();
}

function refusal(code: ToolErrorCode, message: string, details: readonly Fault[] | undefined): ToolAnswer {
  // What is wrong is said once, in the message.
  const listed = details?.slice(0, MAX_FAULTS).map(({ field, error_type }) => ({ field: shorten(field), error_type }));
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
