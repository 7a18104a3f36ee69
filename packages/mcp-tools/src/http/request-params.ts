import { checkInput } from "@org/core";
import { z } from "zod";
import { isObject, isPlainEnvelope, MODERN_VERSION, metaOf, type ProtocolHeaders } from "./client-envelope.js";
import type { Reply } from "./reply.js";

/** Params of the methods for which the SDK would call a fault of the client's an internal error of its own. */
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

/** S1 §4. A method before 2026-07-28 only. */
const initializeParams = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
});

/**
 * The answer to a request whose params are not those of its method, naming each fault; null when they are. In 2026-07-28 the
 * faults of headers and envelope come first, and those are the SDK's to find.
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

/** As many as a tool lists: a record of arguments may have ten thousands. */
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
