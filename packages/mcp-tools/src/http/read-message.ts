import type { IncomingMessage } from "node:http";
import type { ReachedLimit } from "@org/admission";
import { checkInput, limitReached } from "@org/core";
import {
  andThen,
  type BodyError,
  type BodyErrorCode,
  isTooDeep,
  type JsonError,
  limitSentence,
  type MaybePromise,
  parseJson,
  readBytes,
  requireFormat,
  retryAfter,
} from "@org/http";
import { z } from "zod";
import { isObject, isPlainEnvelope, MODERN_VERSION, metaOf, type ProtocolHeaders } from "./client-envelope.js";
import { MAX_CALLS } from "./direct-call.js";
import { type Reply, rpcRefusal } from "./reply.js";

/** Maximum size of a request body (contract §9). */
export const BODY_LIMIT = 1_048_576;

/** Maximum number of values in a body. A hundred calls with their arguments have about two thousand. */
const MAX_VALUES = 10_000;

/**
 * Maximum number of values outside of calls' arguments, and how many more for each message: the SDK checks these several times, and reports each
 * fault. A call has about ten.
 */
const MAX_ENVELOPE_VALUES = 300;
const ENVELOPE_VALUES_PER_MESSAGE = 12;

/** The parsed body, or the answer when it is not JSON. Whether it is a valid message is checked elsewhere. */
export type ReadMessage = { readonly value: unknown } | { readonly refusal: Reply };

/** Reads and parses the body of a request. @throws BodyError for which {@link bodyRefusal} makes the answer */
export function readMessage(request: IncomingMessage): MaybePromise<ReadMessage> {
  requireFormat(request, { mediaType: "application/json" });
  return andThen(readBytes(request, { maxBytes: BODY_LIMIT }), messageIn);
}

function messageIn(bytes: Buffer): ReadMessage {
  const parsed = parseJson(bytes, { byteOrderMark: "refused", maxValues: MAX_VALUES });
  if ("error" in parsed) return { refusal: jsonRefusal(parsed.error) };
  if (isTooDeep(parsed.value)) return { refusal: invalid("the body is nested too deeply") };
  return hasLargeEnvelope(parsed.value)
    ? { refusal: invalid("the body holds too many values besides the arguments of calls") }
    : parsed;
}

/** Makes the answer to a request whose body was refused. @param now for the end time in a refusal */
export function bodyRefusal({ code, limit }: BodyError, now: Date): Reply {
  // Only codes without a limit are left.
  return limit ? noRoom(limit, now) : bodyRefusals[code as keyof typeof bodyRefusals];
}

/** Whether there are too many values outside of calls' arguments, which the tools check themselves. It stops counting at the limit. */
function hasLargeEnvelope(body: unknown): boolean {
  const messages = Array.isArray(body) ? body : [body];
  const most = MAX_ENVELOPE_VALUES + ENVELOPE_VALUES_PER_MESSAGE * messages.length;
  let found = 0;
  for (const message of messages) count(message, "message");
  return found > most;

  function count(value: unknown, what: "message" | "params" | "other"): void {
    found += 1;
    if (value === null || typeof value !== "object" || found > most) return;
    for (const [name, member] of Object.entries(value))
      if (what !== "params" || name !== "arguments")
        count(member, what === "message" && name === "params" ? "params" : "other");
  }
}

function jsonRefusal({ code }: JsonError): Reply {
  if (code === "too_many_values" || code === "too_many_names") return invalid("the body holds too many values");
  return rpcRefusal(400, -32700, "Parse error: the body is not valid JSON in UTF-8", "parse_error");
}

function noRoom(limit: ReachedLimit, now: Date): Reply {
  const [status, what, outcome] = limit.isOwnShare
    ? ([429, "Too many request bytes in flight", "rate_limited"] as const)
    : ([503, "Too many bytes are on their way to the server", "unavailable"] as const);
  const details = [limitReached({ limit, retryAfterSeconds: limit.retryAfterSeconds }, now)];
  return rpcRefusal(status, -32000, limitSentence(what, limit), outcome, retryAfter(limit.retryAfterSeconds), {
    details,
  });
}

