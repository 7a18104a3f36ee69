import type { IncomingMessage } from "node:http";
import { OAuthError } from "../oauth-error.js";
import { type BodyLimits, readBody } from "./read-form.js";

/** Reads a JSON object. Throws `invalid_client_metadata`, or a `BodyRefusal` past the limits. */
export async function readJson(req: IncomingMessage, limits: BodyLimits): Promise<Readonly<Record<string, unknown>>> {
  const [type = ""] = (req.headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") throw refusal("must be application/json");
  if ((req.headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
    throw refusal("must not be compressed");
  return parseJsonObject(await readBody(req, limits));
}

/**
 * Parses a JSON object that can be kept anywhere: no deep nesting, no `__proto__`, no NUL characters and no lone surrogates,
 * which databases refuse. Throws `invalid_client_metadata`.
 */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal("is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refusal("must be a JSON object");
  requireTame(value, 1);
  return value as Readonly<Record<string, unknown>>;
}

function requireTame(value: unknown, depth: number): void {
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed()))
    throw refusal("must not hold NUL characters or lone surrogates");
  if (typeof value !== "object" || value === null) return;
  if (depth > DEEPEST) throw refusal(`must not be nested deeper than ${DEEPEST} levels`);
  for (const [name, member] of Object.entries(value)) {
    if (name === "__proto__") throw refusal("must not have a member of this name: __proto__");
    requireTame(name, depth);
    requireTame(member, depth + 1);
  }
}

function refusal(fault: string): OAuthError {
  return new OAuthError("invalid_client_metadata", `the JSON document ${fault}`);
}

const DEEPEST = 8;
