import { z } from "zod";
import { isObject } from "./client-envelope.js";
import type { Reply } from "./reply.js";

const paramsSchema = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
});

/**
 * The answer to an `initialize` whose params are not as S1 §4 has them, naming each fault; null when they are. The SDK would call
 * it an internal error of its own.
 */
export function initializeRefusal(body: unknown): Reply | null {
  if (!isObject(body) || body.method !== "initialize" || body.id === undefined) return null;
  const parsed = paramsSchema.safeParse(body.params);
  if (parsed.success) return null;
  const faults = parsed.error.issues.map((issue) => `${["params", ...issue.path].join(".")}: ${issue.message}`);
  const error = { code: -32602, message: `Invalid params: ${faults.join("; ")}` };
  return { status: 200, outcome: "invalid_params", body: JSON.stringify({ jsonrpc: "2.0", id: body.id, error }) };
}