function invalid(why: string): Reply {
  return rpcRefusal(400, -32600, `Invalid Request: ${why}`, "bad_request");
}

/** The SDK writes all answers of such a batch in one piece. */
export const MAX_MIXED_BATCH = 20;
export const batchTooLarge = invalid(
  `a batch has at most ${MAX_CALLS} tool calls, or ${MAX_MIXED_BATCH} messages if others are among them`,
);

const wrongType = rpcRefusal(
  415,
  -32000,
  "Unsupported Media Type: Content-Type must be application/json",
  "unsupported_media_type",
);
const closing = { Connection: "close" };
const bodyRefusals = {
  wrong_type: wrongType,
  wrong_charset: wrongType,
  compressed: wrongType,
  too_large: rpcRefusal(
    413,
    -32000,
    `Payload Too Large: the body must not exceed ${BODY_LIMIT} bytes`,
    "too_large",
    closing,
  ),
  too_slow: rpcRefusal(408, -32000, "Request Timeout: the body took too long", "too_slow", closing),
  small_chunks: invalid("the body comes in too many small chunks"),
  broken_off: { status: 400, body: null, headers: closing, outcome: "gone" },
} as const satisfies Record<Exclude<BodyErrorCode, "over_share" | "no_room">, Reply>;

/** Params of the methods for which the SDK would report a client's mistake as its own internal error. */
const paramsOf = new Map<string, z.ZodType>(
  Object.entries({
    "tools/call": z.looseObject({ name: z.string(), arguments: z.looseObject({}).optional() }),
    "prompts/get": z.looseObject({
      name: z.string(),
      arguments: z.record(z.string(), z.string("must be a string")).optional(),
    }),
    "resources/read": z.looseObject({ uri: z.string() }),
    "completion/complete": z.looseObject({
      ref: z.discriminatedUnion("type", [
        z.looseObject({ type: z.literal("ref/prompt"), name: z.string() }),
        z.looseObject({ type: z.literal("ref/resource"), uri: z.string() }),
      ]),
      argument: z.looseObject({ name: z.string(), value: z.string() }),
    }),
    ...Object.fromEntries(
      ["tools/list", "prompts/list", "resources/list", "resources/templates/list"].map((method) => [
        method,
        z.looseObject({ cursor: z.string().optional() }).optional(),
      ]),
    ),
  }),
);

/** S1 §4. This method only exists before 2026-07-28. */
const initializeParams = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
});

/**
 * Returns the answer to a request whose params do not fit its method, naming each fault; null when they do. In 2026-07-28, faults of
 * headers and envelope take precedence, and the SDK reports those.
 */
export function paramsRefusal(body: unknown, era: "legacy" | "modern", headers: ProtocolHeaders): Reply | null {
  if (!isObject(body) || body.id === undefined) return null;
  const schema =
    body.method === "initialize" && era === "legacy" ? initializeParams : paramsOf.get(String(body.method));
  const parsed = schema && checkInput(schema, body.params);
  if (!parsed || parsed.success || (era === "modern" && !isInOrder(body, headers))) return null;
  const faults = parsed.error.issues
    .slice(0, MAX_FAULTS)
    .map((issue) => `${["params", ...issue.path].join(".")}: ${issue.message}`);
  const error = { code: -32602, message: `Invalid params: ${faults.join("; ")}` };
  return { status: 200, outcome: "invalid_params", body: JSON.stringify({ jsonrpc: "2.0", id: body.id, error }) };
}

/** Same number as for a tool. A record of arguments may have tens of thousands of faults. */
const MAX_FAULTS = 50;

function isInOrder(body: Record<string, unknown>, headers: ProtocolHeaders): boolean {
  const meta = metaOf(body);
  const { name, uri } = isObject(body.params) ? body.params : {};
  const named = typeof uri === "string" ? uri : typeof name === "string" ? name : undefined;
  return (
    headers.version === MODERN_VERSION &&
    headers.method === body.method &&
    headers.name === named &&
    meta !== undefined &&
    isPlainEnvelope(meta)
  );
}
